#!/usr/bin/env bash
# rtf2text 1.0.1 (npm), text of RTF documents, string(text, callback).
# Behaviour: signs that RTF writes as words are left out with nothing in their place: \endash, \emdash, \bullet and the quotation marks \ldblquote, \rdblquote, \rquote. So pages 10 to 20 are the page 1020,
# 3 to 5 is 35, and don't is dont. Cells of a table are glued together, and hidden text and the words of a footnote stand in the sentence. Letters given as \u with their
# substitute come with the substitute.
# Seen:   pages 10\endash 20: pages 1020 / don\rquote t: dont / cells 12 and 5: 125 / 5 \u8364?: 5 and the euro sign, then ?
# Expected by most: 10-20 in some way, don't, cells apart.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund rtf2text@1.0.1
cat > run.cjs <<'JS'
const rtf2text = require('rtf2text');
console.log('rtf2text', require('./node_modules/rtf2text/package.json').version);
const read = (body) => new Promise((resolve, reject) => {
  rtf2text.string(`{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}}\\pard ${body}\\par}`, (error, text) => (error ? reject(error) : resolve(text)));
});
(async () => {
  for (const body of [
    'pages 10\\endash 20', '3\\emdash 5 days', 'don\\rquote t', 'say \\ldblquote yes\\rdblquote', '\\bullet  one', 'plain \\b bold\\b0  end', 'one\\line two\\tab three', '5 \\u8364?',
    '\\trowd\\cellx1000\\cellx2000\\intbl 12\\cell 5\\cell\\row', 'Total{\\footnote see below} 5', 'the{\\v  secret} end',
  ]) console.log(`${body}: ${JSON.stringify(await read(body))}`);
})();
JS
node run.cjs | tee out
diff out - <<'END'
rtf2text 1.0.1
pages 10\endash 20: "pages 1020\n"
3\emdash 5 days: "35 days\n"
don\rquote t: "dont\n"
say \ldblquote yes\rdblquote: "say yes\n"
\bullet  one: " one\n"
plain \b bold\b0  end: "plain bold end\n"
one\line two\tab three: "one\ntwo\tthree\n"
5 \u8364?: "5 €?\n"
\trowd\cellx1000\cellx2000\intbl 12\cell 5\cell\row: "125\n"
Total{\footnote see below} 5: "Totalsee below 5\n"
the{\v  secret} end: "the secret end\n"
END
