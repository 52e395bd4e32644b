#!/usr/bin/env bash
# js-yaml 5.5.0 against 4.1.0 (npm), the YAML reader of most JavaScript tools; `load(text)` without options.
# Behaviour: the same call reads the same valid file into other data. In 5 `<<: *base` is a key of the name "<<" with the base in it, and
# nothing is merged; a date is a text, not a Date; 1_000 is a text, not 1000; !!binary and !!set are errors. Nothing warns. The old reading is there
# as YAML11_SCHEMA.
# Seen:   5: {"<<":{"cpu":2,"mem":4},"cpu":8}, string, "1_000" / 4: {"cpu":8,"mem":4}, Date, 1000 / 5 with the schema: as 4
# Expected by most: merge keys work, as files of compose, CI and OpenAPI rely on them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund js-yaml@5.5.0 old@npm:js-yaml@4.1.0
cat > run.mjs <<'JS'
import * as five from 'js-yaml';
import four from 'old';
const file = 'base: &base\n  cpu: 2\n  mem: 4\nservice:\n  <<: *base\n  cpu: 8\nday: 2026-01-02\nlimit: 1_000\n';
const sorted = (value) => JSON.stringify(Object.fromEntries(Object.entries(value).sort()));
const show = (name, read) => {
  const data = read(file);
  console.log(name + ': ' + sorted(data.service) + ' ' + (data.day instanceof Date ? 'Date' : typeof data.day) + ' ' + JSON.stringify(data.limit));
};
show('5', (text) => five.load(text));
show('4', (text) => four.load(text));
show('5 with YAML11_SCHEMA', (text) => five.load(text, { schema: five.YAML11_SCHEMA }));
JS
for name in js-yaml old; do echo "js-yaml $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
printf '%s\n' '5: {"<<":{"cpu":2,"mem":4},"cpu":8} string "1_000"' '4: {"cpu":8,"mem":4} Date 1000' '5 with YAML11_SCHEMA: {"cpu":8,"mem":4} Date 1000' | diff out -
