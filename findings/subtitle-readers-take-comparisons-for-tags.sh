#!/usr/bin/env bash
# webvtt-py 0.6.0 and pysrt 1.1.2 (PyPI), subtitles in SRT as text: captions read with webvtt.from_buffer(format='srt') and pysrt's text_without_tags.
# Behaviour: all between a "<" and the next ">" is a tag for both, with spaces, digits and line breaks in it: of "if a < 3 and b > 2" the middle is gone. So are
# the key in "press <Enter>" and List<int>. Written as WebVTT, the signs are not escaped. Of a text with an
# empty line in it pysrt keeps the part above. srt 3.5.3 keeps all of this.
# Seen:   "if a < 3 and b > 2": "if a  2" / "press <Enter> twice": "press  twice" / "one", empty line, "two": pysrt "one"
# Expected by most: only <i>, <b>, <u> and <font> are taken away.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check webvtt-py==0.6.0 pysrt==1.1.2 srt==3.5.3
cat > run.py <<'PY'
import importlib.metadata
import io
import warnings

warnings.simplefilter('ignore')
import pysrt
import srt
import webvtt

print(', '.join(f'{name} {importlib.metadata.version(name)}' for name in ['webvtt-py', 'pysrt', 'srt']))
texts = ['<i>Slowly</i> now.', 'if a < 3 and b > 2', 'press <Enter> twice', 'List<int> x', 'one\n\ntwo']
source = ''.join(f'{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n\n' for n, text in enumerate(texts, 1))
captions = webvtt.from_buffer(io.StringIO(source), 'srt')
lines = pysrt.from_string(source)
for text, caption, line, kept in zip(texts, captions, lines, srt.parse(source)):
    print(f'{text!r}: webvtt-py {caption.text!r}, pysrt {line.text_without_tags!r}, srt {kept.content!r}')
print('as WebVTT:', [line for line in captions.content.splitlines() if line.startswith('if')])
PY
env/bin/python run.py | tee out
diff out - <<'END'
webvtt-py 0.6.0, pysrt 1.1.2, srt 3.5.3
'<i>Slowly</i> now.': webvtt-py 'Slowly now.', pysrt 'Slowly now.', srt '<i>Slowly</i> now.'
'if a < 3 and b > 2': webvtt-py 'if a  2', pysrt 'if a  2', srt 'if a < 3 and b > 2'
'press <Enter> twice': webvtt-py 'press  twice', pysrt 'press  twice', srt 'press <Enter> twice'
'List<int> x': webvtt-py 'List x', pysrt 'List x', srt 'List<int> x'
'one\n\ntwo': webvtt-py 'one\ntwo', pysrt 'one', srt 'one\n\ntwo'
as WebVTT: ['if a < 3 and b > 2']
END
