// MCP TypeScript SDK: `withWeir(server, weir)` before or after tools are registered, and before `connect`.
import { WeirError } from '../errors.js';
import { options } from '../options.js';
import { Results } from './results.js';

/** The server, whose large tool results are replaced and whose tools have the one that reads on beside them. */
export function withWeir(server, weir, given) {
  const { name: own, ...rest } = options('withWeir', given, ['session', 'log', 'name']);
  const results = new Results(weir, { session: (extra) => extra?.sessionId, ...rest });
  const low = server.server ?? server;
  const wrappers = {
    'tools/list': (handler) => async (request, extra) => {
      const list = await handler(request, extra);
      // Clients demand structured content where there is an output schema, and that is what there is too much of.
      const tools = list.tools.map(({ outputSchema, ...tool }) => tool);
      return { ...list, tools: list.nextCursor ? tools : [...tools, ...(await results.tools())] };
    },
    'tools/call': (handler) => async (request, extra) => {
      const { name, arguments: given } = request.params;
      const session = results.session(extra);
      if ((await results.tools()).some((tool) => tool.name === name)) {
        const { text, isError } = await results.read(session, name, given);
        return { content: [{ type: 'text', text }], isError };
      }
      const result = await handler(request, extra);
      try {
        return (await weir.transformMcp(session, name, result, { server: own, arguments: given })).result;
      } catch (error) {
        if (!(error instanceof WeirError)) throw error;
        results._log(`a result of ${name} is shown as it came: ${error.message}`);
        return result;
      }
    },
  };
  const set = low.setRequestHandler.bind(low);
  low.setRequestHandler = (schema, ...rest) => {
    const wrap = wrappers[methodOf(schema)];
    const handler = rest.pop();
    return set(schema, ...rest, wrap ? wrap(handler) : handler);
  };
  const there = low._requestHandlers;
  for (const [method, wrap] of Object.entries(wrappers)) {
    const handler = there?.get?.(method);
    if (handler) there.set(method, wrap(handler));
  }
  return server;
}

/** The method that a handler is for: a text, or a schema of the request. */
function methodOf(schema) {
  if (typeof schema === 'string') return schema;
  const method = schema?.shape?.method ?? schema?._def?.shape?.()?.method ?? schema?.def?.shape?.method;
  return method?.value ?? method?._def?.value ?? method?.def?.values?.[0];
}
