#!/usr/bin/env bash
# pytablewriter 1.2.1 (PyPI), its Markdown, JSON and CSV writers, default settings, all values are Python texts.
# Behaviour: texts that look like numbers are written as numbers: the customer "007" is 7, release "1.10" is 1.1, the part "1e5" is 100000 and
# the surname "Inf" or "Infinity" is a number too. Markdown, JSON and CSV do not agree with each other. A line break within a cell becomes a blank.
# Seen:   | 7| 1.1| ...
# Expected by most: "007" and "1.10" as they were given; a text is a text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pytablewriter==1.2.1
cat > write.py <<'PY'
import importlib.metadata
import pytablewriter

print('pytablewriter', importlib.metadata.version('pytablewriter'))
rows = [['007', '1.10', '1e5', 'Inf', 'first\nsecond'], ['008', '1.9', '2e5', 'Smith', 'one']]
for name, title, hints in (('markdown', 'default', None), ('json', 'default', None), ('csv', 'default', None), ('csv', 'type_hints', ['str'] * 5)):
    writer = pytablewriter.TableWriterFactory.create_from_format_name(name)
    writer.table_name = 'parts'
    writer.headers = ['customer', 'release', 'part', 'name', 'note']
    writer.value_matrix = rows
    if hints:
        writer.type_hints = hints
    print('--', name, title)
    print(writer.dumps().strip())
PY
env/bin/python write.py | tee out
diff out - <<'END'
pytablewriter 1.2.1
-- markdown default
# parts
|customer|release| part |  name  |    note    |
|-------:|------:|-----:|--------|------------|
|       7|    1.1|100000|Infinity|first second|
|       8|    1.9|200000|Smith   |one         |
-- json default
{ "parts" : [
    {
        "customer": 7,
        "release": 1.1,
        "part": 100000,
        "name": "Infinity",
        "note": "first second"
    },
    {
        "customer": 8,
        "release": 1.9,
        "part": 200000,
        "name": "Smith",
        "note": "one"
    }
]}
-- csv default
"customer","release","part","name","note"
7,1.10,100000,Infinity,"first second"
8,1.9,200000,"Smith","one"
-- csv type_hints
"customer","release","part","name","note"
"007","1.10","1e5","Inf","first second"
"008","1.9","2e5","Smith","one"
END
