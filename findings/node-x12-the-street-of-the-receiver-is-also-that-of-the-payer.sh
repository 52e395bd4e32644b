#!/usr/bin/env bash
# node-x12 1.7.1 (npm), its query language (docs/QueryLanguage.md of the project) on an order (850) with two addresses.
# Behaviour: N1-N301:N101["ST"], the street of the ship-to party, gives the streets of all parties that come after it as well; only for the last party it is one. So querySingle is right for
# the first match alone. FOREACH leaves no gap: of two lines where only the second has a description the list has one entry, which stands at the place of the first line.
# Seen:   street of ST: Road 1, Road 2 / of BT: Road 2 / FOREACH(PO1)=>PID05 for two lines: ["Ring, silver"], the second line's
# Expected by most: Road 1 alone; a list of two with nothing for the first line.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node-x12@1.7.1 2> /dev/null
cat > run.cjs <<'JS'
const { X12Parser, X12QueryEngine } = require('node-x12');
const order = `ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260105*1200*U*00401*000000001*0*P*>~
GS*PO*AAA*BBB*20260105*1200*1*X*004010~
ST*850*0001~
BEG*00*NE*PO 1**20260105~
N1*ST*Shop A*92*1~
N3*Road 1~
N1*BT*Shop B*92*2~
N3*Road 2~
PO1*1*25*EA*36.00~
PO1*2*75*EA*0.50~
PID*F****Ring, silver~
CTT*2~
SE*11*0001~
GE*1*1~
IEA*1*000000001~
`;
const parser = new X12Parser(true);
const document = parser.parse(order);
const engine = new X12QueryEngine(parser);
for (const query of ['N102:N101["ST"]', 'N102:N101["BT"]', 'N301', 'N1-N301:N101["ST"]', 'N1-N301:N101["BT"]', 'FOREACH(PO1)=>PO104', 'FOREACH(PO1)=>PID05']) {
  console.log(`${query}: ${JSON.stringify(engine.query(document, query).map((found) => found.values?.length ? found.values : found.value))}`);
}
JS
node -p "'node-x12 ' + JSON.parse(require('fs').readFileSync('node_modules/node-x12/package.json')).version"
node run.cjs | tee out
diff out - <<'END'
N102:N101["ST"]: ["Shop A"]
N102:N101["BT"]: ["Shop B"]
N301: ["Road 1","Road 2"]
N1-N301:N101["ST"]: ["Road 1","Road 2"]
N1-N301:N101["BT"]: ["Road 2"]
FOREACH(PO1)=>PO104: ["36.00","0.50"]
FOREACH(PO1)=>PID05: ["Ring, silver"]
END
