#!/usr/bin/env bash
# evalica 0.4.2 (PyPI), rankings of models from comparisons of two: bradley_terry, newman, eigen, elo, average_win_rate.
# Behaviour: as soon as one model has won (or lost) all its comparisons, bradley_terry gives every model the same score, 0.000001, without an error; newman does so too when one is unbeaten.
# With one game more that the model loses (or wins) both are right again. eigen puts the model that lost most first in each of these sets; the one that won all has 0.
# Seen:   a beats b and c always: bradley_terry 1e-06 for all three; eigen a 0, b 0.53, c 0.848
# Expected by most: a first, then b, then c; or a refusal.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check evalica==0.4.2
cat > run.py <<'PY'
import importlib.metadata
import evalica

print('evalica', importlib.metadata.version('evalica'))
won = evalica.Winner.X
unbeaten = 3 * ['ab'] + 3 * ['ac'] + 2 * ['bc'] + ['cb']
winless = 2 * ['ab'] + ['ba'] + 3 * ['ac'] + 3 * ['bc']
for name, games in (('a is unbeaten', unbeaten), ('b has won one of a', unbeaten + ['ba']), ('c has won none', winless), ('c has won one of a', winless + ['ca'])):
    print(name)
    for rank in ('bradley_terry', 'newman', 'eigen', 'elo', 'average_win_rate'):
        scores = getattr(evalica, rank)([game[0] for game in games], [game[1] for game in games], [won] * len(games)).scores
        print('  ' + rank, ', '.join(f'{model} {scores[model]:.4g}' for model in 'abc'))
PY
env/bin/python run.py | tee out
diff out - <<'END'
evalica 0.4.2
a is unbeaten
  bradley_terry a 1e-06, b 1e-06, c 1e-06
  newman a 1e-06, b 1e-06, c 1e-06
  eigen a 0, b 0.53, c 0.848
  elo a 1012, b 996, c 992.2
  average_win_rate a 1, b 0.3333, c 0.1667
b has won one of a
  bradley_terry a 3.701, b 0.8838, c 0.3057
  newman a 3.425, b 0.8179, c 0.2829
  eigen a 0.2392, b 0.5959, c 0.7666
  elo a 1010, b 998.1, c 992.2
  average_win_rate a 0.875, b 0.4583, c 0.1667
c has won none
  bradley_terry a 1e-06, b 1e-06, c 1e-06
  newman a 4, b 2.5, c 1e-06
  eigen a 0.212, b 0.212, c 0.954
  elo a 1008, b 1004, c 988.2
  average_win_rate a 0.8333, b 0.6667, c 0
c has won one of a
  bradley_terry a 1.883, b 1.748, c 0.3038
  newman a 1.967, b 1.826, c 0.3174
  eigen a 0.4328, b 0.3219, c 0.842
  elo a 1006, b 1004, c 990.4
  average_win_rate a 0.7083, b 0.6667, c 0.125
END
