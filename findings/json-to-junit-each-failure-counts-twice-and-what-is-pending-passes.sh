#!/usr/bin/env bash
# json-to-junit 2.2.0 (npm): reports of mochawesome become JUnit XML.
# Behaviour: each failed test is counted as a failure and as an error too, so readers who add both find twice as many; the sums do not fit the number of tests.
# A pending test (it.skip) is a testcase without any mark, so it has passed; only what was never run because of a hook is skipped. Of a failure its message is kept;
# the place in the code and the difference are left out.
# Seen:   suite of 1 passed, 1 failed, 1 pending: tests 3, failures 1, errors 1, skipped 0; "later" has no mark
# Expected by most: failures 1, errors 0, skipped 1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-to-junit@2.2.0
mkdir in out.d
cat > make.cjs <<'JS'
const test = (title, state, more = {}) => ({ title, fullTitle: `Cart ${title}`, timedOut: false, duration: 1500, state, speed: null, pass: state === 'passed',
  fail: state === 'failed', pending: state === 'pending', context: null, code: '', err: {}, uuid: title, parentUUID: 's', isHook: false, skipped: state === null, ...more });
const suite = { uuid: 's', title: 'Cart', fullFile: 'cart.js', file: 'cart.js', beforeHooks: [], afterHooks: [], suites: [], duration: 3000, root: false, rootEmpty: false,
  tests: [test('adds', 'passed'), test('fails', 'failed', { err: { message: 'AssertionError: expected 1 to equal 2', estack: 'AssertionError: expected 1\n    at cart.js:7', diff: '- 1\n+ 2' } }),
    test('later', 'pending', { duration: 0 })],
  passes: ['adds'], failures: ['fails'], pending: ['later'], skipped: [] };
const root = { ...suite, uuid: 'r', title: '', fullFile: '', file: '', tests: [], suites: [suite], passes: [], failures: [], pending: [], duration: 0, root: true, rootEmpty: true };
const stats = { suites: 1, tests: 3, passes: 1, pending: 1, failures: 1, start: '2026-01-02T03:04:05.000Z', end: '2026-01-02T03:04:08.000Z', duration: 3000, testsRegistered: 3, passPercent: 50,
  pendingPercent: 33, other: 0, hasOther: false, skipped: 0, hasSkipped: false };
require('fs').writeFileSync('in/report.json', JSON.stringify({ stats, results: [root], meta: {} }));
JS
node make.cjs
echo "json-to-junit $(node -p "require('./node_modules/json-to-junit/package.json').version")" >&2
node_modules/.bin/jsonjunit --json in --junit out.d > /dev/null
cat out.d/* | tee out
diff out - <<'END'
<testsuites>
<testsuite name="" tests="0" failures="0" errors="0" skipped="0" timestamp="" time="0">
<testsuite name="Cart" tests="3" failures="1" errors="1" skipped="0" timestamp="" time="3">
<testcase classname="Cart" name="adds" time="1.5">
</testcase>
<testcase classname="Cart" name="fails" time="1.5">
<failure message="AssertionError: expected 1 to equal 2">

</failure>
</testcase>
<testcase classname="Cart" name="later" time="0">
</testcase>
</testsuite>
</testsuite>
</testsuites>
END
