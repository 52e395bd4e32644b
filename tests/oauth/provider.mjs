// A real authorization server (oidc-provider) and an MCP server that it guards, on one machine.
//
//   node provider.mjs PORT MCP_PORT
//
// Access tokens last five seconds, refresh tokens are rotated, clients register themselves, and the
// tool `write` wants a permission that the first login does not give.
import http from "node:http";
import Provider from "oidc-provider";

const [port, mcpPort] = process.argv.slice(2).map(Number);
const issuer = `http://127.0.0.1:${port}`;
const resource = `http://127.0.0.1:${mcpPort}/mcp`;
const counts = { refreshed: 0, registered: 0, refused: 0 };

const provider = new Provider(issuer, {
  clients: [
    // Registered by hand, with a secret.
    {
      client_id: "by-hand", client_secret: "canary-client-secret", application_type: "native",
      redirect_uris: ["http://127.0.0.1/callback"], grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "client_secret_basic",
    },
  ],
  scopes: ["openid", "offline_access", "files:read", "files:write"],
  ttl: { AccessToken: () => 5, RefreshToken: () => 600, Grant: () => 600, Session: () => 600, Interaction: () => 600, IdToken: () => 600 },
  pkce: { required: () => true },
  rotateRefreshToken: () => true,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, asked) => {
        if (asked !== resource) throw new Error(`unknown resource ${asked}`);
        return { scope: "files:read files:write", audience: resource, accessTokenTTL: 5, accessTokenFormat: "opaque" };
      },
    },
  },
});
provider.on("grant.success", (ctx) => { if (ctx.oidc.params.grant_type === "refresh_token") counts.refreshed++; });
provider.on("registration_create.success", () => counts.registered++);
provider.on("grant.error", (_, error) => { counts.refused++; console.error("grant refused:", error.message, error.error_description ?? ""); });
provider.on("server_error", (_, error) => console.error(error));

const tools = ["read", "write"].map((name) => ({ name, inputSchema: { type: "object" } }));
const metadata = `resource_metadata="http://127.0.0.1:${mcpPort}/.well-known/oauth-protected-resource/mcp"`;

http.createServer(async (request, response) => {
  const send = (status, body, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? "" : JSON.stringify(body));
  };
  if (request.url === "/.well-known/oauth-protected-resource/mcp")
    return send(200, { resource, authorization_servers: [issuer], scopes_supported: ["files:read"] });
  if (request.url === "/counts") return send(200, counts);
  if (request.url !== "/mcp") return send(404, {});
  const value = (request.headers.authorization ?? "").match(/^Bearer (.+)$/)?.[1];
  const token = value && (await provider.AccessToken.find(value));
  if (!token || token.aud !== resource || token.isExpired)
    return send(401, { error: "unauthorized" }, { "www-authenticate": `Bearer ${metadata}, scope="files:read"` });
  if (request.method !== "POST") return send(405, {});
  let text = "";
  for await (const part of request) text += part;
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return send(202);
  const result = (result) => send(200, { jsonrpc: "2.0", id, result });
  switch (method) {
    case "initialize":
      return result({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "guarded", version: "1" } });
    case "tools/list":
      return result({ tools });
    case "tools/call":
      if (params.name === "write" && !token.scope.split(" ").includes("files:write"))
        return send(403, {}, { "www-authenticate": `Bearer error="insufficient_scope", scope="files:write", ${metadata}` });
      return result({ content: [{ type: "text", text: `${params.name} as ${token.accountId} with ${token.scope}` }] });
    default:
      return send(200, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }
}).listen(mcpPort, "127.0.0.1");
provider.listen(port, "127.0.0.1", () => console.log("listening"));
