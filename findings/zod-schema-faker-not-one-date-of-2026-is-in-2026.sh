#!/usr/bin/env bash
# zod-schema-faker 2.1.1 with zod 4.6.7, @faker-js/faker and randexp (npm): examples for a schema.
# Behaviour: where a date has a first and a last day, the example is in any year at all, and not one of 200 is between them; with one of the two about half are. A text that has to
# start with something and to have an exact length has any length. An address with a greatest length is no address. Nothing is said; other rules (lengths, numbers, lists) are kept.
# Seen:   dates of 2026: 0 of 200 good (years as 247842) / startsWith ab and length 5: 0 of 200 ("abAbbas") / email of at most 20: 0 of 200 ("TkDE")
# Expected by most: examples that their own schema takes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund zod@4.6.7 zod-schema-faker@2.1.1 @faker-js/faker@10.6.0 randexp@0.5.3 2> /dev/null
cat > run.mjs <<'JS'
import { faker } from '@faker-js/faker';
import { z } from 'zod';
import { fake, seed, setFaker } from 'zod-schema-faker/v4';
setFaker(faker);
seed(1);
const try200 = (name, schema) => {
  let good = 0, bad;
  for (let round = 0; round < 200; round++) {
    const value = fake(schema);
    if (schema.safeParse(value).success) good++; else bad = value;
  }
  console.log(`${name}: ${good === 0 ? 'none' : good === 200 ? 'all' : 'some'} of 200 good`);
};
try200('a date of 2026', z.date().min(new Date('2026-01-01')).max(new Date('2026-12-31')));
try200('a date from 2026 on', z.date().min(new Date('2026-01-01')));
try200('starts with ab, length 5', z.string().startsWith('ab').length(5));
try200('an email of at most 20', z.email().max(20));
try200('length 5', z.string().length(5));
try200('two to three letters', z.string().min(2).max(3));
try200('0 to 1 in quarters', z.number().min(0).max(1).multipleOf(0.25));
const year = fake(z.date().min(new Date('2026-01-01')).max(new Date('2026-12-31'))).getUTCFullYear();
console.log('a year within 2026:', year >= 2026 && year <= 2026);
JS
node -p "'zod-schema-faker ' + JSON.parse(require('fs').readFileSync('node_modules/zod-schema-faker/package.json')).version"
node run.mjs | tee out
diff out - <<'END'
a date of 2026: none of 200 good
a date from 2026 on: some of 200 good
starts with ab, length 5: none of 200 good
an email of at most 20: none of 200 good
length 5: all of 200 good
two to three letters: all of 200 good
0 to 1 in quarters: all of 200 good
a year within 2026: false
END
