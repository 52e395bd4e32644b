#!/usr/bin/env python3
"""Runs `weir extmcp` against a client that Google's compiler makes of agentgateway's own file: tests/extmcp.py WEIR PROTO.

PROTO is crates/protos/proto/ext_mcp.proto of agentgateway. Needs the packages grpcio and grpcio-tools (PyPI).
"""

import importlib
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grpc
import grpc_tools
from grpc_tools import protoc


def main(weir, proto):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        known = Path(grpc_tools.__file__).parent / "_proto"
        made = protoc.main(["", f"-I{Path(proto).parent}", f"-I{known}", f"--python_out={folder}", f"--grpc_python_out={folder}", str(proto)])
        assert made == 0, "the file does not compile"
        sys.path.insert(0, str(folder))
        messages = importlib.import_module("ext_mcp_pb2")
        services = importlib.import_module("ext_mcp_pb2_grpc")
        # First, as the proxy waits ten seconds for an answer and no longer.
        subprocess.run([weir, "inspect"], check=True, stdout=subprocess.DEVNULL)
        command = [weir, "extmcp", "--listen", "127.0.0.1:0", "--store", str(folder / "store")]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            address = re.search(r"127\.0\.0\.1:\d+", server.stderr.readline()).group()
            with grpc.insecure_channel(address) as channel:
                check(messages, services.ExtMcpStub(channel), [weir, "--store", str(folder / "store")])
        finally:
            server.terminate()
            began = time.monotonic()
            assert server.wait(10) == 0
            print(f"ended in {time.monotonic() - began:.1f} s")


def check(messages, stub, weir):
    text = "\n".join(f"line {n}: all is well" for n in range(5000))
    result = json.dumps({"content": [{"type": "text", "text": text}]}).encode()

    def response(method="tools/call", body=result, **context):
        message = messages.McpResponse(service_names=["logs"], method=method, mcp_response=body)
        message.metadata_context.update(context)
        began = time.monotonic()
        answer = stub.CheckResponse(message, timeout=10)
        return answer, (time.monotonic() - began) * 1000

    params = json.dumps({"name": "read_log", "arguments": {"day": "today"}}).encode()
    request = messages.McpRequest(service_names=["logs"], method="tools/call", mcp_request=params,
                                  headers=[messages.McpHeader(key="x", value=b"\xff")])
    noted = stub.CheckRequest(request, timeout=10)
    assert noted.WhichOneof("result") == "pass", noted
    call = dict(noted.metadata["weir"].items())
    assert call == {"tool": "read_log", "arguments": '{"day": "today"}'}, call
    assert response()[0].WhichOneof("result") == "pass", "without a client nothing is stored"
    answer, took = response(client="anna", call=call)
    assert answer.WhichOneof("result") == "mutated", answer
    shown = json.loads(answer.mutated)["content"][0]["text"]
    assert "weir_weir_fetch" in shown and "read_log" in shown and len(shown) < 9000, shown
    for body in [b"", b"{", b"\xff", b"[]", b'{"content": 1}']:
        assert response(body=body, client="anna")[0].WhichOneof("result") == "pass", body
    tools = [{"name": f"a_{n}", "description": "word " * 100, "inputSchema": {"type": "object"}} for n in range(60)]
    ours = [{"name": f"weir_{name}", "inputSchema": {"type": "object"}} for name in ["tool_search", "tool_call", "weir_fetch"]]
    answer, _ = response("tools/list", json.dumps({"tools": tools + ours}).encode())
    assert json.loads(answer.mutated) == {"tools": ours}, answer
    times = sorted(response(client="anna", call=call)[1] for _ in range(20))
    print(f"{len(result):,} bytes became {len(answer.mutated):,} (list) and {len(shown):,} characters; "
          f"first {took:.0f} ms, median of 20 {times[10]:.0f} ms")
    # What was stored is read back by nobody but its client.
    listed = subprocess.run([*weir, "list", "--json"], capture_output=True, text=True)
    assert listed.returncode == 1 or not json.loads(listed.stdout)["total"], listed.stdout


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
