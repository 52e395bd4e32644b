#!/usr/bin/env bash
# musicxml-io 0.9.6 (npm): parseAbc, serialize (MusicXML), exportMidi, serializeAbc; its README says that it follows the ABC standard 2.1 and knows all keys.
# Behaviour: the key of an ABC tune is written down, but no note is changed by it: in K:Bb the letters B and E are B and E natural in MusicXML and in MIDI.
# A sharp holds for its own note only, not until the end of the bar. The way back is no better: a B natural of MusicXML in the key of B flat is written as a bare B,
# which any reader of ABC plays flat, even behind a _B in the same bar. From ABC to ABC nothing changes, so a test of that way shows nothing.
# Chord names lose what they are made of: F#m7b5 is F#m7, Cadd9 is C, Edim7 and A+ are E and A major.
# Seen:   K:Bb B E A F: MIDI 71 64 69 65 / ^F F =F F: 66 65 65 65 / B flat, B natural of MusicXML: _B B
# Expected by most: 70 63 69 65 / 66 66 65 65 / _B =B.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund musicxml-io@0.9.6
cat > run.mjs <<'JS'
import { exportMidi, parse, parseAbc, serialize, serializeAbc } from 'musicxml-io';
const tune = (key, notes) => parseAbc(`X:1\nT:t\nM:4/4\nL:1/4\nK:${key}\n${notes}\n`);
const last = (score) => serializeAbc(score, { includeChordSymbols: true }).trim().split('\n').pop();
const midi = (score) => [...exportMidi(score)].flatMap((byte, i, all) => ((byte & 0xf0) === 0x90 && all[i + 1] > 40 && all[i + 1] < 100 && all[i + 2] > 0 ? [all[i + 1]] : []));
for (const [key, notes] of [['Bb', 'B E A F|'], ['D', 'F A c d|'], ['C', '^F F =F F|']]) {
  const score = tune(key, notes);
  const xml = serialize(score);
  const pitches = [...xml.matchAll(/<pitch>([\s\S]*?)<\/pitch>/g)].map(([, p]) => p.match(/<step>(.)/)[1] + (p.match(/<alter>(-?\d)/)?.[1] ?? ''));
  console.log(`K:${key} ${notes} fifths ${xml.match(/<fifths>(-?\d)/)[1]}, MusicXML ${pitches.join(' ')}, MIDI ${midi(score).join(' ')}, ABC ${last(score)}`);
}
const note = ([step, alter]) => `<note><pitch><step>${step}</step>${alter ? `<alter>${alter}</alter>` : ''}<octave>4</octave></pitch><duration>1</duration><type>quarter</type></note>`;
const xml = (fifths, notes) => `<?xml version="1.0"?><score-partwise version="3.1"><part-list><score-part id="P1"><part-name>x</part-name></score-part></part-list><part id="P1"><measure number="1">
<attributes><divisions>1</divisions><key><fifths>${fifths}</fifths></key><time><beats>4</beats><beat-type>4</beat-type></time></attributes>${notes.map(note).join('')}</measure></part></score-partwise>`;
console.log('MusicXML in B flat: B flat, E flat, B natural, B natural: ABC', last(parse(xml(-2, [['B', -1], ['E', -1], ['B'], ['B']]))));
console.log('MusicXML in C: F sharp, F natural, C, C: ABC', last(parse(xml(0, [['F', 1], ['F'], ['C'], ['C']]))));
console.log('chords:', last(tune('C', '"F#m7b5"C "Cadd9"D "Edim7"E "A+"F|')));
JS
echo "musicxml-io $(node -p "JSON.parse(require('fs').readFileSync('node_modules/musicxml-io/package.json')).version")" >&2
node run.mjs | tee out
diff out - <<'END'
K:Bb B E A F| fifths -2, MusicXML B E A F, MIDI 71 64 69 65, ABC BEAF|
K:D F A c d| fifths 2, MusicXML F A C D, MIDI 65 69 72 74, ABC FAcd|
K:C ^F F =F F| fifths 0, MusicXML F1 F F F, MIDI 66 65 65 65, ABC ^FF=FF|
MusicXML in B flat: B flat, E flat, B natural, B natural: ABC _B2_E2B2B2|
MusicXML in C: F sharp, F natural, C, C: ABC ^F2F2C2C2|
chords: "F#m7"C"C"D"Edim7"E"A"F|
END
