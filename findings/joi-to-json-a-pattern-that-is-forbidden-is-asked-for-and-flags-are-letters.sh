#!/usr/bin/env bash
# joi-to-json 5.0.5 (npm) with joi 18, into JSON Schema; checked with ajv 8.20.0 (npm).
# Behaviour: a pattern with invert, "must not match", becomes the plain pattern, so that the schema takes just what Joi refuses. The flag i of a pattern is put behind the pattern as
# text: /^abc$/i becomes "^abc$/i", which nothing matches. An exact length is gone. of min(1) and greater(0) the first becomes 0. A date in a default function becomes an integer,
# and of `when` only the two types are left, whichever field they hang on.
# Seen:   not "x": "abc" false, "xyz" true (Joi: true, false) / "ABC" for /^abc$/i: false / length 3: "abcdef" true / b must be a number when a is "x": {"a":"x","b":"text"} true
# Expected by most: the same answers from Joi and from the schema made of it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund joi@18.3.2 joi-to-json@5.0.5 ajv@8.20.0 2> /dev/null
cat > run.cjs <<'JS'
const Joi = require('joi');
const parse = require('joi-to-json');
const Ajv = require('ajv');
const ajv = new Ajv({ strict: false, validateFormats: false });
const cases = [
  ['must not match x', Joi.string().pattern(/x/, { invert: true }), ['abc', 'xyz']],
  ['/^abc$/i', Joi.string().pattern(/^abc$/i), ['ABC', 'abc', 'abd']],
  ['length 3', Joi.string().length(3), ['abc', 'abcdef']],
  ['min 1 and greater 0', Joi.number().min(1).greater(0), [0.5, 2]],
  ['number or "n/a"', Joi.number().allow('n/a'), [5, 'n/a']],
  ['b is a number when a is x', Joi.object({ a: Joi.string(), b: Joi.when('a', { is: 'x', then: Joi.number().required(), otherwise: Joi.string() }) }), [{ a: 'x', b: 5 }, { a: 'x', b: 'text' }]],
  ['a text, then a number', Joi.array().ordered(Joi.string(), Joi.number()), [['a', 1], [true, {}, 3]]],
];
for (const [name, schema, values] of cases) {
  const made = ajv.compile(parse(schema, 'json'));
  for (const value of values) console.log(`${name}: ${JSON.stringify(value)}: Joi ${!schema.validate(value, { convert: false }).error}, schema ${made(value)}`);
}
console.log('the pattern:', JSON.stringify(parse(cases[1][1], 'json').pattern), JSON.stringify(parse(cases[0][1], 'json').pattern));
JS
for name in joi joi-to-json ajv; do node -p "'$name ' + JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version"; done
node run.cjs | tee out
diff out - <<'END'
must not match x: "abc": Joi true, schema false
must not match x: "xyz": Joi false, schema true
/^abc$/i: "ABC": Joi true, schema false
/^abc$/i: "abc": Joi true, schema false
/^abc$/i: "abd": Joi false, schema false
length 3: "abc": Joi true, schema true
length 3: "abcdef": Joi false, schema true
min 1 and greater 0: 0.5: Joi false, schema true
min 1 and greater 0: 2: Joi true, schema true
number or "n/a": 5: Joi true, schema true
number or "n/a": "n/a": Joi true, schema false
b is a number when a is x: {"a":"x","b":5}: Joi true, schema true
b is a number when a is x: {"a":"x","b":"text"}: Joi false, schema true
a text, then a number: ["a",1]: Joi true, schema true
a text, then a number: [true,{},3]: Joi false, schema true
the pattern: "^abc$/i" "x"
END
