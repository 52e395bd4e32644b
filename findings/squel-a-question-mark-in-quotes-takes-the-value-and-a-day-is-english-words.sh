#!/usr/bin/env bash
# squel 6.5.0 (npm), builds SQL queries; its README shows where() with ? for values, toString() and toParam().
# Behaviour: a question mark within quotes counts as a place for a value. So in "name = 'what?' and id = ?" the 1 goes into the text and the place behind it gets
# the word 'undefined'. toParam() leaves the text as it is but hands over two values, the second undefined, for one place. A Date in toString() is written in
# English words with the zone. A missing value is the text 'undefined'. An empty list gives IN with nothing behind it.
# Seen:   name = 'what1' and id = 'undefined' / [1, undefined] / 'Thu Jan 01 1970 00:00:00 GMT+0000 (...)' / IN )
# Expected by most: name = 'what?' and id = 1 / [1] / '1970-01-01 ...' or an error / an error
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund squel@6.5.0
cat > run.cjs <<'JS'
const loaded = require('squel');
const squel = loaded.select ? loaded : loaded.default;
console.log('squel', JSON.parse(require('fs').readFileSync('node_modules/squel/package.json')).version);
const from = () => squel.select().from('t');
const mark = from().where("name = 'what?' and id = ?", 1);
console.log(mark.toString());
const { text, values } = mark.toParam();
console.log(text, values);
console.log(from().where('id = ?', 1).where("name = 'what?'").toString());
console.log(from().where("body -> 'a' ? 'b'").toString());
console.log(from().where('day > ?', new Date(0)).toString());
console.log(from().where('id = ?', undefined).toString());
console.log(from().where('id IN ?', []).toString());
console.log(from().where('id IN ?', [1, 2]).where('name = ?', 'what?').toString());
JS
TZ=UTC node run.cjs | tee out
diff out - <<'END'
squel 6.5.0
SELECT * FROM t WHERE (name = 'what1' and id = 'undefined')
SELECT * FROM t WHERE (name = 'what?' and id = ?) [ 1, undefined ]
SELECT * FROM t WHERE (id = 1) AND (name = 'what'undefined'')
SELECT * FROM t WHERE (body -> 'a' 'undefined' 'b')
SELECT * FROM t WHERE (day > 'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)')
SELECT * FROM t WHERE (id = 'undefined')
SELECT * FROM t WHERE (id IN )
SELECT * FROM t WHERE (id IN (1, 2)) AND (name = 'what?')
END
