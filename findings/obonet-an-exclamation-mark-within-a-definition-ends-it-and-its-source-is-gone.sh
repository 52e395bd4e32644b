#!/usr/bin/env bash
# obonet 1.3.0 against fastobo 0.14.2 (PyPI): ontologies in the OBO format.
# Behaviour: " !" begins a remark at the end of a line, but not within quotation marks. The reader cuts there all the same: a definition, a synonym or the words
# of a cross reference that hold " ! " lose their end, their closing mark and the sources behind it. Escapes stay as they are: a name with a comma, written
# as \, keeps the backslash.
# Seen:   "n! (n ! in words) is the factorial" [A:1]: "n! (n / "5 ! 3" EXACT []: "5 / name: 1\,2-diol: 1\,2-diol
# Expected by most: the whole definition with its source, the whole synonym, 1,2-diol.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check obonet==1.3.0 fastobo==0.14.2
cat > small.obo <<'FILE'
format-version: 1.4
ontology: x

[Term]
id: X:1
name: 1\,2-diol
def: "n! (n ! in words) is the factorial" [A:1]
synonym: "5 ! 3" EXACT []
xref: B:1 "the ! mark"
is_a: X:2 ! the parent

[Term]
id: X:2
name: parent
def: "Wow! No blank before the mark." [A:2]
FILE
cat > run.py <<'PY'
import fastobo
import obonet

graph = obonet.read_obo('small.obo')
for name, data in graph.nodes(data=True):
    for key, value in data.items():
        print(f'obonet {name} {key}: {value}')
for frame in fastobo.load('small.obo'):
    for clause in frame:
        if clause.raw_tag() in ('name', 'def', 'synonym', 'xref'):
            print(f'fastobo {frame.id} {clause.raw_tag()}: {getattr(clause, "name", None) or clause.raw_value()}')
PY
env/bin/pip list 2> /dev/null | grep -E '^(obonet|fastobo)'
env/bin/python run.py 2> /dev/null | tee out
diff out - <<'END'
obonet X:1 name: 1\,2-diol
obonet X:1 def: "n! (n
obonet X:1 synonym: ['"5']
obonet X:1 xref: ['B:1 "the']
obonet X:1 is_a: ['X:2']
obonet X:2 name: parent
obonet X:2 def: "Wow! No blank before the mark." [A:2]
fastobo X:1 name: 1,2-diol
fastobo X:1 def: "n! (n ! in words) is the factorial"
fastobo X:1 synonym: "5 ! 3" EXACT []
fastobo X:1 xref: B:1 "the ! mark"
fastobo X:2 name: parent
fastobo X:2 def: "Wow! No blank before the mark."
END
