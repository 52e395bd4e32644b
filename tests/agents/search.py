#!/usr/bin/env python3
"""Hosts that search tools by themselves, against Weir's search, on the same definitions and queries.

    search.py --weir FILE --set DIR [--path DIR]... [--queries N] [--tokenizer DIR] [HOST...]

DIR has catalogue.jsonl and queries.jsonl, as for dev/lab/README.md's eval. Each host gets a home of its own, one MCP
server with all definitions, and a model on 127.0.0.1 that calls the host's search tool once for each query.
What is counted: what the first request holds more than without the server, what an answer of the search takes,
and for how many queries one of the first five tools is a right one (hit@5). Weir is asked the same as an MCP
client would, in mode `bridge`. Tokens are counted with the npm package gpt-tokenizer (o200k) when --tokenizer
names a directory that has it in node_modules; else they are characters over four.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import agents  # noqa: E402
from stub import Stub  # noqa: E402

SEARCHES = ("toolsearch", "tool_search", "search_tool_functions")
FIRST = 5


def serve(directory):
    """An MCP server on standard input and output, with the definitions of a set."""
    tools = [{"name": tool["id"], "description": tool["description"] or tool["id"],
              "inputSchema": tool["parameters"] or {"type": "object"}} for tool in lines(directory, "catalogue")]
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        method = message.get("method")
        result = {}
        if method == "initialize":
            result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                      "serverInfo": {"name": "set", "version": "1"}}
        elif method == "tools/list":
            result = {"tools": tools}
        elif method == "tools/call":
            result = {"content": [{"type": "text", "text": "done"}]}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


def lines(directory, name):
    with open(f"{directory}/{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def loose(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


class Asking(Stub):
    """A model that searches for each query, one after the other."""

    def __init__(self, queries, known):
        super().__init__("")
        self.queries = queries
        self.known = known
        self.first = None
        self.answers = []
        self.tool = None

    def answer(self, kind, body, fallback):
        with self.lock:
            self.number += 1
            results = kind.results(body)
            tools = kind.tools(body)
            schemas = {name: schema or {} for name, schema in tools if name}
            name = next((name for name in schemas if name.lower() in SEARCHES), None)
            if tools and self.first is None:
                self.first = shown(kind, body)
                self.offered = sorted(schemas)
            if results and len(results) > len(self.answers):
                self.answers.append(results[-1])
            call = None
            if name and len(self.answers) < len(self.queries) and len(results) == len(self.answers):
                self.tool = name
                properties = schemas[name].get("properties", {})
                query = self.queries[len(self.answers)]["query"]
                arguments = {}
                for key in properties:
                    if key in ("query", "q", "pattern"):
                        arguments[key] = query
                    elif key in ("max_results", "limit", "maxResults"):
                        arguments[key] = FIRST
                for key in schemas[name].get("required", []):
                    arguments.setdefault(key, query)
                call = (name, arguments)
            return kind.answer(body, call, "done", self.number)


def shown(kind, body):
    """What a model reads of a request: deferred definitions are not among it."""
    tools = [tool for tool in body.get("tools") or [] if not tool.get("defer_loading")]
    rest = {key: body.get(key) for key in ("system", "systemInstruction", "instructions", "messages", "input",
                                           "contents")}
    return json.dumps([tools, rest], ensure_ascii=False)


class Tokens:
    def __init__(self, directory):
        self.directory = directory

    def __call__(self, text):
        if not self.directory:
            return len(text) // 4
        script = ("const {encode}=require('gpt-tokenizer/encoding/o200k_base');"
                  "process.stdout.write(String(encode(require('fs').readFileSync(0,'utf8')).length))")
        done = subprocess.run(["node", "-e", script], input=text.encode(), cwd=self.directory,
                              capture_output=True, check=True)
        return int(done.stdout)


def found(text, known):
    """The tools that an answer names, in order, each once."""
    names = []
    for word in re.findall(r"[A-Za-z][A-Za-z0-9_./:-]{3,}", text):
        word = loose(word)
        hit = known.get(word) or next((known[word[at:]] for at in range(1, min(12, len(word)))
                                       if word[at:] in known), None)
        if hit and hit not in names:
            names.append(hit)
    return names


def score(queries, answers, known):
    hits = sum(any(tool in query["relevant"] for tool in found(text, known)[:FIRST])
               for query, text in zip(queries, answers))
    return hits / max(1, len(queries))


# Where a host has its servers as JSON: the file, and the key.
FILES = {"claude-code": (".claude.json", "mcpServers"), "qwen-code": (".qwen/settings.json", "mcpServers"),
         "gemini": (".gemini/settings.json", "mcpServers"), "copilot": (".copilot/mcp-config.json", "mcpServers"),
         "opencode": (".config/opencode/opencode.json", "mcp"), "openclaw": (".openclaw/openclaw.json", "mcp.servers"),
         "cline": (".cline/data/settings/cline_mcp_settings.json", "mcpServers")}


def entry(host, home, command, name="set"):
    """Puts a server where the host reads its servers."""
    plain = {"command": command[0], "args": command[1:]}
    written = f"command = {json.dumps(plain['command'])}\nargs = {json.dumps(plain['args'])}\n"
    toml = {"codex": (".codex/config.toml", f"[mcp_servers.{name}]\n"),
            "mistral-vibe": (".vibe/config.toml", f'[[mcp_servers]]\nname = "{name}"\ntransport = "stdio"\n')}
    if host.name in toml:
        file, head = toml[host.name]
        with open(f"{home}/{file}", "a", encoding="utf-8") as file:
            file.write(head + written)
        return
    if host.name not in FILES:
        raise SystemExit(f"no entry is known for {host.name}")
    file, keys = FILES[host.name]
    own = {"claude-code": {"type": "stdio", **plain}, "copilot": {"type": "local", **plain, "tools": ["*"]},
           "opencode": {"type": "local", "command": command}}.get(host.name, plain)
    path = f"{home}/{file}"
    whole = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else {}
    at = whole
    for key in keys.split("."):
        at = at.setdefault(key, {})
    at[name] = own
    agents.write(path, json.dumps(whole))


def run(host, program, options, place, queries, known, with_server):
    home, project = f"{place}/home", f"{place}/project"
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(f"{project}/.git")
    os.makedirs(f"{place}/tmp")
    os.makedirs(home)
    environment = {"PATH": os.pathsep.join([os.path.dirname(program), *options.path, os.environ["PATH"]]),
                   "HOME": home, "TERM": "dumb", "LANG": "C.UTF-8", "TMPDIR": f"{place}/tmp",
                   "ENABLE_TOOL_SEARCH": "true"}
    stub = Asking(queries if with_server else [], known)
    base = f"http://127.0.0.1:{stub.port}"
    try:
        host.configure(home, base)
        if with_server:
            entry(host, home, [sys.executable, os.path.abspath(__file__), "--serve", options.set])
        environment.update(host.environment)
        arguments = host.arguments(base)
        if host.name == "claude-code":
            arguments += ["ToolSearch", "--max-turns", "1000"]
        with open(f"{place}/out.txt", "ab") as out:
            try:
                subprocess.run([program, *arguments], cwd=project, env=environment, stdout=out, stderr=out,
                               stdin=subprocess.DEVNULL, timeout=options.patience)
            except subprocess.TimeoutExpired:
                out.write(b"\n(timed out)\n")
    finally:
        agents.end_children(home)
        stub.close()
    with open(f"{place}/answers.json", "w", encoding="utf-8") as file:
        json.dump({"offered": stub.offered, "tool": stub.tool, "answers": stub.answers}, file, indent=1)
    return stub


def ours(options, queries, known, tokens, place):
    """The same definitions behind `weir serve --mode bridge`, asked as an MCP client asks."""
    os.makedirs(f"{place}/home")
    servers = f"{place}/servers.json"
    command = [os.path.abspath(__file__), "--serve", options.set]
    agents.write(servers, json.dumps({"mcpServers": {"set": {"command": sys.executable, "args": command}}}))
    child = subprocess.Popen([options.weir, "serve", "--mode", "bridge", "--servers", servers], text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             env={"HOME": f"{place}/home", "PATH": os.environ["PATH"]})

    def ask(number, method, params):
        child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        child.stdin.flush()
        for line in child.stdout:
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return message["result"]

    ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                          "clientInfo": {"name": "search.py", "version": "1"}})
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    search = {"name": "tool_search", "arguments": {"queries": ["start"]}}
    ask(2, "tools/call", search)
    listed = ask(3, "tools/list", {})["tools"]
    answers = []
    for number, query in enumerate(queries):
        search = {"name": "tool_search", "arguments": {"queries": [query["query"]], "limit": FIRST}}
        result = ask(10 + number, "tools/call", search)
        answers.append("\n".join(block.get("text", "") for block in result["content"]))
    child.stdin.close()
    child.wait(20)
    definitions = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in listed]
    answer = sum(tokens(text) for text in answers[:20]) // max(1, len(answers[:20]))
    return {"host": "Weir, mode bridge", "search": "tool_search", "more": tokens(json.dumps(definitions)),
            "answer": answer, "hit": score(queries, answers, known)}


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", required=True)
    parser.add_argument("--set", required=True)
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--tokenizer")
    parser.add_argument("--patience", type=float, default=300)
    parser.add_argument("--keep")
    parser.add_argument("host", nargs="*")
    options = parser.parse_args()
    options.set, options.weir = os.path.abspath(options.set), os.path.abspath(options.weir)
    tokens = Tokens(options.tokenizer)
    catalogue = lines(options.set, "catalogue")
    known = {loose(tool["id"]): tool["id"] for tool in catalogue}
    queries = [query for query in lines(options.set, "queries") if query["relevant"]][:options.queries]
    whole = json.dumps([{"name": tool["id"], "description": tool["description"],
                         "inputSchema": tool["parameters"]} for tool in catalogue], ensure_ascii=False)
    print(f"{len(catalogue)} tools, {len(queries)} queries; all definitions: {tokens(whole):,} tokens")
    root = os.path.abspath(options.keep or tempfile.mkdtemp(prefix="weir-search-"))
    path = os.pathsep.join([*options.path, os.environ.get("PATH", "")])
    row = ours(options, queries, known, tokens, f"{root}/weir")
    print(line(row), flush=True)
    for host in agents.HOSTS:
        if options.host and host.name not in options.host:
            continue
        program = shutil.which(host.program, path=path)
        if not program:
            print(f"{host.name:<20} skipped: no {host.program}")
            continue
        try:
            without = run(host, program, options, f"{root}/{host.name}-without", [], known, False)
            stub = run(host, program, options, f"{root}/{host.name}", queries, known, True)
        except SystemExit as error:
            print(f"{host.name:<20} skipped: {error}")
            continue
        more = tokens(stub.first or "") - tokens(without.first or "")
        row = {"host": host.name, "search": stub.tool, "more": more, "answer": None, "hit": None}
        if stub.answers:
            texts = [expanded(stub, text, catalogue, known) for text in stub.answers[:20]]
            row["answer"] = sum(map(tokens, texts)) // len(texts)
            row["hit"] = score(queries[:len(stub.answers)], stub.answers, known)
            row["asked"] = len(stub.answers)
        print(line(row), flush=True)
    if not options.keep:
        shutil.rmtree(root, ignore_errors=True)


def expanded(_, text, catalogue, known):
    """An answer as a model reads it: references stand for the definitions that they load."""
    if '"tool_reference"' not in text:
        return text
    names = set(found(text, known))
    return json.dumps([{key: tool[key] for key in ("id", "description", "parameters")}
                       for tool in catalogue if tool["id"] in names])


def line(row):
    hit = "-" if row["hit"] is None else f"{row['hit']:.1%}"
    answer = "-" if row["answer"] is None else f"{row['answer']:,}"
    asked = f" ({row['asked']} asked)" if "asked" in row else ""
    return (f"{row['host']:<20} search {row['search'] or 'none offered':<22} first request +{row['more']:,} tokens  "
            f"answer {answer} tokens  hit@{FIRST} {hit}{asked}")


if __name__ == "__main__":
    sys.exit(main())
