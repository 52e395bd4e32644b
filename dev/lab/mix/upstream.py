"""The servers behind the gateway in dev/lab/mix.py: one process, a server a path, and what their tools return, made from the call."""
import http.server
import json
import random
import threading

import parts

PEOPLE = "Aiko Brandt Chidi Dumont Esra Falk Gita Holm Ines Jonas Kofi Lena Marek Nadia Omar Petra Quinn Rosa Sven Tariq Uma Vera Wim Yara Zoltan".split()
WORDS = ("order page user queue cache token table field batch report image worker region budget review draft import export search label "
         "column string upload folder session header payload bucket cluster node route timer event filter total amount status").split()
STATES = "open closed waiting done failed blocked planned running".split()
SIZE = 12_600


def sentence(dice):
    a, b, c = (dice.choice(WORDS) for _ in range(3))
    return dice.choice((f"the {a} of the {b} has no {c}", f"move {a} out of {b}", f"{a} and {b} differ after the {c} was changed",
                        f"a {a} that waits for its {b}", f"show the {a} beside each {b}", f"{b} is slow when the {a} has a {c}"))


def line(kind, dice, name, n):
    """A line of a log, a record of a list, …"""
    who, word = dice.choice(PEOPLE), dice.choice(WORDS)
    time = f"2026-11-{dice.randint(1, 25):02}T{dice.randint(0, 23):02}:{dice.randint(0, 59):02}:{dice.randint(0, 59):02}Z"
    match kind:
        case "build":
            return f"{time} [{name}] {dice.choice(('compile', 'link', 'test', 'package'))} {word}_{n}: {dice.choice(('ok', 'ok', 'ok', 'FAILED'))} in {dice.randint(1, 900)} ms"
        case "service":
            return f"{time} {dice.choice(('INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR'))} {name}: {sentence(dice)} id={dice.randint(1000, 99999)}"
        case "commit":
            return f"{dice.randbytes(4).hex()} {time[:10]} {who}: {sentence(dice)} ({name})"
        case "crash":
            return f"{n:3} {name}  0x{dice.randint(1 << 30, 1 << 31):x} {word}_{dice.choice(WORDS)} + {dice.randint(1, 400)}"
        case "blame":
            return f"{dice.randbytes(4).hex()} ({who} {time[:10]} {n:4}) {word} = {dice.choice(WORDS)}({n})  # {name}"
        case "request":
            return f"{dice.choice(('GET', 'POST'))} https://{name}.example.com/{word}/{n} {dice.choice((200, 200, 304, 404, 500))} {dice.randint(1, 900)} ms"
        case "code":
            return f"{dice.choice(' +-')}    {word}.{dice.choice(WORDS)}({name.replace('-', '_')}, {n})"
        case "pod":
            return f"  - name: {name}-{n}\n    node: node-{dice.randint(1, 9)}\n    phase: {dice.choice(STATES)}\n    note: {sentence(dice)}"
        case "config":
            return f"{word}_{n}:\n  owner: {who}\n  limit: {dice.randint(1, 5000)}\n  about: {sentence(dice)}"
        case "sales" | "metric":
            return f"{time[:10]},{name},{word},{dice.randint(1, 999)},{dice.random() * 1000:.2f},{sentence(dice)}"
        case "memo" | "page":
            return dice.choice(("", "", "", f"\n## {word.title()} and {dice.choice(WORDS)}\n\n")) + f"{who} says that {sentence(dice)}. At {name}, {sentence(dice)}."
        case _:
            return json.dumps({"id": f"{name}-{n}", "kind": kind, "title": sentence(dice), "state": dice.choice(STATES), "by": who,
                               "at": time, "about": sentence(dice)})


HEADS = {"csv": "day,project,part,count,amount,remark\n", "diff": "diff --git a/{0}.py b/{0}.py\n--- a/{0}.py\n+++ b/{0}.py\n@@ -1,400 +1,400 @@\n",
         "markdown": "# {0}\n\n", "yaml": "project: {0}\nitems:\n"}


def output(form, name, seed, needle):
    """What a call returns: longer than what passes whole, with the needle in its middle."""
    (form, kind), dice, lines, size = form.split(":"), random.Random(seed), [], 0
    while size < SIZE:
        if needle and size > SIZE // 2:
            lines.append(json.dumps({"id": f"{name}-{len(lines)}", "title": needle}) if form == "json" else "# " + needle if form == "yaml" else needle)
            needle = None
        lines.append(line(kind, dice, name, len(lines)))
        size += len(lines[-1]) + 1
    if form == "json":
        return "[" + ",\n".join(lines) + "]"
    return HEADS.get(form, "").format(name) + "\n".join(lines) + "\n"


class Servers:
    """`tools`, `resources` and `prompts` by server. What a call returns is `made[server, tool, argument]`."""

    def __init__(self, lists):
        self.lists, self.made = lists, {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.send(405, b"")

            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if "id" not in message:
                    return self.send(202, b"")
                answer = {"jsonrpc": "2.0", "id": message["id"], **outer.answer(self.path.strip("/"), message["method"], message.get("params") or {})}
                self.send(200, json.dumps(answer).encode())

            def send(self, status, body):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def url(self, server):
        return f"http://127.0.0.1:{self.http.server_address[1]}/{server}"

    def answer(self, server, method, params):
        lists = self.lists[server]
        match method:
            case "initialize":
                capabilities = {kind: {} for kind in lists if lists[kind]}
                return {"result": {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": {"name": server, "version": "1"}}}
            case "tools/list" | "resources/list" | "prompts/list":
                kind = method.split("/")[0]
                return {"result": {kind: lists.get(kind, [])}}
            case "resources/templates/list":
                return {"result": {"resourceTemplates": []}}
            case "tools/call":
                text = self.made[server, params["name"], json.dumps(params["arguments"], sort_keys=True)]
                return {"result": {"content": [{"type": "text", "text": text}]}}
            case "ping":
                return {"result": {}}
            case _:
                return {"error": {"code": -32601, "message": "Method not found"}}


def lists_of(folder, count):
    """Tools of whole servers in an order by a seed, with their resources and prompts; servers come again where there are too few."""
    files = sorted(path for path in folder.glob("*.json") if path.name != "manifest.json")
    random.Random(7).shuffle(files)
    taken, n = {}, 0
    while True:
        for path in files:
            known = json.loads(path.read_text(encoding="utf-8"))
            known = known if isinstance(known, dict) else {"tools": known}
            left = count - sum(len(lists["tools"]) for lists in taken.values())
            if left <= 0:
                return taken
            beside = {kind: known.get(kind) or [] for kind in ("resources", "prompts")} if n == 0 else {}
            taken[path.stem + (f"-{n + 1}" if n else "")] = {"tools": known["tools"][:left], **beside}
        n += 1


def resources(count, dice):
    """Documents of places, in an order by a seed."""
    made = []
    for place in parts.PLACES:
        for file, name, about, _ in parts.DOCUMENTS:
            made.append({"uri": f"docs://{place[0]}/{file}", "name": name.format(place[1]), "description": about.format(place[1].lower())})
    dice.shuffle(made)
    return made[:count]


def prompts():
    return [{"name": f"{form}_{thing}", "description": about.format(text) + "."}
            for form, about, _ in parts.PROMPT_FORMS for thing, text, _ in parts.PROMPT_THINGS]


def skills(folder, count, dice):
    """Writes skills, in an order by a seed."""
    made = [(f"{subject[0]}-{aspect}", about.format(subject[1])) for subject in parts.SUBJECTS for aspect, about, _ in parts.ASPECTS]
    dice.shuffle(made)
    for name, about in made[:count]:
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {json.dumps(about)}\n---\n\n# {name}\n\n{about}\n")
    return {name for name, _ in made[:count]}


def calls(count, dice):
    """Calls as (server, tool, arguments, form, project, asked for how), in an order by a seed."""
    projects = [f"{first}-{second}" for first in parts.FIRST for second in parts.SECOND]
    made = [(server, tool, {argument: value.format(project)}, form, project, asked)
            for server, tool, argument, value, form, asked in parts.CALLS for project in projects]
    dice.shuffle(made)
    return made[:count]
