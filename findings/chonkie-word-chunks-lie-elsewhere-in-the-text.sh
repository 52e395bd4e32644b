#!/usr/bin/env bash
# chonkie 1.7.0 (PyPI), TokenChunker with tokenizer='word' and with 'character'.
# Behaviour: with words the start and end of each chunk are counted from the chunks before it, and the blank between two chunks is in none of
# them. So each position is wrong by one more with each chunk: of 200 chunks the last is said to lie 199 characters before where it is, in the
# midst of another. Put together again, the chunks are not the text ("threefour"). With characters all positions are right.
# Seen:   'one two three four five six seven' by 3: (13, 'four five six'), the text from 13 on: ' four five si' / chunk 200: 199 off
# Expected by most: text[start:end] is the chunk, which is what the positions are for.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check chonkie==1.7.0
cat > run.py <<'PY'
from chonkie import TokenChunker

text = 'one two three four five six seven'
for tokenizer, size in [('word', 3), ('character', 14)]:
    for chunk in TokenChunker(tokenizer=tokenizer, chunk_size=size, chunk_overlap=0).chunk(text):
        print(tokenizer, chunk.start_index, chunk.end_index, repr(chunk.text), repr(text[chunk.start_index:chunk.end_index]))
long = ' '.join(f'word{number}' for number in range(1000))
last = TokenChunker(tokenizer='word', chunk_size=5, chunk_overlap=0).chunk(long)[199]
print('chunk 200:', repr(last.text), 'is at', long.index(last.text), 'and said to be at', last.start_index)
PY
env/bin/python -c "import importlib.metadata as m; print('chonkie', m.version('chonkie'))"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
word 0 13 'one two three' 'one two three'
word 13 26 'four five six' ' four five si'
word 26 31 'seven' 'x sev'
character 0 14 'one two three ' 'one two three '
character 14 28 'four five six ' 'four five six '
character 28 33 'seven' 'seven'
chunk 200: 'word995 word996 word997 word998 word999' is at 7850 and said to be at 7651
END
