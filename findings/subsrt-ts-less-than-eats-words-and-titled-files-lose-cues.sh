#!/usr/bin/env bash
# subsrt-ts 2.1.2 (npm), which reads and converts subtitles (SRT, WebVTT, ASS and others), default settings.
# Behaviour: whatever stands between < and > is taken for a tag, over words too, so "3 < 4 & 5 > 2" becomes "3  2", in the text and in each converted file. A WebVTT file whose
# first line has a title, which the format allows, is taken for SRT; then only cues with both a number and hours are left, and the others are gone without a word.
# What the package writes as ASS it reads back without the first letter of each cue, and numbered from 3. SRT cues that have coordinates behind the times are left out.
# Seen:   3 < 4 & 5 > 2: 3  2 / three cues below "WEBVTT - Talk": one / Hello: ello / the cue with X1:100: not there
# Expected by most: the text with its signs, three cues, the same letters back.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund subsrt-ts@2.1.2
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import subsrt from 'subsrt-ts';
console.log('subsrt-ts', JSON.parse(readFileSync('node_modules/subsrt-ts/package.json')).version);
const show = (name, text) => console.log(`${name}: ${JSON.stringify(subsrt.parse(text).filter((part) => part.type === 'caption').map((part) => [part.index, part.text]))}`);
const srt = '1\n00:00:01,000 --> 00:00:02,500\nIs 3 < 4 & 5 > 2?\n\n2\n00:00:03,000 --> 00:00:04,000\nHello\n';
show('signs', srt);
console.log('as WebVTT:', JSON.stringify(subsrt.convert(srt, { format: 'vtt' }).split(/\s*\n/)[3]));
show('by way of ASS', subsrt.convert(srt, { format: 'ass' }));
show('coordinates', '1\n00:00:01,000 --> 00:00:02,500 X1:100 X2:200 Y1:10 Y2:20\nTop\n\n2\n00:00:03,000 --> 00:00:04,000\nBelow\n');
const cues = '\n\n00:01.000 --> 00:02.500\none\n\n2\n00:00:03.000 --> 00:00:04.000\ntwo\n\n00:00:05.000 --> 00:00:06.000\nthree\n\n';
for (const first of ['WEBVTT', 'WEBVTT - Talk']) {
  console.log(`${first} is`, subsrt.detect(first + cues));
  show(first, first + cues);
}
JS
node run.mjs | tee out
diff out - <<'END'
subsrt-ts 2.1.2
signs: [[1,"Is 3  2?"],[2,"Hello\r\n"]]
as WebVTT: "Is 3  2?"
by way of ASS: [[null,"s 3  2?"],[null,"ello\r\n"]]
coordinates: [[2,"Below\r\n"]]
WEBVTT is vtt
WEBVTT: [[1,"one"],[2,"two"],[3,"three"]]
WEBVTT - Talk is srt
WEBVTT - Talk: [[2,"two"]]
END
