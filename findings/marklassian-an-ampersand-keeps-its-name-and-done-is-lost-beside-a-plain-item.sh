#!/usr/bin/env bash
# marklassian 1.2.1 (npm), Markdown to the Atlassian Document Format of Jira and Confluence; mdast-util-from-markdown reads the same text.
# Behaviour: a character by its name, as "A &amp; B" or "&lt;5", is shown with its name: Jira prints "&lt;5". "2<br>3" becomes 23, so two lines of a cell of a table are one number. In a
# list of which one item has no box, all boxes are dropped, so what is done and what is open look alike. A paragraph in <p> is not there at all.
# Seen:   "&lt;5 mg &amp; more" -> the same letters / "2<br>3" -> "23" / "- [x] paid, - [ ] sent, - note" -> three plain items
# Expected by most: "<5 mg & more", a line break, boxes that stay.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts marklassian@1.2.1 mdast-util-from-markdown@2.0.2 mdast-util-to-string@4.0.0 2> /dev/null
cat > run.mjs <<'JS'
import { markdownToAdf } from 'marklassian';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

const show = (one) => one.type === 'text' ? one.text : `<${one.type}${one.attrs?.state ? ' ' + one.attrs.state : ''}>${(one.content ?? []).map(show).join('')}`;
for (const text of ['dose &lt;5 mg &amp; more', '&copy; 2026, 20&nbsp;mg, a&#x2F;b']) {
  console.log(`${text}\n    marklassian: ${show(markdownToAdf(text))}\n    micromark:   ${toString(fromMarkdown(text)).replace('\u00a0', ' ')}`);
}
for (const text of ['| size |\n|---|\n| 2<br>3 |', 'first<br>second', '- [x] paid\n- [ ] sent', '- [x] paid\n- [ ] sent\n- note', '<p>Do not ship.</p>\n\nThanks.']) {
  console.log(`${JSON.stringify(text)}\n    ${show(markdownToAdf(text))}`);
}
JS
echo "marklassian $(node -p "JSON.parse(require('fs').readFileSync('node_modules/marklassian/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
dose &lt;5 mg &amp; more
    marklassian: <doc><paragraph>dose &lt;5 mg &amp; more
    micromark:   dose <5 mg & more
&copy; 2026, 20&nbsp;mg, a&#x2F;b
    marklassian: <doc><paragraph>&copy; 2026, 20&nbsp;mg, a&#x2F;b
    micromark:   © 2026, 20 mg, a/b
"| size |\n|---|\n| 2<br>3 |"
    <doc><table><tableRow><tableHeader><paragraph>size<tableRow><tableCell><paragraph>23
"first<br>second"
    <doc><paragraph>firstsecond
"- [x] paid\n- [ ] sent"
    <doc><taskList><taskItem DONE>paid<taskItem TODO>sent
"- [x] paid\n- [ ] sent\n- note"
    <doc><bulletList><listItem><paragraph>paid<listItem><paragraph>sent<listItem><paragraph>note
"<p>Do not ship.</p>\n\nThanks."
    <doc><paragraph>Thanks.
END
