#!/usr/bin/env bash
# node-sql-parser 5.4.0 (npm), which tools for models read, check and rewrite SQL with: astify and then sqlify, nothing changed between. SQLite (in Python) runs both texts.
# Behaviour: words that its grammar does not know are taken for names, without an error. NATURAL becomes the alias of the first table, so that the join has no condition and gives all
# pairs of rows; CROSS and ONLY become names too. a ISNULL and a NOTNULL become the column a under such a name. In MySQL's dialect 1e3 is a column of that name, in PostgreSQL's
# 0x1F is 0. \b within quotes, two signs in standard SQL, becomes one control sign, while \d and \n stay, so a search for whole words finds nothing.
# Seen:   NATURAL JOIN: 2 rows become 6 / a ISNULL: [0, 1] becomes the values / mysql a > 1e3: `a` > `1e3` / length of '\bx': 3 becomes 2
# Expected by most: the same query in other spacing, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node-sql-parser@5.4.0
cat > run.cjs <<'JS'
const { writeFileSync } = require('node:fs');
const { Parser } = require('node-sql-parser');
const parser = new Parser();
const again = (text, database) => parser.sqlify(parser.astify(text, { database }), { database });
const pairs = [
  'SELECT * FROM t NATURAL JOIN u',
  'SELECT t.a FROM t CROSS JOIN u',
  'SELECT b ISNULL FROM t',
  'SELECT b NOTNULL FROM t',
  "SELECT length('\\bx'), length('\\dx'), length('\\nx')",
  'SELECT a FROM t WHERE NOT (a - (3 - a) > 1)',
].map((text) => [text, again(text, 'sqlite')]);
writeFileSync('pairs.json', JSON.stringify(pairs));
for (const [database, text] of [['mysql', 'SELECT a FROM t WHERE a > 1e3'], ['postgresql', 'SELECT 0x1F'], ['postgresql', 'SELECT a FROM ONLY t'], ['postgresql', 'SELECT a FROM t NATURAL LEFT JOIN u']]) {
  console.log(`${database}: ${text} -> ${again(text, database)}`);
}
JS
cat > run.py <<'PY'
import json
import sqlite3

base = sqlite3.connect(':memory:')
base.executescript('create table t(a, b); insert into t values (1, null), (2, 5); create table u(a, c); insert into u values (1, 8), (2, 9), (7, 0);')


def rows(query):
    try:
        return base.execute(query).fetchall()
    except sqlite3.OperationalError:
        return 'refused'


for before, after in json.load(open('pairs.json')):
    print('sqlite:', before, '->', rows(before))
    print('   ', ascii(after)[1:-1], '->', rows(after))
PY
echo "node-sql-parser $(node -p "require('./node_modules/node-sql-parser/package.json').version")"
{ node run.cjs; python3 run.py; } | tee out
diff out - <<'END'
mysql: SELECT a FROM t WHERE a > 1e3 -> SELECT `a` FROM `t` WHERE `a` > `1e3`
postgresql: SELECT 0x1F -> SELECT 0 AS "x1F"
postgresql: SELECT a FROM ONLY t -> SELECT a FROM "ONLY" AS "t"
postgresql: SELECT a FROM t NATURAL LEFT JOIN u -> SELECT a FROM "t" AS "NATURAL" LEFT JOIN "u"
sqlite: SELECT * FROM t NATURAL JOIN u -> [(1, None, 8), (2, 5, 9)]
    SELECT * FROM "t" AS "NATURAL" INNER JOIN "u" -> [(1, None, 1, 8), (1, None, 2, 9), (1, None, 7, 0), (2, 5, 1, 8), (2, 5, 2, 9), (2, 5, 7, 0)]
sqlite: SELECT t.a FROM t CROSS JOIN u -> [(1,), (1,), (1,), (2,), (2,), (2,)]
    SELECT "t"."a" FROM "t" AS "CROSS" INNER JOIN "u" -> refused
sqlite: SELECT b ISNULL FROM t -> [(1,), (0,)]
    SELECT "b" AS "ISNULL" FROM "t" -> [(None,), (5,)]
sqlite: SELECT b NOTNULL FROM t -> [(0,), (1,)]
    SELECT "b" AS "NOTNULL" FROM "t" -> [(None,), (5,)]
sqlite: SELECT length('\bx'), length('\dx'), length('\nx') -> [(3, 3, 3)]
    SELECT length('\x08x'), length('\\dx'), length('\nx') -> [(2, 3, 2)]
sqlite: SELECT a FROM t WHERE NOT (a - (3 - a) > 1) -> [(1,), (2,)]
    SELECT "a" FROM "t" WHERE NOT("a" - (3 - "a") > 1) -> [(1,), (2,)]
END
