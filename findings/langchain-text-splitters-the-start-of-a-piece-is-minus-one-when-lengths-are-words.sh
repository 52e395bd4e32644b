#!/usr/bin/env bash
# langchain-text-splitters 1.1.3 (PyPI): RecursiveCharacterTextSplitter with a length_function that counts words (as one that counts tokens), an overlap, and add_start_index.
# Behaviour: the place of a piece is looked for from (place of the last piece + its letters - overlap), where the overlap is a number of words. So a piece that begins some words before the end of the
# last one lies before that place: it is not found, and its start_index is -1; or it is found further on, where the same words come again. After a -1 the search begins near the start of the
# text again, so that the places of a text with repeated lines go back. No error, no warning. With lengths in letters all is right.
# Seen:   each second piece: -1 / twelve equal lines: 0, 20, ..., 100, -1, 20, 40, 60, 80
# Expected by most: the place in the text where the piece is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain-text-splitters==1.1.3
cat > run.py <<'PY'
import importlib.metadata
from langchain_text_splitters import RecursiveCharacterTextSplitter


def words(text):
    return len(text.split())


def show(label, text, **options):
    print(label)
    for piece in RecursiveCharacterTextSplitter(add_start_index=True, **options).create_documents([text]):
        start = piece.metadata['start_index']
        there = text[start:start + len(piece.page_content)] == piece.page_content if start >= 0 else False
        print(f'  {start} {piece.page_content[:28]!r}', 'right' if there else f'wrong, it is at {text.find(piece.page_content)}')


print('langchain-text-splitters', importlib.metadata.version('langchain-text-splitters'))
houses = '\n\n'.join(f'House {i} has the number {i} and all is well in house {i} this year.' for i in range(3))
show('words, overlap 5', houses, chunk_size=12, chunk_overlap=5, length_function=words)
show('letters, overlap 25', houses, chunk_size=60, chunk_overlap=25)
show('words, equal lines', '\n'.join(['item done'] * 12), chunk_size=4, chunk_overlap=2, length_function=words)
PY
env/bin/python run.py | tee out
diff out - <<'END'
langchain-text-splitters 1.1.3
words, overlap 5
  0 'House 0 has the number 0 and' right
  -1 'all is well in house 0 this ' wrong, it is at 29
  64 'House 1 has the number 1 and' right
  -1 'all is well in house 1 this ' wrong, it is at 93
  128 'House 2 has the number 2 and' right
  -1 'all is well in house 2 this ' wrong, it is at 157
letters, overlap 25
  0 'House 0 has the number 0 and' right
  33 'is well in house 0 this year' right
  64 'House 1 has the number 1 and' right
  97 'is well in house 1 this year' right
  128 'House 2 has the number 2 and' right
  161 'is well in house 2 this year' right
words, equal lines
  0 'item done\nitem done' right
  20 'item done\nitem done' right
  40 'item done\nitem done' right
  60 'item done\nitem done' right
  80 'item done\nitem done' right
  100 'item done\nitem done' right
  -1 'item done\nitem done' wrong, it is at 0
  20 'item done\nitem done' right
  40 'item done\nitem done' right
  60 'item done\nitem done' right
  80 'item done\nitem done' right
END
