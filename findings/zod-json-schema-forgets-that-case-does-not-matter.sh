#!/usr/bin/env bash
# zod 4.6.7 (npm), z.toJSONSchema, by which the schemas of tools for models and of MCP servers in TypeScript are made.
# Behaviour: flags of a regular expression are left out without a word, as JSON Schema has none. So for z.string().regex(/^(asc|desc)$/i) the
# server takes "ASC" and the schema forbids it: a client that checks arguments, or a decoder that is held to the schema, can not send it. With the flag s
# a text of two lines is forbidden. Only a check that is no pattern (lowercase and the like) says what it is.
# Seen:   i: parse "ASC" true, schema ^(asc|desc)$ says false / s: true, false
# Expected by most: a pattern that means the same, such as [Aa][Ss][Cc], or none, or an error, as for a date or a Map.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund zod@4.6.7 ajv@8.20.0
cat > run.mjs <<'JS'
import Ajv from 'ajv';
import * as z from 'zod';
for (const [name, pattern, value] of [['i', /^(asc|desc)$/i, 'ASC'], ['s', /^a.+z$/s, 'a\nz'], ['m', /^b$/m, 'a\nb'], ['none', /^a$/, 'a']]) {
  const kind = z.string().regex(pattern);
  const schema = z.toJSONSchema(kind);
  delete schema.$schema;
  console.log(`${name}: zod ${kind.safeParse(value).success}, schema ${schema.pattern} ${new Ajv().validate(schema, value)}`);
}
JS
for name in zod ajv; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
i: zod true, schema ^(asc|desc)$ false
s: zod true, schema ^a.+z$ false
m: zod true, schema ^b$ false
none: zod true, schema ^a$ true
END
