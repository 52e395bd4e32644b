#!/usr/bin/env bash
# @duckdb/duckdb-wasm 1.32.0 (npm), DuckDB (engine 1.4.3) for sandboxes, browsers and servers in JavaScript; query() and the rows it gives, as its guide shows them. The engine's own text of each value
# stands beside it.
# Behaviour: a number that is written with a point in a query is a decimal in DuckDB, and a decimal comes out of query() without its point: 1.5 is 15, 19.99 is 1999, 0.1 + 0.2 is 3, and the sum of a
# column of prices is a hundred times too large. An average is right, for it is a double. In JSON such a value, and the sum of whole numbers (a 128-bit integer), is a text that holds quotes. An interval
# of 90 minutes or of a day is a pair of zeros. Nothing is said of it, and the name of the column and its value look right.
# Seen:   select 1.5: 15, the engine 1.5 / sum of 19.99 and 0.01: 2000, the engine 20.00 / interval '90 minutes': [0,0], the engine 01:30:00
# Most would guess: 1.5. Some know that decimals come as integers of Apache Arrow; hardly anybody that a bare 1.5 is one, or that a sum of integers is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @duckdb/duckdb-wasm@1.32.0
cat > run.cjs <<'JS'
const path = require('node:path');
const duckdb = require('@duckdb/duckdb-wasm/blocking');
const dist = path.dirname(require.resolve('@duckdb/duckdb-wasm/blocking'));
(async () => {
  const bundle = (kind) => ({ mainModule: path.join(dist, `duckdb-${kind}.wasm`) });
  const db = await duckdb.createDuckDB({ mvp: bundle('mvp'), eh: bundle('eh') }, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
  await db.instantiate();
  const connection = db.connect();
  console.log('engine', db.getVersion());
  const prices = "from (values (19.99), (0.01)) as t(price)";
  for (const [what, from] of [['1.5', ''], ['19.99', ''], ['0.1 + 0.2', ''], ['round(2.345, 2)', ''], ['1e0 + 0.5', ''], ['sum(price)', prices], ['max(price)', prices], ['avg(price)', prices], ['sum(i)', 'from range(5) as t(i)'], ["interval '90 minutes'", ''], ["interval '1 day'", ''], ["date '2024-05-01'", '']]) {
    const row = connection.query(`select ${what} as x, (${what})::varchar as text ${from}`).toArray()[0];
    console.log(`${what}: ${row.x}, as JSON ${JSON.stringify(row.x)}, the engine's text ${row.text}`);
  }
})();
JS
echo "@duckdb/duckdb-wasm $(node -p "require('./node_modules/@duckdb/duckdb-wasm/package.json').version")"
node run.cjs | tee out
diff out - <<'END'
engine v1.4.3
1.5: 15, as JSON "\"15\"", the engine's text 1.5
19.99: 1999, as JSON "\"1999\"", the engine's text 19.99
0.1 + 0.2: 3, as JSON "\"3\"", the engine's text 0.3
round(2.345, 2): 235, as JSON "\"235\"", the engine's text 2.35
1e0 + 0.5: 1.5, as JSON 1.5, the engine's text 1.5
sum(price): 2000, as JSON "\"2000\"", the engine's text 20.00
max(price): 1999, as JSON "\"1999\"", the engine's text 19.99
avg(price): 10, as JSON 10, the engine's text 10.0
sum(i): 10, as JSON "\"10\"", the engine's text 10
interval '90 minutes': 0,0, as JSON {"0":0,"1":0}, the engine's text 01:30:00
interval '1 day': 0,0, as JSON {"0":0,"1":0}, the engine's text 1 day
date '2024-05-01': 1714521600000, as JSON 1714521600000, the engine's text 2024-05-01
END
