#!/usr/bin/env python3
"""Whether "how many in all?" and joins are right over lists that a server gives in pages.

    cargo build -p weir-cli
    tests/paging.py                    twelve ways of paging, and a join, through `weir serve`
    tests/paging.py --weir PROGRAM
    tests/paging.py cursor overlap     these ways alone
    tests/paging.py --fifty            ten ways, each whole, ended early, with a page missing, one asked twice, and all asked again or one past the end

The server is this file. After each way has given its pages, the rows of all are counted under the id of the list, and
what is said above the count is held against what is known here: whole, a part, rows that come again, pages that are missing, a
total that is false. None may be said to be what it is not. The join is exact, and what a model is shown of 500,000
characters in six pages, with the answer, is at most 3 % of them.
"""

import argparse
import base64
import json
import os
import re
import subprocess
import sys
import tempfile

ROWS, SIZE = 1_800, 300
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORDS = "A product of the catalogue with words " * 4


def row(number):
    return {
        "id": number,
        "sku": f"SKU-{number:05d}",
        "price": round(3 + number * 1.37 % 97, 2),
        "stock": number * 7 % 53,
        "category_id": number % 9,
        "description": f"Product number {number}. {WORDS}",
    }


ALL = [row(number) for number in range(1, ROWS + 1)]
CATEGORIES = [{"id": n, "title": f"Category {n}", "about": f"what {n} is about\n" * 90} for n in range(9)]


def part(start, size=SIZE):
    return ALL[start : start + size]


def pages(key, first=1):
    return lambda call: part((call.get(key, first) - first) * SIZE)


def cursor(call):
    start = int(base64.b64decode(call["cursor"])) if call.get("cursor") else 0
    answer = {"data": part(start)}
    if start + SIZE < ROWS:
        answer["next_cursor"] = base64.b64encode(str(start + SIZE).encode()).decode()
    return answer


def cells(call):
    start, end = (int(one) for one in call.get("range", f"1:{SIZE}").split(":"))
    answer = {"cells": ALL[start - 1 : end]}
    if end < ROWS:
        answer["next_range"] = f"{end + 1}:{min(ROWS, end + SIZE)}"
    return answer


def graph(call):
    start = int(call["after"][1:]) if call.get("after") else 0
    rows = part(start)
    info = {"hasNextPage": start + SIZE < ROWS, "endCursor": f"c{start + len(rows)}"}
    edges = [{"node": one, "cursor": f"c{one['id']}"} for one in rows]
    return {"data": {"products": {"totalCount": ROWS, "edges": edges, "pageInfo": info}}}


def text(call):
    page = call.get("page", 1)
    rows = part((page - 1) * SIZE)
    start = (page - 1) * SIZE
    head = f"Showing {start + 1}-{start + len(rows)} of {ROWS} (Page {page} of {ROWS // SIZE})\n"
    return head + "".join(f"{one['id']}: {one['sku']} {one['description']}\n" for one in rows)


WAYS = {
    "page": lambda call: {"items": pages("page")(call), "total": ROWS},
    "first_again": lambda call: {"items": pages("pageIdx", 0)(call) or part(0)},
    "cursor": cursor,
    "offset": lambda call: {"results": part(call.get("offset", 0)), "total_count": ROWS},
    "false_total": lambda call: {"rows": (rows := part(call.get("skip", 0))), "totalCount": len(rows)},
    "has_more": lambda call: {"items": pages("page")(call), "has_more": call.get("page", 1) * SIZE < ROWS},
    "bare": pages("page"),
    "text": text,
    "range": cells,
    "overlap": lambda call: {"items": part((call.get("page", 1) - 1) * 290), "total": ROWS},
    "missing": lambda call: {"items": pages("page")(call), "total": ROWS},
    "graph": graph,
    "categories": lambda call: {"categories": CATEGORIES},
}


def count(start, end, step=1):
    return range(start, end + 1, step)


LAST = ROWS // SIZE
# The calls of each way, how many rows they give, and what is said of them.
CALLS = {
    "page": ([{"page": n} for n in count(1, LAST)], ROWS, "all of them by the server's \"total\""),
    "first_again": ([{"pageIdx": n} for n in count(0, LAST)], ROWS, "no page says that there are more"),
    "cursor": (
        [{}] + [{"cursor": base64.b64encode(str(n).encode()).decode()} for n in count(SIZE, ROWS - SIZE, SIZE)],
        ROWS,
        "the last does not say that there are more",
    ),
    "offset": ([{"offset": n} for n in count(0, ROWS - SIZE, SIZE)], ROWS, "all of them by the server's \"total_count\""),
    "false_total": ([{"skip": n} for n in count(0, ROWS - SIZE, SIZE)], ROWS, "which is fewer than there are"),
    "has_more": ([{"page": n} for n in count(1, LAST - 1)], ROWS - SIZE, "not all: the last says"),
    "bare": ([{"page": n} for n in count(1, LAST)], ROWS, "no page says that there are more"),
    "text": ([{"page": n} for n in count(1, LAST)], ROWS + LAST, f"the last says \"Showing {ROWS - SIZE + 1}-{ROWS} of {ROWS}"),
    "range": ([{}] + [{"range": f"{n}:{n + SIZE - 1}"} for n in count(SIZE + 1, ROWS, SIZE)], ROWS, "the last does not say that there are more"),
    "overlap": ([{"page": n} for n in count(1, 7)], 1_860, "60 of which come again, by \"id\" (\"291\", \"292\", \"293\", …); all of them"),
    "missing": ([{"page": n} for n in (1, 2, 4, 6)], 4 * SIZE, f"pages 3, 5 are not stored; not all: {2 * SIZE} missing"),
    "graph": ([{}] + [{"after": f"c{n}"} for n in count(SIZE, ROWS - SIZE, SIZE)], ROWS, "all of them by the server's \"totalCount\""),
}


# What is asked past the end, where a place can be named that is not there.
PAST = {
    "page": {"page": LAST + 1},
    "first_again": {"pageIdx": LAST},
    "offset": {"offset": ROWS},
    "false_total": {"skip": ROWS},
    "has_more": {"page": LAST + 1},
    "bare": {"page": LAST + 1},
    "text": {"page": LAST + 1},
}
FIFTY = [way for way in CALLS if way not in ("overlap", "missing")]


def variants(way):
    """Five ways in which a client asks for the pages of a list."""
    calls = CALLS["page" if way == "has_more" else way][0]
    past = PAST.get(way)
    yield "whole", calls
    yield "early", calls[:-1]
    yield "gap", calls[:2] + calls[3:]
    yield "twice", calls[:3] + calls[1:2] + calls[3:]
    yield "past" if past else "again", [*calls, past] if past else [*calls, *calls]


def rows_in(answer):
    if isinstance(answer, str):
        return [line.split(":")[0] for line in answer.splitlines()[1:]]
    return re.findall(r'"id": (\d+)', json.dumps(answer))


def false_in(way, calls, answer):
    """What is false in an answer to "how many in all?"; nothing where it is right, or says that it is not known."""
    head, *rest = answer.splitlines()
    number = lambda pattern: int(found.group(1).replace(",", "")) if (found := re.search(pattern, head)) else None
    answers = [WAYS[way](call) for call in calls]
    distinct = len({one for given in answers for one in rows_in(given)})
    heads = len({given.splitlines()[0] for given in answers if isinstance(given, str)})
    counted = next((int(line) for line in rest if line.isdigit()), -1)
    again = number(r"([\d,]+) of which come again") or 0
    missing = number(r"([\d,]+) missing")
    wrong = []
    if counted - again - heads != distinct:
        wrong.append(f"{counted} counted, {again} of them again; there are {distinct}")
    if "all of them" in head and "not all" not in head and distinct < ROWS:
        wrong.append(f"all of them; {ROWS - distinct} are not there")
    if "not all" in head and distinct == ROWS:
        wrong.append("not all; all are there")
    if missing is not None and missing != ROWS - distinct:
        wrong.append(f"{missing} missing; it is {ROWS - distinct}")
    return wrong


def serve():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        params = message.get("params") or {}
        match message["method"]:
            case "initialize":
                info = {"name": "pages", "version": "1"}
                version = params["protocolVersion"]
                answer["result"] = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
            case "tools/list":
                tools = [{"name": way, "description": way, "inputSchema": {"type": "object"}} for way in WAYS]
                answer["result"] = {"tools": tools}
            case "tools/call":
                given = WAYS[params["name"]](params.get("arguments") or {})
                shown = given if isinstance(given, str) else json.dumps(given)
                answer["result"] = {"content": [{"type": "text", "text": shown}]}
            case _:
                answer["error"] = {"code": -32601, "message": "no such method"}
        print(json.dumps(answer), flush=True)


class Gateway:
    def __init__(self, weir, folder):
        servers = os.path.join(folder, "servers.json")
        with open(servers, "w") as file:
            json.dump({"mcpServers": {"shop": {"command": sys.executable, "args": [os.path.abspath(__file__), "--serve"]}}}, file)
        own = {name: folder for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        # One for all: the component is compiled once.
        own["XDG_CACHE_HOME"] = os.path.join(tempfile.gettempdir(), "weir-paging-cache")
        command = [weir, "serve", "--servers", servers, "--mode", "passthrough"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        self.process = subprocess.Popen(command, env={**os.environ, **own}, **pipes)
        self.number = 0
        client = {"name": "paging", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.names = [tool["name"] for tool in self.ask("tools/list", {})["tools"]]

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.number:
                return message["result"]
        raise SystemExit("the gateway has ended")

    def end(self):
        self.process.stdin.close()
        self.process.wait(20)

    def call(self, tool, arguments):
        name = next(name for name in self.names if name in (tool, f"shop__{tool}"))
        blocks = self.ask("tools/call", {"name": name, "arguments": arguments})["content"]
        return "\n".join(block.get("text", "") for block in blocks)


def joined(gateway, products):
    """What a model is shown of two lists and of the answer to a question over both, and whether that is right."""
    shown = gateway.call("categories", {})
    other = re.search(r"; id=([0-9a-f]+)]", shown).group(1)
    program = "($b | INDEX(.id)) as $of | $a[] | select(.stock < 2) | [.sku, $of[.category_id | tostring].title]"
    answer = gateway.call("weir_fetch", {"id": f"{products},{other}", "mode": "query", "query": program})
    lines = [json.loads(line) for line in answer.splitlines() if line.startswith('["')]
    wanted = [[one["sku"], f"Category {one['category_id']}"] for one in ALL if one["stock"] < 2]
    return lines == wanted, len(answer)


def ask_count(gateway, way, calls):
    """What each call gave, the id of the list, and the answer to how many rows it has."""
    shown = [gateway.call(way, call) for call in calls]
    found = re.search(r'All pages as one: id "([0-9a-f]+\++)"', "\n".join(shown))
    if not found:
        return shown, None, "no id for all pages"
    ask = {"id": found.group(1), "mode": "query", "query": ".", "reduce": "count"}
    return shown, found.group(1), gateway.call("weir_fetch", ask)


def fifty(weir):
    failed = 0
    for way in FIFTY:
        for name, calls in variants(way):
            with tempfile.TemporaryDirectory() as folder:
                gateway = Gateway(weir, folder)
                _, found, answer = ask_count(gateway, way, calls)
                wrong = false_in(way, calls, answer) if found else [answer]
                gateway.end()
            failed += bool(wrong)
            print(f"{'WRONG' if wrong else 'right'}  {way}, {name}: {'; '.join(wrong) or answer.splitlines()[0]}", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weir", default=os.path.join(HERE, "target", "debug", "weir"))
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--fifty", action="store_true")
    parser.add_argument("ways", nargs="*", choices=[[], *CALLS], default=[])
    options = parser.parse_args()
    if options.serve:
        return serve()
    if options.fifty:
        sys.exit(1 if fifty(options.weir) else 0)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(options.weir, folder)
        for way in options.ways or CALLS:
            calls, rows, said = CALLS[way]
            shown, found, answer = ask_count(gateway, way, calls)
            right = f"\n{rows}\n" in answer and said in answer.splitlines()[0]
            failed += not right
            print(f"{'right' if right else 'WRONG'}  {way}: {answer.splitlines()[0]}")
            if way == "page" and found:
                exact, answered = joined(gateway, found)
                whole = sum(len(json.dumps(WAYS[way](call))) for call in calls)
                share = 100 * (sum(map(len, shown)) + answered) / whole
                failed += not exact or share > 3
                print(f"{'right' if exact else 'WRONG'}  join: {share:.2f} % of {whole:,} characters")
        gateway.end()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
