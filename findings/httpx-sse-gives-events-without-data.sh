#!/usr/bin/env bash
# httpx-sse 0.4.3 (with httpx 0.28.1) and sseclient-py 1.9.0 (PyPI), two readers of server-sent events; the first is under many MCP clients.
# Behaviour: they break the rule for the end of an event in opposite ways. A block without data (only `retry:`, only `id:`, only `event:`) is no event
# by the standard; httpx-sse hands out an event with empty data for each, which is no JSON, and sseclient-py none. A last event whose
# blank line never came is to be thrown away; sseclient-py hands it out, httpx-sse does not. And an id stays for later events in httpx-sse only.
# Seen:   httpx-sse: 3 of 3 blocks without data, unfinished: 0, later id: 1 / sseclient-py: 0, 1, None
# Expected by most: the same events from both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check httpx-sse==0.4.3 httpx==0.28.1 sseclient-py==1.9.0
cat > run.py <<'PY'
import importlib.metadata
import httpx
import httpx_sse
import sseclient

print(*(name + ' ' + importlib.metadata.version(name) for name in ('httpx-sse', 'httpx', 'sseclient-py')))


def by_httpx(text):
    answer = httpx.Response(200, content=text, headers={'content-type': 'text/event-stream'})
    return list(httpx_sse.EventSource(answer).iter_sse())


def by_client(text):
    return list(sseclient.SSEClient(iter([text])).events())


for name, read in (('httpx-sse', by_httpx), ('sseclient-py', by_client)):
    bare = [event.data for event in read(b'retry: 5000\n\nid: 7\n\nevent: ping\n\n')]
    unfinished = len(read(b'data: one\n'))
    later = read(b'id: 1\ndata: a\n\ndata: b\n\n')[1].id
    print(f'{name}: without data {bare}, unfinished {unfinished}, later id {later}')
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(printf '%s\n' "httpx-sse: without data ['', '', ''], unfinished 0, later id 1" 'sseclient-py: without data [], unfinished 1, later id None')
