#!/usr/bin/env python3
"""Weir as a gateway: `weir serve` in front of a small MCP server, which this file is too (`--server FOLDER`). The model reads on with
weir_fetch; many tools are found with tool_search. WEIR names the program."""
import json, os, re, shutil, subprocess, sys, tempfile
from fetch import answered, arguments
from strategy import program, serve

TOOL = {"name": "report", "description": "Gives a report.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}


def server(place):
    """An MCP server: the tools of a file, and one that gives the text of a file."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        if asked["method"] == "initialize":
            answer = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "bench", "version": "1"}}
        elif asked["method"] == "tools/list":
            answer = {"tools": json.load(open(f"{place}/tools.json"))}
        elif asked["method"] == "tools/call":
            answer = {"content": [{"type": "text", "text": open(f"{place}/text", newline="").read()}]}
        else:
            answer = {}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer}), flush=True)


MODE, WEIR = sys.argv[1], program("WEIR", "weir")
place = tempfile.mkdtemp(prefix="bench-") if MODE != "--server" else None
running, number, session = None, 0, 0


def start(tools):
    """A gateway of its own for each catalogue: as a client's first start after an install that has seen the servers' tools."""
    global running, session
    stop()
    session += 1
    state = f"{place}/{session}"
    os.makedirs(state)
    json.dump(tools, open(f"{place}/tools.json", "w"))
    command = [WEIR, "serve", "--mode", MODE, "--state", state, "--store", state + "/store", "--", sys.executable, __file__, "--server", place]
    environment = {"PATH": os.environ["PATH"], "HOME": place, "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")),
                   "XDG_CONFIG_HOME": place, "XDG_DATA_HOME": place, "XDG_STATE_HOME": place, "WEIR_LOG": "off"}
    for _ in range(2):  # The second start knows the tools, as every start but the first does.
        stop()
        running = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "bench", "version": "1"})
        running.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        listed, cursor = [], None
        while True:
            answer = ask("tools/list", **({"cursor": cursor} if cursor else {}))
            listed += answer["tools"]
            cursor = answer.get("nextCursor")
            if not cursor:
                break
        if any(tool["name"] == "tool_search" for tool in listed):
            call("tool_search", {"queries": ["warm up"]})
    return listed


def stop():
    if running:
        running.stdin.close()
        running.wait()


def ask(method, **params):
    global number
    number += 1
    running.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    running.stdin.flush()
    while True:
        answer = json.loads(running.stdout.readline())
        if answer.get("id") == number and "method" not in answer:
            return answer["result"]


def call(name, given):
    parts = ask("tools/call", name=name, arguments=given)["content"]
    # A part that is no text, such as the link to the stored result, costs tokens as well.
    return "\n".join(part["text"] if part["type"] == "text" else json.dumps(part) for part in parts)


def hello():
    if not WEIR:
        return {"unavailable": "the program `weir` is not on the PATH, and WEIR does not name it"}
    listed = [tool for tool in start([TOOL]) if tool["name"] != "report"]
    version = subprocess.run([WEIR, "--version"], capture_output=True, text=True).stdout.strip()
    return {"version": version, "definitions": listed, "files": [WEIR, __file__]}


def result(id, text):
    with open(f"{place}/text", "w", newline="") as file:
        file.write(text)
    # Each result is of a tool of its own: what one conversation reads back changes nothing for the next.
    shown = call("report_" + id, {"id": id})
    found = re.search(r"; id=([0-9a-f]+)", shown.split("\n", 1)[0]) if shown.startswith("[weir: ") else None
    global blob, call_again
    blob = found and found[1]
    # What is asked for again passes whole where it is no longer than this.
    call_again = {"id": id} if len(text) <= 100_000 else None
    return {"shown": shown, "notice": "this is an excerpt, NOT the full output", "ran": True} if found else {"shown": shown, "ran": True}


def read(id, want, **more):
    if want == "all" and call_again:
        return {"call": json.dumps(call_again), "shown": call("report_" + id, call_again)}
    given = arguments(blob, want, **more)
    return answered(want, given, call("weir_fetch", given))


def call_tool(id, name, arguments):
    """A call as a model wrote it."""
    return {"shown": call(name, arguments)} if name else {}


def catalog(tools):
    listed = start(tools)
    search = next((tool["description"] for tool in listed if tool["name"] == "tool_search"), "")
    # The listing names tools, those of few servers with their parameters.
    words = set(re.findall(r"[\w.:-]+", search.partition("\n\n")[2]))
    return {"definitions": listed, "deferred": bool(search), "listed": [tool["name"] for tool in tools if tool["name"] in words]}


def search(query):
    shown = call("tool_search", {"queries": [query]})
    found = [match["name"] for one in json.loads(shown)["results"] for match in one.get("matches", [])]
    return {"call": json.dumps({"queries": [query]}), "shown": shown, "names": found, "callable": True}


def describe(name):
    given = {"names": [name]}
    return {"call": json.dumps(given), "shown": call("tool_describe", given)}


def end():
    stop()
    shutil.rmtree(place)


if MODE == "--server":
    server(sys.argv[2])
else:
    serve(hello=hello, result=result, read=read, call=call_tool, catalog=catalog, search=search, describe=describe, end=end)
