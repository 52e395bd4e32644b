#!/usr/bin/env bash
# @plussub/srt-vtt-parser 2.0.5 (npm), which reads SRT and WebVTT into entries of from, to (milliseconds) and text.
# Behaviour: a cue without text, as editors and speech recognisers write them for silence, takes the next cue with its number and times for its text; that cue is then no entry.
# In WebVTT a time without hours that has settings behind it, such as 00:02.500 align:start, gives an end that is not a number; JSON makes null of it. With hours it is read.
# Seen:   an empty cue before "Goodbye": one entry with the text "3\n00:00:05,000 --> 00:00:06,000\nGoodbye" / 00:02.500 align:start: to null / 00:00:02.500 align:start: to 2500
# Expected by most: three entries, one of them empty; 2500 both times.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @plussub/srt-vtt-parser@2.0.5
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { parse } from '@plussub/srt-vtt-parser';
console.log('@plussub/srt-vtt-parser', JSON.parse(readFileSync('node_modules/@plussub/srt-vtt-parser/package.json')).version);
const show = (name, text) => console.log(`${name}: ${JSON.stringify(parse(text).entries.map(({ from, to, text: words }) => [from, to, words]))}`);
show('silence', '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\n\n\n3\n00:00:05,000 --> 00:00:06,000\nGoodbye\n');
show('silence, one line', '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\n\n3\n00:00:05,000 --> 00:00:06,000\nGoodbye\n');
show('settings', 'WEBVTT\n\n00:01.000 --> 00:02.500 align:start\nHello\n\n00:03.000 --> 00:04.000\nthere\n');
show('settings and hours', 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500 align:start\nHello\n\n00:00:03.000 --> 00:00:04.000\nthere\n');
JS
node run.mjs | tee out
diff out - <<'END'
@plussub/srt-vtt-parser 2.0.5
silence: [[1000,2500,"Hello"],[3000,4000,""],[5000,6000,"Goodbye"]]
silence, one line: [[1000,2500,"Hello"],[3000,4000,"\n3\n00:00:05,000 --> 00:00:06,000\nGoodbye"]]
settings: [[1000,null,"Hello"],[3000,4000,"there"]]
settings and hours: [[1000,2500,"Hello"],[3000,4000,"there"]]
END
