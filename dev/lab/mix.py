#!/usr/bin/env python3
"""One search over tools, skills, resources, prompts and stored results: what it finds, what it costs, how long it takes.

    cargo build --release -p weir-cli
    python3 dev/lab/mix.py --catalogs DIR --skills DIR [--weir FILE] [--directory DIRECTORY] [--missed] [--half dev|held] [--most N] [--texts N]

--catalogs: a directory of answers to tools/list, one SERVER.json each. --skills: a directory of real skills (tests/skills.py
installs one). All else is made by a seed of mix/parts.py: skills up to 2,000, resources up to 500, prompts, and 10,000 results, which
are stored by calls through the gateway, once for a DIRECTORY that is kept. Requests are in users' words; each has the item, or the
items, that are right. Of those for skills, resources and prompts there are two sets: one names the thing and says in other words
what is wanted of it, one has no word of the item. A half of them, by the seed, is for development, the other one is held back. Needs bpe-openai (o200k_base).

`kind`: the first hit is of the right kind. `five`: the right item is among the first five, those in `weak` included.
Times are of a gateway that has answered before, at the client, over HTTP on this machine; an answer to `ping` is beside them. CPU: milliseconds of the
gateway's processor time for a request, mean.
"""
import argparse
import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "mix"), str(HERE.parents[1] / "tests")]

import parts  # noqa: E402
import upstream  # noqa: E402
from bpe_openai import get_encoding  # noqa: E402
from skills import FOR  # noqa: E402

KINDS = ["tool", "skill", "resource", "prompt", "result"]
# Requests of which no word is of the item. In those of the same kind beside them the thing is named as it is.
OTHER_WORDS = ", other words"
ENCODING = get_encoding("o200k_base")
TOKEN = "mix-0123456789abcdef0123456789abcdef"


class Gateway:
    def __init__(self, weir, folder, servers):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        entries = {name: {"url": servers.url(name), "weir": {"trust": True}} for name in servers.lists}
        config = {"mcpServers": entries, "weir": {"skills": [str(folder / "skills")], "tokens": {"mix": {"token": TOKEN, "results": "token"}}}}
        (folder / "servers.json").write_text(json.dumps(config))
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "WEIR_STORE": str(folder / "store"), "WEIR_STATE": str(folder / "state"),
               "XDG_CACHE_HOME": str(folder / "cache")}
        command = [weir, "serve", "--servers", folder / "servers.json", "--mode", "bridge", "--http", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(command, env=env, stderr=open(folder / "weir.log", "w"))

    def client(self):
        return Client(self.port)

    def cpu(self):
        """Milliseconds of processor time so far."""
        user, system = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")


class Client:
    def __init__(self, port):
        for _ in range(600):
            try:
                self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
                self.link.connect()
                break
            except OSError:
                time.sleep(0.1)
        self.link.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "mix", "version": "1"}}
        self.ask("initialize", about)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.link.request("POST", "/mcp", json.dumps(message), self.headers)
        answer = self.link.getresponse()
        if session := answer.getheader("Mcp-Session-Id"):
            self.headers["Mcp-Session-Id"] = session
        return answer.read().decode()

    def ask(self, method, params):
        text = self.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        for line in text.splitlines():
            line = line.removeprefix("data: ")
            if line.startswith("{") and "result" in (answer := json.loads(line)):
                return answer["result"]
        raise RuntimeError(f"{method}: {text[:500]}")

    def search(self, request, kinds):
        arguments = {"queries": [request], **({"kinds": kinds} if kinds else {})}
        return self.ask("tools/call", {"name": "tool_search", "arguments": arguments})["content"][0]["text"]


def store(gateway, servers, folder):
    """Has all results stored. The id of each, by the tool, the project and how often it was called."""
    kept = folder / "results.json"
    if kept.exists():
        return json.loads(kept.read_text())
    dice = random.Random(11)
    made = upstream.calls(9_972, dice)
    needles = {at: needle for at, (needle, _) in zip(dice.sample(range(len(made)), len(parts.NEEDLES)), parts.NEEDLES)}
    # Some are called twice more: of several that fit alike the newest is right.
    rounds = [[(*call[:5], needles.get(at), 0) for at, call in enumerate(made)]]
    again = dice.sample([at for at in range(len(made)) if at not in needles], 14)
    rounds += [[(*made[at][:5], None, n) for at in again] for n in (1, 2)]
    ids = {}

    def put(client, call):
        server, tool, arguments, form, project, needle, n = call
        key = f"{server}__{tool} {project} {n}"
        servers.made[server, tool, json.dumps(arguments, sort_keys=True)] = upstream.output(form, project, key, needle)
        answer = json.dumps(client.ask("tools/call", {"name": f"{server}__{tool}", "arguments": arguments}))
        found = re.search(r"weir://blob/([0-9a-f]{12,64})|\b([0-9a-f]{12,64})\b", answer)
        assert found, answer[:2000]
        return key, found[1] or found[2], needle

    for calls in rounds:
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            clients = [gateway.client() for _ in range(6)]
            shares = [calls[n::6] for n in range(6)]
            for share in pool.map(lambda pair: [put(pair[0], call) for call in pair[1]], zip(clients, shares)):
                for key, id, needle in share:
                    ids[key] = [id, needle]
        time.sleep(2)
    kept.write_text(json.dumps(ids))
    return ids


def requests(skills, documents, results, most):
    """All requests as (set, request, right names), half for development and half held back. A set is a kind, or begins with one."""
    dice, made = random.Random(5), []
    made += [("tool", asked, right) for asked, right in parts.TOOLS.items()]
    made += [("skill", asked, [f"skills__{name}"]) for asked, name in FOR.items()]
    asked = [(subject, aspect) for subject in parts.SUBJECTS for aspect in parts.ASPECTS if len(subject) > 2 and f"{subject[0]}-{aspect[0]}" in skills]
    for label, words in (("skill", 1), ("skill" + OTHER_WORDS, 2)):
        made += [(label, aspect[2].format(subject[words]), [f"skills__{subject[0]}-{aspect[0]}"]) for subject, aspect in dice.sample(asked, 60)]
    made += [("resource", asked, right) for asked, right in parts.REAL_RESOURCES.items()]
    asked = [(place, document) for place in parts.PLACES for document in parts.DOCUMENTS if f"docs://{place[0]}/{document[0]}" in documents]
    for label, words in (("resource", 1), ("resource" + OTHER_WORDS, 2)):
        made += [(label, document[3].format(place[words]), [f"docs__docs://{place[0]}/{document[0]}"]) for place, document in dice.sample(asked, 60)]
    asked = [(form, thing) for form in parts.PROMPT_FORMS for thing in parts.PROMPT_THINGS]
    for label, words in (("prompt", 1), ("prompt" + OTHER_WORDS, 2)):
        made += [(label, form[2].format(thing[words]), [f"{form[0]}_{thing[0]}"]) for form, thing in dice.sample(asked, 60)]
    words = dict(parts.NEEDLES)
    made += [("result, by its text", words[needle], [id]) for id, needle in results.values() if needle]
    again = [key[:-2] for key in results if key.endswith(" 2")]
    how = {f"{server}__{tool}": asked for server, tool, *_, asked in parts.CALLS}

    def ask(key):
        tool, project = key.split(" ")[:2]
        return how[tool].format(project)

    made += [("result", f"{ask(key)}, the latest", [results[f"{key} 2"][0]]) for key in again]
    once = collections.defaultdict(list)
    for key, (_, needle) in results.items():
        if key.endswith(" 0") and key[:-2] not in again and not needle:
            once[key.split(" ")[0]].append(key)
    made += [("result", ask(key), [results[key][0]]) for keys in once.values() for key in [dice.choice(sorted(keys))]]
    halves = {"dev": [], "held": []}
    for label in dict.fromkeys(label for label, _, _ in made):
        of_kind = [one for one in made if one[0] == label]
        dice.shuffle(of_kind)
        halves["dev"] += of_kind[::2][:most]
        halves["held"] += of_kind[1::2][:most]
    return halves


def read(answer):
    """The hits of an answer as (kind, name), best first."""
    [group] = json.loads(answer)["results"]
    hits = [(hit.get("kind", "tool"), hit["name"]) for hit in group.get("matches", [])]
    weak = group.get("call_directly", []) + group.get("weak", [])
    return hits + [("skill" if name.startswith("skills__") else "tool", name) for name in weak]


def is_right(name, right):
    """Whether a hit is one of these; of a server that is there twice both are."""
    known = {name, re.sub(r"-\d+__", "__", name), name.removeprefix("weir:").replace("/", "__", 1), name.removeprefix("docs__")}
    return not known.isdisjoint(right)


def measure(gateway, client, half, asked, missed, texts):
    rows, cpu = collections.defaultdict(list), {}
    labels = list(dict.fromkeys(label for label, _, _ in asked))
    for label in labels:
        kind = label.split(",")[0]
        of_kind = [(request, right) for wanted, request, right in asked if wanted == label]
        ways = [("all kinds", KINDS), ("its kind", [kind])] + ([("default", None)] if kind in ("tool", "skill") else [])
        for way, kinds in ways:
            # Where results alone are asked for their texts are read, which takes long.
            of_kind = of_kind[:texts] if kinds == ["result"] else of_kind
            for request, _ in of_kind[:2]:
                client.search(request, kinds)
            before = gateway.cpu()
            for request, right in of_kind:
                start = time.perf_counter()
                answer = client.search(request, kinds)
                took = time.perf_counter() - start
                hits = read(answer)
                right_kind = bool(hits) and hits[0][0] == kind
                at = next((at for at, (_, name) in enumerate(hits) if is_right(name, right)), 99)
                rows[way, label].append((right_kind, at, len(ENCODING.encode(answer)), took * 1000))
                if missed and (at >= 5 or not right_kind):
                    print(f"{half} {way:9} {label:8} {at:2} {request!r} {right[0]} <- {[hit[0][:2] + ':' + hit[1] for hit in hits[:5]]}", file=sys.stderr)
            cpu[way, label] = (gateway.cpu() - before) / len(of_kind)
    print(f"\n{half}: {len(asked)} requests\n\n| kinds asked for | request for | kind first | item first | item in five | tokens, median / most | ms, p50 / p95 | CPU |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for way in ("all kinds", "default", "its kind"):
        of_way = {label: rows[way, label] for label in labels if rows[way, label]}
        spent = {label: cpu[way, label] for label in of_way}
        named = {label: found for label, found in of_way.items() if OTHER_WORDS not in label}
        spent["all but other words"] = sum(spent[label] * len(found) for label, found in named.items()) / sum(map(len, named.values()))
        of_way["all but other words"] = sum(named.values(), [])
        for kind, found in of_way.items():
            times = sorted(one[3] for one in found)
            shares = [statistics.mean(test(one) for one in found) for test in (lambda o: o[0], lambda o: o[1] == 0, lambda o: o[1] < 5)]
            tokens = [one[2] for one in found]
            cells = "".join(f" {share:.2f} |" for share in shares)
            print(f"| {way} | {kind} |{cells} {statistics.median(tokens):.0f} / {max(tokens)} | "
                  f"{times[len(times) // 2]:.1f} / {times[len(times) * 95 // 100]:.1f} | {spent[kind]:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogs", type=pathlib.Path, required=True)
    parser.add_argument("--skills", type=pathlib.Path, required=True)
    parser.add_argument("--weir", type=pathlib.Path, default=HERE.parents[1] / "target/release/weir")
    parser.add_argument("--directory", type=pathlib.Path)
    parser.add_argument("--half", choices=("dev", "held"))
    parser.add_argument("--most", type=int, default=1_000, help="requests of a kind in each half")
    parser.add_argument("--texts", type=int, default=1_000, help="requests for results alone in each half")
    parser.add_argument("--missed", action="store_true", help="write each request that missed to the standard error")
    options = parser.parse_args()
    folder = (options.directory or pathlib.Path(tempfile.mkdtemp(prefix="weir-mix-"))).resolve()
    (folder / "skills").mkdir(parents=True, exist_ok=True)
    real = sorted(path.parent for path in options.skills.rglob("SKILL.md"))
    for path in real:
        link = folder / "skills" / path.name
        link.is_symlink() or link.symlink_to(path.resolve())
    skills = upstream.skills(folder / "skills", 2_000 - len(real), random.Random(1))
    lists = upstream.lists_of(options.catalogs, 2_000)
    documents = upstream.resources(500 - sum(len(one.get("resources", [])) for one in lists.values()), random.Random(2))
    lists["docs"] = {"tools": [], "resources": documents, "prompts": upstream.prompts()}
    servers = upstream.Servers(lists)
    gateway = Gateway(options.weir, folder, servers)
    try:
        client = gateway.client()
        for _ in range(120):
            searched = json.loads(client.search("anything at all", None))
            if searched.get("searched", 0) >= 3_990 and not searched.get("not_searched"):
                break
            time.sleep(1)
        results = store(gateway, servers, folder)
        client = gateway.client()
        resources = client.ask("resources/list", {})["resources"]
        print(f"{searched['searched']} tools and skills, {len(resources)} resources, {len(results)} results")
        times = []
        for _ in range(200):
            start = time.perf_counter()
            client.ask("ping", {})
            times.append(time.perf_counter() - start)
        print(f"ping: {statistics.median(times) * 1000:.2f} ms")
        for half, asked in requests(skills, {one["uri"] for one in documents}, results, options.most).items():
            if options.half in (None, half):
                measure(gateway, client, half, asked, options.missed, options.texts)
    finally:
        gateway.process.terminate()
        gateway.process.wait(30)


if __name__ == "__main__":
    main()
