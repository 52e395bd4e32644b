#!/usr/bin/env bash
# gemini-zod 0.1.2 (npm) with zod 3.25.76 (npm), which tells a model what zod will take.
# Behaviour: whatever the package does not know becomes an object that may be null, without a word: a text with refine() or transform(), a text or a number,
# a date, a pair, a map and an enum of TypeScript. A field with a default must be given. The literal 5 is a text with the choice 5. A whole number is any
# number, and limits are gone. A field that may be left out may be null, which zod refuses. A schema made with zod 4 is one object without a field.
# Seen:   z.string().refine(...): {"type":"object"} / z.string().default("eur"): in required / z.number().int().min(1): {"type":"number"}
# Expected by most: a text, a field that need not be given, an integer with a minimum; or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts gemini-zod@0.1.2 zod@3.25.76 2> /dev/null
cat > run.cjs <<'JS'
const { toGeminiSchema } = require('gemini-zod');
const { z } = require('zod');
const z4 = require('zod/v4').z;
const fields = {
  sku: z.string().refine((text) => text.startsWith('A')),
  size: z.union([z.string(), z.number()]),
  due: z.date(),
  place: z.tuple([z.number(), z.number()]),
  stock: z.record(z.string(), z.number()),
  count: z.number().int().min(1),
  level: z.literal(5),
  currency: z.string().default('eur'),
  note: z.string().optional(),
};
const schema = z.object(fields);
const made = toGeminiSchema(schema);
for (const [name, one] of Object.entries(made.properties)) console.log(`${name}: ${JSON.stringify(one)}`);
console.log(`required: ${made.required.join(', ')}`);
const model = { sku: {}, size: 4, due: {}, place: {}, stock: {}, count: 0.5, level: '5', currency: 'eur', note: null };
const wrong = schema.safeParse(model).error.issues.map((issue) => issue.path.join('.'));
console.log(`an answer that fits what the model was told is refused for: ${wrong.join(', ')}`);
console.log(`with zod 4: ${JSON.stringify(toGeminiSchema(z4.object({ name: z4.string(), age: z4.number() })))}`);
JS
for one in gemini-zod zod; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
node run.cjs | tee out
diff out - <<'END'
sku: {"type":"object","nullable":true}
size: {"type":"object","nullable":true}
due: {"type":"object","nullable":true}
place: {"type":"object","nullable":true}
stock: {"type":"object","nullable":true}
count: {"type":"number","nullable":false}
level: {"type":"string","enum":[5],"nullable":false}
currency: {"type":"string","nullable":true}
note: {"type":"string","nullable":true}
required: sku, size, due, place, stock, count, level, currency
an answer that fits what the model was told is refused for: sku, due, place, count, count, level, note
with zod 4: {"type":"object","nullable":true}
END
