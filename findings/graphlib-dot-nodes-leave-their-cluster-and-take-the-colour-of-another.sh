#!/usr/bin/env bash
# graphlib-dot 0.6.4 (npm), which reads and writes graphs of Graphviz (DOT) for graphlib and dagre; the text is also written again and read once more.
# Behaviour: what a cluster sets for its own nodes or edges (node [color=red]) goes on after its closing brace: each node and edge that comes later is red too, and written again it says so.
# A node that an edge names before its cluster lists it is not in the cluster; when all are, the cluster is empty and is not written at all, with its title. Ends of edges at ports (a:out -> b:in) lose them.
# Seen:   subgraph cluster_a { node [color=red]; a } b -> c: b and c are red / a -> b; subgraph cluster_x { label=X; a; b }: no cluster, no label
# Expected by most: only a is red; a and b are in the cluster X, as Graphviz draws it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund graphlib-dot@0.6.4
cat > run.mjs <<'JS'
import dot from 'graphlib-dot';
for (const text of [
  'digraph { node [shape=box]; subgraph cluster_a { node [color=red]; a } b -> c }',
  'digraph { subgraph cluster_a { edge [style=dotted]; a -> b } c -> d }',
  'digraph { a -> b; subgraph cluster_x { label=X; a; b } }',
  'digraph { subgraph cluster_x { label=X; a; b } a -> b }',
  'digraph { a -> b; subgraph cluster_x { label=X; a; b; c } }',
  'digraph { a:out -> b:in [label=copy] }',
]) {
  const graph = dot.read(text);
  console.log(text);
  console.log(`  nodes: ${graph.nodes().map((name) => `${name} ${JSON.stringify(graph.node(name))} in ${graph.parent(name) ?? 'no cluster'}`).join(', ')}`);
  console.log(`  edges: ${graph.edges().map((edge) => `${edge.v} to ${edge.w} ${JSON.stringify(graph.edge(edge))}`).join(', ')}`);
  console.log(`  written: ${dot.write(graph).replace(/\s+/g, ' ').trim()}`);
}
JS
echo "graphlib-dot $(node -p "JSON.parse(require('fs').readFileSync('node_modules/graphlib-dot/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
digraph { node [shape=box]; subgraph cluster_a { node [color=red]; a } b -> c }
  nodes: cluster_a {"shape":"box"} in no cluster, a {"shape":"box","color":"red"} in cluster_a, b {"shape":"box","color":"red"} in no cluster, c {"shape":"box","color":"red"} in no cluster
  edges: b to c {}
  written: digraph { subgraph cluster_a { shape=box; a [shape=box,color=red] } b [shape=box,color=red] c [shape=box,color=red] b -> c }
digraph { subgraph cluster_a { edge [style=dotted]; a -> b } c -> d }
  nodes: cluster_a {} in no cluster, a {} in cluster_a, b {} in cluster_a, c {} in no cluster, d {} in no cluster
  edges: a to b {"style":"dotted"}, c to d {"style":"dotted"}
  written: digraph { subgraph cluster_a { a b } c d a -> b [style=dotted] c -> d [style=dotted] }
digraph { a -> b; subgraph cluster_x { label=X; a; b } }
  nodes: a {} in no cluster, b {} in no cluster
  edges: a to b {}
  written: digraph { a b a -> b }
digraph { subgraph cluster_x { label=X; a; b } a -> b }
  nodes: cluster_x {"label":"X"} in no cluster, a {} in cluster_x, b {} in cluster_x
  edges: a to b {}
  written: digraph { subgraph cluster_x { label=X; a b } a -> b }
digraph { a -> b; subgraph cluster_x { label=X; a; b; c } }
  nodes: a {} in no cluster, b {} in no cluster, cluster_x {"label":"X"} in no cluster, c {} in cluster_x
  edges: a to b {}
  written: digraph { a b subgraph cluster_x { label=X; c } a -> b }
digraph { a:out -> b:in [label=copy] }
  nodes: a {} in no cluster, b {} in no cluster
  edges: a to b {"label":"copy"}
  written: digraph { a b a -> b [label=copy] }
END
