#!/usr/bin/env bash
# @dsnp/parquetjs 1.8.8 (npm), ParquetWriter and ParquetReader of the same package, one column each.
# Behaviour: a DECIMAL is cut downwards after it was multiplied, not rounded: 0.29 is stored as 0.28, 8.2 as 8.19, -1.1 as -1.11. A time that is given as text, as JSON has it, is
# written without an error as the number that its first digits are: 2026 milliseconds after 1970, and as a DATE that day number. A text of a number is read the same way:
# 2,5 is 2. A list of one in a JSON column comes back without its list (one of two is refused). An empty list is null.
# Seen:   0.29: 0.28 / -1.1: -1.11 / 2026-11-03T14:30:00Z: 1970-01-01T00:00:02.026Z / 2026-11-03 as DATE: 1975-07-20 / "2,5": 2 / [1]: 1
# Expected by most: the amounts; the time, or an error; an error; [1].
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @dsnp/parquetjs@1.8.8
cat > run.cjs <<'JS'
const { ParquetReader, ParquetSchema, ParquetWriter } = require('@dsnp/parquetjs');
console.log('@dsnp/parquetjs', require('./node_modules/@dsnp/parquetjs/package.json').version);
const round = async (name, field, values) => {
  const writer = await ParquetWriter.openFile(new ParquetSchema({ v: field }), 'v.parquet');
  for (const v of values) await writer.appendRow({ v });
  await writer.close();
  const reader = await ParquetReader.openFile('v.parquet');
  const cursor = reader.getCursor();
  for (const v of values) console.log(`${name} ${v instanceof Date ? 'Date ' : ''}${JSON.stringify(v)}: ${JSON.stringify((await cursor.next()).v)}`);
  await reader.close();
};
(async () => {
  await round('DECIMAL', { type: 'DECIMAL', precision: 10, scale: 2 }, [1.1, 0.29, 8.2, 1.15, -1.1, -4.35]);
  await round('TIMESTAMP_MILLIS', { type: 'TIMESTAMP_MILLIS' }, [new Date(Date.UTC(2026, 10, 3, 14, 30)), '2026-11-03T14:30:00Z']);
  await round('DATE', { type: 'DATE' }, [new Date(Date.UTC(2026, 10, 3)), '2026-11-03']);
  await round('DOUBLE', { type: 'DOUBLE' }, [2.5, '2,5']);
  await round('JSON', { type: 'JSON' }, [[1], { a: [1] }]);
  await round('list of UTF8', { type: 'UTF8', repeated: true }, [['a', 'b'], []]);
})();
JS
node run.cjs | tee out
diff out - <<'END'
@dsnp/parquetjs v1.8.8
DECIMAL 1.1: 1.1
DECIMAL 0.29: 0.28
DECIMAL 8.2: 8.19
DECIMAL 1.15: 1.14
DECIMAL -1.1: -1.11
DECIMAL -4.35: -4.35
TIMESTAMP_MILLIS Date "2026-11-03T14:30:00.000Z": "2026-11-03T14:30:00.000Z"
TIMESTAMP_MILLIS "2026-11-03T14:30:00Z": "1970-01-01T00:00:02.026Z"
DATE Date "2026-11-03T00:00:00.000Z": "2026-11-03T00:00:00.000Z"
DATE "2026-11-03": "1975-07-20T00:00:00.000Z"
DOUBLE 2.5: 2.5
DOUBLE "2,5": 2
JSON [1]: 1
JSON {"a":[1]}: {"a":[1]}
list of UTF8 ["a","b"]: ["a","b"]
list of UTF8 []: null
END
