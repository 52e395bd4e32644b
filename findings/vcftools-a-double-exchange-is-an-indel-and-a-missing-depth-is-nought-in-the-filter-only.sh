#!/usr/bin/env bash
# vcftools 0.1.16-3+b1 (Debian 12); the means are worked out in Python too.
# Behaviour: the manual says that an indel is what alters the length, yet --remove-indels also drops an exchange of two bases for two (GT for CA), and
# --keep-only-indels keeps it. The deletion marked * stays as if it were a SNP. --min-meanDP takes a sample without a depth for one of depth 0, while the report
# --site-mean-depth leaves it out: a site whose mean is 9 in the report does not pass a filter for at least 8.
# Seen:   --remove-indels: snp star / --site-mean-depth: snp 9 / --min-meanDP 8: only the site without gaps
# Expected by most: the exchange stays, and both mean the same mean.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq vcftools=0.1.16-3+b1 > /dev/null 2>&1; dpkg-deb -x vcftools_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
cat > make.py <<'PY'
head = ['##fileformat=VCFv4.2', '##contig=<ID=1>', '##FORMAT=<ID=GT,Number=1,Type=String,Description="g">',
        '##FORMAT=<ID=DP,Number=1,Type=Integer,Description="d">']
rows = [('#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', 'S1', 'S2', 'S3')]
for place, name, ref, alt, depths in ((10, 'snp', 'A', 'G', (9, 9, None)), (20, 'deletion', 'AC', 'A', (9, 9, 9)),
                                      (30, 'exchange', 'GT', 'CA', (9, None, None)), (40, 'star', 'G', '*', (2, 2, 2))):
    rows.append(('1', str(place), name, ref, alt, '50', 'PASS', '.', 'GT:DP', *('./.:.' if one is None else f'0/1:{one}' for one in depths)))
    known = [one for one in depths if one is not None]
    print(f'{name}: mean of the known {sum(known) / len(known)}, with gaps as 0 {sum(known) / 3}')
open('a.vcf', 'w').write('\n'.join(head + ['\t'.join(row) for row in rows]) + '\n')
PY
ask() { echo "$* -> $(vcftools --vcf a.vcf "$@" --recode --stdout 2> /dev/null | grep -v '^#' | cut -f3 | tr '\n' ' ')"; }
echo "vcftools $(dpkg-deb -f vcftools_*.deb Version)"
(
  python3 make.py
  ask --remove-indels
  ask --keep-only-indels
  vcftools --vcf a.vcf --site-mean-depth --stdout 2> /dev/null | cut -f2,3 | tr '\t' ' '
  ask --min-meanDP 8
  ask --min-meanDP 3.5
  ask --max-meanDP 4
) | tee out
diff out - <<'END'
snp: mean of the known 9.0, with gaps as 0 6.0
deletion: mean of the known 9.0, with gaps as 0 9.0
exchange: mean of the known 9.0, with gaps as 0 3.0
star: mean of the known 2.0, with gaps as 0 2.0
--remove-indels -> snp star 
--keep-only-indels -> deletion exchange 
POS MEAN_DEPTH
10 9
20 9
30 9
40 2
--min-meanDP 8 -> deletion 
--min-meanDP 3.5 -> snp deletion 
--max-meanDP 4 -> exchange star 
END
