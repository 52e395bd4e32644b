// What runs in the worker of `worker.js`: one Weir, one call after the other.
import { Conversation } from './conversation.js';

const inNode = Boolean(globalThis.process?.versions?.node);
const catalogs = new Map();
let opened;
let send;

const special = {
  openCatalog(weir, ...given) {
    const catalog = weir.catalog(...given);
    const number = catalogs.size + 1;
    catalogs.set(number, catalog);
    return Promise.resolve(catalog).then((made) => {
      catalogs.set(number, made);
      return { number, digest: made.digest, diagnostics: made.diagnostics };
    });
  },
  assemble: (_, number, settings) => catalogs.get(number).assemble(settings),
  closeCatalog: (_, number) => catalogs.get(number).close(),
  invokeBridge(_, number, name, given, state) {
    const conversation = new Conversation();
    if (state) conversation.state = state;
    const answer = catalogs.get(number).invoke(name, given, conversation);
    return { answer, state: conversation.state };
  },
};

async function open({ directory, options }) {
  // Bundlers for browsers leave alone what only Node reads.
  const { Weir } = inNode ? await import(/* webpackIgnore: true */ /* @vite-ignore */ './index.js') : await import('./browser.js');
  return Weir.open(directory, options);
}

async function receive({ id, name, given }) {
  try {
    const weir = await opened;
    send({ id, ok: await (special[name] ? special[name](weir, ...given) : weir[name](...given)) });
  } catch (error) {
    const { message, called, reason, details, code, argument, names, total, gone } = error;
    const failure = { code, message: reason, argument, names, total, gone };
    send({ id, error: { name: error.name, message, called, reason, details, failure } });
  }
}

if (inNode) {
  const { parentPort, workerData } = await import(/* webpackIgnore: true */ 'node:worker_threads');
  send = (message) => parentPort.postMessage(message);
  opened = open(workerData);
  opened.catch(() => {});
  parentPort.on('message', receive);
} else {
  send = (message) => globalThis.postMessage(message);
  globalThis.onmessage = ({ data }) => {
    if (data.start) {
      opened = open(data.start);
      opened.catch(() => {});
    } else {
      void receive(data);
    }
  };
}
