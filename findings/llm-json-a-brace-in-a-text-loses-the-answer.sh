#!/usr/bin/env bash
# @solvers-hub/llm-json 0.1.11 (npm), extract() for the JSON in answers of models, with attemptCorrection as in its README and without.
# Behaviour: braces are counted within texts too. A valid object whose text holds one brace more of a kind gives no JSON at all, and parts of it
# are among the words. A list is never found: a list of two objects gives two objects and brackets among the words, a list of numbers is words. Corrections turn the apostrophe of 'it\'s' into a quote.
# Seen:   {"code":"}"}: no JSON, words: "} / {"code":"f() {"}: none / [{"id":1},{"id":2}]: two objects / [1,2,3]: none
# Expected by most: one object, one object, one list of two, one list.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @solvers-hub/llm-json@0.1.11
cat > run.cjs <<'JS'
const { LlmJson } = require('@solvers-hub/llm-json');
console.log('@solvers-hub/llm-json', require('./node_modules/@solvers-hub/llm-json/package.json').version);
for (const attemptCorrection of [false, true]) {
  console.log(`attemptCorrection ${attemptCorrection}`);
  const reader = new LlmJson({ attemptCorrection });
  for (const text of ['Here: {"code":"f()"} as asked.', 'Here: {"code":"f() }"} as asked.', 'Here: {"code":"f() {"} as asked.', '{"a":"{x}"}', '{"code":"}"}', 'Rows: [{"id":1},{"id":2}]', '[1,2,3]', "{'say': 'it\\'s'}"]) {
    const { json, text: words } = reader.extract(text);
    console.log(`  ${text}: ${JSON.stringify(json)}, words ${JSON.stringify(words)}`);
  }
}
JS
node run.cjs | tee out
diff out - <<'END'
@solvers-hub/llm-json 0.1.11
attemptCorrection false
  Here: {"code":"f()"} as asked.: [{"code":"f()"}], words ["Here:","as asked."]
  Here: {"code":"f() }"} as asked.: [], words ["Here:","\"} as asked."]
  Here: {"code":"f() {"} as asked.: [], words ["Here: {\"code\":\"f()","as asked."]
  {"a":"{x}"}: [{"a":"{x}"}], words []
  {"code":"}"}: [], words ["\"}"]
  Rows: [{"id":1},{"id":2}]: [{"id":1},{"id":2}], words ["Rows: [",",","]"]
  [1,2,3]: [], words ["[1,2,3]"]
  {'say': 'it\'s'}: [], words []
attemptCorrection true
  Here: {"code":"f()"} as asked.: [{"code":"f()"}], words ["Here:","as asked."]
  Here: {"code":"f() }"} as asked.: [], words ["Here:","\"} as asked."]
  Here: {"code":"f() {"} as asked.: [], words ["Here: {\"code\":\"f()","as asked."]
  {"a":"{x}"}: [{"a":"{x}"}], words []
  {"code":"}"}: [], words ["\"}"]
  Rows: [{"id":1},{"id":2}]: [{"id":1},{"id":2}], words ["Rows: [",",","]"]
  [1,2,3]: [], words ["[1,2,3]"]
  {'say': 'it\'s'}: [{"say":"it\"s"}], words []
END
