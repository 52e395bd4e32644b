#!/usr/bin/env bash
# @teselagen/bio-parsers 0.4.38 (npm), genbankToJson and jsonToGenbank, which read GenBank's files and write them again, default settings.
# Behaviour: the mark that a gene begins before the piece or ends behind it (<1..5, 20..>30) is dropped: the gene looks whole. A note that goes over two lines loses the blank between them, and is cut within a word when it is written. What is written again has /label in place of
# /gene, and of a coding sequence the frame (/codon_start), /pseudo and the protein (/translation) are gone; a feature over the origin, join(28..30,1..3), becomes 28..3.
# Seen:   gene <1..5: gene 1..5 / "goes on / and ends": "goes onand ends" / /codon_start=2: nothing / join(28..30,1..3): 28..3
# Expected by most: the same features with the same places and qualifiers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @teselagen/bio-parsers@0.4.38
cat > in.gb <<'GB'
LOCUS       TEST                      30 bp    DNA     circular SYN 01-JAN-2026
DEFINITION  A test plasmid.
ACCESSION   X00001
FEATURES             Location/Qualifiers
     gene            <1..5
                     /gene="abc"
     CDS             complement(13..>21)
                     /gene="xyz"
                     /product="a protein"
                     /note="first line of a long note that goes on
                     and ends on the second"
                     /codon_start=2
                     /pseudo
                     /translation="MA"
     misc_feature    join(28..30,1..3)
                     /label="across the origin"
     misc_feature    complement(join(7..9,11..12))
                     /label="in two parts"
ORIGIN
        1 atgcatgcat gcatgcatgc atgcatgcat
//
GB
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { genbankToJson, jsonToGenbank } from '@teselagen/bio-parsers';
const [{ parsedSequence }] = await genbankToJson(readFileSync('in.gb', 'utf8'));
for (const { name, start, end, forward, notes } of parsedSequence.features) console.log(JSON.stringify({ name, start, end, forward, notes }));
const lines = jsonToGenbank(parsedSequence).split('\n');
console.log(lines.slice(lines.findIndex((line) => line.startsWith('FEATURES')), lines.findIndex((line) => line.startsWith('ORIGIN'))).join('\n'));
JS
echo "@teselagen/bio-parsers $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@teselagen/bio-parsers/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"name":"abc","start":0,"end":4,"forward":true,"notes":{}}
{"name":"xyz","start":12,"end":20,"forward":false,"notes":{"product":["a protein"],"note":["first line of a long note that goes onand ends on the second"],"codon_start":[2],"pseudo":[""],"translation":["MA"]}}
{"name":"across the origin","start":27,"end":2,"forward":true,"notes":{}}
{"name":"in two parts","start":6,"end":11,"forward":false,"notes":{}}
FEATURES             Location/Qualifiers
     gene            1..5
                     /label="abc"
     CDS             complement(13..21)
                     /label="xyz"
                     /product="a protein"
                     /note="first line of a long note that goes onand ends on t
                     he second"
     misc_feature    28..3
                     /label="across the origin"
     misc_feature    complement(join(7..9,11..12))
                     /label="in two parts"
END
