#!/usr/bin/env bash
# geostyler-cql-parser 4.1.1 (npm): filters in CQL become filters of GeoStyler (read) and back (write).
# Behaviour: NOT is dropped in NOT BETWEEN and IS NOT NULL, so the filter keeps exactly what was to be left out. Of a name with a point only the part before it stays.
# A negative number is an object, LIKE and IN give an object of the parser that is no filter and that write gives back as it is. What is not understood (a doubled quote) gives undefined, no error.
# write puts no quotes around names and does not double the quote in O'Brien, so what it writes can not be read.
# Seen:   x NOT BETWEEN 1 AND 5 -> ["<=x<=","x",1,5] / x IS NOT NULL -> ["==","x",null] / road.lanes = 2 -> ["==","road",2] / n LIKE 'x%' -> {"type":"LikePredicate",...}
# Expected by most: ["!", ...], ["!=", "x", null], ["==", "road.lanes", 2], ["*=", ...], or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund geostyler-cql-parser@4.1.1
cat > run.mjs <<'JS'
import { CqlParser } from 'geostyler-cql-parser';
const parser = new CqlParser();
for (const cql of ["x BETWEEN 1 AND 5", "x NOT BETWEEN 1 AND 5", "NOT (x BETWEEN 1 AND 5)", "x IS NULL", "x IS NOT NULL", "NOT (x IS NULL)", "road.lanes = 2", "x > -5", "n LIKE 'x%'", "x IN (1,2)", "n = 'O''Brien'"]) {
  const filter = parser.read(cql);
  let written;
  try { written = parser.write(filter); } catch (error) { written = `error: ${error.message}`; }
  console.log(`${cql}: ${JSON.stringify(filter)}, written ${typeof written === 'string' ? written : typeof written}`);
}
for (const filter of [['==', 'n', "O'Brien"], ['==', 'my column', 1]]) {
  const written = parser.write(filter);
  console.log(`${JSON.stringify(filter)} is written ${written} and read ${JSON.stringify(parser.read(written))}`);
}
JS
echo "geostyler-cql-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/geostyler-cql-parser/package.json')).version")" >&2
node run.mjs | tee out
diff out - <<'END'
x BETWEEN 1 AND 5: ["<=x<=","x",1,5], written x BETWEEN 1 AND 5
x NOT BETWEEN 1 AND 5: ["<=x<=","x",1,5], written x BETWEEN 1 AND 5
NOT (x BETWEEN 1 AND 5): ["!",["<=x<=","x",1,5]], written NOT ( x BETWEEN 1 AND 5 )
x IS NULL: ["==","x",null], written x = null
x IS NOT NULL: ["==","x",null], written x = null
NOT (x IS NULL): ["!",["==","x",null]], written NOT ( x = null )
road.lanes = 2: ["==","road",2], written road = 2
x > -5: [">","x",{"type":"Prefix","prefix":"-","value":5}], written object
n LIKE 'x%': {"type":"LikePredicate","hasNot":null,"left":"n","right":"x%","escape":null}, written object
x IN (1,2): {"type":"InExpressionListPredicate","hasNot":null,"left":"x","right":[1,2]}, written object
n = 'O''Brien': undefined, written undefined
["==","n","O'Brien"] is written n = 'O'Brien' and read undefined
["==","my column",1] is written my column = 1 and read undefined
END
