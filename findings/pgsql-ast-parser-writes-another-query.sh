#!/usr/bin/env bash
# pgsql-ast-parser 12.0.2 and node-sql-parser 5.4.0 (npm), which read SQL into a tree and write it again, as checks of models' queries do (add a limit, rename a table).
# @electric-sql/pglite 0.5.17 (npm), which is PostgreSQL itself, is the judge. Nothing is changed in the tree.
# Behaviour: pgsql-ast-parser puts the ORDER BY and LIMIT of a union into its last branch, so that a query for three rows gives five, in another order. It drops the parentheses of a
# union in a union, so that duplicates stay or go. Ids above 2^53 are rounded in the condition. Numbers in PostgreSQL's notations become a number and a name: 1e3 is 1 AS e3, 1_000 is
# 1 AS "_000" and 0x1F is 0 AS x1f. node-sql-parser (MySQL) takes 1e3 for a column, and 1e-5 for a column minus 5; its list of columns names them.
# Seen:   1,2,3 becomes 5,6,1,2,3 / 7,7,8 becomes 7,8 / id 9007199254740993: ...992 / 1000 becomes 1 / x > 1e-5: `x` > `1e` - 5
# Most would guess: the same query in other spelling, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund pgsql-ast-parser@12.0.2 node-sql-parser@5.4.0 @electric-sql/pglite@0.5.17
cat > run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';
import { parseFirst, toSql } from 'pgsql-ast-parser';
import nodeSqlParser from 'node-sql-parser';
const db = new PGlite();
await db.exec('create table t (a bigint); create table u (a bigint); insert into t values (5), (6); insert into u values (1), (2), (3), (4)');
await db.exec("create table ids (id bigint, name text); insert into ids values (9007199254740993, 'mine'), (9007199254740992, 'another')");
const rows = async (sql) => {
  const lines = (await db.query(sql, [], { rowMode: 'array' })).rows.map((row) => row.join(' '));
  return (/order by/i.test(sql) ? lines : lines.sort()).join(',');
};
for (const sql of ['select a from t union all select a from u order by 1 limit 3', 'select 1 union (select 1 union all select 1)',
  'select 7 union all (select 7 union select 8)', 'select name from ids where id = 9007199254740993', 'select 1e3', 'select 1_000', 'select 0x1F', 'select 1.10']) {
  const written = toSql.statement(parseFirst(sql)).replace(/\s+/g, ' ').trim();
  console.log(`${sql} -> ${written}: ${await rows(sql)} -> ${await rows(written)}`);
}
const parser = new nodeSqlParser.Parser();
for (const sql of ['select a from t where x > 1e3', 'select a from t where x > 1e-5', 'select a from t where x > 1.5e3']) {
  console.log(`${sql} -> ${parser.sqlify(parser.astify(sql, { database: 'mysql' }), { database: 'mysql' })}`);
}
console.log(parser.columnList('select a from t where x > 1e3', { database: 'mysql' }).join(' '));
JS
for package in pgsql-ast-parser node-sql-parser @electric-sql/pglite; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
select a from t union all select a from u order by 1 limit 3 -> (SELECT a FROM t ) UNION ALL (SELECT a FROM u ORDER BY (1) LIMIT (3)): 1,2,3 -> 5,6,1,2,3
select 1 union (select 1 union all select 1) -> (SELECT (1) ) UNION (SELECT (1) ) UNION ALL (SELECT (1) ): 1 -> 1,1
select 7 union all (select 7 union select 8) -> (SELECT (7) ) UNION ALL (SELECT (7) ) UNION (SELECT (8) ): 7,7,8 -> 7,8
select name from ids where id = 9007199254740993 -> SELECT name FROM ids WHERE (id = (9007199254740992)): mine -> another
select 1e3 -> SELECT (1) AS e3: 1000 -> 1
select 1_000 -> SELECT (1) AS "_000": 1000 -> 1
select 0x1F -> SELECT (0) AS x1f: 31 -> 0
select 1.10 -> SELECT (1.1): 1.10 -> 1.1
select a from t where x > 1e3 -> SELECT `a` FROM `t` WHERE `x` > `1e3`
select a from t where x > 1e-5 -> SELECT `a` FROM `t` WHERE `x` > `1e` - 5
select a from t where x > 1.5e3 -> SELECT `a` FROM `t` WHERE `x` > 1.5e3
select::null::a select::null::x select::null::1e3
END
