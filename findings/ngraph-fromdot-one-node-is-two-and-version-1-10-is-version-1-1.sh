#!/usr/bin/env bash
# ngraph.fromdot 7.1.0 (npm), which reads graphs of Graphviz (DOT) into ngraph.graph; pydot 4.0.1 with networkx 3.6.1 (PyPI) reads the same text.
# Behaviour: an identifier without quotes that looks like a number becomes a number, one in quotes stays a text. In DOT 1 and "1" are the same node; here they are two, and a path through it is broken.
# Two different identifiers become one: 1.1 and 1.10, 07 and 7; a long one is rounded to another. Of two edges between the same two nodes one is left, with the data of the second.
# What the text says for all nodes (node [team=ops]) no node has.
# Seen:   a -> 1; "1" -> b: 4 nodes, no way from a to b / 1.1 -> 1.10: one node with an edge to itself / 12345678901234567891: 12345678901234567000
# Expected by most: 3 nodes and a way from a to b; two nodes; all digits; two edges.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund ngraph.fromdot@7.1.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pydot==4.0.1 networkx==3.6.1
cat > texts.json <<'JSON'
["digraph { a -> 1; \"1\" -> b }", "digraph { 1.1 -> 1.10 }", "digraph { 07 -> 7 }", "digraph { 12345678901234567891 -> x }", "digraph { a -> b [via=1]; a -> b [via=2] }", "digraph { node [team=ops]; a -> b }"]
JSON
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import fromDot from 'ngraph.fromdot';
for (const text of JSON.parse(readFileSync('texts.json', 'utf8'))) {
  const graph = fromDot(text);
  const nodes = [];
  const edges = [];
  graph.forEachNode((node) => { nodes.push(`${JSON.stringify(node.id)}${node.data ? ` ${JSON.stringify(node.data)}` : ''}`); });
  graph.forEachLink((link) => { edges.push(`${JSON.stringify(link.fromId)} to ${JSON.stringify(link.toId)}${link.data ? ` ${JSON.stringify(link.data)}` : ''}`); });
  console.log(`${text}: nodes ${nodes.join(', ')}; edges ${edges.join(', ')}`);
}
JS
cat > run.py <<'PY'
import json
import networkx
import pydot
for text in json.load(open('texts.json')):
    graph = networkx.nx_pydot.from_pydot(pydot.graph_from_dot_data(text)[0])
    nodes = {name.strip('"') for name in graph.nodes}
    print(f'pydot: {text}: {len(nodes)} nodes, {graph.number_of_edges()} edges')
PY
echo "ngraph.fromdot $(node -p "JSON.parse(require('fs').readFileSync('node_modules/ngraph.fromdot/package.json')).version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
digraph { a -> 1; "1" -> b }: nodes "a", 1, "1", "b"; edges "a" to 1, "1" to "b"
digraph { 1.1 -> 1.10 }: nodes 1.1; edges 1.1 to 1.1
digraph { 07 -> 7 }: nodes 7; edges 7 to 7
digraph { 12345678901234567891 -> x }: nodes 12345678901234567000, "x"; edges 12345678901234567000 to "x"
digraph { a -> b [via=1]; a -> b [via=2] }: nodes "a", "b"; edges "a" to "b" {"via":2}
digraph { node [team=ops]; a -> b }: nodes "a", "b"; edges "a" to "b"
pydot: digraph { a -> 1; "1" -> b }: 3 nodes, 2 edges
pydot: digraph { 1.1 -> 1.10 }: 2 nodes, 1 edges
pydot: digraph { 07 -> 7 }: 2 nodes, 1 edges
pydot: digraph { 12345678901234567891 -> x }: 2 nodes, 1 edges
pydot: digraph { a -> b [via=1]; a -> b [via=2] }: 2 nodes, 2 edges
pydot: digraph { node [team=ops]; a -> b }: 2 nodes, 1 edges
END
