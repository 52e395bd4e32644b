#!/usr/bin/env bash
# agent-vcr 0.1.0 (PyPI), MCPDiff, which the README offers as a gate for "breaking changes" (diff --fail-on-breaking) between two recordings of an MCP server.
# Behaviour: only an answer that turns into a JSON-RPC error is breaking. A tool that is gone from tools/list, an argument that is renamed, that must now be
# given or that has another type, and a call that now answers with isError are all "compatible", and so the gate lets them pass. A recording in which one
# question was asked twice with two answers is not identical to itself: one call is modified and one is removed.
# Seen:   the same recording twice: identical False, removed 1, modified 1 / tool gone, argument renamed, required, of another type, isError: compatible True
# Expected by most: identical for the first, and not compatible for the others.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-vcr==0.1.0
cat > run.py <<'PY'
import importlib.metadata
import sys
from datetime import datetime
from agent_vcr.core.format import JSONRPCRequest, JSONRPCResponse, VCRInteraction, VCRMetadata, VCRRecording, VCRSession
from agent_vcr.diff import MCPDiff

print('agent-vcr', importlib.metadata.version('agent-vcr'), file=sys.stderr)


def record(*calls):
    now, made = datetime(2026, 1, 1), []
    for number, (method, params, answer) in enumerate(calls, 1):
        made.append(VCRInteraction(sequence=number, timestamp=now, direction='client_to_server', latency_ms=1,
                                   request=JSONRPCRequest(id=number, method=method, params=params), response=JSONRPCResponse(id=number, **answer)))
    start = JSONRPCRequest(id=0, method='initialize', params={}), JSONRPCResponse(id=0, result={})
    return VCRRecording(metadata=VCRMetadata(version='1.0.0', recorded_at=now, transport='stdio'),
                        session=VCRSession(initialize_request=start[0], initialize_response=start[1], interactions=made))


def call(name, text, **more):
    return 'tools/call', {'name': name, 'arguments': {}}, {'result': {'content': [{'type': 'text', 'text': text}], **more}}


def tools(**schemas):
    return 'tools/list', {}, {'result': {'tools': [{'name': name, 'inputSchema': {'type': 'object', **schema}} for name, schema in schemas.items()]}}


def compare(name, before, after):
    found = MCPDiff.compare(before, after)
    print(f'{name}: identical {found.is_identical}, compatible {found.is_compatible}, added {len(found.added_interactions)}, '
          f'removed {len(found.removed_interactions)}, modified {len(found.modified_interactions)}')


city = {'properties': {'city': {'type': 'string'}}}
once = record(call('list', '[]'), call('add', 'done'))
twice = record(call('list', '[]'), call('add', 'done'), call('list', '["milk"]'))
compare('one recording with itself', once, once)
compare('one recording with itself, a question twice', twice, twice)
compare('a tool is gone', record(tools(weather=city, pay={})), record(tools(weather=city)))
compare('an argument must be given', record(tools(weather=city)), record(tools(weather={**city, 'required': ['city']})))
compare('an argument has another type', record(tools(weather=city)), record(tools(weather={'properties': {'city': {'type': 'integer'}}})))
compare('an argument has another name', record(tools(weather=city)), record(tools(weather={'properties': {'town': {'type': 'string'}}})))
compare('a call fails', record(call('pay', 'paid')), record(call('pay', 'no such account', isError=True)))
compare('a call is a JSON-RPC error', record(call('pay', 'paid')), record(('tools/call', {'name': 'pay', 'arguments': {}}, {'error': {'code': -32603, 'message': 'x'}})))
PY
env/bin/python run.py | tee out
diff out - <<'END'
one recording with itself: identical True, compatible True, added 0, removed 0, modified 0
one recording with itself, a question twice: identical False, compatible True, added 0, removed 1, modified 1
a tool is gone: identical False, compatible True, added 0, removed 0, modified 1
an argument must be given: identical False, compatible True, added 0, removed 0, modified 1
an argument has another type: identical False, compatible True, added 0, removed 0, modified 1
an argument has another name: identical False, compatible True, added 0, removed 0, modified 1
a call fails: identical False, compatible True, added 0, removed 0, modified 1
a call is a JSON-RPC error: identical False, compatible False, added 0, removed 0, modified 1
END
