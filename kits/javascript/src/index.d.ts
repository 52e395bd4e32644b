/// <reference lib="esnext.disposable" />
import type {
  BlobList, BlobStat, CaseMode, CheckProgress, ComponentInfo, Diagnostic, DiffPage, Forgotten, GrepPage, Handle,
  OutlinePage, Page, Part, PassagePage, Problem, QueryPage, Repair, StoreStatus, SweepProgress, Tombstone, ToolAnswer,
  Transformed, Unit, View, VisibleTool,
} from './types.js';

export * from './types.js';

/** The base of all errors here. Its own codes are `component` and `closed`. */
export class WeirError extends Error {
  /** A word to match on. */
  code: string;
}
/** The component did not do what was asked. The codes are listed in the contract at `types.failure`. */
export class Refused extends WeirError {
  /** What happened and what to do about it. */
  reason: string;
  /** The argument that is wrong. */
  argument?: string;
  /** Ids or names that belong to the code. */
  names: string[];
  /** The number that belongs to the code. */
  total?: number;
  /** What is remembered of a stored result that is gone. */
  gone?: Tombstone;
}
/** The component stopped, by a fault or because it was ended. The result is still yours to show. */
export class Trapped extends WeirError {
  /** The function that was called. */
  called: string;
  /** `deadline` for a worker that was ended, `fault` for all else. */
  reason: 'deadline' | 'stack' | 'memory' | 'fault';
  /** What the component and the runtime printed. */
  details?: string;
}
/** Settings that cannot be used as they are. */
export class SettingsError extends WeirError {}
/** The store's directory cannot be used. */
export class StoreError extends WeirError {}

/** JSON text, or what becomes JSON text. */
export type Arguments = string | object;

export interface Options {
  /** Tables `transform`, `fetch` and `store`, as in the command's `config.toml`. */
  settings?: Record<string, unknown>;
  /** Called with what should be in a log. Default: `console.warn`. */
  log?: (message: string) => void;
}

/** What is known of the call that a result came from. */
export interface CallOptions {
  /** The server or toolset that the tool belongs to. */
  toolset?: string;
  /** The arguments of the call. */
  arguments?: Arguments;
  /** How the model reads on, when that is not the tool `weir_fetch`, such as `tool:NAME`. */
  reader?: string;
  /** What the call was for, in the words of a model or a person: lines that fit it are shown first. */
  purpose?: string;
  /** Whether it reports an error. */
  isError?: boolean;
  /** The limit that the tool's server states for its own results. */
  maxChars?: number;
}

export interface TransformOptions extends CallOptions {
  /** The result as it came over the wire, when that holds more than the parts do. */
  raw?: string;
  /** Whether it waits for the user's input. */
  waitsForInput?: boolean;
  /** Whether the text was cut before it came here. */
  alreadyCut?: boolean;
}

/** A result of MCP's `tools/call`. */
export interface McpResult {
  content: Array<{ type: string; [member: string]: unknown }>;
  isError?: boolean;
  structuredContent?: unknown;
  [member: string]: unknown;
}

/** What became of an MCP result. `result` is always there: show it. */
export interface McpTransformed extends Omit<Transformed, 'parts'> {
  result: McpResult;
}

/** A tool as MCP's `tools/list` has it. */
export interface McpTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: object;
  annotations?: Record<string, unknown>;
  [member: string]: unknown;
}

export interface GrepOptions {
  regex?: boolean;
  caseMode?: CaseMode;
  word?: boolean;
  invert?: boolean;
  countOnly?: boolean;
  before?: number;
  after?: number;
  maxMatches?: number;
  /** The byte at which to start. */
  start?: number;
  view?: View;
  /** `more` of the answer before. */
  more?: string;
}

/** Tables `transform`, `fetch` and `store`, as `settingsSchema` describes them. */
export type Settings = Record<'transform' | 'fetch' | 'store', Record<string, unknown>>;

export interface QueryOptions {
  path?: string;
  by?: string;
  reduce?: string;
  whole?: boolean;
  asTable?: boolean;
  maxResults?: number;
  view?: View;
  /** `more` of the answer before. */
  more?: string;
}

/**
 * The component over one store. Calls are synchronous. They serve from one instance, made anew after a fault.
 * Functions over the store throw `Refused`; all throw `Trapped`.
 */
export class Weir {
  /** Opens the store in a directory, made with mode 0700 if needed; `null` for tool search alone. */
  static open(directory: string | null, options?: Options): Weir;
  /** As `open`. */
  constructor(directory: string | null, options?: Options);
  /** The directory; null when it was opened without. */
  readonly directory: string | null;

  /** What the component is and can do. */
  info(): ComponentInfo;
  /** The settings that hold where nothing is configured. */
  defaultSettings(): Settings;
  /** Reads settings. Never fails: a bad value is named, and its default used. */
  parseSettings(settings: Arguments): { settings: Settings; problems: Problem[] };
  /** The JSON Schema of the settings. */
  settingsSchema(): Record<string, unknown>;
  /** The estimate of a text's tokens that all limits in tokens go by. */
  estimateTokens(text: string): number;

  /** Replaces a result if it is too large. Show `parts` when `replaced` is set, else the result as it came. */
  transform(session: string, tool: string, content: string | Part[], options?: TransformOptions): Transformed;
  /** What to show a model of a text: the text itself, or an excerpt with a handle. Never throws `Trapped`. */
  show(session: string, tool: string, text: string, options?: TransformOptions): string;
  /** The same for a result of MCP's `tools/call`. Any other JSON, or text, is taken as one text. */
  transformMcp(
    session: string, tool: string, result: object | string,
    options?: { server?: string; arguments?: unknown; reader?: string; purpose?: string; maxChars?: number; alreadyCut?: boolean },
  ): McpTransformed;
  /** How many characters a result of this tool may have; undefined when it is never replaced. */
  threshold(session: string, tool: string, options?: { toolset?: string; maxChars?: number }): number | undefined;
  /** Takes one large text as it arrives, in constant memory. */
  intake(session: string, tool: string, options?: Omit<CallOptions, 'isError'>): Intake;
  /** The same over all chunks of a stream. A result that is not replaced comes back in `parts`. */
  transformChunks(session: string, tool: string, chunks: Iterable<string | Uint8Array>, options?: CallOptions): Transformed;
  /** The same over a stream that is awaited, such as one of Node's or the body of an answer. */
  transformChunks(session: string, tool: string, chunks: AsyncIterable<string | Uint8Array>, options?: CallOptions): Promise<Transformed>;

  /** The tools over stored results, to show a model beside its own. */
  resultTools(): McpTool[];
  /** Runs one of these tools on what a model sent. Whatever it sent, the answer is for it. */
  invoke(session: string, name: string, args: Arguments, options?: { milliseconds?: number }): ToolAnswer;

  /** What is known of a stored result. */
  stat(session: string, id: string): BlobStat;
  /** Reads from a position on; negative counts from the end. */
  read(session: string, id: string, options?: { start?: number; count?: number; unit?: Unit; view?: View; more?: string }): Page;
  /** The last lines. */
  readEnd(session: string, id: string, options?: { lines?: number; view?: View; more?: string }): Page;
  /** All of it, up to the setting `full_max_chars`. */
  readAll(session: string, id: string, options?: { view?: View; more?: string }): Page;
  /** Every byte of it, page after page. */
  pages(session: string, id: string, options?: { view?: View }): Generator<Page>;
  /** Searches line by line. No match is only an answer when `complete` is set. */
  grep(session: string, id: string, pattern: string, options?: GrepOptions): GrepPage;
  /** Asks a question about rows in the jq language. */
  query(session: string, id: string, program: string, options?: QueryOptions): QueryPage;
  /** The shape of a stored result before its content. */
  outline(session: string, id: string, options?: { path?: string; view?: View; more?: string }): OutlinePage;
  /** Finds passages by words, best first, in one result or in all of the session's. */
  search(session: string, words: string, options?: { id?: string; maxPassages?: number; more?: string }): PassagePage;
  /** Compares a result with an older one; without `older`, with the last one of the same call. */
  diff(session: string, id: string, options?: { older?: string; key?: string; byLines?: boolean; more?: string }): DiffPage;
  /** What a session has stored, the last used first. */
  listBlobs(session: string, options?: { maxEntries?: number; more?: string }): BlobList;

  /** The state of the store. */
  status(): StoreStatus;
  /** Keeps a stored result from expiry and eviction, or no longer. */
  pin(session: string, id: string, pinned?: boolean): void;
  /** Deletes a session's stored result. */
  forget(session: string, id: string): Forgotten;
  /** Removes what is expired, over the cap, or left over. Safe beside all other calls. */
  sweep(progress?: (progress: SweepProgress) => void): SweepProgress;
  /** Reads everything and compares it with its digest; `repair` removes damaged results. */
  check(options?: { repair?: boolean; progress?: (progress: CheckProgress) => void }): CheckProgress;
  /** Sweeps at once and then once in so many milliseconds (an hour), until `stop`. */
  sweeper(milliseconds?: number): Sweeper;

  /**
   * Makes a catalog of tools to search, in an instance of its own: `{ github: [TOOL, …] }`, or a list of
   * `{ name, tools, description?, trusted?, state?, reason? }`, or a list of tools.
   */
  catalog(
    servers: Record<string, McpTool[]> | object[], options?: { names?: { search: string; describe: string; call: string } },
  ): Catalog;

  /** The string interface `json` over an instance of its own. */
  strings(): { call(name: string, ...args: Array<string | number | boolean>): string };
  /** Drops the instance and its memory. The next call makes another. */
  release(): void;
  /** Ends its sweepers and drops the instance. Later calls, of its catalogs and intakes too, are refused. `using` does it. */
  close(): void;
  [Symbol.dispose](): void;
}

/** One large text on its way in. Closing it before `finish` leaves nothing behind. */
export class Intake {
  /** Takes the next piece; bytes may end anywhere. */
  write(chunk: string | Uint8Array): void;
  /** Ends, stores and excerpts. A result that is not replaced comes back whole in `parts`. */
  finish(options?: { isError?: boolean }): Transformed;
  close(): void;
  [Symbol.dispose](): void;
}

export class Sweeper {
  /** How many sweeps were done. */
  sweeps: number;
  /** What the last one did. */
  last?: SweepProgress;
  stop(): void;
  [Symbol.dispose](): void;
}

/** What is known of one conversation: keep one for each, and give it to every `invoke`. */
export class Conversation {
  constructor(options?: { visible?: string[]; strict?: boolean; revealFirst?: boolean });
  state: Record<string, unknown>;
  /** Call it when the model's context was compacted. */
  compacted(): void;
}

/** What a model is shown. */
export interface Assembly {
  /** Whether tools are deferred. If not, show your own list as it is. */
  active: boolean;
  reason: string;
  /** The whole list to show, bridge tools last. */
  tools: McpTool[];
  /** The listing, when it stands in a text of its own. */
  block: string;
  visible: VisibleTool[];
  deferred: number;
  listing: string;
  deferredTokens: number;
  totalTokens: number;
  bridgeTokens: number;
  thresholdTokens: number;
  warnings: string[];
}

/** A call for you to dispatch, under your own policy, hooks and approvals. */
export interface ResolvedCall {
  id: string;
  tool: string;
  /** What its owner calls it: dispatch this. */
  name: string;
  server: string;
  /** The arguments, checked and repaired. */
  arguments: unknown;
  risk: string;
  origin: string;
  cold: boolean;
  schema: string;
  routed: string;
  annotations: Record<string, boolean>;
  repairs: Repair[];
  unchecked?: string;
  waitFor: number[];
  duplicateOf?: number;
}

/** What to do about a model's call to a bridge tool: show `text`, or dispatch `calls`. */
export interface BridgeAnswer {
  text?: string;
  isError: boolean;
  calls: ResolvedCall[];
}

/**
 * What a catalog is exported as. `-bm25`, `-regex` and `-search`: the provider searches. The others: the bridge tools;
 * `openai` for Responses, `openai-chat` for Chat Completions and what is like it.
 */
export type ExportForm =
  'anthropic' | 'anthropic-bm25' | 'anthropic-regex' | 'gemini' | 'mcp' | 'openai' | 'openai-chat' | 'openai-search';

/** The tools of a request to a model API, and the way back from the model's call. */
export interface Export {
  /** The request's `tools`: `ToolUnion[]` of Anthropic's SDK, `Tool[]` of OpenAI's and Google's. */
  tools: any[];
  /** The listing, when it stands in a text of its own (`placement: 'block'`). */
  block: string;
  /** What the catalog calls each tool, by the name that the model sees. */
  names: Record<string, string>;
  /** What a tool calls its arguments, by the names that the model sees, where these differ. */
  arguments: Record<string, Record<string, string>>;
  /**
   * A model's call as the catalog knows it: `catalog.invoke(...exported.call(name, args), conversation)`. `args`: an
   * object or JSON text. Whatever was not exported stays as it is: `invoke` answers it.
   */
  call(name: string, args: Arguments): [string, Arguments];
}

/** The tools of one conversation, immutable, in an instance of its own. */
export class Catalog {
  /** 64 hex digits: the same for the same tools, servers and bridge names. */
  digest: string;
  /** What was found about the tools. */
  diagnostics: Diagnostic[];
  /** Decides what a model sees. Settings as `assemble.settings` of `wit/json.schema.json`, in camel case. */
  assemble(settings?: Record<string, unknown>): Assembly;
  /**
   * The tools as a model API takes them, in the `tools` of a request to it. Settings as for `assemble`, whose `mode` is
   * `on` here. Throws `Refused` with `invalid` for another form, and with `too-many-tools` for more than the API takes.
   */
  export(form: ExportForm, settings?: Record<string, unknown>): Export;
  /** Answers a model's call to a bridge tool. */
  invoke(name: string, args: Arguments, conversation?: Conversation): BridgeAnswer;
  /** What the model's search tool answers, under its default name. */
  search(query: string, conversation?: Conversation): BridgeAnswer;
  /** Frees its memory. The next call opens it again. */
  close(): void;
  [Symbol.dispose](): void;
}

export type { Handle };
