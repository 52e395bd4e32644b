#!/usr/bin/env bash
# ttconv 1.2.3 (PyPI), which makes WebVTT of TTML, and webvtt-py 0.6.0 (PyPI), which makes WebVTT of SRT and SRT of WebVTT; subtitles about code and sums, default settings.
# Behaviour: both write the signs < and & into WebVTT as they are, where the format wants &lt; and &amp;. What follows the sign is then a tag for every reader: "if a<b then c>d" loses b then c. The other way round webvtt-py
# leaves &lt; and &amp; in SRT, which knows no such names, so viewers read "5 &lt; 6".
# Seen:   TTML a&lt;b then c&gt;d: VTT a<b then c>d, read as ad / SRT a<b then c>d: the same / VTT 5 &lt; 6 &amp; 7: SRT 5 &lt; 6 &amp; 7
# Expected by most: &lt; in WebVTT, < in SRT.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ttconv==1.2.3 webvtt-py==0.6.0
cat > in.ttml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<tt xml:lang="en" xmlns="http://www.w3.org/ns/ttml"><body><div>
<p begin="1s" end="2s">if a&lt;b then c&gt;d stop</p>
<p begin="3s" end="4s">5 &lt; 6 &amp; 7</p>
</div></body></tt>
XML
printf '1\n00:00:01,000 --> 00:00:02,000\nif a<b then c>d stop\n\n2\n00:00:03,000 --> 00:00:04,000\n5 < 6 & 7\n' > in.srt
printf 'WEBVTT\n\n00:01.000 --> 00:02.000\nif a&lt;b then c&gt;d stop\n\n00:03.000 --> 00:04.000\n5 &lt; 6 &amp; 7\n' > in.vtt
env/bin/tt convert -i in.ttml -o ttconv.vtt > log 2>&1
cat > run.py <<'PY'
import importlib.metadata
import webvtt

for name in ('ttconv', 'webvtt-py'):
    print(name, importlib.metadata.version(name))
webvtt.from_srt('in.srt').save('webvtt-py.vtt')
webvtt.read('in.vtt').save_as_srt('webvtt-py.srt')
for name in ('ttconv.vtt', 'webvtt-py.vtt', 'webvtt-py.srt'):
    print(name, [line.strip() for line in open(name) if 'stop' in line or '6' in line])
for name in ('ttconv.vtt', 'webvtt-py.vtt'):
    print(name, 'read:', [caption.text for caption in webvtt.read(name)])
PY
env/bin/python run.py | tee out
env/bin/tt convert -i webvtt-py.vtt -o again.srt >> log 2>&1
{ echo "webvtt-py.vtt read by ttconv:"; grep -E 'stop|6' again.srt; } | tee -a out
diff out - <<'END'
ttconv 1.2.3
webvtt-py 0.6.0
ttconv.vtt ['if a<b then c>d stop', '5 < 6 & 7']
webvtt-py.vtt ['if a<b then c>d stop', '5 < 6 & 7']
webvtt-py.srt ['if a&lt;b then c&gt;d stop', '5 &lt; 6 &amp; 7']
ttconv.vtt read: ['if ad stop', '5 < 6 & 7']
webvtt-py.vtt read: ['if ad stop', '5 < 6 & 7']
webvtt-py.vtt read by ttconv:
if a<b>d stop</b>
END
