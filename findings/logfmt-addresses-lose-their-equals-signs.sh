#!/usr/bin/env bash
# logfmt 1.4.0 (npm), which reads and writes lines of key=value as Heroku, Go's programs and many others log them.
# Behaviour: a second = in a value without quotes is dropped and the rest kept: path=/a?b=c&d=e is read as /a?bc&de. A key whose value is empty
# becomes null, while the word null stays a text, and true and false are booleans where numbers stay texts. On the way out a line break is written as
# it is, so one record is two lines, and an object is [object Object].
# Seen:   path=/a?b=c&d=e: "/a?bc&de" / x= : null, x=null: "null" / {"note":"one\ntwo"}: two lines, of which the second is read as {"two":true}
# Expected by most: the value goes to the next space; what was written is read back.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund logfmt@1.4.0
cat > run.cjs <<'JS'
const logfmt = require('logfmt');
for (const line of ['path=/a?b=c&d=e status=200', 'token=YWJj== ok', 'a= b=null c=true d=1.10 e=""']) console.log(line + ': ' + JSON.stringify(logfmt.parse(line)));
for (const record of [{ note: 'one\ntwo', id: 1 }, { path: '/a?b=c' }, { a: null, b: '', c: 'null', d: { e: 1 } }]) {
  const lines = logfmt.stringify(record).split('\n');
  console.log(JSON.stringify(record) + ': ' + JSON.stringify(lines) + ' ' + JSON.stringify(lines.map((line) => logfmt.parse(line))));
}
JS
echo "logfmt $(node -p "require('./node_modules/logfmt/package.json').version")"
node run.cjs | tee out
diff out - <<'END'
path=/a?b=c&d=e status=200: {"path":"/a?bc&de","status":"200"}
token=YWJj== ok: {"token":"YWJj","ok":true}
a= b=null c=true d=1.10 e="": {"a":null,"b":"null","c":true,"d":"1.10","e":""}
{"note":"one\ntwo","id":1}: ["note=one","two id=1"] [{"note":"one"},{"two":true,"id":"1"}]
{"path":"/a?b=c"}: ["path=\"/a?b=c\""] [{"path":"/a?b=c"}]
{"a":null,"b":"","c":"null","d":{"e":1}}: ["a= b=\"\" c=null d=\"[object Object]\""] [{"a":null,"b":"","c":"null","d":"[object Object]"}]
END
