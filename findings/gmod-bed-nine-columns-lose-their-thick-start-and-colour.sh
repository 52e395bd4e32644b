#!/usr/bin/env bash
# @gmod/bed 2.3.0 (npm): parseLine of BED files, without a schema.
# Behaviour: the names of all twelve columns are used only for lines that have all of them. A line of nine columns, the usual form with a colour, has its thickStart,
# thickEnd and itemRgb as field6, field7 and field8, and as texts. A line of six without a score has the score as field4 with the text ".", though the README says that "." is left out.
# Lines of three to twelve columns are all BED; the same columns have other names from line to line of one file.
# Seen:   BED9: field6 "12", field7 "18", field8 "255,0,0" / BED12: thickStart 12, thickEnd 18, itemRgb / score "." of BED6: field4 "."
# Expected by most: thickStart 12, thickEnd 18, itemRgb "255,0,0" in both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @gmod/bed@2.3.0
cat > run.mjs <<'JS'
import Bed from '@gmod/bed';
const parser = new (Bed.default ?? Bed)();
const columns = ['chr1', '10', '20', 'gene', '5', '-', '12', '18', '255,0,0', '2', '3,4,', '0,6,'];
for (const count of [3, 4, 5, 6, 8, 9, 12]) console.log(`BED${count}`, JSON.stringify(parser.parseLine(columns.slice(0, count).join('\t'))));
for (const count of [6, 12]) console.log(`BED${count} without a score`, JSON.stringify(parser.parseLine(columns.slice(0, count).map((cell, i) => (i === 4 ? '.' : cell)).join('\t'))));
const named = new (Bed.default ?? Bed)({ columnNames: ['chrom', 'chromStart', 'chromEnd', 'name', 'score', 'strand', 'thickStart', 'thickEnd', 'itemRgb'] });
console.log('BED9 with columnNames', JSON.stringify(named.parseLine(columns.slice(0, 9).join('\t'))));
JS
echo "@gmod/bed $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@gmod/bed/package.json')).version")" >&2
node run.mjs | tee out
diff out - <<'END'
BED3 {"chrom":"chr1","chromStart":10,"chromEnd":20,"strand":0}
BED4 {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","strand":0}
BED5 {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","score":5,"strand":0}
BED6 {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","score":5,"strand":-1}
BED8 {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","score":5,"strand":-1,"field6":"12","field7":"18"}
BED9 {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","score":5,"strand":-1,"field6":"12","field7":"18","field8":"255,0,0"}
BED12 {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","score":5,"strand":-1,"thickStart":12,"thickEnd":18,"itemRgb":"255,0,0","blockCount":2,"blockSizes":[3,4],"blockStarts":[0,6]}
BED6 without a score {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","field4":".","strand":-1}
BED12 without a score {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","strand":-1,"thickStart":12,"thickEnd":18,"itemRgb":"255,0,0","blockCount":2,"blockSizes":[3,4],"blockStarts":[0,6]}
BED9 with columnNames {"chrom":"chr1","chromStart":10,"chromEnd":20,"name":"gene","score":5,"strand":-1,"thickStart":12,"thickEnd":18,"itemRgb":"255,0,0"}
END
