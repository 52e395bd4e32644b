#!/usr/bin/env bash
# rdflib 7.6.0 (PyPI), its own SPARQL over a graph in memory.
# Behaviour: FILTER(?v > 2) keeps words: "offline" and "7 kg" are greater than any number, as if the order of sorting were an order of size. In a group in which
# all values are words AVG is 0, so it is below any limit; in a mixed group the words are passed over. xsd:integer(12.7) is unbound, and $0 in REPLACE is a zero
# byte, not what was found.
# Seen:   > 2: b offline, c 5, c 7 kg / AVG of b: 0 / HAVING (AVG < 1): b / xsd:integer(12.7): nothing
# Expected by most: by the standard a comparison with a word is an error, so the row goes; AVG of words is unbound; 12.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check rdflib==7.6.0
cat > run.py <<'PY'
import importlib.metadata
import rdflib

print('rdflib', importlib.metadata.version('rdflib'))
graph = rdflib.Graph()
graph.parse(data='@prefix : <http://e/> . :a :v 1, 2.5 . :b :v "offline" . :c :v 5, "7 kg" .', format='turtle')
for query in ['SELECT ?s ?v { ?s :v ?v FILTER(?v > 2) } ORDER BY ?s ?v',
              'SELECT ?s ?v { ?s :v ?v FILTER(?v < 2) } ORDER BY ?s ?v',
              'SELECT ?s (AVG(?v) AS ?m) { ?s :v ?v } GROUP BY ?s ORDER BY ?s',
              'SELECT ?s { ?s :v ?v } GROUP BY ?s HAVING(AVG(?v) < 1)',
              'SELECT (xsd:integer(12.7) AS ?i) (xsd:integer("12") AS ?j) {}', 'SELECT (REPLACE("10 kg", "[0-9]+", "<$0>") AS ?r) {}']:
    rows = graph.query('PREFIX : <http://e/> ' + query)
    print(query)
    print('  ', '; '.join(' '.join('nothing' if one is None else str(one).replace('http://e/', '').replace('\0', 'ZERO BYTE') for one in row) for row in rows))
PY
env/bin/python run.py | tee out
diff out - <<'END'
rdflib 7.6.0
SELECT ?s ?v { ?s :v ?v FILTER(?v > 2) } ORDER BY ?s ?v
   a 2.5; b offline; c 5; c 7 kg
SELECT ?s ?v { ?s :v ?v FILTER(?v < 2) } ORDER BY ?s ?v
   a 1
SELECT ?s (AVG(?v) AS ?m) { ?s :v ?v } GROUP BY ?s ORDER BY ?s
   a 1.75; b 0; c 5
SELECT ?s { ?s :v ?v } GROUP BY ?s HAVING(AVG(?v) < 1)
   b
SELECT (xsd:integer(12.7) AS ?i) (xsd:integer("12") AS ?j) {}
   nothing 12
SELECT (REPLACE("10 kg", "[0-9]+", "<$0>") AS ?r) {}
   <ZERO BYTE> kg
END
