#!/usr/bin/env bash
# PyVCF3 1.0.4 (PyPI): lists of variants in the VCF format are read, counted and saved.
# Behaviour: a quality of 0, which the format allows, is 0 when read and "." when saved: unknown. AC to GT, two changed letters
# at one place, is of the kind indel and of the sort insertion, though nothing is longer or shorter. A half-known genotype ./1 counts as mixed (het), and the
# unknown half counts as an allele in the frequency: of the known 0, 1 and 1 two are the variant, which is told as 0.5; the unknown in S3 does not count.
# Seen:   QUAL 0 saved as . / AC to GT: indel ins / ./1: het, frequency 0.5
# Expected by most: 0; no indel; no call or unknown, frequency 2/3 (counted over the known alleles).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check PyVCF3==1.0.4 setuptools==65.5.0
cat > run.py <<'PY'
import io
import vcf

text = '''##fileformat=VCFv4.2
##FORMAT=<ID=GT,Number=1,Type=String,Description="genotype">
#CHROM POS ID REF ALT QUAL FILTER INFO FORMAT S1 S2 S3
1 100 . A G 0 PASS . GT 0/1 0/1 0/0
1 200 . A G 0.0 PASS . GT 0/1 0/1 0/0
1 300 . A G . PASS . GT 0/1 0/1 0/0
1 400 . AC GT 50 PASS . GT 0/1 0/1 0/0
1 500 . A G 50 PASS . GT 0/1 ./1 ./.
1 600 . A G 50 PASS . GT 0/1 ./. ./.
'''
text = '\n'.join(one if one.startswith('##') else one.replace(' ', '\t') for one in text.split('\n'))
saved = io.StringIO()
writer = vcf.Writer(saved, vcf.Reader(io.StringIO(text)))
for record in vcf.Reader(io.StringIO(text)):
    writer.write_record(record)
    row = saved.getvalue().strip().split('\n')[-1].split('\t')
    alleles = [one for sample in record.samples for one in sample['GT'].split('/') if one != '.']
    share = alleles.count('1') / len(alleles)
    print(f'{record.POS} {record.REF}>{record.ALT[0]}: QUAL read {record.QUAL}, saved {row[5]}; {record.var_type} {record.var_subtype}; mixed '
          f'{[sample.sample for sample in record.samples if sample.is_het]}; frequency {record.aaf[0]:.2f}, of the known alleles {share:.2f}')
PY
env/bin/pip list 2> /dev/null | grep -i pyvcf
env/bin/python -W ignore run.py | tee out
diff out - <<'END'
100 A>G: QUAL read 0, saved .; snp ts; mixed ['S1', 'S2']; frequency 0.33, of the known alleles 0.33
200 A>G: QUAL read 0.0, saved .; snp ts; mixed ['S1', 'S2']; frequency 0.33, of the known alleles 0.33
300 A>G: QUAL read None, saved .; snp ts; mixed ['S1', 'S2']; frequency 0.33, of the known alleles 0.33
400 AC>GT: QUAL read 50, saved 50; indel ins; mixed ['S1', 'S2']; frequency 0.33, of the known alleles 0.33
500 A>G: QUAL read 50, saved 50; snp ts; mixed ['S1', 'S2']; frequency 0.50, of the known alleles 0.67
600 A>G: QUAL read 50, saved 50; snp ts; mixed ['S1']; frequency 0.50, of the known alleles 0.50
END
