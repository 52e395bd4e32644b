#!/usr/bin/env bash
# junit2json 4.0.0 (npm), which reads the JUnit XML of test runs into JSON.
# Behaviour: every attribute that can be taken for a number is one, the names of tests and classes too, and whole parts of them go: the test 007 is 7, the version 1.10 is 1.1, so that it is one
# with the test 1.1; the commit 7e2 and 1e3 are read up to the letter, 7 and 1, and 0x1F is 0. Long ids are rounded. A name that is Infinity, or empty, is null in JSON.
# Its own types say that name is a string. The text of system-out stays as it is.
# Seen:   "1.10": 1.1 / "1e3": 1 / "0x1F": 0 / "12345678901234567890": 12345678901234567000 / typeof name: number
# Most would guess: names are texts, and counts and times are numbers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund junit2json@4.0.0
cat > run.mjs <<'JS'
import { parse } from 'junit2json';
const names = ['adds', '007', '1.1', '1.10', '1e3', '7e2', '7e2abc', '0x1F', '12345678901234567890', 'Infinity', '', '2024-01-02', '10.5.1'];
const { tests, testcase } = await parse(`<testsuite name="versions" tests="${names.length}" failures="0">${names.map((name) =>
  `<testcase name="${name}" classname="suite" time="0.10"><system-out>007</system-out></testcase>`).join('')}</testsuite>`);
testcase.forEach((one, at) => console.log(JSON.stringify(names[at]), typeof one.name, JSON.stringify(one)));
console.log(tests, 'tests,', new Set(testcase.map((one) => one.name)).size, 'names');
JS
echo "junit2json $(node -p "JSON.parse(require('fs').readFileSync('node_modules/junit2json/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
"adds" string {"name":"adds","classname":"suite","time":0.1,"system-out":["007"]}
"007" number {"name":7,"classname":"suite","time":0.1,"system-out":["007"]}
"1.1" number {"name":1.1,"classname":"suite","time":0.1,"system-out":["007"]}
"1.10" number {"name":1.1,"classname":"suite","time":0.1,"system-out":["007"]}
"1e3" number {"name":1,"classname":"suite","time":0.1,"system-out":["007"]}
"7e2" number {"name":7,"classname":"suite","time":0.1,"system-out":["007"]}
"7e2abc" string {"name":"7e2abc","classname":"suite","time":0.1,"system-out":["007"]}
"0x1F" number {"name":0,"classname":"suite","time":0.1,"system-out":["007"]}
"12345678901234567890" number {"name":12345678901234567000,"classname":"suite","time":0.1,"system-out":["007"]}
"Infinity" number {"name":null,"classname":"suite","time":0.1,"system-out":["007"]}
"" number {"name":null,"classname":"suite","time":0.1,"system-out":["007"]}
"2024-01-02" string {"name":"2024-01-02","classname":"suite","time":0.1,"system-out":["007"]}
"10.5.1" string {"name":"10.5.1","classname":"suite","time":0.1,"system-out":["007"]}
13 tests, 11 names
END
