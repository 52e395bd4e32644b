#!/usr/bin/env bash
# contextcram 0.2.0 and llm-ctxpack 0.2.1 (PyPI), packers of text into a token budget.
# Behaviour: only the pieces are counted. The blank lines that contextcram puts between them, and the rule that llm-ctxpack puts there, are in no count. used_tokens and total_tokens stay within the budget while the text is longer.
# With many short pieces, such as the hits of a search, the text is a fifth or more over the budget. The room kept for the answer goes with it.
# Seen:   contextcram, budget 300 letters, 30 pieces of 10: used_tokens 300, text 358 / llm-ctxpack, budget 100: total_tokens 60, while its own count of the same text is 126
# Expected by most: the text that comes out fits the budget.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check contextcram==0.2.0 llm-ctxpack==0.2.1
cat > run.py <<'PY'
import importlib.metadata
from contextcram import CallableTokenizer, Packer
from llm_ctxpack import ContextItem, pack

for name in ('contextcram', 'llm-ctxpack'):
    print(name, importlib.metadata.version(name))
pieces = [f'piece-{number:04}' for number in range(30)]
packer = Packer(budget=300, tokenizer=CallableTokenizer(len))
for piece in pieces:
    packer.add(piece, priority='high')
result = packer.fit()
print('contextcram: budget 300, used_tokens', result.used_tokens, 'remaining', result.remaining, 'dropped', len(result.dropped), 'length of the text', len(result.text))
items = [ContextItem(id=piece, text=piece, priority=1) for piece in pieces]
result = pack(items, budget=100)
whole = pack([ContextItem(id='all', text=result.render(), priority=1, truncatable=False)], budget=10_000)
print('llm-ctxpack: budget 100, total_tokens', result.total_tokens, 'dropped', len(result.dropped_ids), 'the same text counted as one piece:', whole.total_tokens)
PY
env/bin/python run.py | tee out
diff out - <<'END'
contextcram 0.2.0
llm-ctxpack 0.2.1
contextcram: budget 300, used_tokens 300 remaining 0 dropped 0 length of the text 358
llm-ctxpack: budget 100, total_tokens 60 dropped 0 the same text counted as one piece: 126
END
