#!/usr/bin/env bash
# csvtojson 2.0.14 (npm), a much used reader of CSV, default settings.
# Behaviour: a dot in the name of a column is a path. Behind it digits are a position in a list, and the list is filled up with null: a column p.99 makes
# each row a list of a hundred places, v1.2 one of three. Digits with a zero before them are a name, so that 2026.01 is a member and 2026.10 is place ten.
# Where a column is called like the beginning of another one (a and a.b), one of them is lost without a word, whichever comes first.
# Seen:   p.99: a list of 100 places / v1.2: {"v1":[null,null,"7"]} / 2026.01: {"2026":{"01":"7"}} / a,a.b: {"a":{"b":"8"}} / a.b,a: {"a":"8"}
# Expected by most: the names of the header line, or members of members.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund csvtojson@2.0.14
cat > run.cjs <<'JS'
const csv = require('csvtojson');
(async () => {
  for (const header of ['v1.2', '2026.01', '2026.10', 'a,a.b', 'a.b,a'])
    console.log(header + ': ' + JSON.stringify((await csv().fromString(header + '\n' + (header.includes(',') ? '7,8' : '7') + '\n'))[0]));
  console.log('p.99: ' + (await csv().fromString('p.99\n7\n'))[0].p.length + ' places');
})();
JS
echo "csvtojson $(node -p "require('csvtojson/package.json').version")"
node run.cjs | tee out
diff out - <<'END'
v1.2: {"v1":[null,null,"7"]}
2026.01: {"2026":{"01":"7"}}
2026.10: {"2026":[null,null,null,null,null,null,null,null,null,null,"7"]}
a,a.b: {"a":{"b":"8"}}
a.b,a: {"a":"8"}
p.99: 100 places
END
