#!/usr/bin/env python3
"""What a server with a long list of tools costs the gateway: time to the first answer, memory, disk.

    cargo build --release --workspace
    python3 tests/large.py --catalogs DIR --tools 16575 --bytes 38600 --page 100

DIR holds answers to tools/list, one SERVER.json each. Their tools are repeated under other names, and each gets
definitions of nested models until it has so many bytes. One scripted server lists all of them.
"""

import argparse
import glob
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time


def tools_of(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            answer = json.load(file)
        tools = answer.get("tools") or answer.get("result", {}).get("tools") or []
        if not isinstance(tools, list):
            continue
        yield from ((os.path.basename(path)[:-5], tool) for tool in tools)


def generate(folder, count, size, path):
    tools = list(tools_of(folder))
    total = 0
    with open(path, "w", encoding="utf-8") as out:
        for n in range(count):
            server, tool = tools[n % len(tools)]
            tool = json.loads(json.dumps(tool))
            tool["name"] = f"{tool['name'][:40]}_{server[:8]}_{n // len(tools)}"
            tool["description"] = f"{tool.get('description') or ''} For workspace w{n // len(tools)}x."
            schema = tool.setdefault("inputSchema", {"type": "object"})
            have, models = len(json.dumps(tool)), 0
            while have < size:
                about = f"of model {models}, as shown in the console; see the documentation for its format."
                words = ("identifier", "region", "owner", "status", "label", "policy", "template", "endpoint")
                model = {"type": "object", "description": f"Model {models}, as it is specified.",
                         "properties": {f"{w}{models}": {"type": "string", "description": f"The {w} {about}"} for w in words}}
                schema.setdefault("$defs", {})[f"Model{models}"] = model
                have, models = have + len(json.dumps(model)) + 14, models + 1
            if models:
                schema.setdefault("properties", {})["options"] = {"$ref": "#/$defs/Model0"}
            line = json.dumps(tool, ensure_ascii=False)
            total += len(line.encode())
            out.write(line + "\n")
    return total


def memory(pid, what):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        for line in file:
            if line.startswith(what + ":"):
                return int(line.split()[1]) / 1024
    return 0.0


class Client:
    def __init__(self, weir, servers, folder):
        env = {"PATH": os.environ["PATH"], "HOME": folder, "WEIR_STORE": f"{folder}/store",
               "WEIR_STATE": f"{folder}/state", "XDG_CACHE_HOME": f"{folder}/cache"}
        command = [weir, "serve", "--servers", servers, "--mode", "bridge"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.lines, self.next = queue.Queue(), 0
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True).start()

    def ask(self, method, params):
        self.next += 1
        message = {"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.lines.get(timeout=900))
            if answer.get("id") == self.next:
                return answer

    def greet(self):
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "large", "version": "1"}})

    def call(self, tool, arguments):
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return answer["result"]["content"][0]["text"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogs", required=True)
    parser.add_argument("--tools", type=int, default=16_575)
    parser.add_argument("--bytes", type=int, default=38_600)
    parser.add_argument("--page", type=int, default=100)
    parser.add_argument("--weir", default="target/release/weir")
    parser.add_argument("--server", default="target/release/mcp-test-server")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = f"{folder}/tools.lines"
        total = generate(options.catalogs, options.tools, options.bytes, lines)
        print(f"{options.tools:,} tools, {total / 1e6:,.0f} MB, pages of {options.page}")
        args = ["--lines", lines, "--page", str(options.page)]
        servers = f"{folder}/servers.json"
        entry = {"command": os.path.abspath(options.server), "args": args}
        with open(servers, "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"big": entry}, "weir": {"listWait": 5}}, file)
        # The component is compiled once; that is not what is measured.
        subprocess.run([options.weir, "list"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={"PATH": os.environ["PATH"], "HOME": folder, "WEIR_STORE": f"{folder}/store",
                            "XDG_CACHE_HOME": f"{folder}/cache"})
        for run in ("first start", "known from the file"):
            started = time.monotonic()
            client = Client(options.weir, servers, folder)
            client.greet()
            answers = 0
            while True:
                asked = time.monotonic()
                found = json.loads(client.call("tool_search", {"query": "create an issue in a repository"}))
                answers += 1
                if answers == 1:
                    first = time.monotonic() - started
                    missing = found.get("not_searched")
                    print(f"{run}: first answer after {first:.2f} s; not searched: {missing}")
                if not found.get("not_searched"):
                    break
                time.sleep(0.2)
            print(f"  whole after {time.monotonic() - started:.1f} s ({answers} searches; the last took "
                  f"{time.monotonic() - asked:.2f} s), {found.get('total', '')} tools")
            pid = client.process.pid
            print(f"  memory then {memory(pid, 'VmRSS'):.0f} MiB, peak {memory(pid, 'VmHWM'):.0f} MiB")
            name = found["results"][0]["matches"][0]["name"]
            for tool, arguments in (("tool_search", {"query": "delete a branch"}),
                                    ("tool_describe", {"names": [name]})):
                asked = time.monotonic()
                answer = client.call(tool, arguments)
                print(f"  {tool}: {(time.monotonic() - asked) * 1000:.0f} ms, {len(answer):,} characters")
            time.sleep(2)
            print(f"  memory after 2 s {memory(pid, 'VmRSS'):.0f} MiB")
            client.end()
        kept = sum(os.path.getsize(path) for path in glob.glob(f"{folder}/state/servers/*"))
        print(f"kept on disk: {kept / 1e6:,.0f} MB")


if __name__ == "__main__":
    sys.exit(main())
