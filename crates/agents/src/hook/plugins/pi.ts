
export default function (pi: any) {
  pi.on("session_compact", async (_event: any, ctx: any) => {
    try {
      const content = await stored(ctx?.cwd);
      // With the next prompt: what is last now may be tried again.
      if (content) pi.sendMessage({ customType: "weir", content, display: false }, { deliverAs: "nextTurn" });
    } catch {}
  });
  pi.on("tool_result", async (event: any, ctx: any) => {
    try {
      if (event.isError || !Array.isArray(event.content)) return;
      const { fullOutputPath, truncation } = event.details ?? {};
      const texts = event.content.filter((block: any) => block?.type === "text");
      let changed = false;
      const content = [];
      for (const block of event.content) {
        const alone = texts.length === 1 && block === texts[0];
        const text =
          block?.type === "text" &&
          (await excerpt({
            tool: event.toolName,
            arguments: event.input ?? {},
            cwd: ctx?.cwd,
            text: block.text,
            file: alone ? fullOutputPath : undefined,
            cut: truncation?.truncated === true,
          }));
        changed ||= Boolean(text);
        content.push(text ? { ...block, text } : block);
      }
      if (changed) return { content };
    } catch {}
  });
}
