// node build.mjs COMPONENT.wasm: writes component/, which is all that the package needs beside src/.
//
// The tool that turns a component into core modules and JavaScript is @bytecodealliance/jco. It is looked
// for in this folder, then in JCO (a folder with node_modules): `npm install --no-save @bytecodealliance/jco`.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const component = process.argv[2] ?? process.env.WEIR_COMPONENT;
if (!component) {
  console.error('usage: node build.mjs COMPONENT.wasm');
  process.exit(2);
}

function jco() {
  for (const folder of [here, process.env.JCO].filter(Boolean)) {
    try {
      const require = createRequire(join(resolve(folder), 'x.js'));
      const root = join(dirname(require.resolve('@bytecodealliance/jco')), '..');
      const program = ['src', 'dist'].map((place) => join(root, place, 'jco.js')).find(existsSync);
      if (program) return program;
    } catch { /* the next folder */ }
  }
  console.error('jco is not installed: npm install --no-save @bytecodealliance/jco');
  process.exit(2);
}

const out = join(here, 'component');
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const program = jco();
const made = spawnSync(process.execPath, [
  program, 'transpile', resolve(component), '-o', out,
  '--name', 'weir', '-I', 'sync', '--no-wasi-shim', '--no-typescript', '-q',
], { stdio: 'inherit' });
if (made.status !== 0) process.exit(made.status ?? 1);

for (const file of readdirSync(out)) if (!/\.(js|wasm)$/.test(file)) rmSync(join(out, file), { recursive: true });

// Where V8 has no promise integration, each of these throws while an instance is made, and the trace of
// each error is 5 ms.
const script = join(out, 'weir.js');
const text = readFileSync(script, 'utf8');
const promising = text.replaceAll('WebAssembly.promising(', '(WebAssembly.promising ?? ((f) => f))(');
// A browser's main thread makes instances of large modules only by a promise: where `instantiateCore` gives one, it
// is awaited, and `instantiate` gives one, too.
const awaited = promising.replaceAll(' = instantiateCore(', ' = yield instantiateCore(');
// Each call would make objects for a dozen lines of a log that nobody reads, and look into the environment whether
// anybody wants them.
const unlogged = awaited.replace(/^\s*_debugLog\((?:'[^'\n]*'|"[^"\n]*"|`[^`]*`)(?:,\s*\{[^{}]*\})?,?\s*\);\s*\n/gm, '\n');
const patched = unlogged.replace(/(const _debugLog = \(\.\.\.args\) => \{)[^}]*\}[^}]*\}/, '$1}');
const steps = [text, promising, awaited, unlogged, patched];
if (steps.some((step, n) => step === steps[n + 1])) {
  console.warn('nothing to patch: look at what jco writes now');
}
writeFileSync(script, patched);

// Which modules there are, so that nobody asks for one that is not; in the form in which bundlers take files along.
const modules = readdirSync(out).filter((file) => file.endsWith('.wasm'));
const entries = modules.map((file) => `  '${file}': new URL('./${file}', import.meta.url),\n`);
writeFileSync(join(out, 'modules.js'), `export const MODULES = {\n${entries.join('')}};\n`);

for (const name of ['LICENSE', 'NOTICE', 'THIRD-PARTY.txt']) {
  if (existsSync(join(here, '..', name))) cpSync(join(here, '..', name), join(here, name), { dereference: true });
}
for (const file of readdirSync(out)) console.log(join('component', file));
