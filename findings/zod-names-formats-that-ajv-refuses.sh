#!/usr/bin/env bash
# zod 4.6.7 (npm), z.toJSONSchema, with ajv 8.20.0 and ajv-formats 3.0.1 (npm), the two of them as their own pages show them.
# Behaviour: zod writes the name of its own check as the "format" also where JSON Schema knows no such format: starts_with, includes, lowercase, jwt,
# e164, ulid, cidrv4. Ajv does not skip what it does not know: compiling the schema throws. So a parameter with .startsWith('/'), which needs no more
# than a pattern, makes a schema that the usual validator will not load. A plain .regex() and z.email() are fine.
# Seen:   startsWith: unknown format "starts_with" / includes, lowercase, jwt, base64, cidrv4: the same / regex, email, guid, hostname: compiles
# Expected by most: a pattern alone for these, and two libraries that are used together everywhere understand each other.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1
cat > run.mjs <<'JS'
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import * as z from 'zod';
const kinds = {
  startsWith: z.string().startsWith('/'), includes: z.string().includes('x'), lowercase: z.string().lowercase(), jwt: z.jwt(), base64: z.base64(),
  cidrv4: z.cidrv4(), e164: z.e164(), ulid: z.ulid(), regex: z.string().regex(/x/), email: z.email(), guid: z.guid(), hostname: z.hostname(),
};
for (const [name, kind] of Object.entries(kinds)) {
  const schema = z.toJSONSchema(z.object({ value: kind }), { target: 'draft-7' });
  try {
    addFormats.default ? addFormats.default(new Ajv()).compile(schema) : addFormats(new Ajv()).compile(schema);
    console.log(name + ': compiles');
  } catch (error) {
    console.log(name + ': ' + error.message.split(' ignored')[0]);
  }
}
JS
for name in zod ajv ajv-formats; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
startsWith: unknown format "starts_with"
includes: unknown format "includes"
lowercase: unknown format "lowercase"
jwt: unknown format "jwt"
base64: unknown format "base64"
cidrv4: unknown format "cidrv4"
e164: unknown format "e164"
ulid: unknown format "ulid"
regex: compiles
email: compiles
guid: compiles
hostname: compiles
END
