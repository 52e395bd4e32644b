// A file system in memory with the functions of node:fs that the component needs, for where there is no
// synchronous one. It notes which files changed, so that they can be written elsewhere.

const C = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

function fail(code, path) {
  throw Object.assign(new Error(`${code}: ${path}`), { code });
}

class Node {
  constructor(directory, number) {
    this.entries = directory ? new Map() : undefined;
    this.bytes = directory ? undefined : new Uint8Array(0);
    this.size = 0;
    this.ino = number;
    this.links = 1;
    this.atimeMs = this.mtimeMs = this.ctimeMs = Date.now();
  }
}

function stats(node, { bigint } = {}) {
  const number = bigint ? BigInt : Number;
  const nanos = (ms) => BigInt(Math.round(ms * 1e6));
  return {
    isDirectory: () => node.entries !== undefined,
    isFile: () => node.entries === undefined,
    isSymbolicLink: () => false,
    size: number(node.size),
    nlink: number(node.links),
    ino: number(node.ino),
    dev: number(1),
    atimeMs: node.atimeMs,
    mtimeMs: node.mtimeMs,
    atimeNs: nanos(node.atimeMs),
    mtimeNs: nanos(node.mtimeMs),
    ctimeNs: nanos(node.ctimeMs),
  };
}

export class MemoryFs {
  constructor() {
    this.constants = C;
    this.root = new Node(true, 1);
    this._numbers = 1;
    this._open = new Map();
    this._nextFd = 3;
    /** Paths that changed since they were last taken: to the node, or null for removed. */
    this.changed = new Map();
  }

  _steps(path) { return path.split('/').filter(Boolean); }

  _find(path) {
    let node = this.root;
    for (const step of this._steps(path)) {
      if (!node.entries) fail('ENOTDIR', path);
      node = node.entries.get(step) ?? fail('ENOENT', path);
    }
    return node;
  }

  _parent(path) {
    const steps = this._steps(path);
    const name = steps.pop() ?? fail('EINVAL', path);
    const parent = this._find(steps.join('/'));
    if (!parent.entries) fail('ENOTDIR', path);
    return [parent, name];
  }

  _key(path) { return this._steps(path).join('/'); }
  _of(fd) { return this._open.get(fd) ?? fail('EBADF', String(fd)); }

  realpathSync(path) {
    this._find(path);
    return path;
  }

  lstatSync(path, options) { return stats(this._find(path), options); }
  fstatSync(fd, options) { return stats(this._of(fd).node, options); }

  openSync(path, how) {
    let node;
    try {
      node = this._find(path);
      if (how & C.O_CREAT && how & C.O_EXCL) fail('EEXIST', path);
    } catch (error) {
      if (error.code !== 'ENOENT' || !(how & C.O_CREAT)) throw error;
      const [parent, name] = this._parent(path);
      node = new Node(false, ++this._numbers);
      parent.entries.set(name, node);
      this.changed.set(this._key(path), node);
    }
    const writes = (how & 3) !== C.O_RDONLY;
    if (node.entries && writes) fail('EISDIR', path);
    if (!node.entries && how & C.O_DIRECTORY) fail('ENOTDIR', path);
    if (how & C.O_TRUNC && writes) this._resize(node, 0);
    const fd = this._nextFd++;
    this._open.set(fd, { node, path: this._key(path), append: Boolean(how & C.O_APPEND), at: 0 });
    return fd;
  }

  closeSync(fd) { this._open.delete(fd); }

  readSync(fd, buffer, offset, length, position) {
    const { node } = this._of(fd);
    const end = Math.min(node.size, position + length);
    if (position >= end) return 0;
    buffer.set(node.bytes.subarray(position, end), offset);
    return end - position;
  }

  _resize(node, size) {
    if (size > node.bytes.length) {
      const grown = new Uint8Array(Math.max(size, node.bytes.length * 2, 256));
      grown.set(node.bytes.subarray(0, node.size));
      node.bytes = grown;
    } else if (size < node.size) {
      node.bytes.fill(0, size, node.size);
    }
    node.size = size;
    node.mtimeMs = Date.now();
  }

  writeSync(fd, bytes, offset, length, position) {
    const file = this._of(fd);
    const at = file.append ? file.node.size : position ?? file.at;
    if (at + length > file.node.size) this._resize(file.node, at + length);
    file.node.bytes.set(bytes.subarray(offset, offset + length), at);
    file.node.mtimeMs = Date.now();
    file.at = at + length;
    this._touched(file);
    return length;
  }

  _touched({ node, path }) {
    try {
      if (this._find(path) === node) this.changed.set(path, node);
    } catch { /* it was renamed or removed: whatever did that noted it */ }
  }

  ftruncateSync(fd, size) {
    const file = this._of(fd);
    this._resize(file.node, size);
    this._touched(file);
  }

  futimesSync(fd, access, modified) {
    const file = this._of(fd);
    file.node.atimeMs = access * 1000;
    file.node.mtimeMs = modified * 1000;
    this._touched(file);
  }

  fsyncSync() {}
  fdatasyncSync() {}

  readdirSync(path) {
    const node = this._find(path);
    if (!node.entries) fail('ENOTDIR', path);
    return [...node.entries].map(([name, entry]) => ({ name, ...stats(entry) }));
  }

  mkdirSync(path) {
    const [parent, name] = this._parent(path);
    if (parent.entries.has(name)) fail('EEXIST', path);
    parent.entries.set(name, new Node(true, ++this._numbers));
    this.changed.set(this._key(path), parent.entries.get(name));
  }

  rmdirSync(path) {
    const [parent, name] = this._parent(path);
    const node = parent.entries.get(name) ?? fail('ENOENT', path);
    if (!node.entries) fail('ENOTDIR', path);
    if (node.entries.size) fail('ENOTEMPTY', path);
    parent.entries.delete(name);
    this.changed.set(this._key(path), null);
  }

  unlinkSync(path) {
    const [parent, name] = this._parent(path);
    const node = parent.entries.get(name) ?? fail('ENOENT', path);
    if (node.entries) fail('EISDIR', path);
    parent.entries.delete(name);
    node.links -= 1;
    this.changed.set(this._key(path), null);
  }

  renameSync(from, to) {
    const [oldParent, oldName] = this._parent(from);
    const node = oldParent.entries.get(oldName) ?? fail('ENOENT', from);
    const [newParent, newName] = this._parent(to);
    const there = newParent.entries.get(newName);
    if (there === node) return;
    if (there?.entries?.size) fail('ENOTEMPTY', to);
    if (there && Boolean(there.entries) !== Boolean(node.entries)) fail(there.entries ? 'EISDIR' : 'ENOTDIR', to);
    oldParent.entries.delete(oldName);
    newParent.entries.set(newName, node);
    this._moved(node, this._key(from), this._key(to));
  }

  /** Notes a file or a whole directory under its new path. */
  _moved(node, from, to) {
    const waiting = [[node, from, to]];
    while (waiting.length) {
      const [one, before, after] = waiting.pop();
      this.changed.set(before, null);
      this.changed.set(after, one);
      for (const [name, entry] of one.entries ?? []) waiting.push([entry, `${before}/${name}`, `${after}/${name}`]);
    }
  }

  linkSync(from, to) {
    const node = this._find(from);
    const [parent, name] = this._parent(to);
    if (parent.entries.has(name)) fail('EEXIST', to);
    parent.entries.set(name, node);
    node.links += 1;
    this.changed.set(this._key(to), node);
  }

  /** Puts a file or directory there, as it was elsewhere. */
  restore(path, bytes, modifiedMs) {
    const steps = this._steps(path);
    let node = this.root;
    for (const [at, step] of steps.entries()) {
      const isFile = at === steps.length - 1 && bytes !== undefined;
      if (!node.entries.has(step)) node.entries.set(step, new Node(!isFile, ++this._numbers));
      node = node.entries.get(step);
    }
    if (bytes !== undefined) {
      node.bytes = bytes;
      node.size = bytes.length;
    }
    if (modifiedMs !== undefined) node.mtimeMs = node.atimeMs = modifiedMs;
  }

  /** What changed, and forgets it: `[path, bytes | undefined (a directory) | null (removed), modifiedMs]`. */
  take() {
    const changed = [...this.changed].map(([path, node]) => {
      if (node === null) return [path, null, 0];
      return [path, node.entries ? undefined : node.bytes.slice(0, node.size), node.mtimeMs];
    });
    this.changed.clear();
    return changed;
  }
}
