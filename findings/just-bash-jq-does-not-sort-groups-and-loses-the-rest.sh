#!/usr/bin/env bash
# just-bash 3.4.2 (npm), a shell for agents that lives in JavaScript alone, and the jq in it, against jq 1.8.2 (PyPI jq 1.13.0).
# Behaviour: it is a jq of its own, and common programs end well with other data. group_by and unique keep the order of the input, two objects are equal only if
# their keys stand in one order, walk goes down one level, and del of several places deletes the first alone. To assign below a member that is not there yet gives
# null, and to assign to a slice gives what was assigned in place of the whole document.
# Seen:   {} | .a.b.c = 1: {"a":null} / .a[1:3] = ["x"]: ["x"] / group_by, unique: as in the input / {"x":1,"y":2} == {"y":2,"x":1}: false
# Expected by most: the results of jq, or an error for what is not there.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund just-bash@3.4.2
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jq==1.13.0
cat > programs.txt <<'END'
{} | .a.b.c = 1
{"a": [1, 2, 3, 4]} | .a[1:3] = ["x"]
[{"k": 2}, {"k": 1}, {"k": 2}] | group_by(.k)
[3, 1, 3, 2] | unique
{"x": 1, "y": 2} == {"y": 2, "x": 1}
[1, [2]] | walk(if type == "number" then . + 10 else . end)
[1, 2, 3, 4] | del(.[1, 2])
{"a": 1, "b": 2} | .a |= empty
"abcb" | [match("b"; "g").offset]
[1, [2]] | @text
[1, 2] | map(. * 2)
END
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Bash } from 'just-bash';
for (const program of readFileSync('programs.txt', 'utf8').trim().split('\n')) {
  const shell = new Bash({ files: { '/program': program } });
  const { stdout, stderr, exitCode } = await shell.exec('jq -n -c "$(cat /program)"');
  console.log(exitCode === 0 ? stdout.trim() : `error: ${stderr.trim()}`);
}
JS
cat > run.py <<'PY'
import json
import jq

for program in open('programs.txt'):
    print(json.dumps(jq.compile(program).input_value(None).first(), separators=(',', ':')))
PY
echo "just-bash $(node -p "JSON.parse(require('fs').readFileSync('node_modules/just-bash/package.json')).version")"
node run.mjs > own; env/bin/python run.py > real
paste -d'\n' <(sed 's/$/:/' programs.txt) <(sed 's/^/  just-bash /' own) <(sed 's/^/  jq        /' real) | tee out
diff out - <<'END'
{} | .a.b.c = 1:
  just-bash {"a":null}
  jq        {"a":{"b":{"c":1}}}
{"a": [1, 2, 3, 4]} | .a[1:3] = ["x"]:
  just-bash ["x"]
  jq        {"a":[1,"x",4]}
[{"k": 2}, {"k": 1}, {"k": 2}] | group_by(.k):
  just-bash [[{"k":2},{"k":2}],[{"k":1}]]
  jq        [[{"k":1}],[{"k":2},{"k":2}]]
[3, 1, 3, 2] | unique:
  just-bash [3,1,2]
  jq        [1,2,3]
{"x": 1, "y": 2} == {"y": 2, "x": 1}:
  just-bash false
  jq        true
[1, [2]] | walk(if type == "number" then . + 10 else . end):
  just-bash [1,[2]]
  jq        [11,[12]]
[1, 2, 3, 4] | del(.[1, 2]):
  just-bash [1,3,4]
  jq        [1,4]
{"a": 1, "b": 2} | .a |= empty:
  just-bash {"a":null,"b":2}
  jq        {"b":2}
"abcb" | [match("b"; "g").offset]:
  just-bash [1]
  jq        [1,3]
[1, [2]] | @text:
  just-bash "1,2"
  jq        "[1,[2]]"
[1, 2] | map(. * 2):
  just-bash [2,4]
  jq        [2,4]
END
