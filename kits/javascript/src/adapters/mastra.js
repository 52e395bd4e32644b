// Mastra: `new Agent({ …, tools: await weirTools(weir, { readLog }) })`.
import { createTool } from '@mastra/core/tools';
import { Results } from './results.js';

/** The tools with large results replaced, and the tool that reads on. */
export async function weirTools(weir, tools = {}, options = {}) {
  const results = new Results(weir, options);
  const wrapped = {};
  for (const [name, tool] of Object.entries(tools)) wrapped[name] = wrap(results, name, tool);
  for (const tool of await results.tools()) {
    wrapped[tool.name] = createTool({
      id: tool.name,
      description: tool.description,
      inputSchema: standardSchema(tool.inputSchema),
      execute: async (...given) => (await results.read(results.session(...given), tool.name, inputOf(given))).text,
    });
  }
  return wrapped;
}

/** Mastra hands a tool its input first; before version 1, inside of `context`. */
const inputOf = ([first]) => first?.context ?? first;

function wrap(results, name, tool) {
  if (!tool.execute) return tool;
  const execute = async (...given) => {
    const output = await tool.execute(...given);
    return results.value(results.session(...given), tool.id ?? name, output, inputOf(given));
  };
  const copy = Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute });
  copy.outputSchema = undefined; // an excerpt is a text
  return copy;
}

/**
 * A JSON Schema, which Mastra reads before version 1, that is also a Standard Schema, which it reads since. It takes any
 * object: what a model sends is checked by the component.
 */
function standardSchema(schema) {
  const jsonSchema = { input: () => schema, output: () => schema };
  return { ...schema, '~standard': { version: 1, vendor: 'weir', validate: (value) => ({ value }), jsonSchema } };
}
