#!/usr/bin/env bash
# @sinclair/typebox-codegen 0.11.1 (npm): TypeScript types into schemas of other libraries; arktype 2 for the check.
# Behaviour: for ArkType the brackets of (string | number)[] are lost, so it means a text or a list of numbers, and Record<string, number> becomes "never", which nothing meets. An index
# signature ({ [key: string]: boolean }) is an object without fields for Zod, Valibot, Yup, Effect and ArkType; Zod then drops all that is in it. JSON Schema has both right.
# Seen:   (string | number)[] -> 'string | number[]', which takes "a" and refuses ["a", 1] / Record<string, number> -> 'never' / { [key: string]: boolean } -> z.object({})
# Expected by most: the same type in each library.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @sinclair/typebox-codegen@0.11.1 arktype@2.2.10 2> /dev/null
cat > run.mjs <<'JS'
import * as Codegen from '@sinclair/typebox-codegen';
import { type } from 'arktype';
const make = (target, source) => Codegen[target].Generate(Codegen.TypeScriptToModel.Generate(source)).replace(/\s+/g, ' ').match(/export const (?:T =|types = scope\()(.*)/)[1].replace(/\)\.export\(\).*/, '').trim();
for (const source of ['{ a: (string | number)[] }', '{ a: Record<string, number> }', '{ a: { [key: string]: boolean } }', '{ a: string[] | null }']) {
  console.log(source);
  for (const target of ['ModelToZod', 'ModelToValibot', 'ModelToArkType', 'ModelToEffect']) console.log(`  ${target.slice(7)}: ${make(target, `export type T = ${source}`)}`);
}
const list = type('string | number[]');
console.log('the made list takes "a":', list.allows('a'), 'and ["a", 1]:', list.allows(['a', 1]));
JS
for name in @sinclair/typebox-codegen arktype; do node -p "'$name ' + JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version"; done
node run.mjs | tee out
diff out - <<'END'
{ a: (string | number)[] }
  Zod: z.object({ a: z.array(z.union([z.string(), z.number()])) })
  Valibot: v.object({ a: v.array(v.union([v.string(), v.number()])) })
  ArkType: { T: type({ a: 'string | number[]' }) }
  Effect: ES.Struct({ a: ES.Array(ES.Union(ES.String, ES.Number)) })
{ a: Record<string, number> }
  Zod: z.object({ a: z.record(z.number()) })
  Valibot: v.object({ a: v.record(v.string(), v.number()) })
  ArkType: { T: type({ a: 'never' }) }
  Effect: ES.Struct({ a: ES.Record(ES.String, ES.Number) })
{ a: { [key: string]: boolean } }
  Zod: z.object({ a: z.object({}) })
  Valibot: v.object({ a: v.object({}) })
  ArkType: { T: type({ a: type({}) }) }
  Effect: ES.Struct({ a: ES.Struct({}) })
{ a: string[] | null }
  Zod: z.object({ a: z.union([z.array(z.string()), z.null()]) })
  Valibot: v.object({ a: v.union([v.array(v.string()), v.null()]) })
  ArkType: { T: type({ a: 'string[] | null' }) }
  Effect: ES.Struct({ a: ES.Union(ES.Array(ES.String), ES.Null) })
the made list takes "a": true and ["a", 1]: false
END
