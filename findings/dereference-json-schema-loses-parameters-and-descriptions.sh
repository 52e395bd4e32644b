#!/usr/bin/env bash
# dereference-json-schema 0.2.3 (npm), which puts definitions in the place of $ref in tools' schemas and OpenAPI documents.
# Behaviour: what stands beside a $ref (a description or a default of this parameter) is dropped for what the definition says. A pointer with an escape,
# ~1 for a slash or %20 for a space, leads nowhere: without an error the parameter's schema becomes null, which is no schema, so that a client that
# checks the list may refuse it. A $ref within data, such as a default, is replaced as well.
# Seen:   description "mine" at a $ref: "d" of the definition / #/$defs/a~1b: "x":null / default {"$ref":"#/$defs/a"}: 1
# Expected by most: the words at the parameter count, a pointer is read as its standard says, and data stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund dereference-json-schema@0.2.3
cat > run.cjs <<'JS'
const { dereferenceSync } = require('dereference-json-schema');
const tried = {
  beside: { $defs: { a: { type: 'string', description: 'd' } }, properties: { x: { $ref: '#/$defs/a', description: 'mine', default: 'q' } } },
  plain: { $defs: { ab: { type: 'string' } }, properties: { x: { $ref: '#/$defs/ab' } } },
  slash: { $defs: { 'a/b': { type: 'string' } }, properties: { x: { $ref: '#/$defs/a~1b' } } },
  space: { $defs: { 'a b': { type: 'string' } }, properties: { x: { $ref: '#/$defs/a%20b' } } },
  data: { $defs: { a: 1 }, properties: { x: { default: { $ref: '#/$defs/a' } } } },
};
for (const [name, schema] of Object.entries(tried)) console.log(name + ': ' + JSON.stringify(dereferenceSync(schema).properties));
JS
echo "dereference-json-schema $(node -p "JSON.parse(require('fs').readFileSync('node_modules/dereference-json-schema/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
beside: {"x":{"type":"string","description":"d"}}
plain: {"x":{"type":"string"}}
slash: {"x":null}
space: {"x":null}
data: {"x":{"default":1}}
END
