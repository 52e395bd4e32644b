
export default function (amp: any) {
  amp.on("tool.result", async (event: any) => {
    try {
      if (event.status !== "done") return undefined;
      const { output } = event;
      const text =
        typeof output === "string" &&
        (await excerpt({ tool: event.tool, arguments: event.input ?? {}, cwd: process.cwd(), text: output }));
      return text ? { status: "done", output: text } : undefined;
    } catch {
      return undefined;
    }
  });
}
