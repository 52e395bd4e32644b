// The entry for Node, Bun and Deno.
import fs from 'node:fs';
import { resolve } from 'node:path';
import { MODULES } from '../component/modules.js';
import { instantiate } from '../component/weir.js';
import { missing, StoreError } from './errors.js';
import { Program, Weir as Core } from './weir.js';

export { Refused, SettingsError, StoreError, Trapped, WeirError } from './errors.js';
export { Catalog, Conversation, Intake, Sweeper } from './weir.js';

let program;

/** Compiled once in a process, whatever the number of stores. */
function compiled() {
  if (!program) {
    const modules = new Map();
    for (const [name, url] of Object.entries(MODULES)) {
      if (!fs.existsSync(url)) throw missing(url);
      modules.set(name, new WebAssembly.Module(fs.readFileSync(url)));
    }
    program = new Program(instantiate, modules);
  }
  return program;
}

function privateDirectory(directory) {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stats = fs.statSync(directory);
    const foreign = process.geteuid && stats.uid !== process.geteuid();
    if (process.platform !== 'win32' && (foreign || stats.mode & 0o022)) throw new Error('others can write to it, or own it');
    return fs.realpathSync(directory);
  } catch (error) {
    throw new StoreError(`${directory} cannot be the store: ${error.message}. Name a directory of your own, or make it yours alone`);
  }
}

export class Weir extends Core {
  constructor(directory, options) {
    if (directory !== null && typeof directory !== 'string') {
      throw new TypeError('a store is named by its directory; null opens none, for tool search alone');
    }
    super(compiled(), fs, directory === null ? null : privateDirectory(resolve(directory)), options);
  }

  static open(directory, options) { return new Weir(directory, options); }
}
