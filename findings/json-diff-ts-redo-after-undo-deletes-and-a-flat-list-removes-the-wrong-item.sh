#!/usr/bin/env bash
# json-diff-ts 4.10.4 (npm), which makes a set of changes of two JSON values, applies it, takes it back (revertChangeset) and makes a flat list of it (atomizeChangeset), default settings.
# Behaviour: revertChangeset reverses the set of changes itself, in place. Undo is right, but redo with the same set deletes each field whose type had changed (1 to "1", null to 5), and the next undo
# does not bring it back. A flat list that is made into changes again (unatomizeChangeset) removes by position, one after the other, while the positions move: of five items the last is kept and another is gone.
# Seen:   {"paid":null} to {"paid":5}: do 5, undo null, redo: no field, undo: no field / [1,2,3,4,5] to [1,9,3] by way of the flat list: [1,9,3,5]
# Expected by most: redo is what do was, as often as one likes; [1,9,3].
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-diff-ts@4.10.4
cat > run.mjs <<'JS'
import { applyChangeset, atomizeChangeset, diff, revertChangeset, unatomizeChangeset } from 'json-diff-ts';
const copy = structuredClone;
const show = JSON.stringify;
for (const [before, after] of [
  [{ paid: null, name: 'a' }, { paid: 5, name: 'b' }],
  [{ id: 1 }, { id: '1' }],
  [{ when: { day: 1 } }, { when: [1] }],
  [{ name: 'a', count: 1 }, { name: 'b', count: 2 }],
]) {
  const changes = diff(before, after);
  const steps = [];
  let now = copy(before);
  for (const step of [applyChangeset, revertChangeset, applyChangeset, revertChangeset]) {
    now = step(now, changes);
    steps.push(show(now));
  }
  console.log(`${show(before)} to ${show(after)}: do ${steps[0]} undo ${steps[1]} redo ${steps[2]} undo ${steps[3]}`);
}
for (const [before, after] of [[[1, 2, 3, 4, 5], [1, 9, 3]], [['a', 'b', 'c', 'd'], ['a', 'b']], [['a', 'b', 'c'], ['a', 'b']]]) {
  const changes = diff({ list: before }, { list: after });
  const again = unatomizeChangeset(atomizeChangeset(changes));
  const one = applyChangeset({ list: copy(before) }, diff({ list: before }, { list: after }));
  console.log(`${show(before)} to ${show(after)}: directly ${show(one.list)}, by the flat list ${show(applyChangeset({ list: copy(before) }, again).list)}`);
}
JS
echo "json-diff-ts $(node -p "JSON.parse(require('fs').readFileSync('node_modules/json-diff-ts/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"paid":null,"name":"a"} to {"paid":5,"name":"b"}: do {"name":"b","paid":5} undo {"name":"a","paid":null} redo {"name":"b"} undo {"name":"a"}
{"id":1} to {"id":"1"}: do {"id":"1"} undo {"id":1} redo {} undo {}
{"when":{"day":1}} to {"when":[1]}: do {"when":[1]} undo {"when":{"day":1}} redo {} undo {}
{"name":"a","count":1} to {"name":"b","count":2}: do {"name":"b","count":2} undo {"name":"a","count":1} redo {"name":"b","count":2} undo {"name":"a","count":1}
[1,2,3,4,5] to [1,9,3]: directly [1,9,3], by the flat list [1,9,3,5]
["a","b","c","d"] to ["a","b"]: directly ["a","b"], by the flat list ["a","b","d"]
["a","b","c"] to ["a","b"]: directly ["a","b"], by the flat list ["a","b"]
END
