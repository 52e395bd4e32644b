// The entry for browsers: the same calls, each a promise. The store is a file system in memory that is kept in
// the origin's private file system (OPFS): a call's answer comes when what it changed is written there.
import { MODULES } from '../component/modules.js';
import { instantiate } from '../component/weir.js';
import { closed, missing, StoreError } from './errors.js';
import { MemoryFs } from './memory-fs.js';
import { ASYNC_DISPOSE, options } from './options.js';
import { Program, Weir as Core } from './weir.js';

export { Refused, SettingsError, StoreError, Trapped, WeirError } from './errors.js';
export { Conversation } from './weir.js';
export { MemoryFs };

const METHODS = [
  'info', 'defaultSettings', 'parseSettings', 'settingsSchema', 'estimateTokens', 'transform', 'show', 'transformMcp',
  'threshold', 'transformChunks', 'resultTools', 'invoke', 'stat', 'read', 'readEnd', 'readAll', 'grep', 'query',
  'outline', 'search', 'diff', 'listBlobs', 'status', 'pin', 'forget', 'sweep', 'check', 'catalog',
];
/** Calls that may take an instance of their own, beside the one that serves the others. */
const STREAMS = new Set(['transform', 'show', 'transformMcp', 'transformChunks']);
/** Where OPFS keeps the times of files, which it does not have itself: `PATH\tMILLISECONDS` a line. */
const TIMES = '.times';

let program;

async function compiled(source) {
  program ??= (async () => {
    const modules = new Map();
    for (const [name, url] of Object.entries(MODULES)) {
      const given = await source(name);
      if (!given) throw missing(url);
      modules.set(name, await compile(given));
    }
    return new Program(instantiate, modules);
  })();
  try {
    return await program;
  } catch (error) {
    program = undefined;
    throw error;
  }
}

async function fetched(name) {
  const answer = await fetch(MODULES[name]);
  return answer.ok ? answer : undefined;
}

/** Browsers keep the code that they compiled from an answer; only one of this type is taken so. */
async function compile(given) {
  if (!(given instanceof Response)) return WebAssembly.compile(given);
  const streams = given.headers.get('content-type')?.split(';')[0].trim().toLowerCase() === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
}

/** A directory of OPFS (or any FileSystemDirectoryHandle) that a file system in memory is kept in. */
class Kept {
  constructor(handle, fs) {
    this.handle = handle;
    this.fs = fs;
    this.times = new Map();
  }

  async load() {
    for await (const [path, entry] of files(this.handle, '')) {
      if (path === TIMES) {
        for (const line of (await (await entry.getFile()).text()).split('\n')) {
          const [name, time] = line.split('\t');
          if (time) this.times.set(name, Number(time));
        }
      }
    }
    for await (const [path, entry] of files(this.handle, '')) {
      if (path === TIMES) continue;
      const bytes = entry.kind === 'file' ? new Uint8Array(await (await entry.getFile()).arrayBuffer()) : undefined;
      this.fs.restore(path, bytes, this.times.get(path));
    }
  }

  async save() {
    const changed = this.fs.take();
    if (changed.length === 0) return;
    // What is removed goes last: an answer that is cut off leaves too much, never too little.
    const order = (bytes) => (bytes === undefined ? 0 : bytes === null ? 2 : 1);
    changed.sort((a, b) => order(a[1]) - order(b[1]) || a[0].length - b[0].length);
    const gone = changed.filter(([, bytes]) => bytes === null).reverse();
    for (const [path, bytes, modified] of changed) {
      if (bytes === null) continue;
      const steps = path.split('/');
      const name = bytes === undefined ? undefined : steps.pop();
      let directory = this.handle;
      for (const step of steps) directory = await directory.getDirectoryHandle(step, { create: true });
      if (name === undefined) continue;
      const stream = await (await directory.getFileHandle(name, { create: true })).createWritable();
      await stream.write(bytes);
      await stream.close();
      this.times.set(path, modified);
    }
    for (const [path] of gone) {
      const steps = path.split('/');
      const name = steps.pop();
      this.times.delete(path);
      try {
        let directory = this.handle;
        for (const step of steps) directory = await directory.getDirectoryHandle(step);
        await directory.removeEntry(name);
      } catch (error) {
        if (error.name !== 'NotFoundError') throw error;
      }
    }
    const stream = await (await this.handle.getFileHandle(TIMES, { create: true })).createWritable();
    await stream.write([...this.times].map(([path, time]) => `${path}\t${time}\n`).join(''));
    await stream.close();
  }
}

async function* files(directory, prefix) {
  const waiting = [[directory, prefix]];
  while (waiting.length) {
    const [one, before] = waiting.pop();
    for await (const [name, entry] of one.entries()) {
      const path = before ? `${before}/${name}` : name;
      yield [path, entry];
      if (entry.kind === 'directory') waiting.push([entry, path]);
    }
  }
}

export class Weir {
  /**
   * `directory`: a name below the origin's private file system, a FileSystemDirectoryHandle, or null to keep
   * nothing. One page at a time: the name is locked (Web Locks) until `close`.
   */
  static async open(directory, given) {
    const { source = fetched, ...rest } = options('Weir.open', given, ['settings', 'log', 'source']);
    const weir = new Weir();
    weir._queue = Promise.resolve();
    const fs = new MemoryFs();
    const made = await compiled(source);
    if (directory !== null) {
      const handle = typeof directory === 'string' ? await privateDirectory(directory) : directory;
      if (typeof directory === 'string') await weir._lock(directory);
      weir._kept = new Kept(handle, fs);
      await weir._kept.load();
    }
    weir._program = made;
    weir._fs = fs;
    await made.prepare(fs, '');
    weir._core = new Core(made, fs, '', rest);
    return weir;
  }

  async _lock(name) {
    if (!globalThis.navigator?.locks) return;
    await new Promise((resolve, reject) => {
      navigator.locks.request(`weir:${name}`, { ifAvailable: true }, (lock) => {
        if (!lock) {
          reject(new StoreError(`${name} is open in another page of this origin`));
          return undefined;
        }
        resolve();
        return new Promise((release) => { this._release = release; });
      }).catch(reject);
    });
  }

  /** Runs one call after the other, and answers when what it changed is kept. */
  async _run(name, work) {
    if (this._closed) throw closed();
    const done = this._queue.then(async () => {
      if (!this._core.instance || STREAMS.has(name)) await this._program.prepare(this._fs, '');
      if (name === 'catalog') await this._program.prepare(this._fs, null);
      try {
        return await work(this._core);
      } finally {
        await this._kept?.save();
      }
    });
    this._queue = done.then(() => {}, () => {});
    return done;
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

  /** Waits for the calls under way, and lets another page have the store. Later calls are refused. */
  async close() {
    this._closed = true;
    await this._queue;
    this._core.close();
    this._release?.();
  }

  [ASYNC_DISPOSE]() { return this.close(); }
}

for (const name of METHODS) {
  Weir.prototype[name] = function call(...given) { return this._run(name, (core) => core[name](...given)); };
}

async function privateDirectory(name) {
  if (!globalThis.navigator?.storage?.getDirectory) throw new StoreError('this browser has no private file system (OPFS)');
  let directory = await navigator.storage.getDirectory();
  for (const step of name.split('/').filter(Boolean)) directory = await directory.getDirectoryHandle(step, { create: true });
  return directory;
}
