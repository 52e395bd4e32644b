
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
        const items = [];
        for (const item of output) {
          const fits = typeof item?.result === "string" && item.success !== false;
          const text = fits ? await shorter(item.result) : undefined;
          changed ||= fits && text !== item.result;
          items.push(fits ? { ...item, result: text } : item);
        }
        return changed ? { result: { ...result, output: items } } : undefined;
      } catch {
        return undefined;
      }
    },
  },
};
export default plugin;
export { plugin };
