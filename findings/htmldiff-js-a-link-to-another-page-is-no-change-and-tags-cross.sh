#!/usr/bin/env bash
# htmldiff-js 1.0.5 (npm), marks with ins and del what differs between two pieces of HTML.
# Behaviour: two tags of one name are equal, whatever their attributes say. A link that leads elsewhere, another value of a field, another start of a list and
# another class are not marked: the result is the new text without a mark. Where the name of a tag changes, both are put in, one across the other
# (<h2><h3>..</h2></h3>), without a mark. A word that is no longer bold is said to be inserted. A cell that moved is put beside the others as a third one.
# Seen:   links, values: unmarked / <p><ul><li>x</p></li></ul> / must <ins>not</ins> run
# Expected by most: a mark for each change, and HTML that can be read.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund htmldiff-js@1.0.5
cat > run.cjs <<'JS'
const HtmlDiff = require('htmldiff-js').default;
console.log('htmldiff-js', require('htmldiff-js/package.json').version);
for (const [before, after] of [
  ['<a href="https://a.example/v1">guide</a>', '<a href="https://a.example/v2">guide</a>'],
  ['<input value="5">', '<input value="500">'],
  ['<ol start="1"><li>x</li></ol>', '<ol start="5"><li>x</li></ol>'],
  ['<h2>Limits</h2>', '<h3>Limits</h3>'],
  ['<p>x</p>', '<ul><li>x</li></ul>'],
  ['<p>must <b>not</b> run</p>', '<p>must not run</p>'],
  ['<td>1</td><td>2</td>', '<td>2</td><td>1</td>'],
  ['<p>five kg</p>', '<p>six kg</p>'],
])
  console.log(`${before}\n  ${after}\n  => ${HtmlDiff.execute(before, after)}`);
JS
node run.cjs | tee out
diff out - <<'END'
htmldiff-js 1.0.5
<a href="https://a.example/v1">guide</a>
  <a href="https://a.example/v2">guide</a>
  => <a href="https://a.example/v2">guide</a>
<input value="5">
  <input value="500">
  => <input value="500">
<ol start="1"><li>x</li></ol>
  <ol start="5"><li>x</li></ol>
  => <ol start="5"><li>x</li></ol>
<h2>Limits</h2>
  <h3>Limits</h3>
  => <h2><h3>Limits</h2></h3>
<p>x</p>
  <ul><li>x</li></ul>
  => <p><ul><li>x</p></li></ul>
<p>must <b>not</b> run</p>
  <p>must not run</p>
  => <p>must <ins class="mod">not</ins> run</p>
<td>1</td><td>2</td>
  <td>2</td><td>1</td>
  => <td><ins class="diffins">2</ins></td><td>1</td><td><del class="diffdel">2</del></td>
<p>five kg</p>
  <p>six kg</p>
  => <p><del class="diffmod">five</del><ins class="diffmod">six</ins> kg</p>
END
