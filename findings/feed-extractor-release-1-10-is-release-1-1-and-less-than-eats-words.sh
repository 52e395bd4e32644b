#!/usr/bin/env bash
# @extractus/feed-extractor 8.0.3 (npm), which reads RSS, Atom and RDF into one shape, extractFromXml as it is; @rowanmanning/feed-parser 2.1.5 (npm) reads the same feed.
# Behaviour: a title or an id that looks like a number becomes one and is written as a text again: 1.10 is 1.1, 007 is 7, 1e3 is 1000, a long number gets other digits; two entries may so have one id.
# In a description all between a less-than and the next greater-than is taken for a tag, in CDATA too: "if a < b then x > y" is "if a y". A link without a host has no address. In JSON feeds titles are kept.
# Seen:   <title>1.10</title>: "1.1" / <guid>007</guid>: "7" / 1234567890123456789: "1234567890123456800" / "if a < b then x > y": "if a y"
# Expected by most: the words of the feed.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @extractus/feed-extractor@8.0.3 @rowanmanning/feed-parser@2.1.5
cat > run.mjs <<'JS'
import { extractFromJson, extractFromXml } from '@extractus/feed-extractor';
import { parseFeed } from '@rowanmanning/feed-parser';
const entries = [
  ['1.10', 'v1.10', '/news/1', 'plain'], ['1.1', '007', 'https://a.example/2', 'plain'], ['1e3', '7', 'https://a.example/3', 'if a &lt; b then x &gt; y'], ['Build 5', '1234567890123456789', 'https://a.example/4', '<![CDATA[if a < b then x > y]]>'],
];
const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>Releases</title><link>https://a.example/</link><description>d</description>${entries
  .map(([title, id, link, text]) => `<item><title>${title}</title><guid isPermaLink="false">${id}</guid><link>${link}</link><description>${text}</description></item>`).join('')}</channel></rss>`;
const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>2026.10</title><id>urn:a</id><updated>2026-11-03T00:00:00Z</updated>${entries
  .map(([title, id, link]) => `<entry><title>${title}</title><id>${id}</id><link href="${link}"/><updated>2026-11-03T00:00:00Z</updated></entry>`).join('')}</feed>`;
for (const [name, text] of Object.entries({ rss, atom })) {
  const feed = extractFromXml(text);
  const other = parseFeed(text);
  console.log(`${name}: ${JSON.stringify(feed.title)}, feed-parser ${JSON.stringify(other.title)}`);
  feed.entries.forEach((entry, index) => {
    const item = other.items[index];
    console.log(`  ${JSON.stringify([entry.title, entry.id, entry.link, entry.description])}, feed-parser ${JSON.stringify([item.title, item.id, item.url, item.description])}`);
  });
}
const json = extractFromJson({ version: 'https://jsonfeed.org/version/1.1', title: '2026.10', items: [{ id: '007', title: '1.10', url: 'https://a.example/1', content_text: 'plain' }] });
console.log(`json: ${JSON.stringify([json.title, json.entries[0].title, json.entries[0].id])}`);
JS
for package in @extractus/feed-extractor @rowanmanning/feed-parser; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
rss: "Releases", feed-parser "Releases"
  ["1.1","v1.10","","plain"], feed-parser ["1.10","v1.10","https://a.example/news/1","plain"]
  ["1.1","7","https://a.example/2","plain"], feed-parser ["1.1","007","https://a.example/2","plain"]
  ["1000","7","https://a.example/3","if a  y"], feed-parser ["1e3","7","https://a.example/3","if a < b then x > y"]
  ["Build 5","1234567890123456789","https://a.example/4","if a  y"], feed-parser ["Build 5","1234567890123456789","https://a.example/4","if a < b then x > y"]
atom: "2026.1", feed-parser "2026.10"
  ["1.1","v1.10","",""], feed-parser ["1.10","v1.10","/news/1",null]
  ["1.1","7","https://a.example/2",""], feed-parser ["1.1","007","https://a.example/2",null]
  ["1000","7","https://a.example/3",""], feed-parser ["1e3","7","https://a.example/3",null]
  ["Build 5","1234567890123456789","https://a.example/4",""], feed-parser ["Build 5","1234567890123456789","https://a.example/4",null]
json: ["2026.10","1.10","007"]
END
