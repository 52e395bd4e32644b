#!/usr/bin/env python3
"""Real clients before the gateway and real servers behind it: lists whole, calls right, errors told, large results read back.

    WEIR=target/debug/weir python3 tests/clients.py [CLIENT ...]

Each client asks each server directly and through the gateway, and what its program gets is compared. Then a server with 63 malformed
definitions stands behind the gateway: the others are always there. Installs the libraries named below from npm and PyPI (and rmcp from
crates.io) into `CLIENTS_DIR` or a temporary directory; needs Node 20, Python 3.10 and the network. Not part of CI.
"""
import json, os, re, subprocess, sys, tempfile

WEIR = os.path.abspath(os.environ.get("WEIR", "weir"))
NODE = {"sdk-1": "@modelcontextprotocol/sdk@1.32.2", "client-2": "@modelcontextprotocol/client@2.4.0", "server-2": "@modelcontextprotocol/server@2.4.0",
        "ai": "ai@7.0.173", "ai-sdk": "@ai-sdk/mcp@2.0.99", "mastra": "@mastra/mcp@2.0.0", "zod": "zod@4.4.3"}
PYTHON = {"mcp-1": "mcp==1.30.0", "mcp-2": "mcp==2.3.0", "fastmcp": "fastmcp==4.2.3", "langchain": "langchain-mcp-adapters==0.3.2",
          "pydantic-ai": "pydantic-ai-slim[mcp]==2.68.0", "openai-agents": "openai-agents==0.24.0", "strands": "strands-agents==1.62.0",
          "adk": "google-adk[mcp]==2.13.0"}

# The same four tools by each SDK's own means.
PYTHON_SERVER = """
import sys
kind = sys.argv[1]
if kind == "fastmcp":
    from fastmcp import FastMCP as Server
else:
    try:
        from mcp.server.fastmcp import FastMCP as Server
    except ImportError:
        from mcp.server import MCPServer as Server
server = Server("real")
@server.tool()
def echo(text: str, times: int = 1) -> str:
    "Says a text again."
    return text * times
@server.tool()
def fail(why: str) -> str:
    "Fails."
    raise ValueError(why)
@server.tool()
def rows(count: int) -> list[dict]:
    "Rows of a table."
    return [{"id": at, "name": f"row {at}", "status": "failed" if at == 4321 else "done"} for at in range(count)]
@server.tool()
def lines(count: int) -> str:
    "Lines of a log."
    return "\\n".join(f"2026-11-02 10:00:{at % 60:02} INFO step {at} done" for at in range(count))
server.run()
"""
NODE_SERVER = """
import * as z from 'zod';
const old = process.argv[2] === 'sdk-1';
const { McpServer } = await import(old ? '@modelcontextprotocol/sdk/server/mcp.js' : '@modelcontextprotocol/server');
const { StdioServerTransport } = await import(old ? '@modelcontextprotocol/sdk/server/stdio.js' : '@modelcontextprotocol/server/stdio');
const server = new McpServer({ name: 'real', version: '1' });
const text = (text) => ({ content: [{ type: 'text', text }] });
const shape = (shape) => (old ? shape : z.object(shape));
server.registerTool('echo', { description: 'Says a text again.', inputSchema: shape({ text: z.string(), times: z.number().int().default(1) }) },
  async (a) => text(a.text.repeat(a.times)));
server.registerTool('fail', { description: 'Fails.', inputSchema: shape({ why: z.string() }) }, async (a) => { throw new Error(a.why); });
server.registerTool('rows', { description: 'Rows of a table.', inputSchema: shape({ count: z.number() }),
  outputSchema: shape({ result: z.array(z.object({ id: z.number(), name: z.string(), status: z.string() })) }) }, async (a) => {
  const result = Array.from({ length: a.count }, (_, at) => ({ id: at, name: `row ${at}`, status: at === 4321 ? 'failed' : 'done' }));
  return { ...text(JSON.stringify(result)), structuredContent: { result } };
});
server.registerTool('lines', { description: 'Lines of a log.', inputSchema: shape({ count: z.number() }) },
  async (a) => text(Array.from({ length: a.count }, (_, at) => `2026-11-02 10:00:00 INFO step ${at} done`).join('\\n')));
await server.connect(new StdioServerTransport());
"""
# What a program of each client's users would write: `names` and `call(name, arguments)`, which gives the text or raises.
PYTHON_CLIENT = """
import asyncio, contextlib, json, os, re, sys
kind, steps, command, *args = sys.argv[1:]
text_of = lambda it: it if isinstance(it, str) else "\\n".join(getattr(b, "text", None) or (b.get("text") if isinstance(b, dict) else None) or str(b) for b in it)
class Told(Exception): pass
def answered(result):
    error = getattr(result, "isError", None) or getattr(result, "is_error", None)
    if error: raise Told(text_of(result.content))
    return text_of(result.content)

@contextlib.asynccontextmanager
async def opened():
    if kind in ("mcp-1", "mcp-2"):
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client
        async with stdio_client(StdioServerParameters(command=command, args=args, env=dict(os.environ))) as (read, write):
            async with ClientSession(read, write) as session:
                await session.initialize()
                async def call(name, a): return answered(await session.call_tool(name, a))
                async def lists():
                    of = lambda it: str(getattr(it, "uri", None) or getattr(it, "uriTemplate", None) or getattr(it, "uri_template", None) or it.name)
                    t = await session.list_resource_templates()
                    return {"prompts": [of(it) for it in (await session.list_prompts()).prompts],
                            "resources": [of(it) for it in (await session.list_resources()).resources],
                            "resourceTemplates": [of(it) for it in getattr(t, "resource_templates" if hasattr(t, "resource_templates") else "resourceTemplates")]}
                yield [it.name for it in (await session.list_tools()).tools], call, lists
    elif kind == "fastmcp":
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport
        async with Client(StdioTransport(command, args, env=dict(os.environ))) as client:
            async def call(name, a): return answered(await client.call_tool(name, a, raise_on_error=False))
            yield [it.name for it in await client.list_tools()], call, None
    elif kind == "langchain":
        from langchain_mcp_adapters.client import MultiServerMCPClient
        client = MultiServerMCPClient({"s": {"command": command, "args": args, "env": dict(os.environ), "transport": "stdio"}})
        async with client.session("s") as session:
            from langchain_mcp_adapters.tools import load_mcp_tools
            tools = {it.name: it for it in await load_mcp_tools(session)}
            async def call(name, a):
                # As an agent calls it: the message that the model reads.
                message = await tools[name].ainvoke({"type": "tool_call", "name": name, "args": a, "id": "1"})
                if message.status == "error": raise Told(text_of(message.content))
                return text_of(message.content)
            yield list(tools), call, None
    elif kind == "pydantic-ai":
        from fastmcp.client.transports import StdioTransport
        from pydantic_ai.mcp import MCPToolset
        async with MCPToolset(StdioTransport(command, args, env=dict(os.environ)), init_timeout=60, read_timeout=60) as server:
            async def call(name, a):
                it = await server.direct_call_tool(name, a)
                return it if isinstance(it, str) else json.dumps(it)
            yield [it.name for it in await server.list_tools()], call, None
    elif kind == "openai-agents":
        from agents.mcp import MCPServerStdio
        async with MCPServerStdio(params={"command": command, "args": args, "env": dict(os.environ)}, client_session_timeout_seconds=60) as server:
            async def call(name, a): return answered(await server.call_tool(name, a))
            yield [it.name for it in await server.list_tools()], call, None
    elif kind == "strands":
        from mcp import StdioServerParameters, stdio_client
        from strands.tools.mcp import MCPClient
        with MCPClient(lambda: stdio_client(StdioServerParameters(command=command, args=args, env=dict(os.environ))), startup_timeout=60) as client:
            async def call(name, a):
                it = await client.call_tool_async("1", name, a)
                text = text_of(it["content"])
                if it["status"] == "error": raise Told(text)
                return text
            yield [it.tool_name for it in client.list_tools_sync()], call, None
    elif kind == "adk":
        from google.adk.tools.mcp_tool.mcp_toolset import McpToolset
        from google.adk.tools.mcp_tool.mcp_session_manager import StdioConnectionParams
        from mcp import StdioServerParameters
        toolset = McpToolset(connection_params=StdioConnectionParams(timeout=60, server_params=StdioServerParameters(command=command, args=args, env=dict(os.environ))))
        tools = {it.name: it for it in await toolset.get_tools()}
        class Context:
            def __getattr__(self, name): return None
        async def call(name, a):
            it = await tools[name].run_async(args=a, tool_context=Context())
            if isinstance(it, dict) and (it.get("isError") or it.get("error")): raise Told(json.dumps(it))
            return text_of(it["content"]) if isinstance(it, dict) and "content" in it else json.dumps(it)
        yield list(tools), call, None
        await toolset.close()

async def main():
    async with opened() as (names, call, lists):
        told, last = [], ""
        for suffix, arguments in json.loads(steps):
            name = next(it for it in names if it.endswith(suffix))
            arguments = {key: re.search(r"\\b[0-9a-f]{12}\\b", last).group() if value == "$id" else value for key, value in arguments.items()}
            try: last = await call(name, arguments); told.append(["ok", last])
            except Exception as error: told.append(["error", str(error)])
        print(json.dumps({"tools": names, "told": told, **(await lists() if lists and not told else {})}))
asyncio.run(main())
"""
NODE_CLIENT = """
const [kind, steps, command, ...args] = process.argv.slice(2);
const text = (content) => content.map((block) => block.text ?? JSON.stringify(block)).join('\\n');
const answered = (result) => {
  if (result.isError) throw new Error(text(result.content));
  return result.content ? text(result.content) : JSON.stringify(result);
};
let names, call, lists = {}, close;
if (kind === 'sdk-1' || kind === 'client-2') {
  const { Client } = await import(kind === 'sdk-1' ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');
  const { StdioClientTransport } = await import(kind === 'sdk-1' ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio');
  const client = new Client({ name: 'clients', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: process.env }));
  names = (await client.listTools()).tools.map((it) => it.name);
  call = async (name, a) => answered(await client.callTool({ name, arguments: a }));
  if (steps === '[]') {
    lists.prompts = (await client.listPrompts()).prompts.map((it) => it.name);
    lists.resources = (await client.listResources()).resources.map((it) => it.uri);
    lists.resourceTemplates = (await client.listResourceTemplates()).resourceTemplates.map((it) => it.uriTemplate);
  }
  close = () => client.close();
} else if (kind === 'ai-sdk') {
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const { Experimental_StdioMCPTransport: Transport } = await import('@ai-sdk/mcp/mcp-stdio');
  const client = await createMCPClient({ transport: new Transport({ command, args, env: process.env }) });
  const tools = await client.tools();
  names = Object.keys(tools);
  call = async (name, a) => answered(await tools[name].execute(a, { toolCallId: '1', messages: [] }));
  close = () => client.close();
} else {
  const { MCPClient } = await import('@mastra/mcp');
  const client = new MCPClient({ servers: { s: { command, args, env: process.env } }, timeout: 60000 });
  const tools = await client.listTools();
  names = Object.keys(tools);
  call = async (name, a) => answered(await tools[name].execute(a, {}));
  close = () => client.disconnect();
}
const told = [];
let last = '';
for (const [suffix, given] of JSON.parse(steps)) {
  const name = names.find((it) => it.endsWith(suffix));
  const a = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value === '$id' ? last.match(/\\b[0-9a-f]{12}\\b/)[0] : value]));
  try { last = await call(name, a); told.push(['ok', last]); } catch (error) { told.push(['error', String(error.message ?? error)]); }
}
console.log(JSON.stringify({ tools: names, told, ...lists }));
await close();
process.exit(0);
"""

RMCP_VERSION = "3.11.0"
RMCP = {"Cargo.toml": """
[package]
name = "front"
version = "0.0.0"
edition = "2024"
[dependencies]
rmcp = { version = "=VERSION", features = ["client", "transport-child-process"] }
tokio = { version = "1", features = ["full"] }
serde_json = "1"
""", "src/main.rs": r"""
use rmcp::{ServiceExt, model::CallToolRequestParams, transport::TokioChildProcess};
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let mut command = tokio::process::Command::new(&args[3]);
    command.args(&args[4..]);
    let client = ().serve(TokioChildProcess::new(command)?).await?;
    let names: Vec<String> = client.list_all_tools().await?.into_iter().map(|tool| tool.name.to_string()).collect();
    let (mut told, mut last) = (Vec::new(), String::new());
    for (suffix, mut given) in serde_json::from_str::<Vec<(String, serde_json::Map<String, serde_json::Value>)>>(&args[2])? {
        let name = names.iter().find(|name| name.ends_with(&suffix)).ok_or("no such tool")?.clone();
        for value in given.values_mut().filter(|value| *value == "$id") {
            let id = last.split(|c: char| !c.is_ascii_hexdigit()).find(|word| word.len() == 12).ok_or("no id")?;
            *value = id.into();
        }
        let answer = client.call_tool(CallToolRequestParams::new(name).with_arguments(given)).await;
        let answer = answer.map(|result| serde_json::to_value(result).unwrap_or_default());
        match answer {
            Ok(result) => {
                let blocks = result["content"].as_array().cloned().unwrap_or_default();
                last = blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n");
                told.push((if result["isError"] == true { "error" } else { "ok" }, last.clone()));
            }
            Err(error) => told.push(("error", error.to_string())),
        }
    }
    println!("{}", serde_json::json!({"tools": names, "told": told}));
    client.cancel().await?;
    Ok(())
}
"""}

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
RAW_SERVER = """
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

STEPS = [["echo", {"text": "ab", "times": 2}], ["fail", {"why": "no luck"}], ["echo", {"text": "ab", "times": "two"}], ["rows", {"count": 3}],
         ["lines", {"count": 5}]]
LARGE = [["rows", {"count": 6000}], ["fetch", {"id": "$id", "mode": "query", "query": 'map(select(.status == "failed")) | .[].id'}],
         ["lines", {"count": 6000}], ["fetch", {"id": "$id", "mode": "grep", "pattern": "step 5999 "}]]
CLIENTS = ["sdk-1", "client-2", "ai-sdk", "mastra", *PYTHON, "rmcp"]
CLIENTS.remove("fastmcp")
CLIENTS.insert(4, "fastmcp")


class Room:
    """A folder with the libraries, the programs and a home of its own."""

    def __init__(self, folder, wanted):
        self.folder, self.env = folder, {**os.environ, **{f"XDG_{name}_HOME": os.path.join(folder, name) for name in ("DATA", "CONFIG", "STATE")}}
        files = {"client.py": PYTHON_CLIENT, "server.py": PYTHON_SERVER, "client.mjs": NODE_CLIENT, "server.mjs": NODE_SERVER, "raw.py": RAW_SERVER,
                 "lists.json": json.dumps(LISTS), **{f"rmcp/{name}": text.replace("VERSION", RMCP_VERSION) for name, text in RMCP.items()}}
        for name, text in files.items():
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "w") as file:
                file.write(text)
        if not os.path.isdir(self.path("node_modules")):
            subprocess.run(["npm", "install", "--silent", *NODE.values()], cwd=folder, check=True)
        for kind in [kind for kind in PYTHON if kind in wanted or kind in ("mcp-1", "mcp-2", "fastmcp")]:
            if not os.path.isdir(self.path(kind)):
                subprocess.run([sys.executable, "-m", "venv", self.path(kind)], check=True)
                subprocess.run([self.python(kind), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTHON[kind]], check=True)
        if "rmcp" in wanted:
            subprocess.run(["cargo", "build", "--quiet", "--release"], cwd=self.path("rmcp"), check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def python(self, kind):
        return os.path.join(self.path(kind), "bin", "python")

    def servers(self):
        python = {kind: [self.python(kind), self.path("server.py"), kind] for kind in ("mcp-1", "mcp-2", "fastmcp")}
        return {**python, **{kind: ["node", self.path("server.mjs"), kind] for kind in ("sdk-1", "server-2")}}

    def ask(self, client, steps, command):
        program = ([self.python(client), "client.py", client] if client in PYTHON else [self.path("rmcp/target/release/front"), client] if client == "rmcp"
                   else ["node", "client.mjs", client])
        run = subprocess.run([*program, json.dumps(steps), *command], cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=300)
        try:
            return json.loads(run.stdout.strip().splitlines()[-1])
        except (ValueError, IndexError):
            return {"tools": [], "told": [], "broken": run.stderr[-1500:]}


def gateway(room, servers):
    with open(room.path("servers.json"), "w") as file:
        json.dump({"mcpServers": {name: {"command": command[0], "args": command[1:]} for name, command in servers.items()},
                   "weir": {"listWait": 60}}, file)
    return [WEIR, "serve", "--servers", room.path("servers.json"), "--mode", "passthrough"]


def compared(room, client, server, command):
    """What differs between the server asked directly and behind the gateway."""
    direct, behind = room.ask(client, STEPS, command), room.ask(client, STEPS + LARGE, gateway(room, {server: command}))
    if behind.get("broken"):
        return [f"gateway: {behind['broken']}"]
    if direct.get("broken"):
        # Some clients cannot open some servers by themselves.
        direct = {"tools": ["echo", "fail", "rows", "lines"], "told": []}
    faults = [f"{name} is missing" for name in direct["tools"] if not any(it.endswith(name.removeprefix("s_")) for it in behind["tools"])]
    for at, (kind, text) in enumerate(direct["told"]):
        got, seen = behind["told"][at]
        # The gateway judges arguments itself, in its own words; what else a server says comes as it is.
        if got != kind or (at != 2 and squeezed(text) != squeezed(seen)):
            faults.append(f"{STEPS[at]}: {kind} {text[:200]!r}, behind the gateway {got} {seen[:200]!r}")
    for at, (want, most) in enumerate([("stored", 9000), ("4321", 900), ("stored", 9000), ("step 5999 ", 900)]):
        got, seen = behind["told"][len(STEPS) + at]
        if got != "ok" or want not in seen or len(seen) > most:
            faults.append(f"{LARGE[at]}: {got} {len(seen)} characters {seen[:300]!r}")
    return faults


def squeezed(text):
    """JSON by its values and an error by its sentence: clients wrap both in ways of their own."""
    return re.sub(r"\s+", "", text)


def malformed(room, client):
    seen = room.ask(client, [], gateway(room, {name: [sys.executable, room.path("raw.py"), room.path("lists.json")] for name in ("one", "two")}))
    return [f"{server} {key}" for key in LISTS if key in seen for server in ("one", "two")
            if not any(server in name and "good" in name for name in seen[key])] + ([seen["broken"]] if "broken" in seen else [])


def main():
    wanted = sys.argv[1:] or CLIENTS
    bad = 0
    with tempfile.TemporaryDirectory(prefix="weir-clients-") as temporary:
        room = Room(os.path.abspath(os.environ.get("CLIENTS_DIR", temporary)), wanted)
        for client in wanted:
            pairs = {server: compared(room, client, server, command) for server, command in room.servers().items()}
            pairs["63 malformed definitions"] = malformed(room, client)
            for server, faults in pairs.items():
                bad += bool(faults)
                print(f"{'FAIL' if faults else 'ok  '} {client} with {server}{': ' if faults else ''}{'; '.join(faults)}", flush=True)
    print(f"{bad} of {len(wanted) * 6} pairs fail")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
