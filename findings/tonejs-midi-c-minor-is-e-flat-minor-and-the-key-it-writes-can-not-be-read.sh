#!/usr/bin/env bash
# @tonejs/midi 2.0.28 (npm) and mido 1.3.3 (PyPI): a file of mido is read and written by @tonejs/midi, and mido reads that.
# Behaviour: the key of a piece in minor is named after the major key with the same signs: C minor is "Eb minor". When the
# piece is written again, the count of the signs is stored 14 too high: C major comes out as a key of 14 sharps. There is no such key; mido refuses
# the whole file. Without a key signature the file is read.
# Seen:   Cm is "Eb minor"; mido: could not decode key with 11 sharps
# Expected by most: "C minor", and a file with the same key.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mido==1.3.3
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @tonejs/midi@2.0.28
cat > make.py <<'PY'
import sys
import mido

key, path = sys.argv[1:]
song = mido.MidiFile()
track = mido.MidiTrack()
song.tracks.append(track)
if key != 'none':
    track.append(mido.MetaMessage('key_signature', key=key))
track.append(mido.Message('note_on', note=60, time=0))
track.append(mido.Message('note_off', note=60, time=480))
song.save(path)
PY
cat > read.py <<'PY'
import sys
import mido

try:
    song = mido.MidiFile(sys.argv[1])
    print('   mido reads', [m.key for t in song.tracks for m in t if m.type == 'key_signature'], 'notes', sum(m.type == 'note_on' for t in song.tracks for m in t))
except Exception as error:
    print('   mido:', type(error).__name__, error)
PY
cat > through.js <<'JS'
const fs = require('fs');
const { Midi } = require('@tonejs/midi');
const song = new Midi(fs.readFileSync(process.argv[2]));
console.log('   @tonejs/midi reads', song.header.keySignatures.map(k => k.key + ' ' + k.scale).join() || 'no key');
const bytes = Buffer.from(song.toArray());
const at = bytes.indexOf(Buffer.from([0xff, 0x59, 0x02]));
console.log('   and writes', at < 0 ? 'no key' : bytes.readInt8(at + 3) + ' sharps, ' + (bytes[at + 4] ? 'minor' : 'major'));
fs.writeFileSync(process.argv[3], bytes);
JS
{
  node -p "'@tonejs/midi ' + require('@tonejs/midi/package.json').version"
  for key in C Cm none; do
    echo "$key"
    env/bin/python make.py "$key" a.mid; node through.js a.mid b.mid; env/bin/python read.py b.mid
  done
} | tee out
diff out - <<'END'
@tonejs/midi 2.0.28
C
   @tonejs/midi reads C major
   and writes 14 sharps, major
   mido: KeySignatureError Could not decode key with 14 sharps and mode 0
Cm
   @tonejs/midi reads Eb minor
   and writes 11 sharps, minor
   mido: KeySignatureError Could not decode key with 11 sharps and mode 1
none
   @tonejs/midi reads no key
   and writes no key
   mido reads [] notes 1
END
