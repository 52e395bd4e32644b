#!/usr/bin/env bash
# junit-to-ctrf 0.0.14 (npm), which makes the test report CTRF of JUnit's XML for dashboards and agents, convertJUnitToCTRFReport as it is.
# Behaviour: the text of a failure is kept only beside an attribute "message" (or "type"); jest-junit and others write the text alone, and such a test has failed without any reason. A time as Surefire writes it, 1,234.5 seconds, becomes
# one second. The reason of a skip, a second failure and the class are left out, and a test that its runner marks as not run (status="skipped" or "notrun", without an element) has passed.
# Seen:   <failure>Error: expected 1</failure>: failed, no message, no trace / time="1,234.5": duration 1000 / status="notrun": passed
# Expected by most: the text as message or trace; 1234500; skipped or other.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund junit-to-ctrf@0.0.14
cat > report.xml <<'XML'
<testsuites><testsuite name="s">
<testcase name="text alone" classname="c" time="1"><failure>Error: expected 1
    at a.test.js:5</failure></testcase>
<testcase name="with type" time="1"><failure type="Error">Error: expected 1</failure></testcase>
<testcase name="with message" time="1"><failure message="expected 1">at a.test.js:5</failure></testcase>
<testcase name="two checks" time="1"><failure message="first">a</failure><failure message="second">b</failure></testcase>
<testcase name="long" time="1,234.5"/>
<testcase name="skipped" time="0"><skipped message="no database"/></testcase>
<testcase name="not run" status="notrun" time="0"/>
</testsuite></testsuites>
XML
cat > run.mjs <<'JS'
import { convertJUnitToCTRFReport } from 'junit-to-ctrf';
const { results } = await convertJUnitToCTRFReport('report.xml');
for (const test of results.tests) console.log(`${test.name}: ${test.status}, ${test.duration} ms, message ${JSON.stringify(test.message ?? null)}, trace ${JSON.stringify(test.trace ?? null)}`);
console.log(`passed ${results.summary.passed}, failed ${results.summary.failed}, skipped ${results.summary.skipped}; the class is ${JSON.stringify(results).includes('"c"') ? 'there' : 'nowhere'}`);
JS
echo "junit-to-ctrf $(node -p "JSON.parse(require('fs').readFileSync('node_modules/junit-to-ctrf/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
text alone: failed, 1000 ms, message null, trace null
with type: failed, 1000 ms, message null, trace "Error: expected 1"
with message: failed, 1000 ms, message "expected 1", trace "at a.test.js:5"
two checks: failed, 1000 ms, message "first", trace "a"
long: passed, 1000 ms, message null, trace null
skipped: skipped, 0 ms, message null, trace null
not run: passed, 0 ms, message null, trace null
passed 2, failed 4, skipped 1; the class is nowhere
END
