#!/usr/bin/env bash
# typebox 1.4.3 (npm), schemas of many agent SDKs in JavaScript; Value.Decode, which cleans and converts what comes in.
# Behaviour: null is converted rather than refused, also in an optional member: the number that a model left out with null is 0, a list that is
# null becomes a list of one text, ["null"], a flag is false. An empty text is the number 0, true is 1, 2.9 for an integer is 2. Value.Parse
# refuses all of these, with the same schema.
# Seen:   Decode {"limit":null}: {"limit":0} / {"tags":null}: {"tags":["null"]} / {"limit":""}: 0 / integer 2.9: 2. Parse: each an error
# Expected by most: an error, or null as "not given"; a limit of 0 is quite another thing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund typebox@1.4.3
cat > run.mjs <<'JS'
import Type from 'typebox';
import Value from 'typebox/value';
const members = { limit: Type.Number(), count: Type.Integer(), tags: Type.Array(Type.String()), all: Type.Boolean(), name: Type.String() };
const schema = Type.Object(Object.fromEntries(Object.entries(members).map(([name, one]) => [name, Type.Optional(one)])));
const tried = (name, value) => { try { return JSON.stringify(Value[name](schema, structuredClone(value))); } catch { return 'error'; } };
const values = [{ limit: null }, { limit: '' }, { limit: ' ' }, { limit: true }, { limit: '5 km' }, { count: 2.9 }, { count: '2.9' },
  { tags: null }, { tags: 'a,b' }, { all: null }, { all: '' }, { name: null }];
for (const value of values) {
  console.log(`${JSON.stringify(value)}: Decode ${tried('Decode', value)} Parse ${tried('Parse', value)}`);
}
JS
echo "typebox $(node -p "JSON.parse(require('fs').readFileSync('node_modules/typebox/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"limit":null}: Decode {"limit":0} Parse error
{"limit":""}: Decode {"limit":0} Parse error
{"limit":" "}: Decode {"limit":0} Parse error
{"limit":true}: Decode {"limit":1} Parse error
{"limit":"5 km"}: Decode error Parse error
{"count":2.9}: Decode {"count":2} Parse error
{"count":"2.9"}: Decode {"count":2} Parse error
{"tags":null}: Decode {"tags":["null"]} Parse error
{"tags":"a,b"}: Decode {"tags":["a,b"]} Parse error
{"all":null}: Decode {"all":false} Parse error
{"all":""}: Decode error Parse error
{"name":null}: Decode {"name":"null"} Parse error
END
