#!/usr/bin/env python3
"""Malformed definitions behind the gateway, before the clients of the SDKs that people have: the other tools are always there.

    WEIR=target/debug/weir python3 tests/definitions.py

Installs the SDKs from npm and PyPI into a temporary directory; needs Node 20, Python 3.10 and the network. Not part of CI.
"""
import json, os, subprocess, sys, tempfile

WEIR = os.path.abspath(os.environ.get("WEIR", "weir"))
NODE = {"sdk-1": "@modelcontextprotocol/sdk@1.32.2", "client-2": "@modelcontextprotocol/client@2.4.0"}
PYTHON = {"mcp-1": "mcp==1.30.0", "mcp-2": "mcp==2.3.0"}

# A member of a definition, and values that no schema of MCP has there.
SCHEMAS = [{}, None, [], True, False, "object", [1], {"type": None}, {"type": "OBJECT"}, {"type": ["object"]}, {"type": "string"}, {"type": 5},
           {"type": "object", "properties": []}, {"type": "object", "properties": None}, {"type": "object", "properties": "a"},
           {"properties": {"a": True, "b": False, "c": None, "d": []}}, {"type": "object", "properties": {"a": "string"}},
           {"type": "object", "required": {}}, {"type": "object", "required": None}, {"type": "object", "required": True},
           {"type": "object", "required": "a"}, {"type": "object", "required": [1]}, {"type": "object", "required": ["a", None]},
           {"type": "object", "$schema": 7}]
TOOLS = [("inputSchema", value) for value in SCHEMAS] + [("outputSchema", value) for value in (None, [], "x", {"properties": 1})] + [
    ("title", None), ("title", {}), ("description", None), ("description", 2026), ("description", ["a"]), ("annotations", []),
    ("annotations", None), ("annotations", {"readOnlyHint": "yes"}), ("annotations", {"title": 1, "destructiveHint": None}),
    ("execution", "required"), ("execution", {"taskSupport": "maybe"}), ("_meta", []), ("_meta", "x"), ("icons", {}), ("icons", [{"src": 1}, "a"])]
PROMPTS = [("arguments", {}), ("arguments", None), ("arguments", [{"name": "a", "required": "yes", "description": None}]),
           ("arguments", [{"description": "no name"}]), ("title", None), ("name", ["x"]), ("_meta", [])]
RESOURCES = [("uri", None), ("uri", "no address"), ("name", None), ("size", "12"), ("size", 1.5), ("mimeType", None),
             ("annotations", {"audience": "user"}), ("annotations", {"priority": 2}), ("annotations", {"lastModified": "today"})]
TEMPLATES = [("uriTemplate", {}), ("name", 1), ("description", []), ("annotations", {"priority": "high"})]


def listed(base, key, cases):
    items = [{**base, key: base[key].replace("x", f"x{at}"), **{member: value}} for at, (member, value) in enumerate(cases)]
    return items + [{**base, key: base[key].replace("x", "good")}]


LISTS = {
    "tools": listed({"name": "x", "inputSchema": {"type": "object"}}, "name", TOOLS),
    "prompts": listed({"name": "x"}, "name", PROMPTS),
    "resources": listed({"name": "n", "uri": "file:///x"}, "uri", RESOURCES),
    "resourceTemplates": listed({"name": "n", "uriTemplate": "file:///x/{a}"}, "uriTemplate", TEMPLATES),
}
SERVER = """
import json, sys
lists = json.load(open(sys.argv[1]))
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    how = m["method"]
    if how == "initialize":
        r = {"protocolVersion": m["params"]["protocolVersion"], "serverInfo": {"name": "raw", "version": "1"},
             "capabilities": {"tools": {}, "prompts": {}, "resources": {}}}
    else:
        name = {"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"}.get(how)
        r = {name: lists[name]} if name else None
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], **({"result": r} if r is not None else {"error": {"code": -32601, "message": "no"}})}), flush=True)
"""
NODE_CLIENT = """
const [kind, command, ...args] = process.argv.slice(2);
const of = kind === 'sdk-1'
  ? [await import('@modelcontextprotocol/sdk/client/index.js'), await import('@modelcontextprotocol/sdk/client/stdio.js')]
  : [await import('@modelcontextprotocol/client'), await import('@modelcontextprotocol/client/stdio')];
const client = new of[0].Client({ name: 'definitions', version: '1' });
await client.connect(new of[1].StdioClientTransport({ command, args, env: process.env }));
const lists = { tools: await client.listTools(), prompts: await client.listPrompts(), resources: await client.listResources(),
  resourceTemplates: await client.listResourceTemplates() };
console.log(JSON.stringify(Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, list[key].map((item) => item.uri ?? item.uriTemplate ?? item.name)]))));
await client.close();
"""
PYTHON_CLIENT = """
import asyncio, json, os, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
async def main():
    async with stdio_client(StdioServerParameters(command=sys.argv[2], args=sys.argv[3:], env=dict(os.environ))) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            templates = await session.list_resource_templates()
            of = lambda item: str(getattr(item, "uri", None) or getattr(item, "uriTemplate", None) or getattr(item, "uri_template", None) or item.name)
            print(json.dumps({"tools": [of(it) for it in (await session.list_tools()).tools], "prompts": [of(it) for it in (await session.list_prompts()).prompts],
                "resources": [of(it) for it in (await session.list_resources()).resources],
                "resourceTemplates": [of(it) for it in getattr(templates, "resourceTemplates", None) or templates.resource_templates]}))
asyncio.run(main())
"""


def main():
    count = sum(map(len, LISTS.values())) - len(LISTS)
    bad = 0
    with tempfile.TemporaryDirectory(prefix="weir-definitions-") as folder:
        path = lambda name: os.path.join(folder, name)
        for name, text in (("server.py", SERVER), ("client.mjs", NODE_CLIENT), ("client.py", PYTHON_CLIENT), ("lists.json", json.dumps(LISTS))):
            with open(path(name), "w") as file:
                file.write(text)
        servers = {name: {"command": sys.executable, "args": [path("server.py"), path("lists.json")]} for name in ("one", "two")}
        with open(path("servers.json"), "w") as file:
            json.dump({"mcpServers": servers}, file)
        clients = {}
        subprocess.run(["npm", "install", "--silent", *NODE.values()], cwd=folder, check=True)
        clients.update({kind: ["node", "client.mjs", kind] for kind in NODE})
        for kind, package in PYTHON.items():
            subprocess.run([sys.executable, "-m", "venv", path(kind)], check=True)
            python = os.path.join(path(kind), "bin", "python")
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package], check=True)
            clients[kind] = [python, "client.py", kind]
        env = {**os.environ, **{f"XDG_{name}_HOME": path(name) for name in ("DATA", "CONFIG", "STATE")}}
        for kind, command in clients.items():
            run = subprocess.run([*command, WEIR, "serve", "--servers", path("servers.json"), "--mode", "passthrough"], cwd=folder, env=env,
                                 capture_output=True, text=True, timeout=180)
            try:
                seen = json.loads(run.stdout)
                missing = [f"{server} {key}" for key in LISTS for server in servers
                           if not any(server in name and "good" in name for name in seen[key])]
                told = f"{' '.join(f'{len(items)} {key}' for key, items in seen.items())}; missing: {missing or 'none'}"
            except ValueError:
                missing, told = ["all"], run.stderr[-1500:]
            bad += bool(missing)
            print(f"{'FAIL' if missing else 'ok  '} {kind}: {told}")
    print(f"{count} malformed members, {bad} of {len(NODE) + len(PYTHON)} clients fail")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
