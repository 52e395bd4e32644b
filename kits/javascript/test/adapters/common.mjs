import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Weir } from '../../src/index.js';

export const log = Array.from({ length: 9000 }, (_, n) => `${n + 1}: ${n + 1 === 4321 ? 'error: disk is full' : 'all is well'}\n`).join('');

/** A package, or undefined where it is not installed. */
export async function optional(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

export function store() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-adapter-'));
  process.on('exit', () => fs.rmSync(directory, { recursive: true, force: true }));
  return Weir.open(directory);
}
