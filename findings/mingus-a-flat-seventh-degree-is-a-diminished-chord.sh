#!/usr/bin/env bash
# mingus 0.6.1 (PyPI), mingus.core.progressions.to_chords and determine.
# Behaviour: a sign before a roman numeral lowers or raises every note of the chord of the scale. So the common "bVII" of C is Bb Db Fb, a diminished
# chord (from B D F), and "bIII" and "bVI" are minor. Capital and small letters mean the same. The numerals that determine() gives ("bviiM")
# need the M behind them; without it, another chord is played. The common I-bVII-IV of rock has a diminished chord in the middle.
# Seen:   bVII in C: Bb Db Fb / bIII: Eb Gb Bb / bVI: Ab Cb Eb / iv: F A C (major)
# Expected by most: Bb D F / Eb G Bb / Ab C Eb / F Ab C.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mingus==0.6.1
cat > chords.py <<'PY'
import importlib.metadata
import mingus.core.chords as chords
import mingus.core.progressions as progressions

print('mingus', importlib.metadata.version('mingus'))
for numeral in ('IV', 'iv', 'bVII', 'bIII', 'bVI', 'bVII7', 'bVIIM', 'bIIIM', 'IVm'):
    notes = progressions.to_chords([numeral], 'C')[0]
    print(numeral, '=', ' '.join(notes), '=', chords.determine(notes)[0])
print('I bVII IV in D:', [' '.join(c) for c in progressions.to_chords(['I', 'bVII', 'IV'], 'D')])
for notes in (['Bb', 'D', 'F'], ['F', 'Ab', 'C']):
    print(' '.join(notes), 'in C is called', progressions.determine(notes, 'C', True)[0])
PY
env/bin/python chords.py | tee out
diff out - <<'END'
mingus 0.6.1
IV = F A C = F major triad
iv = F A C = F major triad
bVII = Bb Db Fb = Bb diminished triad
bIII = Eb Gb Bb = Eb minor triad
bVI = Ab Cb Eb = Ab minor triad
bVII7 = Bb Db Fb Ab = Bb half diminished seventh
bVIIM = Bb D F = Bb major triad
bIIIM = Eb G Bb = Eb major triad
IVm = F Ab C = F minor triad
I bVII IV in D: ['D F# A', 'C Eb Gb', 'G B D']
Bb D F in C is called bviiM
F Ab C in C is called IVm
END
