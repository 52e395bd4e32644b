#!/usr/bin/env bash
# tantivy 0.27.0 (PyPI), the search library in Rust with its Python binding, text fields and parse_query as they are.
# Behaviour: a word of 40 bytes or more is not indexed and not looked for, without a word of it. A commit id of git has exactly 40, so no commit is found by it,
# nor a SHA-256, while its first 39 letters in a text of their own are. What a user types is a program: a place in a file (src/main.rs:42) and an address
# are errors about a field that does not exist, and one apostrophe (it's) is a syntax error. Ordinary words are found as should be.
# Seen:   40 letters: 0 hits / 39 letters: 1 hit / src/main.rs:42, https://x.example: ValueError, field does not exist / it's: ValueError, syntax error
# Expected by most: a long word is a word; a query in plain English is no error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tantivy==0.27.0
cat > run.py <<'PY'
import tantivy

builder = tantivy.SchemaBuilder()
builder.add_text_field('body', stored=True)
index = tantivy.Index(builder.build())
writer = index.writer(15_000_000, 1)
commit = '3f' * 20
for text in ('commit ' + commit, 'part ' + commit[:39], 'see src/main.rs:42 and https://x.example', "it's new"):
    writer.add_document(tantivy.Document(body=text))
writer.commit()
index.reload()
for query in (commit, '"' + commit + '"', commit[:39], 'commit', 'src/main.rs:42', 'https://x.example', "it's", 'new'):
    try:
        print(query + ': ' + str(len(index.searcher().search(index.parse_query(query, ['body']), 10).hits)))
    except ValueError as error:
        print(query + ': ' + str(error).partition(':')[0])
PY
env/bin/python -c "import importlib.metadata as m; print('tantivy', m.version('tantivy'))"
env/bin/python run.py | tee out
diff out - <<'END'
3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f: 0
"3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f": 0
3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3: 1
commit: 1
src/main.rs:42: Field does not exist
https://x.example: Field does not exist
it's: Syntax Error
new: 1
END
