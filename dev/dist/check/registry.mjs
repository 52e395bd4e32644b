// A registry of npm packages for tests: node registry.mjs FOLDER. It serves the archives (*.tgz) of a folder,
// prints its address, and ends when its standard input does.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const folder = process.argv[2];
const packages = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
  const path = join(folder, file);
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' }));
  packages.set(manifest.name, { file, manifest, bytes: readFileSync(path) });
}

const server = createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname.slice(1));
  const archive = [...packages.values()].find(({ file }) => name === `-/${file}`);
  if (archive) return response.end(archive.bytes);
  const found = packages.get(name);
  if (!found) return response.writeHead(404).end('{}');
  const { file, manifest, bytes } = found;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const dist = { tarball: `http://127.0.0.1:${server.address().port}/-/${file}`, integrity };
  const answer = {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
process.stdin.resume().on('end', () => process.exit());
