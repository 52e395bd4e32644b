#!/usr/bin/env bash
# rsql-mongodb 3.0.2 (npm), queries of RSQL to those of MongoDB; @rsql/parser 1.6.0 with @rsql/emitter 1.6.0 reads the same ones; mingo 7.2.7 answers.
# Behaviour: in a list a comma in quotes makes two values, each with half of the quotes. A text with == in quotes is cut there, and its front goes into the name of the field. RSQL has the
# words "and" and "or" beside ; and ,. Here (the README names the signs only) they are no error but part of a name: "name==Ann and age=gt=5" asks for a field "name==Ann and age", so
# nothing is found. 01234 is 1234, 30 February is 2 March. A backslash before a quote stays.
# Seen:   {"name==Ann and age":{"$gt":5}} / name=in=("Doe, Ann",Bob) -> ["\"Doe"," Ann\"","Bob"] / 2026-02-30 -> 2026-03-02
# Expected by most: two conditions, the two names that were given, an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts rsql-mongodb@3.0.2 @rsql/parser@1.6.0 @rsql/emitter@1.6.0 mingo@7.2.7 2> /dev/null
cat > run.cjs <<'JS'
const toMongo = require('rsql-mongodb');
const { parse } = require('@rsql/parser');
const { emit } = require('@rsql/emitter');
const mingo = require('mingo');

const people = [
  { name: 'Ann', age: 7, note: 'a==b', zip: '01234', day: new Date('2026-03-02') }, { name: 'Bob', age: 3, note: 'say "hi"', zip: '99999' }, { name: 'Doe, Ann', age: 9, note: 'x', zip: '5' },
];
for (const text of [
  'name==Ann;age=gt=5', 'name==Ann and age=gt=5', 'name==Bob or name==Ann', 'name=in=("Doe, Ann",Bob)', 'name=="Doe, Ann"', 'note=="a==b"', 'note=="say \\"hi\\""', 'zip==01234', 'day==2026-02-30',
]) {
  let query, other;
  let fault;
  try { query = toMongo(text); } catch (error) { fault = error.message ?? error; }
  try { other = emit(parse(text)); } catch { other = 'refused'; }
  const found = fault ? 'refused: ' + fault : `${JSON.stringify(query)}: ${mingo.find(people, query).all().map((one) => one.name).join(' + ') || 'none'}`;
  console.log(`${text}\n    rsql-mongodb: ${found}\n    @rsql/parser: ${other}`);
}
JS
echo "rsql-mongodb $(node -p "JSON.parse(require('fs').readFileSync('node_modules/rsql-mongodb/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
name==Ann;age=gt=5
    rsql-mongodb: {"$and":[{"name":"Ann"},{"age":{"$gt":5}}]}: Ann
    @rsql/parser: name==Ann;age=gt=5
name==Ann and age=gt=5
    rsql-mongodb: {"name==Ann and age":{"$gt":5}}: none
    @rsql/parser: name==Ann and age=gt=5
name==Bob or name==Ann
    rsql-mongodb: {"name==Bob or name":"Ann"}: none
    @rsql/parser: name==Bob or name==Ann
name=in=("Doe, Ann",Bob)
    rsql-mongodb: {"name":{"$in":["\"Doe","Ann\"","Bob"]}}: Bob
    @rsql/parser: name=in=("Doe, Ann",Bob)
name=="Doe, Ann"
    rsql-mongodb: refused: Wrong RSQL query. No operator found.
    @rsql/parser: name=="Doe, Ann"
note=="a==b"
    rsql-mongodb: {"note==\"a":"b\""}: none
    @rsql/parser: note=="a==b"
note=="say \"hi\""
    rsql-mongodb: {"note":"say \\\"hi\\\""}: none
    @rsql/parser: note=='say "hi"'
zip==01234
    rsql-mongodb: {"zip":1234}: none
    @rsql/parser: zip==01234
day==2026-02-30
    rsql-mongodb: {"day":"2026-03-02T00:00:00.000Z"}: Ann
    @rsql/parser: day==2026-02-30
END
