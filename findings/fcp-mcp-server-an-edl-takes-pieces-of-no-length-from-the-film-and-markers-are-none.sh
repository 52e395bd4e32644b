#!/usr/bin/env bash
# fcp-mcp-server 0.27.2 (PyPI), an MCP server for Final Cut Pro XML, over stdio: export_edl, analyze_timeline and list_markers; otio-cmx3600-adapter 1.0.0 (PyPI, OpenTimelineIO) reads the EDL.
# Behaviour: in the list of cuts (CMX 3600) the end of the source is the end on the timeline. A clip of 10 s from second 10 of its film, at the start of the timeline, has the source
# 10 s to 10 s, so nothing; one from second 60 has 60 to 20; one from second 0 that lies at second 20 has 0 to 30, for 10 s on the timeline. Only a clip whose source begins where it lies is right.
# analyze_timeline counts no markers, though list_markers has the one on a clip.
# Seen:   source 10 to 10, 60 to 20 and 0 to 30 s for three clips of 10 s; OpenTimelineIO refuses the list / markers: 0 and 1
# Expected by most: source 10 to 20, 60 to 70 and 0 to 10; a list that other programs read; one marker.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fcp-mcp-server==0.27.2 mcp==1.30.0 otio-cmx3600-adapter==1.0.0
cat > ask.py <<'PY'
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio and gives a function that calls its tools."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        send(id=1, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == 1:
                return answer.get('result') or answer['error']

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
import opentimelineio
from ask import start

with open('cut.fcpxml', 'w') as project:
    project.write('''<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.10"><resources><format id="r1" frameDuration="1/25s" width="1920" height="1080"/>
<asset id="r2" name="film" start="0s" duration="600s" hasVideo="1" format="r1"><media-rep kind="original-media" src="file:///film.mov"/></asset></resources>
<library><event name="E"><project name="P"><sequence format="r1" duration="30s" tcStart="0s" tcFormat="NDF"><spine>
<asset-clip ref="r2" name="one" offset="0s" start="10s" duration="10s"/>
<asset-clip ref="r2" name="two" offset="10s" start="60s" duration="10s"><marker start="62s" duration="1/25s" value="look"/></asset-clip>
<asset-clip ref="r2" name="three" offset="20s" start="0s" duration="10s"/>
</spine></sequence></project></event></library></fcpxml>''')
call = start('env/bin/fcp-mcp-server')
edl = call('deliver', action='export_edl', args={'filepath': 'cut.fcpxml', 'output_path': 'cut.edl', 'confirm_unreviewed': True})
edl = edl.split('```edl\n')[1].split('```')[0]
print(*[line for line in edl.splitlines() if line[:3].isdigit()], sep='\n')
try:
    print(opentimelineio.adapters.read_from_string(edl, 'cmx_3600', rate=25).duration())
except Exception as error:
    print('OpenTimelineIO:', type(error).__name__, error)
print(*[line for line in call('inspect', action='analyze_timeline', args={'filepath': 'cut.fcpxml'}).splitlines() if 'Total**' in line])
print(call('inspect', action='list_markers', args={'filepath': 'cut.fcpxml'}).splitlines()[-1])
PY
echo "fcp-mcp-server $(env/bin/python -c "import importlib.metadata as m; print(m.version('fcp-mcp-server'))")"
env/bin/python run.py | tee out
diff out - <<'END'
001  AX       V     C        00:00:10:00 00:00:10:00 00:00:00:00 00:00:10:00
002  AX       V     C        00:01:00:00 00:00:20:00 00:00:10:00 00:00:20:00
003  AX       V     C        00:00:00:00 00:00:30:00 00:00:20:00 00:00:30:00
OpenTimelineIO: EDLParseError Source and record duration don't match: RationalTime(0, 25) != RationalTime(250, 25) for clip one
- **Total**: 0
| 00:00:12:00 | look | standard |
END
