#!/usr/bin/env bash
# json-schema-to-typescript 16.0.0 (npm), types for the schemas of tools, default settings.
# Behaviour: tuples as JSON Schema writes them since 2020-12 (prefixItems, the form that zod and pydantic make) are not known. With items: false,
# which says that nothing comes after the two, the type is never[]: only the empty list, which the schema refuses; without it two of anything. And
# what stands beside anyOf or allOf is lost: a required member becomes optional, and additionalProperties: false becomes "any further member".
# Seen:   prefixItems, items false: point?: never[] / prefixItems: [unknown, unknown] / required a beside anyOf: a?: 1 / additionalProperties
# false beside allOf: [k: string]
# Expected by most: [number, number], as for the older notation of a tuple (items as a list), and a: 1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-schema-to-typescript@16.0.0
cat > run.mjs <<'JS'
import { compile } from 'json-schema-to-typescript';
const pair = [{ type: 'number' }, { type: 'number' }];
const schemas = {
  'prefixItems, items false': {
    type: 'object', properties: { point: { type: 'array', prefixItems: pair, items: false, minItems: 2 } }, additionalProperties: false,
  },
  prefixItems: { type: 'array', prefixItems: pair, minItems: 2, maxItems: 2 },
  'items as a list': { type: 'array', items: pair, additionalItems: false, minItems: 2 },
  'required beside anyOf': {
    type: 'object', required: ['a'], anyOf: [{ properties: { a: { const: 1 } } }, { properties: { a: { const: 2 }, z: { type: 'string' } } }],
  },
  'closed beside allOf': { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false, allOf: [{ required: ['a'] }] },
};
for (const [name, schema] of Object.entries(schemas)) {
  const text = await compile(schema, 'Root', { bannerComment: '' });
  console.log(name + ': ' + text.replace(/\/\*[^]*?\*\//g, '').replace(/\s+/g, ' ').trim());
}
JS
echo "json-schema-to-typescript $(node -p "JSON.parse(require('fs').readFileSync('node_modules/json-schema-to-typescript/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
prefixItems, items false: export interface Root { point?: never[]; }
prefixItems: export type Root = [unknown, unknown];
items as a list: export type Root = [number, number];
required beside anyOf: export type Root = | { a?: 1; [k: string]: unknown; } | { a?: 2; z?: string; [k: string]: unknown; };
closed beside allOf: export type Root = { [k: string]: unknown; } & { a?: string; };
END
