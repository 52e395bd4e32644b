// Runs the conformance file through the kit for JavaScript: `node run.mjs`. README.md says what the file means.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const file = JSON.parse(fs.readFileSync(new URL('./conformance.json', import.meta.url), 'utf8'));

/** A large text, which the file describes line by line. */
function text({ first, last, line, evenLine = line, but = {}, before = '', between, after = '' }) {
  const lines = [];
  for (let n = first; n <= last; n++) lines.push(but[n] ?? (n % 2 ? line : evenLine).replaceAll('{n}', n));
  return before + (between ? lines.join(between) : lines.map((one) => `${one}\n`).join('')) + after;
}

const texts = Object.fromEntries(Object.entries(file.texts).map(([name, one]) => [name, text(one)]));
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const at = (answer, pointer) => pointer.split('/').slice(1).reduce((value, step) => value[step], answer);
const print = (value) => (JSON.stringify(value) ?? 'undefined').slice(0, 300);

/** A value of the file with its texts and kept values in place. */
function fill(value, kept) {
  if (Array.isArray(value)) return value.map((one) => fill(one, kept));
  if (!isObject(value)) return value;
  if ('$text' in value) return texts[value.$text];
  if ('$json' in value) return JSON.parse(texts[value.$json]);
  if ('$keep' in value) return kept.get(value.$keep);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, kept)]));
}

const RULES = {
  $is: (wanted, got) => (wanted === 'array' ? Array.isArray(got) : wanted === 'object' ? isObject(got) : typeof got === wanted),
  $contains: (wanted, got) => typeof got === 'string' && wanted.every((one) => got.includes(one)),
  $under: (wanted, got) => (typeof got === 'string' ? [...got].length : got) < wanted,
  $above: (wanted, got) => got > wanted,
  '$length-of': (wanted, got) => got === [...texts[wanted]].length || got === new TextEncoder().encode(texts[wanted]).length,
  $some: (wanted, got, kept) => Array.isArray(got) && got.some((one) => matches(wanted, one, kept) === undefined),
  $value: (wanted, got) => got === wanted,
  $text: (wanted, got) => got === texts[wanted],
  $keep: (wanted, got, kept) => got === kept.get(wanted),
};

/** What is wrong with an answer; undefined when nothing is. */
export function matches(wanted, got, kept, where = '') {
  if (isObject(wanted)) {
    const rule = Object.keys(wanted).find((name) => name.startsWith('$'));
    if (rule) return RULES[rule](wanted[rule], got, kept) ? undefined : `${where || '/'}: ${print(got)} is not ${print(wanted)}`;
    if (!isObject(got)) return `${where || '/'}: ${print(got)} is not an object`;
    for (const [name, one] of Object.entries(wanted)) {
      const absent = isObject(one) && '$absent' in one;
      if (absent === (got[name] !== undefined)) return `${where}/${name}: is ${absent ? 'there' : 'missing'} in ${print(got)}`;
      const wrong = absent ? undefined : matches(one, got[name], kept, `${where}/${name}`);
      if (wrong) return wrong;
    }
    return undefined;
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return `${where || '/'}: ${print(got)} is not a list of ${wanted.length}`;
    return wanted.map((one, n) => matches(one, got[n], kept, `${where}/${n}`)).find(Boolean);
  }
  return wanted === got ? undefined : `${where || '/'}: ${print(got)} is not ${print(wanted)}`;
}

/** A typed call, through the kit's own methods: what is not an option comes first. */
const TYPED = {
  'info.describe-component': (weir) => weir.info(),
  'settings.parse': (weir, { settings }) => weir.parseSettings(settings),
  'settings.estimate-tokens': (weir, given) => weir.estimateTokens(given.text),
  'result-transform.transform': (weir, { session, tool, content, ...rest }) => weir.transform(session, tool, content, rest),
  'result-transform.threshold': (weir, { session, tool, ...rest }) => weir.threshold(session, tool, rest),
  'reading.stat': (weir, { session, id }) => weir.stat(session, id),
  'reading.read': (weir, { session, id, ...rest }) => weir.read(session, id, rest),
  'reading.read-end': (weir, { session, id, ...rest }) => weir.readEnd(session, id, rest),
  'reading.read-all': (weir, { session, id, ...rest }) => weir.readAll(session, id, rest),
  'reading.grep': (weir, { session, id, pattern, ...rest }) => weir.grep(session, id, pattern, rest),
  'reading.query': (weir, { session, id, program, ...rest }) => weir.query(session, id, program, rest),
  'reading.outline': (weir, { session, id, ...rest }) => weir.outline(session, id, rest),
  'reading.search': (weir, { session, words, ...rest }) => weir.search(session, words, rest),
  'reading.diff': (weir, { session, id, ...rest }) => weir.diff(session, id, rest),
  'reading.list-blobs': (weir, { session, ...rest }) => weir.listBlobs(session, rest),
  'maintenance.status': (weir) => weir.status(),
  'maintenance.sweep': (weir) => weir.sweep(),
  'maintenance.check': (weir) => weir.check(),
  'maintenance.pin': (weir, { session, id, pinned }) => weir.pin(session, id, pinned),
  'maintenance.forget': (weir, { session, id }) => weir.forget(session, id),
};

/** Each call's name, and what was wrong with its answer. */
export function* run({ Weir, Refused }) {
  for (const scenario of file.scenarios) {
    const store = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-conformance-'));
    try {
      const weir = Weir.open(store);
      const kept = new Map();
      let strings = weir.strings();
      for (const [number, call] of scenario.calls.entries()) {
        if (call.fresh) strings = weir.strings();
        const given = fill(call.with, kept);
        let answer;
        if (call.call) {
          const plain = given.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one));
          answer = JSON.parse(strings.call(call.call, ...plain));
        } else {
          try {
            answer = TYPED[call.typed](weir, given);
          } catch (error) {
            if (!(error instanceof Refused)) throw error;
            const { code, reason: message, argument, names, total, gone } = error;
            answer = { error: { code, message, argument, names, total, gone } };
          }
        }
        const title = `${scenario.name}, call ${number + 1} (${call.call ?? call.typed})`;
        yield [title, 'answer' in call ? matches(call.answer, answer, kept) : undefined];
        for (const [name, pointer] of Object.entries(call.keep ?? {})) kept.set(name, at(answer, pointer));
      }
    } finally {
      fs.rmSync(store, { recursive: true, force: true });
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const kit = await import('../javascript/src/index.js');
  let [passed, failed] = [0, 0];
  for (const [title, wrong] of run(kit)) {
    if (wrong) {
      failed += 1;
      console.log(`${title}\n    ${wrong}`);
    } else passed += 1;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
