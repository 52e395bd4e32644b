"""Uses weir.wasm as it is in wassette, over MCP on standard streams: `wassette.py COMMAND…`, where COMMAND is wassette's
server with the component loaded and a directory granted to it. tests/hosts.sh runs it."""

import json
import subprocess
import sys

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def ask(method: str, **params: object) -> dict:
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    answers = (json.loads(line) for line in server.stdout)
    return next((answer.get("result") or answer for answer in answers if answer.get("id") == method), {})


def call(function: str, **arguments: object) -> str:
    result = ask("tools/call", name=f"weir_plugin_json_0_3_0_{function}", arguments=arguments)
    return result["content"][0]["text"]


try:
    ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "hosts", "version": "1"})
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    lines = [f"{n}: {'error: disk is full' if n == 4321 else 'all is well with it'}\n" for n in range(1, 40_001)]
    assert len("".join(lines)) > 1_000_000
    shown = call("transform", **{"call": '{"session": "alice", "tool": "read_log"}', "tool-result": "".join(lines)})
    id = shown.partition("weir://blob/")[2][:12]
    assert len(shown) < 12_000 and len(id) == 12, shown[:500]
    read = lambda **what: call("invoke", session="alice", name="weir_fetch", arguments=json.dumps({"id": id, **what}))  # noqa: E731
    page, found = read(mode="range", start=30_000, count=3), read(mode="grep", pattern="error:")
    assert all(lines[n].strip() in page for n in (29_999, 30_000, 30_001)), page
    assert "4321: error: disk is full" in found and "1 match" in found, found
    tools = [{"name": f"{verb}_{what}", "description": f"{verb} a {what}", "inputSchema": {"type": "object"}}
             for verb in ("read", "delete", "rename") for what in ("file", "invoice", "calendar")]
    catalog = json.loads(call("open-catalog", snapshot=json.dumps({"tools": tools})))
    bridge = {"name": "tool_search", "arguments": '{"query": "remove an invoice"}', "conversation": ""}
    answer = call("invoke-bridge", catalog=catalog["catalog"], **bridge)
    print("stores and reads back;", "searches tools" if "delete_invoice" in answer else f"no tool search: {json.loads(answer)['error']['message']}")
finally:
    server.kill()
