#!/usr/bin/env bash
# pysubs2 1.8.1 (PyPI), which reads, edits and converts subtitles; an SRT file read with from_string and written with to_string('srt').
# Behaviour: every format is kept inside as if it were SubStation Alpha, without escapes. What SRT has in braces is then a style command and is dropped, in
# plaintext and in what is written. A backslash with n or N becomes a new line and one with h a space, so a path of Windows is torn apart. <b> is dropped as
# well. Nothing says so; comparisons such as "a < 3 and b > 2" stay.
# Seen:   "Type {name} and press {Enter}." gives "Type  and press ." / "C:\new\home" gives "C:", "ew ome"
# Expected by most: a text without styles is the same text after it is read and written.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pysubs2==1.8.1
cat > run.py <<'PY'
import importlib.metadata
import pysubs2

print('pysubs2', importlib.metadata.version('pysubs2'))
texts = [
    'Type {name} and press {Enter}.',
    'The answer is {"status": "ok"}.',
    'Open C:\\new\\home now.',
    'Write \\n for a new line.',
    '<i>Slowly</i>, then <b>fast</b>.',
    'if a < 3 and b > 2',
]
source = ''.join(f'{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n\n' for n, text in enumerate(texts, 1))
subtitles = pysubs2.SSAFile.from_string(source)
for text, line in zip(texts, subtitles):
    print(text, '=>', repr(line.plaintext))
print(subtitles.to_string('srt').rstrip())
PY
env/bin/python run.py | tee out
diff out - <<'END'
pysubs2 1.8.1
Type {name} and press {Enter}. => 'Type  and press .'
The answer is {"status": "ok"}. => 'The answer is .'
Open C:\new\home now. => 'Open C:\new ome now.'
Write \n for a new line. => 'Write \n for a new line.'
<i>Slowly</i>, then <b>fast</b>. => 'Slowly, then fast.'
if a < 3 and b > 2 => 'if a < 3 and b > 2'
1
00:00:01,000 --> 00:00:01,900
Type  and press .

2
00:00:02,000 --> 00:00:02,900
The answer is .

3
00:00:03,000 --> 00:00:03,900
Open C:
ew ome now.

4
00:00:04,000 --> 00:00:04,900
Write 
 for a new line.

5
00:00:05,000 --> 00:00:05,900
<i>Slowly</i>, then fast.

6
00:00:06,000 --> 00:00:06,900
if a < 3 and b > 2
END
