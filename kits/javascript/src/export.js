// A catalog in the form that a model API takes: for the provider's own tool search, or as bridge tools.
//
// This stands in each kit, over what `assemble` answers. The component ranks, bounds and stores; what a provider's request
// looks like is none of these, and changes when the provider says. `kits/conformance/export.json` keeps the kits equal.
import { Refused } from './errors.js';

const FORMS = ['anthropic', 'anthropic-bm25', 'anthropic-regex', 'gemini', 'mcp', 'openai', 'openai-chat', 'openai-search'];
/** The forms in which the provider searches, and the name that its search tool has there. */
const SEARCHES = { 'anthropic-bm25': 'tool_search_tool_bm25', 'anthropic-regex': 'tool_search_tool_regex', 'openai-search': '' };
/** Tools that an API takes, where it says how many. */
const MOST = { 'anthropic-bm25': 10_000, 'anthropic-regex': 10_000, gemini: 512 };
/** Tools in a namespace: OpenAI advises fewer than ten. */
const GROUP = 9;
/** Names of tools that each of these APIs takes. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Names of parameters that an API takes, where it looks at them. */
const KEYS = { anthropic: /^[A-Za-z0-9_.-]{1,64}$/, gemini: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/ };

// JSON Schema of 2020-12: what stands under a keyword. Values of another kind are left out.
const words = (text) => new Set(text.split(' '));
const SCHEMA = words('additionalProperties contains else if items not propertyNames then');
const SCHEMAS = words('allOf anyOf oneOf prefixItems');
const NAMED = words('$defs dependentSchemas patternProperties properties');
const TEXTS = words('$anchor $id $ref description format pattern title');
const NUMBERS = words('exclusiveMaximum exclusiveMinimum maximum minimum multipleOf');
const COUNTS = words('maxItems maxLength maxProperties minItems minLength minProperties');
const TYPES = words('array boolean integer null number object string');
/** The keywords that Gemini knows. */
const GEMINI = words('$anchor $defs $id $ref additionalProperties anyOf description enum format items maxItems maximum '
  + 'minItems minimum oneOf prefixItems properties propertyOrdering required title type');
const NOT_AT_THE_ROOT = words('const else enum if not then type');
/** Levels of a schema, each of two levels of JSON: some libraries write and read no more than 100. What lies deeper may be anything. */
const DEEPEST = 40;

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const entries = (value) => (isObject(value) ? Object.entries(value) : []);
/** The fitting ones first, so that they keep their names. */
const fittingFirst = (all, pattern) => [...all].sort((a, b) => pattern.test(b) - pattern.test(a));

/** The tools of a request to a model API, and the way back from the model's call. */
class Export {
  constructor(tools, block, names, args = {}) {
    Object.assign(this, { tools, block, names, arguments: args });
  }

  call(name, given) {
    const of = (map, key) => (Object.hasOwn(map, key) ? map[key] : undefined);
    const changed = of(this.arguments, name);
    let args = given;
    if (changed && typeof args === 'string') {
      try { args = JSON.parse(args); } catch { /* `invoke` answers it */ }
    }
    if (changed && isObject(args)) args = Object.fromEntries(Object.entries(args).map(([key, value]) => [of(changed, key) ?? key, value]));
    return [of(this.names, name) ?? name, args];
  }
}

/** What to assemble for a form, with settings as `assemble` takes them, and what is made of it. */
export function planned(form, settings) {
  if (!FORMS.includes(form)) {
    throw new Refused({ code: 'invalid', message: `there is no form '${form}': export one of ${FORMS.join(', ')}`, argument: 'form', names: FORMS });
  }
  const on = { mode: 'on', ...settings };
  return {
    on,
    off: { ...on, mode: 'off' },
    searches: Object.hasOwn(SEARCHES, form),
    /** `whole`: what the second assembly answers, of a form whose provider searches. */
    made(shown, whole) {
      if (!whole) return exported(form, shown.tools, new Map(), shown.block);
      const direct = new Set(shown.visible.map(({ id }) => id));
      const deferred = whole.visible.filter(({ id }) => !direct.has(id)).map(({ id, server }) => [id, server]);
      return exported(form, whole.tools, new Map(deferred), '');
    },
  };
}

/** Tools in MCP's shape, as a form has them. `deferred`: those that the provider searches, with their servers. */
function exported(form, tools, deferred, block) {
  const most = MOST[form] ?? tools.length;
  if (tools.length > most) {
    const count = (number) => number.toLocaleString('en');
    const message = `${form} takes ${count(most)} tools and these are ${count(tools.length)}: export another form, or a smaller catalog`;
    throw new Refused({ code: 'too-many-tools', message, total: tools.length });
  }
  if (form === 'mcp') return new Export(tools, block, Object.fromEntries(tools.map(({ name }) => [name, name])));
  const [api] = form.split('-');
  const used = new Set(Object.values(SEARCHES));
  const names = new Map(fittingFirst(tools.map(({ name }) => name), NAME).map((id) => [id, fitting(id, NAME, used)]));
  const changes = [];
  const direct = [];
  const groups = new Map();
  for (const tool of tools) {
    const name = names.get(tool.name);
    const server = deferred.get(tool.name);
    const [schema, changed] = parameters(tool.inputSchema, api);
    if (changed.length) changes.push([name, Object.fromEntries(changed)]);
    const shown = shaped(form, name, tool.description, schema);
    if (server !== undefined) shown.defer_loading = true;
    if (server === undefined || api !== 'openai') direct.push(shown);
    else groups.set(server || 'tools', [...groups.get(server || 'tools') ?? [], shown]);
  }
  let whole = direct;
  if (form === 'gemini') whole = [{ functionDeclarations: direct }];
  else if (deferred.size && api === 'openai') whole = [...direct, ...namespaces(groups), { type: 'tool_search' }];
  else if (deferred.size) whole = [{ type: `${SEARCHES[form]}_20251119`, name: SEARCHES[form] }, ...direct];
  return new Export(whole, block, Object.fromEntries([...names].map(([id, name]) => [name, id])), Object.fromEntries(changes));
}

/** One tool, as an API has it. */
function shaped(form, name, description, schema) {
  const tool = { name, ...description && { description } };
  if (form === 'gemini') return { ...tool, parametersJsonSchema: schema };
  if (form.startsWith('anthropic')) return { ...tool, input_schema: schema };
  const called = { ...tool, parameters: schema, strict: false };
  return form === 'openai-chat' ? { type: 'function', function: called } : { type: 'function', ...called };
}

/** The tools of each server in namespaces of OpenAI, which a model knows by the names of what is in them. */
function namespaces(groups) {
  const made = [];
  const used = new Set();
  for (const [server, tools] of groups) {
    for (let at = 0; at < tools.length; at += GROUP) {
      const some = tools.slice(at, at + GROUP);
      const name = fitting(at ? `${server}_${at / GROUP + 1}` : server, NAME, used);
      made.push({ type: 'namespace', name, description: `Tools: ${some.map((tool) => tool.name).join(', ')}`, tools: some });
    }
  }
  return made;
}

/**
 * The text, where the pattern takes it and nothing has it. Otherwise a text like it with eight digits of its own, which
 * are the same in whatever catalog.
 */
function fitting(text, pattern, used) {
  const stem = text.replace(/[^A-Za-z0-9_]/gu, '_').slice(0, 54);
  let name = text;
  for (let marked = text; !pattern.test(name) || used.has(name); marked += '#') {
    let digest = 0x811c9dc5; // FNV-1a, of 32 bits
    for (const byte of new TextEncoder().encode(marked)) digest = Math.imul(digest ^ byte, 0x01000193) >>> 0;
    name = `${/^[A-Za-z]/.test(stem) ? stem : `_${stem}`}_${digest.toString(16).padStart(8, '0')}`;
  }
  used.add(name);
  return name;
}

/**
 * A schema that an API takes, and what the tool calls the parameters that have another name in it. It may allow more than
 * the tool's own: the catalog checks each call by that one.
 */
function parameters(schema, api) {
  const made = tidy(lifted(schema), api === 'gemini' ? GEMINI : undefined, 0);
  const pattern = KEYS[api];
  if (!pattern) return [made, []];
  const used = new Set();
  const names = new Map(fittingFirst(Object.keys(made.properties), pattern).map((key) => [key, fitting(key, pattern, used)]));
  made.properties = Object.fromEntries(Object.entries(made.properties).map(([key, value]) => [names.get(key), value]));
  if (made.required) made.required = made.required.map((key) => names.get(key));
  return [made, [...names].filter(([key, name]) => key !== name).map(([key, name]) => [name, key])];
}

/**
 * The schema as a plain object: no API takes a choice or a reference at the root. What may be a parameter in any part is
 * one of the root, and is required where a part that always holds requires it.
 */
function lifted(schema) {
  const made = { type: 'object', properties: {}, required: [] };
  const choices = new Map();
  const parts = [[schema, true]];
  const seen = { true: new Set(), false: new Set() };
  for (const [part, holds] of parts) {
    if (seen[holds].has(part)) continue;
    seen[holds].add(part);
    for (const [key, value] of entries(part)) {
      if (key === 'properties') {
        for (const [name, one] of entries(value)) {
          choices.set(name, (choices.get(name) ?? new Map()).set(JSON.stringify(one), one));
        }
      } else if (key === 'required') {
        if (holds && Array.isArray(value)) made.required.push(...value.filter((name) => typeof name === 'string'));
      } else if (key === '$ref') {
        if (typeof value === 'string') parts.push([pointed(schema, value), holds]);
      } else if (['allOf', 'anyOf', 'oneOf'].includes(key)) {
        if (Array.isArray(value)) for (const one of value) parts.push([one, holds && key === 'allOf']);
      } else if (part === schema && !NOT_AT_THE_ROOT.has(key) && key !== '__proto__') {
        made[key] = value;
      }
    }
  }
  for (const name of made.required) if (!choices.has(name)) choices.set(name, new Map([['', {}]]));
  made.properties = Object.fromEntries([...choices].map(([name, several]) => {
    const ones = [...several.values()];
    return [name, ones.length === 1 ? ones[0] : { anyOf: ones }];
  }));
  return made;
}

/** What a reference within the schema means. */
function pointed(schema, reference) {
  let at = reference.startsWith('#') ? schema : undefined;
  for (const step of reference.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

/**
 * The schema as 2020-12 has it: APIs refuse a whole request for one keyword of another draft. `only`: the keywords that
 * an API knows.
 */
function tidy(schema, only, depth) {
  if (typeof schema === 'boolean') return schema;
  const made = {};
  for (let [key, value] of depth <= DEEPEST ? entries(schema) : []) {
    if (key === 'definitions') key = '$defs';
    if (key === 'const' && only && ['string', 'number', 'boolean'].includes(typeof value)) [key, value] = ['enum', [value]];
    if (key === '$schema' || key === '__proto__' || (only && !only.has(key))) continue;
    if (SCHEMA.has(key)) {
      made[key] = tidy(value, only, depth + 1);
    } else if (SCHEMAS.has(key)) {
      if (Array.isArray(value) && value.length) made[key] = value.map((one) => tidy(one, only, depth + 1));
    } else if (NAMED.has(key)) {
      const ones = entries(value).map(([name, one]) => [name, tidy(one, only, depth + 1)]);
      if (isObject(value)) made[key] = Object.fromEntries([...entries(made[key]), ...ones]);
    } else if (key === '$ref' && typeof value === 'string') {
      made[key] = value.replace(/^#\/definitions\//, '#/$defs/');
    } else if (isValid(key, value)) {
      made[key] = value;
    }
  }
  if (made.required) {
    made.required = [...new Set(made.required)].filter((name) => !made.properties || Object.hasOwn(made.properties, name));
    if (!made.required.length) delete made.required;
  }
  return made;
}

/** Whether a keyword may have a value. Keywords that are not known may have any. */
function isValid(key, value) {
  if (key === 'type') {
    const kinds = Array.isArray(value) ? value : [value];
    return kinds.length > 0 && kinds.length === new Set(kinds).size && kinds.every((kind) => TYPES.has(kind));
  }
  if (key === 'required') return Array.isArray(value) && value.every((name) => typeof name === 'string');
  if (key === 'enum') return Array.isArray(value);
  if (TEXTS.has(key)) return typeof value === 'string';
  if (COUNTS.has(key)) return Number.isInteger(value) && value >= 0;
  return !NUMBERS.has(key) || typeof value === 'number';
}
