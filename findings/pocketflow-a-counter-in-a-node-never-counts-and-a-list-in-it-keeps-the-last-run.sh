#!/usr/bin/env bash
# pocketflow 1.0.4 (npm), a small framework for flows of agents: nodes with fields of their own, in a Flow with a loop, and in ParallelBatchFlow.
# Behaviour: a Flow runs a shallow copy of a node at each visit. A number or text that the node sets on itself is forgotten at the next visit, so a node that asks "at most three tries"
# by its own counter goes round for ever (here a guard stops it at 20). A list or map in the node is the same for all copies: it grows over all visits and is still full in the next run,
# for the next user. A node that is run without a Flow counts as usual. Nothing is said in either case.
# Seen:   visits until the counter is 3: 20 (guard) / without a Flow: 3 / the list in the second run begins with the words of the first
# Expected by most: 3 visits; either both kept, or both new in the second run.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts pocketflow@1.0.4 2> /dev/null
cat > run.mjs <<'JS'
import { Node, Flow } from 'pocketflow';

class Retry extends Node {
  tries = 0;
  seen = [];
  async post(shared) {
    this.tries += 1;
    this.seen.push(shared.user);
    shared.visits = (shared.visits ?? 0) + 1;
    shared.tries = this.tries;
    shared.seen = [...this.seen];
    return this.tries >= 3 || shared.visits >= 20 ? undefined : 'again';
  }
}
const alone = new Retry();
const counted = { user: 'ann' };
while ((await alone.run(counted)) === 'again');
console.log('without a Flow:', counted.visits, 'visits, tries', counted.tries);

const node = new Retry();
node.on('again', node);
const flow = new Flow(node);
const first = { user: 'ann' };
await flow.run(first);
console.log('in a Flow:', first.visits, 'visits, tries', first.tries, 'list of', first.seen.length);
const second = { user: 'bob' };
await flow.run(second);
console.log('second run:', second.visits, 'visits, tries', second.tries, 'list of', second.seen.length, 'that begins with', second.seen[0]);
console.log('the node itself: tries', node.tries, 'list of', node.seen.length);
JS
echo "pocketflow $(node -p "JSON.parse(require('fs').readFileSync('node_modules/pocketflow/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
without a Flow: 3 visits, tries 3
in a Flow: 20 visits, tries 1 list of 20
second run: 20 visits, tries 1 list of 40 that begins with ann
the node itself: tries 0 list of 40
END
