#!/usr/bin/env bash
# openapi-typescript 7.13.0 (npm), types for OpenAPI documents.
# Behaviour: an object with "at least one of these" (anyOf of two that only say what is required) becomes `{ ... } | unknown | unknown`, and that
# is unknown: the type checker takes anything for it and knows no member. The same by allOf is `& unknown`: what is required is dropped. In 3.1,
# where a $ref may have others beside it, what stands there (here further properties) is dropped. A typed member beside additionalProperties of
# another type makes a type that no value fits.
# Seen:   anyOf: { a?: string; b?: string; } | unknown | unknown, takes 5 / $ref with properties: the other type alone / additional: not
# assignable
# Expected by most: { a?: string; b?: string } at least, as without anyOf.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 typescript@5.9.3
cat > run.mjs <<'JS'
import openapiTS, { astToString } from 'openapi-typescript';
import { writeFileSync } from 'node:fs';
const two = { a: { type: 'string' }, b: { type: 'string' } };
const schemas = {
  Two: { type: 'object', properties: two },
  OneAtLeast: { type: 'object', properties: two, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  WithB: { allOf: [{ $ref: '#/components/schemas/Two' }, { required: ['b'] }] },
  Beside: { $ref: '#/components/schemas/Two', properties: { c: { type: 'number' } }, required: ['c'] },
  Additional: { type: 'object', properties: { total: { type: 'number' } }, additionalProperties: { type: 'string' } },
};
const text = astToString(await openapiTS({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {}, components: { schemas } }));
const flat = text.replace(/\s+/g, ' ');
for (const name of ['OneAtLeast', 'WithB', 'Beside', 'Additional']) {
  console.log(name + ': ' + flat.match(new RegExp(`${name}: (.*?);(?= [A-Z][A-Za-z]+: | \\};)`))[1]);
}
writeFileSync('api.ts', text + `
type S = components['schemas'];
export const any: S['OneAtLeast'] = 5;
export const further: S['Additional'] = { total: 1, name: 'x' };
export const read = (one: S['OneAtLeast']) => one.a;
`);
JS
for name in openapi-typescript typescript; do
  echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"
done
{ node run.mjs; npx tsc --noEmit --strict api.ts | grep -o 'error TS[0-9]*' || true; } | tee out
diff out - <<'END'
OneAtLeast: { a?: string; b?: string; } | unknown | unknown
WithB: components["schemas"]["Two"] & unknown
Beside: components["schemas"]["Two"]
Additional: { total?: number; } & { [key: string]: string
error TS2322
error TS18046
END
