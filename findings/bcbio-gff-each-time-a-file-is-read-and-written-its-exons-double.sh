#!/usr/bin/env bash
# bcbio-gff 0.7.1 with biopython (PyPI): GFF.parse and GFF.write.
# Behaviour: an exon that belongs to two transcripts (Parent=m1,m2) is put under each of them, and written under each of them with both parents. So the file has it twice, after the next time
# four times, then eight times. A line "remark" that stands for the head is added each time too, with "=true" put behind what it says of the version.
# Seen:   2 exons: 4, 8, 16 / lines of remarks: 1, 2, 3
# Expected by most: the two exons again, however often.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check bcbio-gff==0.7.1 biopython==1.88
cat > run.py <<'PY'
import importlib.metadata
import io
import sys
from BCBio import GFF
print('bcbio-gff', importlib.metadata.version('bcbio-gff'), file=sys.stderr)
lines = [('gene', 1, 100, 'ID=g1'), ('mRNA', 1, 100, 'ID=m1;Parent=g1'), ('mRNA', 1, 90, 'ID=m2;Parent=g1'), ('exon', 1, 20, 'ID=e1;Parent=m1,m2'), ('exon', 30, 40, 'ID=e2;Parent=m1,m2')]
text = '##gff-version 3\n' + ''.join(f'chr1\tx\t{kind}\t{start}\t{end}\t.\t+\t.\t{more}\n' for kind, start, end, more in lines)
def count(text):
    kinds = [line.split('\t')[2] for line in text.splitlines() if '\t' in line]
    return ', '.join(f'{kinds.count(kind)} {kind}' for kind in ('gene', 'mRNA', 'exon', 'remark'))
print('at first:', count(text))
for turn in range(1, 4):
    records = list(GFF.parse(io.StringIO(text)))
    written = io.StringIO()
    GFF.write(records, written)
    text = written.getvalue()
    print(f'written {turn} times:', count(text))
    if turn == 1:
        print(text, end='')
PY
env/bin/python run.py | tee out
diff out - <<'END'
at first: 1 gene, 2 mRNA, 2 exon, 0 remark
written 1 times: 1 gene, 2 mRNA, 4 exon, 1 remark
##gff-version 3
##sequence-region chr1 1 100
chr1	annotation	remark	1	100	.	.	.	gff-version=3
chr1	x	gene	1	100	.	+	.	ID=g1
chr1	x	mRNA	1	100	.	+	.	ID=m1;Parent=g1
chr1	x	exon	1	20	.	+	.	ID=e1;Parent=m1,m2
chr1	x	exon	30	40	.	+	.	ID=e2;Parent=m1,m2
chr1	x	mRNA	1	90	.	+	.	ID=m2;Parent=g1
chr1	x	exon	1	20	.	+	.	ID=e1;Parent=m1,m2
chr1	x	exon	30	40	.	+	.	ID=e2;Parent=m1,m2
written 2 times: 1 gene, 2 mRNA, 8 exon, 2 remark
written 3 times: 1 gene, 2 mRNA, 16 exon, 3 remark
END
