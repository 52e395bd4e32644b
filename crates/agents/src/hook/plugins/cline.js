
// The host keeps the ends of an output of more than this.
const KEPT = 47_000;

const plugin = {
  name: "weir",
  manifest: { capabilities: ["hooks"] },
  hooks: {
    async beforeTool({ tool, toolCall, input }) {
      try {
        const args = await wrapped({ tool: tool?.name ?? toolCall?.toolName, arguments: input ?? {} });
        return args ? { input: args } : undefined;
      } catch {
        return undefined;
      }
    },
    async afterTool({ tool, toolCall, input, result }) {
      try {
        const call = { tool: tool?.name ?? toolCall?.toolName, arguments: input ?? {}, cwd: process.cwd() };
        const shorter = async (text) => (await excerpt({ ...call, text, cut: text.length >= KEPT })) ?? text;
        const { output } = result ?? {};
        if (typeof output === "string") {
          const text = await shorter(output);
          return text === output ? undefined : { result: { ...result, output: text } };
        }
        if (!Array.isArray(output)) return undefined;
        let changed = false;
        // At once: the host's limit is for all of them together.
        const items = await Promise.all(output.map(async (item) => {
          if (typeof item?.result !== "string" || item.success === false) return item;
          const text = await shorter(item.result);
          changed ||= text !== item.result;
          return { ...item, result: text };
        }));
        return changed ? { result: { ...result, output: items } } : undefined;
      } catch {
        return undefined;
      }
    },
  },
};
export default plugin;
export { plugin };
