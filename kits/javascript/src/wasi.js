// What the component imports of WASI 0.2, synchronously over a file system with node:fs's functions: one
// directory, two clocks, a constant seed. No network, no environment, no arguments.

import { DISPOSE } from './options.js';

const ERRORS = {
  EACCES: 'access', EAGAIN: 'would-block', EBADF: 'bad-descriptor', EBUSY: 'busy', EDQUOT: 'quota', EEXIST: 'exist',
  EFBIG: 'file-too-large', EINVAL: 'invalid', EISDIR: 'is-directory', ELOOP: 'loop', EMFILE: 'insufficient-memory',
  EMLINK: 'too-many-links', ENAMETOOLONG: 'name-too-long', ENFILE: 'insufficient-memory', ENOENT: 'no-entry',
  ENOSPC: 'insufficient-space', ENOTDIR: 'not-directory', ENOTEMPTY: 'not-empty', EPERM: 'not-permitted',
  EROFS: 'read-only', EXDEV: 'cross-device',
};
const NANOS = 1_000_000_000n;
const READ_AT_ONCE = 1 << 20;

/**
 * Room for what a file gives: the caller copies it into the component's memory before it asks for more, so one
 * piece of memory serves all reads. It grows to the longest of them.
 */
let scratch = new Uint8Array(1 << 16);

function room(wanted) {
  if (wanted > scratch.length) scratch = new Uint8Array(wanted);
  return scratch;
}

/** Runs file system work; what it throws becomes an error code of WASI. */
function io(work) {
  try {
    return work();
  } catch (error) {
    if (typeof error === 'string') throw error;
    throw ERRORS[error.code] ?? 'io';
  }
}

function typeOf(stats) {
  if (stats.isDirectory()) return 'directory';
  if (stats.isFile()) return 'regular-file';
  return stats.isSymbolicLink() ? 'symbolic-link' : 'unknown';
}

const instant = (nanos) => ({ seconds: nanos / NANOS, nanoseconds: Number(nanos % NANOS) });

function statOf(stats) {
  return {
    type: typeOf(stats),
    linkCount: stats.nlink,
    size: stats.size,
    dataAccessTimestamp: instant(stats.atimeNs),
    dataModificationTimestamp: instant(stats.mtimeNs),
    statusChangeTimestamp: instant(stats.ctimeNs),
  };
}

class Pollable {
  ready() { return true; }
  block() {}
}

class IoError {
  constructor(message) { this.message = message; }
  toDebugString() { return this.message; }
}

function streamFailure(error) {
  return { tag: 'last-operation-failed', val: new IoError(String(error?.message ?? error)) };
}

class InputStream {
  constructor(read) { this.source = read; }
  read(length) { return this.blockingRead(length); }
  blockingRead(length) {
    const wanted = Number(length < BigInt(READ_AT_ONCE) ? length : BigInt(READ_AT_ONCE));
    let bytes;
    try { bytes = this.source(wanted); } catch (error) { throw streamFailure(error); }
    if (bytes.length === 0 && wanted > 0) throw { tag: 'closed' };
    return bytes;
  }
  subscribe() { return new Pollable(); }
  [DISPOSE]() {}
}

class OutputStream {
  constructor(write) { this.sink = write; }
  checkWrite() { return BigInt(READ_AT_ONCE); }
  write(bytes) { try { this.sink(bytes); } catch (error) { throw streamFailure(error); } }
  blockingWriteAndFlush(bytes) { this.write(bytes); }
  flush() {}
  blockingFlush() {}
  subscribe() { return new Pollable(); }
  [DISPOSE]() {}
}

class DirectoryEntryStream {
  constructor(entries) { this.entries = entries; this.next = 0; }
  readDirectoryEntry() {
    const entry = this.entries[this.next++];
    return entry && { type: typeOf(entry), name: entry.name };
  }
  [DISPOSE]() {}
}

/** The class of WASI's descriptors over a file system. */
function descriptors(fs) {
  const C = fs.constants;

  return class Descriptor {
    constructor(path, fd, flags) {
      this.path = path;
      this.fd = fd;
      this.flags = flags;
      this.written = false;
    }

    /** The real path of a name below this directory: never outside of it, never through a symbolic link. */
    below(name) {
      const steps = name.split('/').filter((step) => step !== '' && step !== '.');
      if (name.startsWith('/') || steps.includes('..')) throw 'not-permitted';
      const parent = [this.path, ...steps.slice(0, -1)].join('/');
      if (steps.length > 1 && io(() => fs.realpathSync(parent)) !== parent) throw 'not-permitted';
      return steps.length === 0 ? this.path : `${parent}/${steps.at(-1)}`;
    }

    readViaStream(offset) {
      let at = Number(offset);
      return new InputStream((wanted) => {
        const buffer = room(wanted);
        const read = fs.readSync(this.fd, buffer, 0, wanted, at);
        at += read;
        return buffer.subarray(0, read);
      });
    }

    writeViaStream(offset) {
      let at = Number(offset);
      this.written = true;
      return new OutputStream((bytes) => {
        for (let from = 0; from < bytes.length;) {
          const written = fs.writeSync(this.fd, bytes, from, bytes.length - from, at);
          from += written;
          at += written;
        }
      });
    }

    appendViaStream() {
      // Many processes append to the same file: only a file that was opened for it is written at its end.
      const fd = io(() => fs.openSync(this.path, C.O_WRONLY | C.O_APPEND | (C.O_NOFOLLOW ?? 0)));
      const [ours, opened] = [fs.fstatSync(this.fd, { bigint: true }), fs.fstatSync(fd, { bigint: true })];
      if (ours.ino !== opened.ino || ours.dev !== opened.dev) {
        fs.closeSync(fd);
        throw 'no-entry';
      }
      const stream = new OutputStream((bytes) => { fs.writeSync(fd, bytes, 0, bytes.length, null); });
      stream[DISPOSE] = () => fs.closeSync(fd);
      return stream;
    }

    read(length, offset) {
      const wanted = Number(length < BigInt(READ_AT_ONCE) ? length : BigInt(READ_AT_ONCE));
      const buffer = room(wanted);
      const read = io(() => fs.readSync(this.fd, buffer, 0, wanted, Number(offset)));
      return [buffer.subarray(0, read), read === 0];
    }

    write(bytes, offset) {
      this.written = true;
      return BigInt(io(() => fs.writeSync(this.fd, bytes, 0, bytes.length, Number(offset))));
    }

    getFlags() { return this.flags; }
    getType() { return typeOf(io(() => fs.fstatSync(this.fd))); }
    stat() { return statOf(io(() => fs.fstatSync(this.fd, { bigint: true }))); }
    sync() { io(() => fs.fsyncSync(this.fd)); }
    syncData() { io(() => fs.fdatasyncSync(this.fd)); }
    setSize(size) { io(() => fs.ftruncateSync(this.fd, Number(size))); }

    setTimes(access, modified) {
      this.written = false;
      const now = Date.now() / 1000;
      const old = io(() => fs.fstatSync(this.fd));
      const seconds = (time, unchanged) => {
        if (time.tag === 'now') return now;
        return time.tag === 'no-change' ? unchanged / 1000 : Number(time.val.seconds) + time.val.nanoseconds / 1e9;
      };
      io(() => fs.futimesSync(this.fd, seconds(access, old.atimeMs), seconds(modified, old.mtimeMs)));
    }

    setTimesAt(_follow, name, access, modified) {
      const file = this.openAt({}, name, {}, { read: true });
      try { file.setTimes(access, modified); } finally { file[DISPOSE](); }
    }

    statAt(_follow, name) {
      const path = this.below(name);
      return statOf(io(() => fs.lstatSync(path, { bigint: true })));
    }

    metadataHash() {
      const { ino, dev } = io(() => fs.fstatSync(this.fd, { bigint: true }));
      return { lower: BigInt.asUintN(64, ino), upper: BigInt.asUintN(64, dev) };
    }

    metadataHashAt(_follow, name) {
      const path = this.below(name);
      const { ino, dev } = io(() => fs.lstatSync(path, { bigint: true }));
      return { lower: BigInt.asUintN(64, ino), upper: BigInt.asUintN(64, dev) };
    }

    readDirectory() {
      return new DirectoryEntryStream(io(() => fs.readdirSync(this.path, { withFileTypes: true })));
    }

    createDirectoryAt(name) {
      const path = this.below(name);
      io(() => fs.mkdirSync(path, { mode: 0o700 }));
    }

    removeDirectoryAt(name) {
      const path = this.below(name);
      io(() => fs.rmdirSync(path));
    }

    unlinkFileAt(name) {
      const path = this.below(name);
      io(() => fs.unlinkSync(path));
    }

    renameAt(name, target, newName) {
      const [from, to] = [this.below(name), target.below(newName)];
      io(() => fs.renameSync(from, to));
    }

    linkAt(_follow, name, target, newName) {
      const [from, to] = [this.below(name), target.below(newName)];
      io(() => fs.linkSync(from, to));
    }

    openAt(_follow, name, open, flags) {
      const path = this.below(name);
      let how = (flags.write ? (flags.read ? C.O_RDWR : C.O_WRONLY) : C.O_RDONLY) | (C.O_NOFOLLOW ?? 0);
      if (open.create) how |= C.O_CREAT;
      if (open.exclusive) how |= C.O_EXCL;
      if (open.truncate) how |= C.O_TRUNC;
      if (open.directory) how |= C.O_DIRECTORY ?? 0;
      return new Descriptor(path, io(() => fs.openSync(path, how, 0o600)), flags);
    }

    isSameObject(other) { return this === other; }

    [DISPOSE]() {
      // The kernel's time of a write is some milliseconds behind the clock that `now` is taken from, and the
      // store compares the two: so all times come from the same clock.
      if (this.fd === undefined) return;
      if (this.written) io(() => fs.futimesSync(this.fd, Date.now() / 1000, Date.now() / 1000));
      fs.closeSync(this.fd);
      this.fd = undefined;
    }
  };
}

class TerminalInput {}
class TerminalOutput {}

/**
 * What `instantiate` of the transpiled component takes.
 *
 * `fs`: a file system with node:fs's functions. `directory`: its directory that is `/store`, as a real path,
 * or null for none. `onPrint`: called with what the component prints when it stops.
 */
export function wasi(fs, directory, onPrint = () => {}) {
  const Descriptor = directory === null ? class {} : descriptors(fs);
  const decoder = new TextDecoder();
  const started = performance.now();
  const out = (sink) => ({ OutputStream, get: () => new OutputStream(sink) });
  const silent = out(() => {}).get;
  const interfaces = {
    'cli/environment': { getEnvironment: () => [], getArguments: () => [], initialCwd: () => undefined },
    'cli/exit': { exit: () => { throw new Error('the component called exit'); } },
    'cli/stdin': { InputStream, getStdin: () => new InputStream(() => new Uint8Array(0)) },
    'cli/stdout': { OutputStream, getStdout: silent },
    'cli/stderr': { OutputStream, getStderr: () => new OutputStream((bytes) => onPrint(decoder.decode(bytes))) },
    'cli/terminal-input': { TerminalInput },
    'cli/terminal-output': { TerminalOutput },
    'cli/terminal-stdin': { TerminalInput, getTerminalStdin: () => undefined },
    'cli/terminal-stdout': { TerminalOutput, getTerminalStdout: () => undefined },
    'cli/terminal-stderr': { TerminalOutput, getTerminalStderr: () => undefined },
    'clocks/monotonic-clock': {
      now: () => BigInt(Math.round((performance.now() - started) * 1e6)),
      resolution: () => 1000n,
      subscribeDuration: () => new Pollable(),
      subscribeInstant: () => new Pollable(),
    },
    'clocks/wall-clock': {
      now: () => instant(BigInt(Date.now()) * 1_000_000n),
      resolution: () => ({ seconds: 0n, nanoseconds: 1_000_000 }),
    },
    'filesystem/preopens': {
      Descriptor,
      getDirectories: () => {
        if (directory === null) return [];
        const fd = io(() => fs.openSync(directory, fs.constants.O_RDONLY));
        return [[new Descriptor(directory, fd, { read: true, mutateDirectory: true }), '/store']];
      },
    },
    'filesystem/types': { Descriptor, DirectoryEntryStream, filesystemErrorCode: () => undefined },
    'io/error': { Error: IoError },
    'io/poll': { Pollable, poll: (list) => Uint32Array.from(list.keys()) },
    'io/streams': { InputStream, OutputStream },
    'random/insecure-seed': { insecureSeed: () => [0n, 0n] },
    'random/random': { getRandomBytes: (length) => new Uint8Array(Number(length)) },
  };
  return Object.fromEntries(Object.entries(interfaces).map(([name, value]) => [`wasi:${name}`, value]));
}
