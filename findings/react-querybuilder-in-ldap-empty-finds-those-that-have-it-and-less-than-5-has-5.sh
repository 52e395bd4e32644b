#!/usr/bin/env bash
# react-querybuilder 8.24.1 (npm), formatQuery(): one rule written for LDAP, MongoDB and SQL; ldap-filter 0.3.3, mingo 7.2.7 and SQLite answer.
# Behaviour: for LDAP the operator "null" is written (mail=*), which finds those that have one, and "notNull" is (!(mail=*)), which finds those that have none. "Less than 5" is (age<=5).
# For MongoDB "contains 1.5" is a pattern in which the point is any letter, so 105 is found too. A text with _ or % finds more in SQL. And parseSQL reads LIKE 'a_b' as = 'a_b'.
# Seen:   null -> (mail=*): ann, who has one / < 5 -> (age<=5): bob, who is 5 / contains 1.5 -> release 105 / LIKE 'a_b' -> name = 'a_b'
# Expected by most: one rule finds the same in each.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps react-querybuilder@8.24.1 react@19.2.0 ldap-filter@0.3.3 mingo@7.2.7 2> /dev/null
cat > run.cjs <<'JS'
const { formatQuery } = require('react-querybuilder');
const { parseSQL } = require('react-querybuilder/parseSQL');
const ldap = require('ldap-filter');
const mingo = require('mingo');
const { execFileSync } = require('child_process');

const people = [
  { name: 'ann', mail: 'ann@example.org', age: 4, note: 'release 1.5' }, { name: 'bob', age: 5, note: 'release 105' },
  { name: 'eve', age: 6, mail: 'eve@example.org', note: 'a_b and 50%' }, { name: 'max', age: 7, mail: 'max@example.org', note: 'axb and 50 percent' },
];
const sqlite = `import json, sqlite3, sys
db = sqlite3.connect(':memory:'); db.execute('create table t (name text, mail text, age integer, note text)')
db.executemany('insert into t values (:name, :mail, :age, :note)', [{'mail': None, **one} for one in json.loads(sys.argv[1])])
print(', '.join(one[0] for one in db.execute('select name from t where ' + sys.argv[2])) or 'none', end='')`;
const names = (list) => list.map((one) => one.name).join(', ') || 'none';
for (const [field, operator, value] of [
  ['mail', 'null', null], ['mail', 'notNull', null], ['age', '<', 5], ['age', '>', 5], ['note', 'contains', '1.5'], ['note', 'contains', 'a_b'],
]) {
  const query = { combinator: 'and', rules: [{ field, operator, value }] };
  const [one, two, three] = [formatQuery(query, 'ldap'), formatQuery(query, 'mongodb_query'), formatQuery(query, { format: 'sql', parseNumbers: true })];
  console.log(`${field} ${operator} ${value ?? ''}`);
  console.log(`    ${one}: ${names(people.filter((who) => ldap.parse(one).matches(Object.fromEntries(Object.entries(who).map(([key, it]) => [key, String(it)])))))}`);
  console.log(`    ${JSON.stringify(two)}: ${names(mingo.find(people, two).all())}`);
  console.log(`    ${three}: ${execFileSync('python3', ['-c', sqlite, JSON.stringify(people), three])}`);
}
for (const text of ["note like 'a_b'", "age = 4 or age + 1 > 7", "age = 4 and upper(name) = 'X'"]) console.log(`${text}  is read as  ${formatQuery(parseSQL(text), { format: 'sql', parseNumbers: true })}`);
JS
echo "react-querybuilder $(node -p "JSON.parse(require('fs').readFileSync('node_modules/react-querybuilder/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
mail null 
    (mail=*): ann, eve, max
    {"mail":null}: bob
    (mail is null): bob
mail notNull 
    (!(mail=*)): bob
    {"mail":{"$ne":null}}: ann, eve, max
    (mail is not null): ann, eve, max
age < 5
    (age<=5): ann, bob
    {"age":{"$lt":5}}: ann
    (age < 5): ann
age > 5
    (age>=5): bob, eve, max
    {"age":{"$gt":5}}: eve, max
    (age > 5): eve, max
note contains 1.5
    (note=*1.5*): ann
    {"note":{"$regex":"1.5"}}: ann, bob
    (note like '%1.5%'): ann
note contains a_b
    (note=*a_b*): eve
    {"note":{"$regex":"a_b"}}: eve
    (note like '%a_b%'): eve, max
note like 'a_b'  is read as  (note = 'a_b')
age = 4 or age + 1 > 7  is read as  (age = 4)
age = 4 and upper(name) = 'X'  is read as  (age = 4)
END
