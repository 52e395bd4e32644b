
export default {
  id: "weir",
  name: "weir",
  description: "Large tool results are stored by Weir; the model gets an excerpt.",
  register(api) {
    if (WRAP.length) {
      api.on("before_tool_call", async (event) => {
        try {
          const params = await wrapped({ tool: event.toolName, arguments: event.params ?? {} });
          return params ? { params } : undefined;
        } catch {
          return undefined;
        }
      });
    }
    api.registerAgentToolResultMiddleware(
      async (event) => {
        try {
          const content = event.result?.content;
          if (event.isError || !Array.isArray(content)) return undefined;
          let changed = false;
          const blocks = [];
          for (const block of content) {
            const text =
              block?.type === "text" &&
              (await excerpt({
                tool: event.toolName,
                arguments: event.args ?? {},
                cwd: event.cwd,
                text: block.text,
                cut: event.result.details?.truncated === true,
              }));
            changed ||= Boolean(text);
            blocks.push(text ? { ...block, text } : block);
          }
          return changed ? { result: { ...event.result, content: blocks } } : undefined;
        } catch {
          return undefined;
        }
      },
      { runtimes: ["openclaw"] },
    );
  },
};
