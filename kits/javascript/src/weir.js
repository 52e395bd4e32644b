// The component over one store: everything but where files and bytes come from.
import { Conversation } from './conversation.js';
import { closed, Refused, SettingsError, tooCostly, Trapped, WeirError } from './errors.js';
import { planned } from './export.js';
import { DISPOSE, options } from './options.js';
import { wasi } from './wasi.js';

export { Conversation };

/** Milliseconds that one request goes on over slices of the component's work that end without an answer. */
const REQUEST_MS = 10_000;
/** Characters from which on a text is handed over in pieces, so that the component's memory does not grow. */
const STREAM_CHARS = 8 << 20;
const CHUNK_CHARS = 1 << 20;
const SWEEP_ENTRIES = 4096;
const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const CHECK_BYTES = 16n << 20n;
/** Bytes of memory above which an instance is dropped after a call: memory of WebAssembly never shrinks. */
const MEMORY_KEPT = 128 << 20;

/** 64-bit numbers become plain ones: all that the component counts is far below 2^53. */
function plain(value) {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  if (value.tag !== undefined && 'val' in value) return plain(liftPart(value));
  const made = {};
  for (const [name, field] of Object.entries(value)) if (field !== undefined) made[name] = plain(field);
  return made;
}

const liftPart = ({ val }) => val;

function lowerPart(part) {
  if (typeof part === 'string') return { tag: 'text', val: part };
  if (part && typeof part.uri === 'string') return { tag: 'pointer', val: { ...part, name: part.name ?? '' } };
  if (part && typeof part.data === 'string') return { tag: 'binary', val: part };
  throw new TypeError('a part is a string, { mediaType, data } or { uri, name }');
}

/** The caller's mistake, found while a call is prepared: it is thrown as it is. */
class Misuse extends TypeError {
  get name() { return 'TypeError'; }
}

const MAX_U32 = 2 ** 32 - 1;

/** A whole number that the contract has room for, of at least 0 unless `least` says otherwise, or none: others would wrap without a word. */
function integer(given, least = 0, most = MAX_U32) {
  if (given === undefined || given === null) return undefined;
  const number = typeof given === 'bigint' ? Number(given) : given;
  if (!Number.isInteger(number)) throw new Misuse(`an integer is needed here, not ${typeof number === 'string' ? `'${number}'` : number}`);
  if (number < least) throw new Misuse(`an integer of at least ${least} is needed here, not ${number}`);
  if (number > most) throw new Misuse(`an integer of at most ${most} is needed here, not ${number}`);
  return number;
}

/** The same of 64 bits. */
function big(number, least) {
  const found = integer(number, least, Number.MAX_SAFE_INTEGER);
  return found === undefined ? undefined : BigInt(found);
}

/** What a result consists of, in order. */
function partsOf(content) {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content;
  const hint = content instanceof Uint8Array ? '; bytes are taken by transformChunks' : '';
  const what = content === null || content === undefined ? content : content.constructor?.name ?? typeof content;
  throw new TypeError(`a result is a string or an array of parts, not ${what}${hint}`);
}
const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

// Names of options. What a result came from; what an intake takes; what a whole text or list of parts takes, too.
const ORIGIN = ['toolset', 'arguments', 'reader', 'purpose'];
const INTAKE = [...ORIGIN, 'maxChars'];
const CHUNKS = [...INTAKE, 'isError'];
const TRANSFORM = [...CHUNKS, 'raw', 'waitsForInput', 'alreadyCut'];

function originOf(session, tool, { toolset, arguments: given, reader, purpose }) {
  return { session, tool, toolset, arguments: given === undefined ? undefined : text(given), reader, purpose };
}

function parsed(answer) {
  const read = JSON.parse(answer);
  if (read.error) throw new Refused(read.error);
  return read;
}

/** Compiled modules and the function that makes instances of them. */
export class Program {
  constructor(instantiate, modules) {
    this.instantiate = instantiate;
    this.modules = modules;
    this._prepared = new WeakMap();
  }

  /** What an instance is made of; a promise of it when `instantiateCore` gives promises. */
  start(fs, directory, instantiateCore) {
    const made = { printed: [], memory: undefined, exports: undefined };
    const noted = (instance) => {
      if (instance.exports.memory instanceof WebAssembly.Memory) made.memory ??= instance.exports.memory;
      return instance;
    };
    const exports = this.instantiate(
      (path) => this.modules.get(path),
      wasi(fs, directory, (line) => made.printed.push(line)),
      (module, imports) => {
        const instance = instantiateCore(module, imports);
        return instance instanceof Promise ? instance.then(noted) : noted(instance);
      },
    );
    const finish = (all) => Object.assign(made, { exports: all });
    return exports instanceof Promise ? exports.then(finish) : finish(exports);
  }

  /** Makes ready what the next instance takes: the main thread of a browser must not make large ones at once. */
  async prepare(fs, directory) {
    let ready = this._prepared.get(fs);
    if (!ready) this._prepared.set(fs, ready = new Map());
    if (!ready.has(directory)) {
      ready.set(directory, await this.start(fs, directory, (module, imports) => WebAssembly.instantiate(module, imports)));
    }
  }

  /** What was made ready, once. */
  take(fs, directory) {
    const ready = this._prepared.get(fs);
    const made = ready?.get(directory);
    ready?.delete(directory);
    return made;
  }
}

/** An instance: memory of its own, at most one directory. After a trap it is dead. */
class Instance {
  constructor(program, fs, directory) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      const made = program.take(fs, directory)
        ?? program.start(fs, directory, (module, imports) => new WebAssembly.Instance(module, imports));
      this.printed = made.printed;
      this.exports = made.exports;
      this.memory = made.memory;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  isLarge() { return (this.memory?.buffer.byteLength ?? 0) > MEMORY_KEPT; }
}

/** Runs a call: a refusal and a trap are told apart here and nowhere else. */
function guarded(holder, called, work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof WeirError || error instanceof Misuse) throw error;
    const failure = error?.payload;
    if (failure && typeof failure === 'object' && 'code' in failure) throw new Refused(plain(failure));
    const printed = holder.instance?.printed.join('').trim();
    holder.instance = undefined;
    // Values of a wrong type are found on their way into the instance.
    if (error instanceof TypeError && /^expected an? \w+, received| is not one of the cases of /.test(error.message)) throw new TypeError(`${called}: ${error.message}`);
    const details = printed || String(error?.message ?? error);
    // The component's own stack lies before all else in its memory.
    const isDeep = error instanceof RangeError || /memory access out of bounds|out of bounds memory access/i.test(error?.message);
    // Without memory it stops and says that alone, or nothing; a panic says what it was.
    const isFull = (!printed || printed.startsWith('memory allocation of ')) && /unreachable/.test(error?.message);
    throw new Trapped(called, isDeep ? 'stack' : isFull ? 'memory' : 'fault', details);
  }
}

/**
 * The component over one store. Calls are synchronous, and serve one after the other from one instance that is
 * made anew after a fault.
 */
export class Weir {
  /** Used by `open` of the entry. */
  constructor(program, fs, directory, given) {
    const { settings, log } = options('Weir.open', given, ['settings', 'log']);
    this.directory = directory;
    this._program = program;
    this._fs = fs;
    this._log = log ?? ((message) => console.warn(`weir: ${message}`));
    this._sweepers = new Set();
    this.instance = undefined;
    if (settings) {
      const { problems } = this.parseSettings(settings);
      if (problems.length) throw new SettingsError(problems.map((one) => `${one.key}: ${one.message}`).join('; '));
      this._settings = text(settings);
      this.instance = undefined;
    }
  }

  /** Throws when it is closed. */
  _live() { if (this._closed) throw closed(); }

  _make() {
    this._live();
    const instance = new Instance(this._program, this._fs, this.directory);
    if (this._settings) instance.exports.json.configure(this._settings);
    return instance;
  }

  _call(called, work) {
    return guarded(this, called, () => {
      this.instance ??= this._make();
      try {
        return plain(work(this.instance.exports));
      } finally {
        if (this.instance.isLarge()) this.instance = undefined;
      }
    });
  }

  /** Drops the instance and its memory. The next call makes another. */
  release() { this.instance = undefined; }

  /** Ends its sweepers and drops the instance. Later calls, of its catalogs and intakes too, are refused. */
  close() {
    this._closed = true;
    for (const sweeper of this._sweepers) sweeper.stop();
    this.release();
  }

  [DISPOSE]() { this.close(); }

  /** What `console.log` shows. */
  [INSPECT]() { return `Weir(${JSON.stringify(this.directory)})`; }

  /** The string interface `json` over an instance of its own: texts and numbers in, JSON text out. */
  strings() {
    const instance = this._make();
    return {
      call: (name, ...given) => {
        const camel = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
        return guarded({ instance }, `json.${name}`, () => instance.exports.json[camel](...given));
      },
    };
  }

  // What it is, and settings.

  info() { return this._call('info', ({ info }) => info.describeComponent()); }
  defaultSettings() { return this.parseSettings({}).settings; }

  parseSettings(given) {
    const read = this._call('settings.parse', ({ settings }) => settings.parse(text(given)));
    return { settings: JSON.parse(read.json), problems: read.problems };
  }

  settingsSchema() { return JSON.parse(this._call('settings.schema', ({ settings }) => settings.schema())); }
  estimateTokens(given) { return this._call('settings.estimate-tokens', ({ settings }) => settings.estimateTokens(given)); }

  // Results.

  transform(session, tool, content, given) {
    const { raw, isError = false, waitsForInput = false, maxChars, alreadyCut = false, ...origin } = options('transform', given, TRANSFORM);
    const streams = typeof content === 'string' && content.length > STREAM_CHARS;
    if (streams && raw === undefined && !waitsForInput && !alreadyCut) {
      if (this.threshold(session, tool, { toolset: origin.toolset, maxChars }) !== undefined) {
        const transformed = this.transformChunks(session, tool, [content], { ...origin, maxChars, isError });
        return transformed.replaced ? transformed : { ...transformed, parts: [] };
      }
    }
    const parts = partsOf(content).map(lowerPart);
    const finished = { origin: originOf(session, tool, origin), parts, raw, isError, waitsForInput, maxChars: integer(maxChars), alreadyCut };
    return this._call('transform', ({ resultTransform }) => resultTransform.transform(finished));
  }

  show(session, tool, given, rest) {
    options('show', rest, TRANSFORM);
    let transformed;
    try {
      transformed = this.transform(session, tool, given, rest);
    } catch (error) {
      if (!(error instanceof Trapped)) throw error;
      this._log(`a result of ${tool} is shown as it came: ${error.message}`);
      return given;
    }
    if (transformed.storeFailure) this._log(`a result of ${tool} was not stored: ${transformed.storeFailure}`);
    return transformed.replaced ? transformed.parts.filter((part) => typeof part === 'string').join('\n') : given;
  }

  transformMcp(session, tool, result, given) {
    const names = ['server', 'arguments', 'reader', 'purpose', 'maxChars', 'alreadyCut'];
    const call = JSON.stringify({ session, tool, ...options('transformMcp', given, names) });
    const handed = typeof result === 'string' ? result : JSON.stringify(result);
    return parsed(this._call('json.transform', ({ json }) => json.transform(call, handed)));
  }

  threshold(session, tool, given) {
    const { toolset, maxChars } = options('threshold', given, ['toolset', 'maxChars']);
    const origin = originOf(session, tool, { toolset });
    return this._call('threshold', ({ resultTransform }) => resultTransform.threshold(origin, integer(maxChars)));
  }

  intake(session, tool, given) {
    const { maxChars, ...origin } = options('intake', given, INTAKE);
    return new Intake(this, originOf(session, tool, origin), integer(maxChars));
  }

  transformChunks(session, tool, chunks, given) {
    const { isError = false, ...origin } = options('transformChunks', given, CHUNKS);
    if (chunks?.[Symbol.asyncIterator] && !chunks[Symbol.iterator]) return this._transformStream(session, tool, chunks, origin, isError);
    const intake = this.intake(session, tool, origin);
    try {
      for (const chunk of chunks) intake.write(chunk);
      return intake.finish({ isError });
    } finally {
      intake.close();
    }
  }

  async _transformStream(session, tool, chunks, origin, isError) {
    const intake = this.intake(session, tool, origin);
    try {
      for await (const chunk of chunks) intake.write(chunk);
      return intake.finish({ isError });
    } finally {
      intake.close();
    }
  }

  // What a model sees.

  resultTools() { return parsed(this._call('json.result-tools', ({ json }) => json.resultTools())).tools; }

  invoke(session, name, given, rest) {
    const { milliseconds = REQUEST_MS } = options('invoke', rest, ['milliseconds']);
    const end = performance.now() + milliseconds;
    for (let handed = text(given); ;) {
      let answer;
      try {
        answer = this._call('invoke', ({ modelTools }) => modelTools.invoke(session, name, handed));
      } catch (error) {
        return tooCostly(name, error);
      }
      if (answer.more === undefined || performance.now() >= end) return answer;
      handed = answer.more;
    }
  }

  // Reading back.

  stat(session, id) { return this._call('stat', ({ reading }) => reading.stat(session, id)); }

  // `more`: that of the answer before, with the same other arguments. What is answered is of all the work up to now.

  read(session, id, given) {
    const { start = 1, count, unit = 'lines', view = 'text', more } = options('read', given, ['start', 'count', 'unit', 'view', 'more']);
    return this._call('read', ({ reading }) => reading.read(session, id, view, unit, big(start, -Number.MAX_SAFE_INTEGER), big(count), more));
  }

  readEnd(session, id, given) {
    const { lines, view = 'text', more } = options('readEnd', given, ['lines', 'view', 'more']);
    return this._call('read-end', ({ reading }) => reading.readEnd(session, id, view, big(lines), more));
  }

  readAll(session, id, given) {
    const { view = 'text', more } = options('readAll', given, ['view', 'more']);
    return this._call('read-all', ({ reading }) => reading.readAll(session, id, view, more));
  }

  *pages(session, id, given) {
    const { view = 'text' } = options('pages', given, ['view']);
    let more;
    do {
      const page = this.read(session, id, { start: 0, unit: 'bytes', view, more });
      yield page;
      more = page.more;
    } while (more !== undefined);
  }

  grep(session, id, pattern, given) {
    const names = ['view', 'regex', 'caseMode', 'word', 'invert', 'countOnly', 'before', 'after', 'maxMatches', 'start', 'more'];
    const { view = 'text', regex = false, caseMode = 'smart', word = false, invert = false, countOnly = false, ...rest } = options('grep', given, names);
    const { before = 0, after = 0, maxMatches, start = 0, more } = rest;
    const request = { pattern, regex, caseMode, word, invert, countOnly, start: big(start) };
    for (const [name, number] of Object.entries({ before, after, maxMatches })) request[name] = integer(number);
    return this._sliced('grep', more, (reading, at) => reading.grep(session, id, view, request, at));
  }

  query(session, id, program, given) {
    const names = ['view', 'path', 'by', 'reduce', 'whole', 'asTable', 'maxResults', 'more'];
    const { view = 'text', path, by, reduce, whole = false, asTable = false, maxResults, more } = options('query', given, names);
    const request = { program, path, by, reduce, whole, asTable, maxResults: big(maxResults) };
    return this._sliced('query', more, (reading, at) => reading.query(session, id, view, request, at));
  }

  outline(session, id, given) {
    const { view = 'text', path, more } = options('outline', given, ['view', 'path', 'more']);
    return this._sliced('outline', more, (reading, at) => reading.outline(session, id, view, path, at));
  }

  search(session, words, given) {
    const { id, maxPassages, more } = options('search', given, ['id', 'maxPassages', 'more']);
    return this._sliced('search', more, (reading, at) => reading.search(session, id, words, big(maxPassages), at));
  }

  diff(session, id, given) {
    const { older, key, byLines = false, more } = options('diff', given, ['older', 'key', 'byLines', 'more']);
    return this._call('diff', ({ reading }) => reading.diff(session, id, { older, key, byLines }, more));
  }

  listBlobs(session, given) {
    const { maxEntries = 200, more } = options('listBlobs', given, ['maxEntries', 'more']);
    return this._call('list-blobs', ({ reading }) => reading.listBlobs(session, integer(maxEntries), more));
  }

  /** Goes on until there is something to show, or the time of a request is over. */
  _sliced(name, more, one) {
    const end = performance.now() + REQUEST_MS;
    for (let at = more; ;) {
      const page = this._call(name, ({ reading }) => one(reading, at));
      if (!page.pending || page.more === undefined || performance.now() >= end) return page;
      at = page.more;
    }
  }

  // Looking after the store.

  status() { return this._call('status', ({ maintenance }) => maintenance.status()); }
  pin(session, id, pinned = true) { this._call('pin', ({ maintenance }) => maintenance.pin(session, id, pinned)); }
  forget(session, id) { return this._call('forget', ({ maintenance }) => maintenance.forget(session, id)); }

  sweep(progress) { return this._steps('sweep', [SWEEP_ENTRIES], progress); }

  check(given) {
    const { repair = false, progress } = options('check', given, ['repair', 'progress']);
    return this._steps('check', [repair, CHECK_BYTES], progress);
  }

  _steps(name, given, progress) {
    return this._call(name, ({ maintenance }) => {
      for (let more; ;) {
        const state = plain(maintenance[name](...given, more));
        progress?.(state);
        if (state.more === undefined) return state;
        more = state.more;
      }
    });
  }

  sweeper(milliseconds = 3_600_000) { return new Sweeper(this, milliseconds); }

  // Tool search.

  catalog(servers, given) {
    const { names } = options('catalog', given, ['names']);
    return new Catalog(this, snapshot(servers, names));
  }
}

/** One large text on its way in, in an instance of its own. Closing it before `finish` leaves nothing behind. */
export class Intake {
  constructor(weir, origin, maxChars) {
    this._weir = weir;
    this.instance = weir._make();
    this._intake = guarded(this, 'intake', () => new this.instance.exports.resultTransform.Intake(origin, maxChars));
    this._half = '';
  }

  write(given) {
    let chunk = given;
    if (typeof chunk === 'string') {
      // A stream may end a piece between the halves of a surrogate pair: the first waits for the second.
      chunk = this._half + chunk;
      this._half = '';
      if ((chunk.charCodeAt(chunk.length - 1) & 0xfc00) === 0xd800) {
        this._half = chunk.slice(-1);
        chunk = chunk.slice(0, -1);
      }
      for (let at = 0; at < chunk.length;) {
        let end = Math.min(at + CHUNK_CHARS, chunk.length);
        // Not between the halves of a surrogate pair.
        if (end < chunk.length && (chunk.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
        this._write('write', chunk.slice(at, end));
        at = end;
      }
      return;
    }
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a chunk is a string or a Uint8Array');
    this._flush();
    for (let at = 0; at < chunk.length; at += CHUNK_CHARS) this._write('writeBytes', chunk.subarray(at, at + CHUNK_CHARS));
  }

  _flush() {
    const half = this._half;
    this._half = '';
    if (half) this._write('write', half);
  }

  _write(name, piece) {
    this._weir._live();
    if (!this._intake) throw new TypeError('this intake is finished or closed');
    guarded(this, 'intake.write', () => this._intake[name](piece));
  }

  finish(given) {
    const { isError = false } = options('finish', given, ['isError']);
    this._weir._live();
    if (!this._intake) throw new TypeError('this intake is finished or closed');
    this._flush();
    // It is consumed: there is nothing left to dispose of.
    const intake = this._intake;
    this._intake = undefined;
    return guarded(this, 'intake.finish', () => plain(this.instance.exports.resultTransform.Intake.finish(intake, isError)));
  }

  close() {
    const intake = this._intake;
    this._intake = undefined;
    if (this.instance) intake?.[DISPOSE]?.();
    this.instance = undefined;
  }

  [DISPOSE]() { this.close(); }
}

/** Sweeps at once and then once in so many milliseconds, until `stop`. It does not keep the process alive. */
export class Sweeper {
  constructor(weir, milliseconds) {
    this.sweeps = 0;
    this.last = undefined;
    const sweep = () => {
      try {
        this.last = weir.sweep();
      } catch (error) {
        weir._log(`a sweep failed: ${error.message}`);
      }
      this.sweeps += 1;
    };
    sweep();
    this._timer = setInterval(sweep, milliseconds);
    this._timer.unref?.();
    this._weir = weir;
    weir._sweepers.add(this);
  }

  stop() {
    clearInterval(this._timer);
    this._weir._sweepers.delete(this);
  }

  [DISPOSE]() { this.stop(); }
}

/** The tools of one conversation, immutable, in an instance of its own. */
export class Catalog {
  constructor(weir, source) {
    this._weir = weir;
    this._source = source;
    this.instance = undefined;
    this._open();
  }

  _open() {
    this._weir._live();
    guarded(this, 'catalog', () => {
      const instance = new Instance(this._weir._program, this._weir._fs, null);
      const { json } = instance.exports;
      const opened = parsed(json.openCatalog(this._source));
      this.instance = instance;
      this._number = opened.catalog;
      this.digest = opened.digest;
      this.diagnostics = opened.diagnostics;
    });
  }

  _call(name, ...given) {
    this._weir._live();
    if (!this.instance) this._open();
    return guarded(this, `catalog.${name}`, () => parsed(this.instance.exports.json[name](this._number, ...given)));
  }

  assemble(settings = {}) { return this._call('assemble', JSON.stringify(snakeKeys(settings))); }

  export(form, settings) {
    const plan = planned(form, settings);
    const shown = this.assemble(plan.on);
    return plan.made(shown, plan.searches && shown.active ? this.assemble(plan.off) : undefined);
  }

  invoke(name, given, conversation = new Conversation()) {
    const answer = this._call('invokeBridge', name, text(given), JSON.stringify(conversation.state));
    conversation.state = { ...conversation.state, ...answer.conversation };
    if (!answer.result) return { calls: answer.calls, isError: false };
    return { text: answer.result.content[0].text, isError: answer.result.isError, calls: [] };
  }

  search(query, conversation) { return this.invoke('tool_search', { query }, conversation); }

  /** Frees its memory. The next call opens it again. */
  close() { this.instance = undefined; }

  [DISPOSE]() { this.close(); }

  [INSPECT]() { return `Catalog(${this.digest})`; }
}

function snakeKeys(settings) {
  const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [snake(name), value]));
}

function snapshot(servers, names) {
  if (servers === null || typeof servers !== 'object') {
    throw new TypeError(`a catalog is made of { server: [tool, …] }, or of a list of servers or tools, not of ${servers}`);
  }
  let whole;
  if (Array.isArray(servers)) whole = servers[0]?.tools ? { servers } : { tools: servers };
  else if (Array.isArray(servers.servers) || Array.isArray(servers.tools)) whole = servers;
  else whole = { servers: Object.entries(servers).map(([name, tools]) => ({ name, tools })) };
  return JSON.stringify(names ? { ...whole, names } : whole);
}
