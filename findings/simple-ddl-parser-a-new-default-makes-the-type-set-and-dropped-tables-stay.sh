#!/usr/bin/env bash
# simple-ddl-parser 1.13.0 (PyPI), which reads SQL's CREATE and ALTER TABLE into dictionaries for schema tools and documentation, DDLParser(text).run() as it is.
# Behaviour: ALTER COLUMN x SET DEFAULT 7 gives the column the type SET and makes it nullable. A table that is dropped stays, and comes a second time without columns; RENAME TO and ALTER COLUMN ... TYPE do nothing.
# A column that an ALTER adds is there, but with NOT NULL it is not. Of two statements on one line the second is lost. A comment behind a default with "--" in it becomes a column named "--", and the next column is gone.
# Seen:   x INT NOT NULL DEFAULT 5, then SET DEFAULT 7: x SET nullable default 7 / ADD y INT NOT NULL: no y / 'http://a--b', -- home: columns site, "--"
# Expected by most: x INT NOT NULL default 7; one table less; y INT; columns site and y; or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check simple-ddl-parser==1.13.0 2> /dev/null
cat > run.py <<'PY'
from simple_ddl_parser import DDLParser

def column(one):
    size = f'({one["size"]})' if one.get('size') else ''
    null = '' if one.get('nullable') is None else ' nullable' if one['nullable'] else ' not null'
    default = f' default {one["default"]}' if one.get('default') is not None else ''
    return f'{one["name"]} {one.get("type") or "no type"}{size}{null}{default}'

for text in [
    'CREATE TABLE a (x INT NOT NULL DEFAULT 5);\nALTER TABLE a ALTER COLUMN x SET DEFAULT 7;',
    'CREATE TABLE a (x INT NOT NULL);\nALTER TABLE a ALTER COLUMN x TYPE BIGINT;',
    'CREATE TABLE a (x INT);\nALTER TABLE a ADD y INT;',
    'CREATE TABLE a (x INT);\nALTER TABLE a ADD y INT NOT NULL;',
    'CREATE TABLE a (x INT);\nDROP TABLE a;\nCREATE TABLE b (y INT);',
    'CREATE TABLE a (x INT);\nALTER TABLE a RENAME TO c;',
    'CREATE TABLE a (x INT); CREATE TABLE b (y INT);',
    "CREATE TABLE a (\n  site VARCHAR(20) DEFAULT 'http://a--b', -- home\n  y INT\n);",
    "CREATE TABLE a (x VARCHAR(10) DEFAULT 'a/*b*/c');",
]:
    tables = [table for table in DDLParser(text).run() if 'columns' in table]
    print(text)
    print('  ->', '; '.join(f'{table["table_name"]}: {", ".join(map(column, table["columns"])) or "no columns"}' for table in tables))
PY
env/bin/python -c "import importlib.metadata as m; print('simple-ddl-parser', m.version('simple-ddl-parser'))"
env/bin/python run.py | tee out
diff out - <<'END'
CREATE TABLE a (x INT NOT NULL DEFAULT 5);
ALTER TABLE a ALTER COLUMN x SET DEFAULT 7;
  -> a: x SET nullable default 7
CREATE TABLE a (x INT NOT NULL);
ALTER TABLE a ALTER COLUMN x TYPE BIGINT;
  -> a: x INT not null
CREATE TABLE a (x INT);
ALTER TABLE a ADD y INT;
  -> a: x INT nullable, y INT nullable
CREATE TABLE a (x INT);
ALTER TABLE a ADD y INT NOT NULL;
  -> a: x INT nullable
CREATE TABLE a (x INT);
DROP TABLE a;
CREATE TABLE b (y INT);
  -> a: x INT nullable; a: no columns; b: y INT nullable
CREATE TABLE a (x INT);
ALTER TABLE a RENAME TO c;
  -> a: x INT nullable
CREATE TABLE a (x INT); CREATE TABLE b (y INT);
  -> a: x INT nullable
CREATE TABLE a (
  site VARCHAR(20) DEFAULT 'http://a--b', -- home
  y INT
);
  -> a: site VARCHAR(20) nullable default 'http://a--b', -- home y INT nullable
CREATE TABLE a (x VARCHAR(10) DEFAULT 'a/*b*/c');
  -> a: x VARCHAR(10) nullable default 'ac'
END
