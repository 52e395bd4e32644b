#!/usr/bin/env python3
"""The plugin Toolaria as it is, its checkout named by TOOLARIA: its hook with the settings of its own config.yaml, and rescuer_fetch."""
import importlib.util, inspect, json, os, re, sys, tempfile
from strategy import serve

HOME = os.environ.get("TOOLARIA", "")
tool, blob = {}, ""


class Host:
    """What the plugin asks of its host."""
    def __init__(self, place):
        self.config = {"toolaria": {"store_path": place}}

    def register_tool(self, *given, **named):
        tool.update(named)

    def __getattr__(self, name):
        return lambda *given, **named: None


def hello():
    global plugin
    if not os.path.isfile(f"{HOME}/__init__.py"):
        return {"unavailable": "TOOLARIA does not name a checkout of Toolaria"}
    place = tempfile.mkdtemp(prefix="bench-")
    spec = importlib.util.spec_from_file_location("toolaria", f"{HOME}/__init__.py", submodule_search_locations=[HOME])
    plugin = sys.modules["toolaria"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plugin)
    plugin.register(Host(place))
    version = re.search(r"version: *\"?([0-9.]+)", open(f"{HOME}/plugin.yaml").read())[1]
    return {"version": version, "definitions": [tool["schema"]], "files": [f"{HOME}/__init__.py", __file__]}


def result(id, text):
    global blob
    shown = plugin._on_transform(tool_name="web_extract", result=text, session_id="bench")
    if shown is None:
        return {"shown": text, "ran": True}
    blob = re.search(r"blob=([0-9a-f]{12})", shown)[1]
    shown = re.sub(r"at=[0-9T:Z-]+", "at=2026-01-01T00:00:00Z", shown)  # The clock: as many tokens at every time.
    return {"shown": shown, "notice": "NOT the full output", "ran": True}


def read(id, want, pattern="", context=0, start=1, count=1, next=None):
    if want == "count":
        return {"unsupported": True}  # grep ends at 50 matches and gives no count.
    given = next or {"find": {"id": blob, "mode": "chain" if context else "grep", "pattern": pattern, "count": context or 20},
                     "lines": {"id": blob, "mode": "range", "start": start - 1, "count": count},
                     "all": {"id": blob, "mode": "full"}}[want]
    shown = plugin._fetch(args=given, session_id="bench")
    found = re.match(r"\[lines (\d+)\.\.(\d+) of (\d+)\]", shown)
    onward = None
    if want == "all" and "range" in shown[:400] and len(shown) < 1000:
        onward = {"id": blob, "mode": "range", "start": 0, "count": 20}
    elif want == "next" and found and int(found[2]) + 1 < int(found[3]):
        onward = {"id": blob, "mode": "range", "start": int(found[2]) + 1, "count": 20}
    return {"call": json.dumps(given), "shown": shown, "next": onward, "none": shown.startswith("[no matches")}


serve(hello=hello, result=result, read=read)
