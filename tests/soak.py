#!/usr/bin/env python3
"""A gateway under load whose servers crash: many clients, many servers, for long.

    cargo build --release -p weir-cli && cargo build -p weir-tests --bin mcp-test-server
    tests/soak.py                 30 minutes
    tests/soak.py --minutes 3

Half of the clients speak the legacy revisions and half the stateless one. Of all calls 0.5 % end the process
of their server. It fails when more calls fail than crashed and 1 % of all, when memory or open files of the
gateway do not stay level, or when anything else goes wrong.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODERN = "2026-07-28"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=24)
    parser.add_argument("--servers", type=int, default=20)
    parser.add_argument("--crashes", type=float, default=0.005, help="the share of calls that crash")
    parser.add_argument("--weir", default=os.path.join(HERE, "target/release/weir"))
    parser.add_argument("--server", default=os.path.join(HERE, "target/debug/mcp-test-server"))
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Client(threading.Thread):
    def __init__(self, number, port, args, until):
        super().__init__(daemon=True)
        self.number, self.port, self.args, self.until = number, port, args, until
        self.modern = number % 2 == 0
        self.dice = random.Random(args.seed * 1000 + number)
        self.calls = self.crashed = self.failed = 0
        self.others, self.slowest = [], 0.0
        self.session = None
        self.link = None

    def post(self, method, params, name=""):
        if self.link is None:
            self.link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=330)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.modern:
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
            }
            headers |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
            if name:
                headers["Mcp-Name"] = name
        elif self.session:
            headers["Mcp-Session-Id"] = self.session
        body = json.dumps({"jsonrpc": "2.0", "id": self.calls, "method": method, "params": params})
        self.link.request("POST", "/mcp", body, headers)
        answer = self.link.getresponse()
        self.session = answer.headers.get("Mcp-Session-Id") or self.session
        text = answer.read().decode()
        if answer.status != 200:
            raise ValueError(f"status {answer.status}: {text[:200]}")
        for line in text.splitlines():
            line = line.removeprefix("data: ")
            if line.startswith("{"):
                message = json.loads(line)
                if message.get("id") == self.calls and "method" not in message:
                    return message
        raise ValueError(f"no answer in {text[:200]!r}")

    def step(self):
        server = f"s{self.dice.randrange(self.args.servers):02}"
        self.calls += 1
        if self.dice.random() < self.args.crashes:
            self.crashed += 1
            tool, given = "crash", {}
        else:
            tool, given = self.dice.choice([
                ("echo", {"text": f"{self.number} {self.calls}"}),
                ("echo", {"text": "x" * self.dice.randrange(4_000)}),
                ("structured", {"rows": self.dice.randrange(50)}),
                ("big", {"bytes": 60_000 + self.dice.randrange(16) * 1_000}),
                ("slow", {"steps": 2, "ms": 5}),
            ])
        name = f"{server}__{tool}"
        begun = time.monotonic()
        answer = self.post("tools/call", {"name": name, "arguments": given}, name)
        self.slowest = max(self.slowest, time.monotonic() - begun)
        result = answer.get("result", {})
        failed = "error" in answer or result.get("isError")
        self.failed += bool(failed)
        if not failed and tool == "echo" and json.dumps(given["text"])[1:40] not in result["content"][0]["text"]:
            raise ValueError(f"another call's answer: {result}")

    def run(self):
        try:
            if not self.modern:
                self.post("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                         "clientInfo": {"name": f"soak-{self.number}", "version": "1"}})
        except Exception as error:
            self.others.append(repr(error))
        while time.monotonic() < self.until:
            try:
                self.step()
            except Exception as error:
                self.others.append(repr(error)[:300])
                self.link = None
                time.sleep(0.1)


def size(pid):
    with open(f"/proc/{pid}/status") as status:
        rss = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return rss / 1024, len(os.listdir(f"/proc/{pid}/fd"))


def main():
    args = arguments()
    for program in (args.weir, args.server):
        if not os.access(program, os.X_OK):
            sys.exit(f"{program} is not there: the head of this file says how to build it")
    with tempfile.TemporaryDirectory() as folder:
        servers = {f"s{n:02}": {"command": args.server, "args": ["--both"]} for n in range(args.servers)}
        with open(f"{folder}/servers.json", "w") as file:
            json.dump({"mcpServers": servers, "weir": {"listWait": 120, "audit": True}}, file)
        gateway = subprocess.Popen(
            [args.weir, "serve", "--http", "127.0.0.1:0", "--mode", "passthrough", "--servers", f"{folder}/servers.json",
             "--state", f"{folder}/state", "--store", f"{folder}/store"],
            stderr=subprocess.PIPE, text=True)
        for line in gateway.stderr:
            if line.startswith("listening on "):
                port = int(line.split(":")[2].split("/")[0])
                break
        else:
            sys.exit("the gateway does not listen")
        said = []
        threading.Thread(target=lambda: said.extend(gateway.stderr), daemon=True).start()
        first = Client(1, port, args, 0)
        first.post("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                  "clientInfo": {"name": "soak", "version": "1"}})
        first.calls = 1
        listed = len(first.post("tools/list", {})["result"]["tools"])
        print(f"{listed} tools of {args.servers} servers; {args.clients} clients for {args.minutes} min", flush=True)
        begun = time.monotonic()
        until = begun + args.minutes * 60
        clients = [Client(n, port, args, until) for n in range(args.clients)]
        for client in clients:
            client.start()
        sizes, told = [], 0
        while any(client.is_alive() for client in clients):
            time.sleep(2)
            if gateway.poll() is not None:
                print(f"the gateway ended with {gateway.returncode}: {''.join(said[-5:])}")
                return 1
            sizes.append(size(gateway.pid))
            if time.monotonic() - begun > told + 60:
                told += 60
                print(f"{told // 60:3.0f} min  {sum(c.calls for c in clients):8,} calls  "
                      f"{sizes[-1][0]:6.1f} MB  {sizes[-1][1]:4} files", flush=True)
            if time.monotonic() > until + 400:
                print("calls hang")
                return 1
        gateway.terminate()
        ended = time.monotonic()
        gateway.wait(30)
        ended = time.monotonic() - ended
    calls, crashed, failed = (sum(getattr(c, name) for c in clients) for name in ("calls", "crashed", "failed"))
    others = [other for client in clients for other in client.others]
    quarter = max(1, len(sizes) // 4)
    early, late = sizes[quarter:2 * quarter] or sizes, sizes[-quarter:]
    levels = []
    for index, (unit, slack) in enumerate([("MB", 32), ("files", 24)]):
        before, after = (statistics.median(s[index] for s in part) for part in (early, late))
        levels.append((unit, before, after, after <= before * 1.25 + slack))
    print(f"{calls:,} calls ({calls / (args.minutes * 60):.0f}/s), {crashed} of them crashed their server; {failed} failed, "
          f"at most {crashed + calls // 100} may; slowest {max(c.slowest for c in clients):.2f} s; ended in {ended:.2f} s")
    for unit, before, after, level in levels:
        print(f"{unit}: {before:.0f} in the second quarter, {after:.0f} in the last: {'level' if level else 'NOT LEVEL'}")
    print(f"other errors: {len(others)}", *sorted(set(others))[:10], sep="\n  ")
    good = failed <= crashed + calls // 100 and not others and all(level for *_, level in levels)
    print("passed" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
