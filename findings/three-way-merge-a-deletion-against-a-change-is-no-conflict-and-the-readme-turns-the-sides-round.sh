#!/usr/bin/env bash
# three-way-merge 0.1.0 (npm), merges of two changed texts with the text that both came from.
# Behaviour: its README calls merge(base, left, right); the code takes merge(left, base, right). Called as the README says, a line that one side alone deleted is back without a conflict, and one that it alone added is gone;
# the README's own example is a conflict, where it promises none.
# In the order of the code one side may delete a line or a block that the other changes: the changed line stays alone, with all else of the block, and conflict is false. Of two lines added at one place one stands twice,
# once before the marks; the marks say "APP AUTHORS CHANGES". The README's joinedResult() is called joinedResults().
# Seen:   README's order, 1 deleted on the left: 1 is there, conflict false / block deleted, port changed: the whole block, conflict false
# Expected by most: the deleted line stays away; a conflict.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund three-way-merge@0.1.0
cat > run.mjs <<'JS'
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const library = require('three-way-merge');
const merge = library.default ?? library;
console.log('three-way-merge', require('three-way-merge/package.json').version);
const show = (name, result) => console.log(name + ':', 'conflict', result.conflict, JSON.stringify(result.joinedResults()));
const [base, left, right] = ['123456', '23456', '123496'].map((digits) => [...digits].join('\n'));
show('example of the README, its order', merge(base, left, right));
show('example of the README, left first', merge(left, base, right));
show('order of the README, left deletes 1', merge(base, left, base));
show('order of the README, left adds 7', merge(base, base + '\n7', base));
const config = 'server:\n  host: a\n  port: 80\nother: 1\n';
show('block deleted, port changed', merge('other: 1\n', config, config.replace('80', '81')));
show('line changed, line deleted', merge('a\nB\nc\n', 'a\nb\nc\n', 'a\nc\n'));
show('both change a line', merge('a\nB\nc\n', 'a\nb\nc\n', 'a\nC\nc\n'));
show('both add a line', merge('milk\neggs\n', 'milk\n', 'milk\nham\n'));
JS
node run.mjs | tee out
diff out - <<'END'
three-way-merge 0.1.0
example of the README, its order: conflict true "<<<<<<< YOUR CHANGES\n1\n2\n3\n4\n5\n=======\n1\n2\n3\n4\n9\n>>>>>>> APP AUTHORS CHANGES\n\n6"
example of the README, left first: conflict false "2\n3\n4\n9\n6"
order of the README, left deletes 1: conflict false "1\n2\n3\n4\n5\n6"
order of the README, left adds 7: conflict false "1\n2\n3\n4\n5\n6"
block deleted, port changed: conflict false "server:\n  host: a\n  port: 81\nother: 1\n"
line changed, line deleted: conflict false "a\nB\nc\n"
both change a line: conflict true "a\n\n<<<<<<< YOUR CHANGES\nB\n=======\nC\n>>>>>>> APP AUTHORS CHANGES\n\nc\n"
both add a line: conflict true "milk\nham\n<<<<<<< YOUR CHANGES\neggs\n=======\nham\n>>>>>>> APP AUTHORS CHANGES\n\n"
END
