
export const Weir = async ({ directory }) => ({
  "experimental.session.compacting": async (_input, output) => {
    try {
      const text = await stored(directory);
      if (text) output.context.push(`Copy this into the summary as it is:\n${text}`);
    } catch {}
  },
  "tool.execute.after": async (input, output) => {
    try {
      const call = { tool: input.tool, arguments: input.args ?? {}, cwd: directory };
      if (typeof output?.output === "string") {
        const { truncated, outputPath, exit } = output.metadata ?? {};
        const text = await excerpt({
          ...call,
          text: output.output,
          file: outputPath,
          cut: truncated === true,
          is_error: typeof exit === "number" && exit !== 0,
        });
        if (text) output.output = text;
      } else if (Array.isArray(output?.content) && !output.isError) {
        for (const block of output.content) {
          if (block?.type !== "text") continue;
          const text = await excerpt({ ...call, text: block.text });
          if (text) block.text = text;
        }
      }
    } catch {}
  },
});
