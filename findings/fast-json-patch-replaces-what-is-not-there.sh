#!/usr/bin/env bash
# fast-json-patch 3.1.1 (npm), JSON Patch (RFC 6902) in JavaScript, applyPatch and compare with default settings.
# Behaviour: an operation that has to fail is carried out: `replace` of a member that does not exist makes it, `remove` of one does nothing, `add` at index 5 of
# a list of one appends, and the index 01 counts. So a patch against another version of a document leaves one that is neither, without an error.
# compare() of two dates spells the new one, one `add` for each of its letters, into the old one's path.
# Seen:   replace /b of {}: {"b":2} / remove /b of {}: {} / add /5 to [1]: [1,2] / compare of dates: 24 operations, the first adds "1" at /at/0
# Expected by most: an error, as the standard says "MUST exist"; one replace for a date.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fast-json-patch@3.1.1
cat > run.cjs <<'JS'
const patch = require('fast-json-patch');
const tried = [[{}, { op: 'replace', path: '/b', value: 2 }], [{}, { op: 'remove', path: '/b' }], [[1], { op: 'add', path: '/5', value: 2 }], [[1], { op: 'add', path: '/01', value: 2 }], [{ a: 1 }, { op: 'test', path: '/a', value: 2 }]];
for (const [document, operation] of tried) {
  const line = operation.op + ' ' + operation.path + ' of ' + JSON.stringify(document) + ': ';
  try {
    console.log(line + JSON.stringify(patch.applyPatch(document, [operation]).newDocument));
  } catch (error) {
    console.log(line + error.name);
  }
}
const found = patch.compare({ at: new Date(0) }, { at: new Date(5) });
console.log('compare of dates: ' + found.length + ' ' + JSON.stringify(found[0]));
JS
echo "fast-json-patch $(node -p "require('fast-json-patch/package.json').version")"
node run.cjs | tee out
diff out - <<'END'
replace /b of {}: {"b":2}
remove /b of {}: {}
add /5 of [1]: [1,2]
add /01 of [1]: [1,2]
test /a of {"a":1}: TEST_OPERATION_FAILED
compare of dates: 24 {"op":"add","path":"/at/0","value":"1"}
END
