#!/usr/bin/env bash
# genbank-parser 3.0.0 and seqparse 0.2.2 (npm) against biopython 1.88 (PyPI): files of genes in the GenBank format.
# Behaviour: for both a feature of several pieces, join(1..10,20..30), as most genes of plants and animals are, is its first piece, 1 to 10. A feature that
# lies on both strands gets the strand of one piece for all. For genbank-parser a value ends at its first "=", words between doubled quotation marks are
# gone with the rest of their line, and the organism has its whole lineage behind its name. For seqparse a gene that ends with the last base ends at 0.
# Seen:   join(1..10,20..30): 1-10 / gene "d=e/f": "d" / note: lost its middle / organism: "Homo sapiens Eukaryota; Metazoa." / 51..60: end 0
# Expected by most: two pieces or 1-30, "d=e/f", the whole note, "Homo sapiens", end 60.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts genbank-parser@3.0.0 seqparse@0.2.2 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check biopython==1.88
cat > small.gb <<'FILE'
LOCUS       TEST1                     60 bp    DNA     linear   SYN 01-JAN-2026
DEFINITION  A test.
ACCESSION   TEST1
VERSION     TEST1.1
SOURCE      Homo sapiens
  ORGANISM  Homo sapiens
            Eukaryota; Metazoa.
FEATURES             Location/Qualifiers
     CDS             complement(join(1..10,20..30))
                     /gene="abc"
                     /note="a long note that goes ""on"" and
                     on here"
     exon            join(complement(40..50),1..5)
                     /gene="trans"
     gene            51..60
                     /gene="d=e/f"
ORIGIN
        1 acgtacgtac gtacgtacgt acgtacgtac gtacgtacgt acgtacgtac gtacgtacgt
//
FILE
cat > run.cjs <<'JS'
const text = require('fs').readFileSync('small.gb', 'utf8');
const found = require('genbank-parser');
const [record] = (found.genbankToJson ?? found.default)(text);
console.log(`genbank-parser: organism ${JSON.stringify(record.organism)}`);
for (const { type, start, end, strand, notes } of record.features) console.log(`genbank-parser: ${type} ${start}-${end} (${strand}) ${JSON.stringify(notes)}`);
for (const { type, name, start, end, direction } of require('seqparse').parseFile(text)[0].annotations) {
  console.log(`seqparse (counts from 0): ${type} ${name} ${start}-${end} (${direction})`);
}
JS
cat > run.py <<'PY'
from Bio import SeqIO

record = SeqIO.read('small.gb', 'genbank')
print('biopython: organism', record.annotations['organism'])
for feature in record.features:
    print('biopython:', feature.type, [(int(part.start) + 1, int(part.end), part.strand) for part in feature.location.parts], dict(feature.qualifiers))
PY
for name in genbank-parser seqparse; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
(node run.cjs; env/bin/python run.py) | tee out
diff out - <<'END'
genbank-parser: organism "Homo sapiens Eukaryota; Metazoa."
genbank-parser: CDS 1-10 (-1) {"gene":["abc"],"note":["a long note that goes on here"]}
genbank-parser: exon 40-50 (-1) {"gene":["trans"]}
genbank-parser: gene 51-60 (1) {"gene":["d"]}
seqparse (counts from 0): CDS abc 0-10 (-1)
seqparse (counts from 0): exon trans 39-50 (-1)
seqparse (counts from 0): gene d 50-0 (1)
biopython: organism Homo sapiens
biopython: CDS [(20, 30, -1), (1, 10, -1)] {'gene': ['abc'], 'note': ['a long note that goes "on" and on here']}
biopython: exon [(40, 50, -1), (1, 5, 1)] {'gene': ['trans']}
biopython: gene [(51, 60, 1)] {'gene': ['d=e/f']}
END
