#!/usr/bin/env python3
"""What `weir install` says that definitions take in a host, and what the host's requests then have of them.

    cost.py --weir FILE --tokenizer DIR [--path DIR]... SERVERS [HOST...]

SERVERS is a JSON file `{"NAME": {"command": …, "args": […]}, …}`. Each host gets a home of its own in which it has these servers.
Its request is counted with them; then `weir install HOST --mode auto` is asked what it would do, and does it, and the request is
counted again; last what `weir install HOST` leaves by itself. A definition is what a model reads of it: name, description, parameters,
as compact JSON, in tokens of the npm package gpt-tokenizer (o200k), which DIR has in node_modules. The host's own tools are left out. Of a
host that searches by itself the whole of its first request is counted that is there because of the servers, their guidance too.

Exit code 1 where a host sends definitions, and what was said of them is more than 5 % and 20 tokens from what was counted; or where
the installation by itself takes more than 1.02 times and 60 tokens.
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
from search import Tokens, entry, shown  # noqa: E402
from stub import Stub, shell_call  # noqa: E402

# Tools of hosts themselves that they have only where there are servers.
OF_HOSTS = re.compile("mcp_?resource|waitformcp", re.IGNORECASE)
# How long servers may take to start.
SECONDS = 15
# Of what is said and what is counted: the share, and the tokens that are too few for a share.
SHARE, FEW = 0.05, 20
# What an installation may add.
TIMES, MORE = 1.02, 60


def definitions(body):
    """What a model reads of each tool that a request offers."""
    found = []
    for tool in body.get("tools") or []:
        inner = tool.get("functionDeclarations") or (tool.get("tools") if tool.get("type") == "namespace" else None)
        for one in inner or [tool.get("function", tool)]:
            schema = one.get("parameters") or one.get("parametersJsonSchema") or one.get("input_schema")
            if not tool.get("defer_loading"):
                found.append({"name": one.get("name") or one.get("type"), "description": one.get("description", ""),
                              "parameters": schema or {}})
    return found


class First(Stub):
    """A model that waits for servers that start slowly, in the host's shell, and keeps the requests."""

    def __init__(self):
        super().__init__("")
        self.bodies = []

    def answer(self, kind, body, fallback):
        with self.lock:
            self.number += 1
            self.bodies.append(body)
            call = None if kind.results(body) else shell_call(kind.tools(body), f"sleep {SECONDS}")
            return kind.answer(body, call, "done", self.number)


def first(host, program, options, servers, install=None):
    """The request of the host with the most definitions, and what `weir install` said before where that was asked."""
    place = f"{options.root}/{host.name}"
    shutil.rmtree(place, ignore_errors=True)
    home, project = f"{place}/home", f"{place}/project"
    for folder in (home, f"{project}/.git", f"{place}/tmp"):
        os.makedirs(folder)
    environment = {"PATH": os.pathsep.join([os.path.dirname(options.weir), os.path.dirname(program), *options.path,
                                            os.environ["PATH"]]),
                   "HOME": home, "TERM": "dumb", "LANG": "C.UTF-8", "TMPDIR": f"{place}/tmp"}
    stub, said = First(), None
    base = f"http://127.0.0.1:{stub.port}"
    try:
        host.configure(home, base)
        for name, server in servers.items():
            entry(host, home, [server["command"], *server["args"]], name)
        environment.update(host.environment)
        if install is not None:
            command = [options.weir, "install", host.name, "--json", *install]
            ask = subprocess.run([*command, "--dry-run"], env=environment, cwd=project, capture_output=True, text=True)
            done = subprocess.run([*command, "--yes"], env=environment, cwd=project, capture_output=True, text=True)
            if ask.returncode or done.returncode:
                raise SystemExit(f"{host.name}: {ask.stdout}{ask.stderr}{done.stdout}{done.stderr}")
            said = json.loads(ask.stdout)
        calls = [host.before(base)] if hasattr(host, "before") else []
        for arguments in [*calls, host.arguments(base)]:
            with open(f"{place}/out.txt", "ab") as out:
                try:
                    subprocess.run([program, *arguments], cwd=project, env=environment, stdout=out, stderr=out,
                                   stdin=subprocess.DEVNULL, timeout=options.patience)
                except subprocess.TimeoutExpired:
                    out.write(b"\n(timed out)\n")
    finally:
        agents.end_children(home)
        stub.close()
    fullest = max(stub.bodies, key=lambda body: len(definitions(body)), default={})
    return fullest, said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("--patience", type=float, default=120)
    parser.add_argument("servers")
    parser.add_argument("host", nargs="*")
    options = parser.parse_args()
    options.weir = os.path.abspath(options.weir)
    options.root = tempfile.mkdtemp(prefix="weir-cost-")
    servers = json.load(open(options.servers, encoding="utf-8"))
    tokens = Tokens(options.tokenizer)
    found = os.pathsep.join([*options.path, os.environ.get("PATH", "")])
    good = True
    for host in agents.HOSTS:
        program = shutil.which(host.program, path=found)
        if not program or options.host and host.name not in options.host:
            continue
        bare = first(host, program, options, {})[0]
        own = {tool["name"] for tool in definitions(bare)}
        whole = tokens(shown(None, bare))

        def count(body):
            of = [tool for tool in definitions(body) if tool["name"] not in own and not OF_HOSTS.search(tool["name"])]
            of_tools = tokens("\n".join(json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in of))
            return len(of), of_tools, tokens(shown(None, body)) - whole

        def close(said, counted):
            return said is not None and abs(said - counted) <= max(FEW, SHARE * counted)

        searches, before, all_before = count(first(host, program, options, servers)[0])
        body, said = first(host, program, options, servers, ["--mode", "auto"])
        _, after, all_after = count(body)
        said = said["hosts"][0]["tokens"]
        said_after = said["bridge"] if said["searched"] else said["passthrough"]
        by_itself = count(first(host, program, options, servers, [])[0])
        is_true = close(said["direct"], before) and close(said_after, after) or searches == 0
        pays = by_itself[2] <= TIMES * all_before + MORE
        good = good and is_true and pays
        counted = f"{before:,} / {after:,}" if searches else f"{all_before:,} / {all_after:,} of the whole"
        print(f"{host.name:<12} said {said['direct']:,} / {said_after:,}  counted {counted}  by itself "
              f"{all_before:,} -> {by_itself[2]:,}{'' if is_true and pays else '  NOT SO'}", flush=True)
    shutil.rmtree(options.root, ignore_errors=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
