#!/usr/bin/env bash
# seqtk 1.3-4 (Debian 12): rename and subseq.
# Behaviour: "rename" gives each record a new name and keeps the remark behind it. A record without a remark gets that of the last record that has one, so
# the sequences of three genes are all said to be of the first. With subseq, the sixth column of a BED file, which says that a piece lies on the other
# strand, is not looked at: the piece is that of the plus strand. A name that stands twice in a list of names gives its record twice, in the order of the
# sequences and not of the list.
# Seen:   >p2 kinase, human and >p3 kinase, human, where the records have no remark / GTA for a piece on the minus strand
# Expected by most: >p2 and >p3; TAC.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq seqtk=1.3-4 > /dev/null 2>&1; dpkg-deb -x seqtk_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
printf '>s1 kinase, human\nACGT\n>s2\nAAAA\n>s3\nACGTACGTAC\n' > s.fa
printf 's3\t2\t5\tpiece\t0\t-\n' > pieces.bed
printf 's3\ns1\ns3\n' > names
printf '@r1 lane=1\nACGT\n+\nIIII\n@r2\nACGT\n+\nIIII\n' > r.fq
echo "seqtk $(seqtk 2>&1 | grep Version)"
(
  echo "rename: $(seqtk rename s.fa p | tr '\n' ' ')"
  echo "rename, reads: $(seqtk rename r.fq p | tr '\n' ' ')"
  echo "subseq, minus: $(seqtk subseq s.fa pieces.bed | tr '\n' ' ')"
  echo "subseq, names: $(seqtk subseq s.fa names | tr '\n' ' ')"
) | tee out
diff out - <<'END'
rename: >p1 kinase, human ACGT >p2 kinase, human AAAA >p3 kinase, human ACGTACGTAC 
rename, reads: @p1 lane=1 ACGT + IIII @p2 lane=1 ACGT + IIII 
subseq, minus: >s3:3-5 GTA 
subseq, names: >s1 kinase, human ACGT >s3 ACGTACGTAC >s3 ACGTACGTAC 
END
