#!/usr/bin/env bash
# unstorage 1.17.6 with destr 2.0.5 (npm), the storage layer of Nitro, Nuxt and many servers in JavaScript, with its memory driver.
# Behaviour: a key is taken for a path of an address: all from the first ? on is cut off, and / and : are one. So results that are kept under "docs?page=1" and
# "docs?page=2" are one entry, the last, and both keys find it. What is read back is guessed anew: a stored text of digits is a number, rounded above
# 2^53; "1e3" is 1000, "1.10" is 1.1, "null", "nan" and "true" are no texts any more, and "undefined" is nothing.
# Seen:   keys docs?page=1, docs?page=2: 1 entry, both "second" / "9007199254740993": number 9007199254740992 / "1.10": number 1.1 / "007": string 007
# Expected by most: two keys are two entries, and a text that was stored comes back as a text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund unstorage@1.17.6 destr@2.0.5
cat > run.mjs <<'JS'
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
const storage = createStorage({ driver: memory() });
for (const [one, two] of [['docs?page=1', 'docs?page=2'], ['a/b', 'a:b'], ['a//b', 'a/b/'], ['a.b', 'a-b']]) {
  await storage.clear();
  await storage.setItem(one, 'first');
  await storage.setItem(two, 'second');
  console.log(`${one}, ${two}: ${(await storage.getKeys()).join(', ')}; ${one} is ${await storage.getItem(one)}`);
}
for (const text of ['9007199254740993', '1.10', '1e3', 'true', 'null', 'nan', 'undefined', '007', '12 km']) {
  await storage.setItem('value', text);
  const value = await storage.getItem('value');
  console.log(`"${text}": ${typeof value} ${value}`);
}
JS
for name in unstorage destr; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
docs?page=1, docs?page=2: docs; docs?page=1 is second
a/b, a:b: a:b; a/b is second
a//b, a/b/: a:b; a//b is second
a.b, a-b: a.b, a-b; a.b is first
"9007199254740993": number 9007199254740992
"1.10": number 1.1
"1e3": number 1000
"true": boolean true
"null": object null
"nan": number NaN
"undefined": undefined undefined
"007": string 007
"12 km": string 12 km
END
