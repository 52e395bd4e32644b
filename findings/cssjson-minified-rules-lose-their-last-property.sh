#!/usr/bin/env bash
# cssjson 2.1.3 and css2json 1.1.1 (npm), which make JSON of style sheets, default settings; cssjson writes them again too.
# Behaviour: in cssjson a property that no semicolon ends, as the last one of each rule in minified CSS, is not there; a rule with one property is empty. A value with a semicolon in quotes or in url() is cut there by both:
# Of a picture as data: the first words are left, and css2json keeps the rest under the name "". Of two @font-face only the last is there, in both.
# Seen:   a{color:red;margin:0}: cssjson {"color":"red"} / url("data:image/png;base64,iVBO"): url("data:image/png / two fonts: one
# Expected by most: both properties; the whole address; two fonts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund cssjson@2.1.3 css2json@1.1.1
cat > run.cjs <<'JS'
const cssjson = require('cssjson');
const css2json = require('css2json');
const { toJSON, toCSS } = cssjson.toJSON ? cssjson : cssjson.CSSJSON;
const flat = (node) => Object.fromEntries(Object.entries(node.children).map(([name, child]) => [name, { ...child.attributes, ...flat(child) }]));
for (const text of [
  'a { color: red; margin: 0; }', 'a{color:red;margin:0}', 'a{color:red}b{margin:0}', 'a { background: url("data:image/png;base64,iVBO"); margin: 0; }',
  'a::after { content: "one; two"; color: red; }', 'a { color: red; } b { margin: 0; } a { padding: 0; }',
  '@font-face { font-family: One; src: url(1); } @font-face { font-family: Two; src: url(2); }',
]) {
  console.log(text);
  console.log('  cssjson:', JSON.stringify(flat(toJSON(text))), 'written again:', toCSS(toJSON(text)).replace(/\s+/g, ' ').trim());
  console.log('  css2json:', JSON.stringify(css2json(text)));
}
JS
for package in cssjson css2json; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
node run.cjs | tee out
diff out - <<'END'
a { color: red; margin: 0; }
  cssjson: {"a":{"color":"red","margin":"0"}} written again: a { color: red; margin: 0; }
  css2json: {"a":{"color":"red","margin":"0"}}
a{color:red;margin:0}
  cssjson: {"a":{"color":"red"}} written again: a { color: red; }
  css2json: {"a":{"color":"red","margin":"0"}}
a{color:red}b{margin:0}
  cssjson: {"a":{},"b":{}} written again: a { } b { }
  css2json: {"a":{"color":"red"},"b":{"margin":"0"}}
a { background: url("data:image/png;base64,iVBO"); margin: 0; }
  cssjson: {"a":{"background":"url(\"data:image/png","margin":"0"}} written again: a { background: url("data:image/png; margin: 0; }
  css2json: {"a":{"background":"url(\"data:image/png","":"base64,iVBO\")","margin":"0"}}
a::after { content: "one; two"; color: red; }
  cssjson: {"a::after":{"content":"\"one","color":"red"}} written again: a::after { content: "one; color: red; }
  css2json: {"a::after":{"content":"\"one","":"two\"","color":"red"}}
a { color: red; } b { margin: 0; } a { padding: 0; }
  cssjson: {"a":{"color":"red","padding":"0"},"b":{"margin":"0"}} written again: a { color: red; padding: 0; } b { margin: 0; }
  css2json: {"a":{"color":"red","padding":"0"},"b":{"margin":"0"}}
@font-face { font-family: One; src: url(1); } @font-face { font-family: Two; src: url(2); }
  cssjson: {"@font-face":{"font-family":"Two","src":"url(2)"}} written again: @font-face { font-family: Two; src: url(2); }
  css2json: {"@font-face":{"font-family":"Two","src":"url(2)"}}
END
