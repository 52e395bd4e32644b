#!/usr/bin/env bash
# gtf-nostream 1.3.4 (npm) against gtfparse 3.0.5 (PyPI): lists of genes in the GTF format.
# Behaviour: a line of a gene has an empty transcript_id in the files of NCBI, as the format asks for. It is taken for the name of a transcript, so all
# genes of the file become parts of one transcript without a name, that reaches from the first gene to the last. A transcript whose line comes after its
# first exon is there twice, once with all exons and once with the later ones. Values keep their quotation marks and end at the first blank:
# "hypothetical protein" is the word hypothetical with a mark in front.
# Seen:   transcript 100-9000 "" with the parts gene 100-900, gene 5000-9000 / T2 twice / product="hypothetical
# Expected by most: two genes, two transcripts, and the product: hypothetical protein.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts gtf-nostream@1.3.4 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check gtfparse==3.0.5
cat > run.cjs <<'JS'
const fs = require('fs');
const { parseStringSync } = require('gtf-nostream');
const line = (kind, start, end, gene, transcript, more = '') => `chr1\tRefSeq\t${kind}\t${start}\t${end}\t.\t+\t.\tgene_id "${gene}"; transcript_id "${transcript}";${more}\n`;
const text = line('gene', 100, 900, 'G1', '') + line('transcript', 100, 900, 'G1', 'T1', ' product "hypothetical protein";') + line('exon', 100, 900, 'G1', 'T1')
  + line('gene', 5000, 9000, 'G2', '') + line('exon', 5000, 6000, 'G2', 'T2') + line('transcript', 5000, 9000, 'G2', 'T2') + line('exon', 8000, 9000, 'G2', 'T2');
fs.writeFileSync('small.gtf', text);
for (const one of parseStringSync(text).flat()) {
  const parts = one.child_features.map(([part]) => `${part.featureType} ${part.start}-${part.end}`).join(', ');
  console.log(`gtf-nostream: ${one.featureType} ${one.start}-${one.end} ${one.attributes.transcript_id} product=${one.attributes.product ?? ''} parts: ${parts}`);
}
JS
cat > run.py <<'PY'
from gtfparse import read_gtf

for row in read_gtf('small.gtf').to_dict('records'):
    print(f'gtfparse: {row["feature"]} {row["start"]}-{row["end"]} {row["transcript_id"]!r} product={row["product"]}')
PY
echo "gtf-nostream $(node -p "JSON.parse(require('fs').readFileSync('node_modules/gtf-nostream/package.json')).version")"
(node run.cjs; env/bin/python -W ignore run.py 2> /dev/null) | tee out
diff out - <<'END'
gtf-nostream: transcript 100-9000 "" product= parts: gene 100-900, gene 5000-9000
gtf-nostream: transcript 100-900 "T1" product="hypothetical parts: exon 100-900
gtf-nostream: transcript 5000-9000 "T2" product= parts: exon 5000-6000, exon 8000-9000
gtf-nostream: transcript 5000-9000 "T2" product= parts: exon 8000-9000
gtfparse: gene 100-900 '' product=
gtfparse: transcript 100-900 'T1' product=hypothetical protein
gtfparse: exon 100-900 'T1' product=
gtfparse: gene 5000-9000 '' product=
gtfparse: exon 5000-6000 'T2' product=
gtfparse: transcript 5000-9000 'T2' product=
gtfparse: exon 8000-9000 'T2' product=
END
