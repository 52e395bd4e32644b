#!/usr/bin/env bash
# npm @henkey/postgres-mcp-server 1.0.7, an MCP server for PostgreSQL, asked over stdio; @electric-sql/pglite 0.5.14 with pglite-socket 0.2.17 is the database.
# Behaviour: pg_import_table_data with truncateFirst empties the table before the import begins, and outside its transaction. An import that fails leaves 0 rows, and the error does not say so.
# It fails easily: commas and line breaks within quotes are taken for ends of fields and rows, so the server's own CSV export cannot be imported. Where all columns are texts it succeeds,
# with each value one column further. The export writes JSON as [object Object] and an array of two as two columns. The "limit" of a query is dropped where the word stands anywhere in it.
# Seen:   2 rows, export, import: an error, 0 rows / "Smith, Ann",Paris: name Smith, city Ann / limit 3 of "select id as speed_limit": 300 rows
# Expected by most: the old rows after an error, quotes that hold, and 3 rows.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @henkey/postgres-mcp-server@1.0.7 @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
const port = await new Promise((done) => { const free = createServer().listen(0, '127.0.0.1', () => { const { port } = free.address(); free.close(() => done(port)); }); });
const db = await PGlite.create();
await db.exec(`create table people (name text, city text, born int);
  insert into people values ('Smith, Ann', 'Paris', 1990), ('Lee', 'Rome', 1985);
  create table texts (name text, city text, code text);
  create table docs (id int, tags text[], body jsonb, note text);
  insert into docs values (1, array['a', 'b'], '{"k": 1}', 'end');
  create table cars (id int);
  insert into cars select n from generate_series(1, 300) n;`);
await new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 10 }).start();
const server = spawn('node_modules/.bin/postgres-mcp', ['--connection-string', `postgres://postgres:postgres@127.0.0.1:${port}/postgres`], { stdio: ['pipe', 'pipe', 'ignore'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }) + '\n');
  for (;;) {
    const answer = JSON.parse((await lines.next()).value);
    if (answer.id === count) return answer.result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const call = async (name, values) => {
  const { content, isError } = await ask('tools/call', { name, arguments: values });
  return (isError ? 'error: ' : '') + content.map(({ text }) => text).join(' ');
};
const rows = async (table) => JSON.stringify((await call('pg_execute_sql', { sql: `select * from ${table}` })).replace(/\s+/g, ' ').replace(/^.*Retrieved/, 'Retrieved'));
const file = `${process.cwd()}/people.csv`;
console.log('before', await rows('people'));
await call('pg_export_table_data', { tableName: 'people', outputPath: file, format: 'csv' });
console.log('its own export', JSON.stringify(readFileSync(file, 'utf8').trim()));
const failed = await call('pg_import_table_data', { tableName: 'people', inputPath: file, format: 'csv', truncateFirst: true });
console.log('import', failed.startsWith('error:') ? 'error' : 'done', '/ says that the table is empty now:', /truncat|empt/i.test(failed));
console.log('after', await rows('people'));
writeFileSync(file, 'name,city,code\n"Smith, Ann","Paris",7\n');
console.log('texts', await call('pg_import_table_data', { tableName: 'texts', inputPath: file, format: 'csv' }).then((text) => text.replace(/ into.*/, '')), await rows('texts'));
await call('pg_export_table_data', { tableName: 'docs', outputPath: file, format: 'csv' });
console.log('docs', JSON.stringify(readFileSync(file, 'utf8').trim()));
for (const query of ['select id from cars', 'select id as speed_limit from cars']) console.log(query, '/ limit 3:', (await call('pg_execute_query', { operation: 'select', query, limit: 3 })).match(/Retrieved \d+ rows/)[0]);
server.kill();
process.exit(0);
JS
for name in @henkey/postgres-mcp-server @electric-sql/pglite; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
before "Retrieved 2 rows. Results: [ { \"name\": \"Smith, Ann\", \"city\": \"Paris\", \"born\": 1990 }, { \"name\": \"Lee\", \"city\": \"Rome\", \"born\": 1985 } ]"
its own export "name,city,born\n\"Smith, Ann\",\"Paris\",1990\n\"Lee\",\"Rome\",1985"
import error / says that the table is empty now: false
after "Retrieved 0 rows."
texts Successfully imported 1 rows "Retrieved 1 rows. Results: [ { \"name\": \"Smith\", \"city\": \"Ann\", \"code\": \"Paris\" } ]"
docs "id,tags,body,note\n1,a,b,[object Object],\"end\""
select id from cars / limit 3: Retrieved 3 rows
select id as speed_limit from cars / limit 3: Retrieved 300 rows
END
