#!/usr/bin/env bash
# jse-eval 1.5.2 and its forerunner expression-eval 5.0.1 (npm), expressions of JavaScript as texts; compile and eval as their READMEs show.
# Behaviour: words that are no operators of theirs (in, typeof, instanceof, and, not) do not fail: the text counts as several expressions in a row. jse-eval gives the last one, so that '"admin" in roles' is the roles, which is true,
# "not x" is x, and "x < 5 and y > 3" is "y > 3". expression-eval gives nothing (undefined) then, and also nothing for an item of a list that is written out: [1,2,3][1].
# Seen:   "admin" in roles, with no roles: {} and undefined / not active: true / x < 5 and y > 3: true for x = 9
# Expected by most: false, or an error as for 2 ** 3.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund jse-eval@1.5.2 expression-eval@5.0.1
cat > run.mjs <<'JS'
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
for (const name of ['jse-eval', 'expression-eval']) console.log(name, JSON.parse(require('node:fs').readFileSync(`node_modules/${name}/package.json`)).version);
const now = require('jse-eval');
const before = require('expression-eval');
const facts = () => ({ roles: {}, active: true, x: 9, y: 4, list: ['a', 'b'] });
const attempt = (work) => {
  try {
    return JSON.stringify(work()) ?? 'undefined';
  } catch {
    return 'an error';
  }
};
for (const text of ['x < 5 && y > 3', 'list[1]', '"admin" in roles', 'not active', 'x < 5 and y > 3', 'typeof x', '[1,2,3][1]', '2 ** 3']) {
  console.log(`${text}: jse-eval ${attempt(() => now.compile(text)(facts()))}; expression-eval ${attempt(() => before.eval(before.parse(text), facts()))}`);
}
JS
node run.mjs | tee out
diff out - <<'END'
jse-eval 1.5.2
expression-eval 5.0.1
x < 5 && y > 3: jse-eval false; expression-eval false
list[1]: jse-eval "b"; expression-eval "b"
"admin" in roles: jse-eval {}; expression-eval undefined
not active: jse-eval true; expression-eval undefined
x < 5 and y > 3: jse-eval true; expression-eval undefined
typeof x: jse-eval 9; expression-eval undefined
[1,2,3][1]: jse-eval 2; expression-eval undefined
2 ** 3: jse-eval an error; expression-eval an error
END
