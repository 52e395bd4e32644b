// Weir in a worker that can be ended: V8 has no fuel, so a call that takes too long is stopped with its thread.
// The same calls, each a promise. The next call starts another worker.
import { closed, Refused, SettingsError, StoreError, tooCostly, Trapped, WeirError } from './errors.js';
import { planned } from './export.js';
import { ASYNC_DISPOSE, options } from './options.js';

export { Refused, SettingsError, StoreError, Trapped, WeirError } from './errors.js';

/** Milliseconds that a call may take, by class, as in the contract's table. */
export const LIMITS = {
  small: 5_000, transform: 30_000, fetch: 10_000, grep: 20_000, index: 60_000, search: 10_000, sweep: 600_000,
};
/** Memory of the worker's heap in MiB; that of WebAssembly has a bound in the component. */
const HEAP_MIB = 1024;

const CLASSES = {
  info: 'small', defaultSettings: 'small', parseSettings: 'small', settingsSchema: 'small', threshold: 'small',
  resultTools: 'small', estimateTokens: 'transform', transform: 'transform', show: 'transform', transformMcp: 'transform',
  transformChunks: 'transform', invoke: 'grep', stat: 'fetch', read: 'fetch', readEnd: 'fetch', readAll: 'fetch',
  pin: 'fetch', forget: 'fetch', listBlobs: 'fetch', grep: 'grep', query: 'grep', outline: 'grep', search: 'grep',
  diff: 'grep', status: 'sweep', sweep: 'sweep', check: 'sweep', openCatalog: 'index', assemble: 'search',
  invokeBridge: 'search', closeCatalog: 'small',
};

const ERRORS = {
  Refused: (error) => new Refused(error.failure),
  Trapped: (error) => new Trapped(error.called, error.reason, error.details),
  SettingsError: (error) => new SettingsError(error.message),
  StoreError: (error) => new StoreError(error.message),
  WeirError: (error) => new WeirError(error.message, error.failure.code),
  TypeError: (error) => new TypeError(error.message),
};

async function start(data) {
  if (globalThis.process?.versions?.node) {
    const { Worker: Thread } = await import(/* webpackIgnore: true */ 'node:worker_threads');
    const url = new URL(/* webpackIgnore: true */ './worker-thread.js', import.meta.url);
    const worker = new Thread(url, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } });
    worker.unref();
    return {
      post: (message) => worker.postMessage(message),
      listen: (onMessage, onEnd) => {
        worker.on('message', onMessage);
        worker.on('error', (error) => onEnd(String(error.message)));
        worker.on('exit', () => onEnd('the worker ended'));
      },
      busy: (is) => (is ? worker.ref() : worker.unref()),
      end: () => worker.terminate(),
    };
  }
  // In the form in which bundlers take the file along.
  const worker = new Worker(new URL('./worker-thread.js', import.meta.url), { type: 'module' });
  worker.postMessage({ start: data });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onEnd) => {
      worker.onmessage = ({ data: message }) => onMessage(message);
      worker.onerror = (event) => onEnd(event.message);
    },
    busy: () => {},
    end: () => worker.terminate(),
  };
}

export class Weir {
  static async open(directory, given) {
    const weir = new Weir();
    const { limits, log = (message) => console.warn(`weir: ${message}`), ...rest } = options('Weir.open', given, ['settings', 'limits', 'log']);
    weir._limits = { ...LIMITS, ...options('limits', limits, Object.keys(LIMITS)) };
    weir._log = log;
    weir._data = { directory, options: rest };
    weir._waiting = new Map();
    weir._last = 0;
    weir._queue = Promise.resolve();
    await weir.info();
    return weir;
  }

  async _started() {
    if (this._worker) return this._worker;
    const starting = (async () => {
      const worker = await start(this._data);
      worker.listen(
        ({ id, ok, error }) => {
          const waiting = this._waiting.get(id);
          this._waiting.delete(id);
          if (error) waiting?.reject(ERRORS[error.name]?.(error) ?? new Trapped(waiting.name, 'fault', error.message));
          else waiting?.resolve(ok);
        },
        // A worker that was ended says so when the next one may be there.
        (message) => { if (this._worker === starting) this._ended('fault', message); },
      );
      return worker;
    })();
    this._worker = starting;
    return starting;
  }

  _ended(reason, message) {
    this._worker = undefined;
    for (const { reject, name } of this._waiting.values()) reject(new Trapped(name, reason, message));
    this._waiting.clear();
  }

  /** One call after the other, each with its whole time. */
  _call(name, given) {
    const done = this._queue.then(() => this._now(name, given));
    this._queue = done.then(() => {}, () => {});
    return done;
  }

  async _now(name, given) {
    if (this._closed) throw closed();
    const worker = await this._started();
    const milliseconds = this._limits[CLASSES[name]];
    const id = ++this._last;
    worker.busy(true);
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        this._waiting.set(id, { resolve, reject, name });
        timer = setTimeout(() => {
          worker.end();
          this._ended('deadline', `it took more than ${milliseconds.toLocaleString('en')} ms`);
        }, milliseconds);
        worker.post({ id, name, given });
      });
    } finally {
      clearTimeout(timer);
      worker.busy(false);
    }
  }

  /** As in the entry without a worker: never rejects with Trapped, the text is then shown as it came. */
  async show(session, tool, text, given) {
    try {
      return await this._call('show', [session, tool, text, given]);
    } catch (error) {
      if (!(error instanceof Trapped)) throw error;
      this._log(`a result of ${tool} is shown as it came: ${error.message}`);
      return text;
    }
  }

  /** As in the entry without a worker: a call that met a limit is told the model. */
  async invoke(session, name, given, rest) {
    try {
      return await this._call('invoke', [session, name, given, rest]);
    } catch (error) {
      return tooCostly(name, error);
    }
  }

  /** Streams stay in their thread: what they give is handed over when they have ended. */
  async transformChunks(session, tool, chunks, given) {
    const all = [];
    for await (const chunk of chunks) all.push(chunk);
    return this._call('transformChunks', [session, tool, all, given]);
  }

  /** Every byte of a stored result, page after page. */
  async *pages(session, id, given) {
    const { view = 'text' } = options('pages', given, ['view']);
    let more;
    do {
      const page = await this.read(session, id, { start: 0, unit: 'bytes', view, more });
      yield page;
      more = page.more;
    } while (more !== undefined);
  }

  /** A catalog in the worker. When the worker was ended, the next call opens it again. */
  async catalog(servers, given) {
    const catalog = new Catalog(this, [servers, given]);
    await catalog._open();
    return catalog;
  }

  /** Ends the worker, and calls under way with it. Later calls are refused. */
  async close() {
    this._closed = true;
    const worker = await this._worker;
    worker?.end();
    this._ended('fault', 'it was closed');
  }

  [ASYNC_DISPOSE]() { return this.close(); }
}

for (const name of Object.keys(CLASSES).filter((name) => !/Catalog$|^assemble$|^invoke$|^invokeBridge$|^show$|^transformChunks$/.test(name))) {
  Weir.prototype[name] = function call(...given) { return this._call(name, given); };
}

export { Conversation } from './conversation.js';

class Catalog {
  constructor(weir, source) {
    this._weir = weir;
    this._source = source;
  }

  async _open() {
    const opened = await this._weir._call('openCatalog', this._source);
    this._worker = this._weir._worker;
    Object.assign(this, { _number: opened.number, digest: opened.digest, diagnostics: opened.diagnostics });
  }

  async _call(name, ...given) {
    if (this._number === undefined || this._worker !== this._weir._worker) await this._open();
    return this._weir._call(name, [this._number, ...given]);
  }

  assemble(settings) { return this._call('assemble', settings); }

  async export(form, settings) {
    const plan = planned(form, settings);
    const shown = await this.assemble(plan.on);
    return plan.made(shown, plan.searches && shown.active ? await this.assemble(plan.off) : undefined);
  }

  async invoke(name, given, conversation) {
    const { answer, state } = await this._call('invokeBridge', name, given, conversation?.state);
    if (conversation) conversation.state = state;
    return answer;
  }

  search(query, conversation) { return this.invoke('tool_search', { query }, conversation); }

  async close() {
    if (this._number !== undefined && this._worker === this._weir._worker) await this._weir._call('closeCatalog', [this._number]);
    this._number = undefined;
  }

  [ASYNC_DISPOSE]() { return this.close(); }
}
