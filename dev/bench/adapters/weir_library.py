#!/usr/bin/env python3
"""Weir embedded in a host, by the package weir-wasm for Python: `transform` for each result, weir_fetch to read on, and a catalogue that
says which tools to show."""
import importlib.metadata, json, re, shutil, tempfile
from fetch import answered, arguments
from strategy import serve

try:
    import weir_wasm
    from weir_wasm import Conversation, Weir
except ImportError:
    weir_wasm = None

place = tempfile.mkdtemp(prefix="bench-")
blob, call_again = "", None


def hello():
    global weir
    if not weir_wasm:
        return {"unavailable": "the package weir-wasm is not installed in this Python; PYTHON names another"}
    weir = Weir(place)
    version = "weir-wasm " + importlib.metadata.version("weir-wasm")
    definitions = [tool.as_mcp() for tool in weir.result_tools()]
    return {"version": version, "definitions": definitions, "files": [weir_wasm.__file__, __file__]}


def show(id, text):
    return weir.show("bench", "report", text, arguments={"id": id})


def result(id, text):
    global blob, call_again
    shown = show(id, text)
    found = re.search(r"; id=([0-9a-f]+)", shown.split("\n", 1)[0]) if shown.startswith("[weir: ") else None
    blob = found and found[1]
    # What is asked for again passes whole where it is no longer than this.
    call_again = (id, text) if len(text) <= 100_000 else None
    return {"shown": shown, "notice": "this is an excerpt, NOT the full output", "ran": True} if found else {"shown": shown, "ran": True}


def read(id, want, **more):
    if want == "all" and call_again:
        return {"call": json.dumps({"id": call_again[0]}), "shown": show(*call_again)}
    given = arguments(blob, want, **more)
    return answered(want, given, weir.invoke("bench", "weir_fetch", given).text)


def catalog(tools):
    global known
    known = weir.catalog(tools)
    assembly = known.assemble()
    bridge = next((tool["description"] for tool in assembly.tools if tool["name"] == "tool_search"), "") if assembly.active else ""
    # The listing names tools, those of few servers with their parameters.
    words = set(re.findall(r"[\w.:-]+", bridge.partition("\n\n")[2]))
    shown = (assembly.tools if assembly.active else tools) + [tool.as_mcp() for tool in weir.result_tools()]
    return {"definitions": shown, "deferred": assembly.active, "listed": [tool["name"] for tool in tools if tool["name"] in words]}


def ask(name, given):
    # Each request of the bench is a conversation of its own.
    return {"call": json.dumps(given), "shown": known.invoke(name, given, Conversation()).text}


def search(query):
    answer = ask("tool_search", {"queries": [query]})
    found = [match["name"] for one in json.loads(answer["shown"])["results"] for match in one.get("matches", [])]
    return {**answer, "names": found, "callable": True}


def describe(name):
    return ask("tool_describe", {"names": [name]})


serve(hello=hello, result=result, read=read, catalog=catalog, search=search, describe=describe,
      end=lambda: shutil.rmtree(place, ignore_errors=True))
