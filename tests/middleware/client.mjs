// The newest TypeScript client before weir-middleware.wasm, as tests/middleware.sh serves it.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.argv[2]}/`);
const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(require.resolve("@modelcontextprotocol/client")));

const text = (result) => result.content.filter((block) => block.type === "text").map((block) => block.text).join("\n");
const connected = async (port, use) => {
  const client = new Client({ name: "middleware", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
  await use(client, (name, args) => client.callTool({ name, arguments: args }));
  await client.close();
};

await connected(18081, async (client, call) => {
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  assert.equal(names.at(-1), "weir_fetch");
  const excerpt = text(await call("log", { lines: 9000 }));
  assert.match(excerpt, /NOT the full output/);
  const id = excerpt.match(/; id=([0-9a-f-]+)\]/)[1];
  const read = text(await call("weir_fetch", { id, mode: "grep", pattern: "error:" }));
  assert.match(read, /4321: error: disk is full/);
  // Its definition has an outputSchema, and the result is replaced: no client may throw.
  assert.match(text(await call("rows", { lines: 2000 })), /NOT the full output/);
  assert.match(text(await call("stream", { lines: 9000 })), /stored whole/);
  await assert.rejects(call("fail", { text: "it broke" }), /it broke/);
  assert.equal((await call("wrong", { text: "no" })).isError, true);
});
await connected(18082, async (client, call) => {
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  assert.deepEqual(names, ["tool_search", "tool_describe", "tool_call", "weir_fetch"]);
  assert.match(text(await call("tool_search", { query: "things of kind 250" })), /count_250/);
  const called = await call("tool_call", { name: "count_250", arguments: { drawer: "top" } });
  assert.equal(text(called), "count_250: top");
});
