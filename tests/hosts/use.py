"""Uses a component's file through the kit for Python: `use.py FILE STORE`. tests/hosts.sh runs it."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "kits/python/src"))
from weir_wasm import Conversation, Weir  # noqa: E402

file, store = sys.argv[1:]
os.makedirs(store, mode=0o700)
lines = [f"{n}: {'error: disk is full' if n == 4321 else 'all is well with it'}\n" for n in range(1, 40_001)]
text = "".join(lines)
assert len(text) > 1_000_000
with Weir(store, component=file, cache=False) as weir:
    shown = weir.transform("alice", "read_log", text)
    assert shown.replaced and len(shown.parts[0]) < 8_000, shown.reason
    id = shown.handles[0].id
    ask = lambda **call: weir.invoke("alice", "weir_fetch", {"id": id, **call}).text  # noqa: E731
    page = ask(mode="range", start=30_000, count=3)
    assert all(lines[n] in page for n in (29_999, 30_000, 30_001)), page
    found = ask(mode="grep", pattern="error:")
    assert "4321: error: disk is full" in found and "1 match" in found, found
    tools = [{"name": f"{verb}_{what}", "description": f"{verb} a {what}", "inputSchema": {"type": "object"}}
             for verb in ("read", "delete", "rename") for what in ("file", "invoice", "calendar")]
    answer = weir.catalog({"s": tools}).invoke("tool_search", {"query": "remove an invoice"}, Conversation()).text
    assert answer.index("delete_invoice") < answer.index("read_invoice") if "read_invoice" in answer else "delete_invoice" in answer, answer
    try:
        weir.transform("alice", "read_log", text, max_chars=2**32)
    except ValueError:
        pass
    else:
        raise AssertionError("a number out of range is taken")
