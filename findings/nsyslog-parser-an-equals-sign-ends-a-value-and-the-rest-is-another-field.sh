#!/usr/bin/env bash
# nsyslog-parser 0.10.1 (npm): lines of logs as of RFC 5424 and as CEF (Common Event Format).
# Behaviour: CEF writes an equals sign within a value as \=. The reader ends the value there: an address loses all behind its first "=", and "a \= b" gives a
# field whose name is a backslash. In RFC 5424 "y=1" within quotes becomes a field of its own. One quotation mark in a value, written as \", and all fields
# are words of the message instead; fields in brackets that stand in a message are taken out of it as if they were data. Nothing is told.
# Seen:   request=http://x/?a\=1&b\=2: "http://x/?a\" / why="user x=1": why "user", x "1" / why="say \"no\"": no data / - see [part n="5"]: data n 5
# Expected by most: http://x/?a=1&b=2, why "user x=1", why 'say "no"', and a message that ends with [part n="5"].
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts nsyslog-parser@0.10.1 2> /dev/null
cat > lines.txt <<'LINES'
<34>Jan 12 06:30:00 web CEF:0|Firm|Wall|1.0|100|blocked|5|src=10.0.0.1 request=http://x/?a\=1&b\=2 act=deny
<34>Jan 12 06:30:00 web CEF:0|Firm|Wall|1.0|100|blocked|5|msg=limit \= 5 src=10.0.0.1
<34>1 2026-01-02T03:04:05Z web app 1 ID [one@1 user="ann" why="late"] message
<34>1 2026-01-02T03:04:05Z web app 1 ID [one@1 user="ann" why="user x=1"] message
<34>1 2026-01-02T03:04:05Z web app 1 ID [one@1 user="ann" why="say \"no\""] message
<34>1 2026-01-02T03:04:05Z web app 1 ID [one@1 user="ann"][two@1 why="late"] message
<34>1 2026-01-02T03:04:05Z web app 1 ID - see [part n="5"]
LINES
cat > run.cjs <<'JS'
const parse = require('nsyslog-parser');
for (const line of require('fs').readFileSync('lines.txt', 'utf8').trim().split('\n')) {
  const { type, structuredData, message, fields } = parse(line);
  console.log(line.replace(/^.*?(\|5\||ID )/, ''));
  console.log('    ' + JSON.stringify(type === 'CEF' ? fields : { structuredData, message }));
}
JS
echo "nsyslog-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/nsyslog-parser/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
src=10.0.0.1 request=http://x/?a\=1&b\=2 act=deny
    {"src":"10.0.0.1","request":"http://x/?a\\","act":"deny"}
msg=limit \= 5 src=10.0.0.1
    {"msg":"limit","\\":" 5","src":"10.0.0.1"}
[one@1 user="ann" why="late"] message
    {"structuredData":[{"$id":"one@1","user":"ann","why":"late"}],"message":"message"}
[one@1 user="ann" why="user x=1"] message
    {"structuredData":[{"$id":"one@1","user":"ann","why":"user","x":"1"}],"message":"message"}
[one@1 user="ann" why="say \"no\""] message
    {"structuredData":[],"message":"[one@1 user=\"ann\" why=\"say \\\"no\\\"\"] message"}
[one@1 user="ann"][two@1 why="late"] message
    {"structuredData":[{"$id":"one@1","user":"ann"},{"$id":"two@1","why":"late"}],"message":"message"}
- see [part n="5"]
    {"structuredData":[{"$id":"part","n":"5"}],"message":"see"}
END
