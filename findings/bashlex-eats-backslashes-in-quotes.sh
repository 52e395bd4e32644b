#!/usr/bin/env bash
# bashlex 0.18 (PyPI), the parser of bash in Python that hooks and command checks use, against bash.
# Behaviour: within double quotes bash keeps a backslash unless $, `, ", \ or a line break follows. bashlex takes every one away, so that the word it
# reports is another than what the program gets: "\d+" is d+, "a\.b" is a.b. In single quotes it is right. A `case` or `time` or
# an arithmetic expansion is not implemented, and a line that is only a comment is an AttributeError.
# Seen:   "\d+": d+ (bash \d+) / "a\.b": a.b (bash a\.b) / 'a\.b': a\.b / case: NotImplementedError / # note: AttributeError
# Expected by most: the word that the program gets, and no command for a comment.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check bashlex==0.18
cat > run.py <<'PY'
import importlib.metadata
import subprocess
import bashlex

print('bashlex', importlib.metadata.version('bashlex'))
for word in [r'"\d+"', r'"a\.b"', r'"C:\dir"', r"'a\.b'", r'"\$x"']:
    read = bashlex.parse('grep ' + word)[0].parts[1].word
    meant = subprocess.run(['bash', '-c', 'printf %s ' + word], capture_output=True, text=True).stdout
    print(f'{word}: {read} bash: {meant}')
for line in ['case x in a) b;; esac', 'time ls', 'echo $((1+2))', '# note']:
    try:
        bashlex.parse(line)
        print(line + ': read')
    except Exception as error:
        print(line + ': ' + type(error).__name__)
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(cat <<'END'
"\d+": d+ bash: \d+
"a\.b": a.b bash: a\.b
"C:\dir": C:dir bash: C:\dir
'a\.b': a\.b bash: a\.b
"\$x": $x bash: $x
case x in a) b;; esac: NotImplementedError
time ls: NotImplementedError
echo $((1+2)): NotImplementedError
# note: AttributeError
END
)
