#!/usr/bin/env bash
# npm @supabase/mcp-server-postgrest 0.2.0, an MCP server for databases behind PostgREST, its tool sqlToRest, asked over stdio. Nothing else is needed: the tool only turns SQL into a path.
# Behaviour: what a path cannot say is refused with an error (CTEs, HAVING, SELECT DISTINCT), and so one trusts the rest. But parts are dropped without a word. count(distinct city) becomes count(city),
# a FILTER of a sum is gone, a window function becomes the sum of all rows, other.orders becomes orders, and a join over any columns becomes the join of the foreign key. An id above 2^53 becomes
# that of another row. Within OR a text with a comma is not quoted, so the condition ends at the comma.
# Seen:   count(distinct city): city.count() / id = 9007199254740993: eq.9007199254740992 / sum(price) filter (where paid = 1): price.sum()
# Expected by most: an error for each, as for HAVING, and the same id.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @supabase/mcp-server-postgrest@0.2.0 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const server = spawn('node_modules/.bin/mcp-server-postgrest', ['--apiUrl', 'http://127.0.0.1:9/rest/v1', '--schema', 'public', '--apiKey', 'none'], { stdio: ['pipe', 'pipe', 'ignore'] });
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
for (const sql of [
  'select count(distinct city) from orders',
  'select sum(price) filter (where paid = 1) from orders',
  'select sum(price) over (partition by city) from orders',
  'select * from other.orders',
  'select o.id, c.name from orders o join customers c on c.email = o.contact',
  'select * from orders where id = 9007199254740993',
  "select * from orders where paid = 1 or name = 'Smith, Ann'",
  "select * from orders where name like 'a*b'",
  'select city, count(*) from orders group by city having count(*) > 2',
]) {
  const { content, isError } = await ask('tools/call', { name: 'sqlToRest', arguments: { sql } });
  console.log(`${sql}: ${isError ? 'an error' : decodeURIComponent(JSON.parse(content[0].text).path)}`);
}
server.kill();
process.exit(0);
JS
echo "@supabase/mcp-server-postgrest $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@supabase/mcp-server-postgrest/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
select count(distinct city) from orders: /orders?select=city.count()
select sum(price) filter (where paid = 1) from orders: /orders?select=price.sum()
select sum(price) over (partition by city) from orders: /orders?select=price.sum()
select * from other.orders: /orders
select o.id, c.name from orders o join customers c on c.email = o.contact: /orders?select=id,...customers!inner(name)
select * from orders where id = 9007199254740993: /orders?id=eq.9007199254740992
select * from orders where paid = 1 or name = 'Smith, Ann': /orders?or=(paid.eq.1,name.eq.Smith,+Ann)
select * from orders where name like 'a*b': /orders?name=like.a*b
select city, count(*) from orders group by city having count(*) > 2: an error
END
