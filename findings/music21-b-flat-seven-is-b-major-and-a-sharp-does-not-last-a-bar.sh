#!/usr/bin/env bash
# music21 10.5.1 (PyPI): chord symbols and ABC notation.
# Behaviour: Pitch and Note read Bb as B flat. ChordSymbol wants B-, and most symbols with b are an error; but Bb7, Ab7 and Eb7 are taken
# as B, A and E major with a seventh: B D# F# A.
# In ABC a sharp before a note lasts until the end of the bar; here the next note of the same pitch in the bar is natural again.
# Seen:   Pitch Bb4: B flat / ChordSymbol Bb7: B D# F# A; B-7: B- D F A- / ABC "^F F | F": F#, F, F
# Expected by most: B flat, D, F, A flat, or an error as for Bb; F#, F#, F.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check music21==10.5.1
cat > run.py <<'PY'
import importlib.metadata
import sys
import warnings
from music21 import converter, harmony, pitch
warnings.simplefilter('ignore')
print('music21', importlib.metadata.version('music21'), file=sys.stderr)
for name in ['Bb4', 'Ab3']:
    print(f'pitch {name}: {pitch.Pitch(name).nameWithOctave}')
for symbol in ['B-7', 'Bb7', 'Bb', 'Bbm', 'BbM7', 'A-7', 'Ab7', 'Eb7', 'Eb']:
    try:
        found = harmony.ChordSymbol(symbol)
        print(f'chord {symbol}: {" ".join(note.name for note in found.pitches)}, root {found.root().name}')
    except Exception as error:
        print(f'chord {symbol}: {type(error).__name__}')
for bars in ['^F F F | F', '_B G B | B', '^F F =F F | F']:
    score = converter.parse(f'X:1\nM:4/4\nL:1/4\nK:C\n{bars}|', format='abc')
    print(f'ABC {bars}:', ' '.join(note.name for note in score.flatten().notes))
PY
env/bin/python run.py | tee out
diff out - <<'END'
pitch Bb4: B-4
pitch Ab3: A-3
chord B-7: B- D F A-, root B-
chord Bb7: B D# F# A, root B
chord Bb: ValueError
chord Bbm: ValueError
chord BbM7: ValueError
chord A-7: A- C E- G-, root A-
chord Ab7: A C# E G, root A
chord Eb7: E G# B D, root E
chord Eb: ValueError
ABC ^F F F | F: F# F F F
ABC _B G B | B: B- G B B
ABC ^F F =F F | F: F# F F F F
END
