// Vercel AI SDK: `generateText({ model, tools: await weirTools(weir, { readLog }), … })`.
import { jsonSchema } from 'ai';
import { Results } from './results.js';

/** The tools with large results replaced, and the tool that reads on. */
export async function weirTools(weir, tools = {}, options = {}) {
  const results = new Results(weir, options);
  const wrapped = {};
  for (const [name, tool] of Object.entries(tools)) wrapped[name] = wrap(results, name, tool);
  for (const tool of await results.tools()) {
    const schema = jsonSchema(tool.inputSchema);
    wrapped[tool.name] = {
      description: tool.description,
      inputSchema: schema,
      parameters: schema, // before version 5
      execute: async (input, context) => (await results.read(results.session(context), tool.name, input)).text,
    };
  }
  return wrapped;
}

function wrap(results, name, tool) {
  const { execute, toModelOutput } = tool;
  if (toModelOutput) return { ...tool, toModelOutput: async (...given) => shownOutput(results, name, await toModelOutput(...given)) };
  if (!execute) return tool;
  return {
    ...tool,
    outputSchema: undefined,
    execute: (input, context) => {
      const output = execute(input, context);
      const show = (value) => results.value(results.session(context), name, value, input);
      return output?.[Symbol.asyncIterator] ? last(output, show) : Promise.resolve(output).then(show);
    },
  };
}

/** Passes what comes before the last value on, and shows the last, which is what the model gets. */
async function* last(outputs, show) {
  let waiting;
  for await (const output of outputs) {
    if (waiting) yield waiting.output;
    waiting = { output };
  }
  if (waiting) yield await show(waiting.output);
}

async function shownOutput(results, name, output) {
  const session = results.session();
  if (output?.type === 'content') {
    const value = await Promise.all(output.value.map(async (part) =>
      (part.type === 'text' ? { ...part, text: await results.value(session, name, part.text) } : part)));
    return { ...output, value };
  }
  if (output?.type !== 'text' && output?.type !== 'json') return output;
  const value = await results.value(session, name, output.value);
  return value === output.value ? output : { ...output, type: 'text', value };
}
