#!/usr/bin/env bash
# sarif-junit 1.1.4 (npm), used as a module as in its README (lib/saver).
# Behaviour: the results are collected in a place that all calls share. The report of a second file has the results of the first too, and so on; a clean file gets the failures of
# another one. A result without a level (SARIF: then it is a warning) passes, one with kind "pass" and one that is suppressed fail.
# The rule's own default level is not asked for.
# Seen:   first: 5 tests, 3 failures / second, which has no result at all: 5 tests, 3 failures
# Expected by most: nothing of the first file in the second report; what has no level is a warning and fails as warnings do.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund sarif-junit@1.1.4
cat > run.cjs <<'JS'
const fs = require('fs');
const save = require('sarif-junit/lib/saver');
const result = (name, more) => ({ ruleId: name, message: { text: `${name} here` },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 3 } } }], ...more });
const sarif = (results) => JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint', rules: [] } }, results }] });
const wait = () => new Promise((done) => setTimeout(done, 300));
const report = async (title, results) => {
  save(sarif(results), 'out.xml', 'lint');
  await wait();
  const xml = fs.readFileSync('out.xml', 'utf8');
  console.log(`== ${title}: ${xml.match(/<testsuites tests="\d+" failures="\d+"/)[0].slice(12)}`);
  for (const [, name, failed] of xml.matchAll(/<testcase classname="([^"]*)"[^>]*?(\/>|>\s*<failure)/g)) console.log(`   ${name} ${failed === '/>' ? 'passes' : 'fails'}`);
};
(async () => {
  await report('first file', [result('warned', { level: 'warning' }), result('noted', { level: 'note' }), result('without a level', {}),
    result('of the kind pass', { level: 'error', kind: 'pass' }), result('suppressed', { level: 'error', suppressions: [{ kind: 'inSource' }] })]);
  await report('second file, without results', []);
  await report('third file', [result('noted again', { level: 'note' })]);
})();
JS
echo "sarif-junit $(node -p "require('./node_modules/sarif-junit/package.json').version")" >&2
node run.cjs | tee out
diff out - <<'END'
== first file: tests="5" failures="3"
   warned fails
   noted passes
   without a level passes
   of the kind pass fails
   suppressed fails
== second file, without results: tests="5" failures="3"
   warned fails
   noted passes
   without a level passes
   of the kind pass fails
   suppressed fails
== third file: tests="6" failures="3"
   warned fails
   noted passes
   without a level passes
   of the kind pass fails
   suppressed fails
   noted again passes
END
