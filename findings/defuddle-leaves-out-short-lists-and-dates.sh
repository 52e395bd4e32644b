#!/usr/bin/env bash
# defuddle 0.19.4 with linkedom 0.18.15 (npm), the reader of web pages of Obsidian's clipper and of agents' fetch tools, markdown on.
# Behaviour: in the middle of an article, between long paragraphs, a list of short items is left out, whether of names, of options or of links; with a full stop at
# the end of its items it stays. What has the class meta, date, share or tags is left out, an id with sidebar too, and a paragraph that is a date. Terms
# with their meanings are left out where they are short. A tab that is not shown is left out as well, and keys are pulled apart (Ctrl + C).
# Seen:   <ul> Linux, Windows: nothing / "Runs on Linux.", "Runs on Windows.": kept / p class="date": nothing / p "January 2, 2026": nothing / table: kept
# Expected by most: menus around the article go, and what is within it stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund defuddle@0.19.4 linkedom@0.18.15
cat > run.mjs <<'JS'
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
const prose = (word) => `<p>The tool runs on every machine and reads its settings from a file ${word}, which is described below in some detail for all readers.</p>`;
for (const part of [
  '<ul><li>Linux</li><li>Windows</li></ul>',
  '<ul><li>Runs on Linux.</li><li>Runs on Windows.</li></ul>',
  '<ol><li>Stop</li><li>Update</li><li>Start</li></ol>',
  '<ul><li><code>--fast</code></li><li><code>--all</code></li></ul>',
  '<dl><dt>ttl</dt><dd>seconds</dd></dl>',
  '<p class="date">Released on 2 January 2026.</p>',
  '<p>January 2, 2026</p>',
  '<div class="meta"><p>The field meta holds what is not shown.</p></div>',
  '<div class="share"><p>A folder is shared with the command share.</p></div>',
  '<div id="sidebar-api"><p>The sidebar API opens a panel beside the page.</p></div>',
  '<table><tr><th>Code</th></tr><tr><td>404</td></tr></table>',
  '<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>',
]) {
  const page = `<!doctype html><html><head><title>Guide</title></head><body><main><article><h1>Guide</h1>${prose('one')}${prose('two')}${part}${prose('three')}${prose('four')}</article></main></body></html>`;
  const { content } = await Defuddle(parseHTML(page).document, 'https://x.example/guide', { markdown: true });
  const paragraphs = content.split('\n\n');
  const [before, behind] = ['two', 'three'].map((word) => paragraphs.findIndex((paragraph) => paragraph.includes(`file ${word},`)));
  console.log(`${part}: ${JSON.stringify(paragraphs.slice(before + 1, behind).join('\n\n'))}`);
}
JS
for name in defuddle linkedom; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
<ul><li>Linux</li><li>Windows</li></ul>: ""
<ul><li>Runs on Linux.</li><li>Runs on Windows.</li></ul>: "- Runs on Linux.\n- Runs on Windows."
<ol><li>Stop</li><li>Update</li><li>Start</li></ol>: ""
<ul><li><code>--fast</code></li><li><code>--all</code></li></ul>: ""
<dl><dt>ttl</dt><dd>seconds</dd></dl>: ""
<p class="date">Released on 2 January 2026.</p>: ""
<p>January 2, 2026</p>: ""
<div class="meta"><p>The field meta holds what is not shown.</p></div>: ""
<div class="share"><p>A folder is shared with the command share.</p></div>: ""
<div id="sidebar-api"><p>The sidebar API opens a panel beside the page.</p></div>: ""
<table><tr><th>Code</th></tr><tr><td>404</td></tr></table>: "| Code |\n| --- |\n| 404 |"
<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>: "Ctrl + C"
END
