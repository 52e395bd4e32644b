#!/usr/bin/env bash
# math-expression-evaluator 2.0.7 and nerdamer 1.1.13 (npm), calculators of the kind that agents are given as a tool, with default settings; mathjs 15.2.0 and expr-eval-fork 3.0.3 (npm) beside them.
# Behaviour: one line of arithmetic has up to three answers, none of them an error. In math-expression-evaluator the e of 1e3 is Euler's number, so that 1e3 is 8.15 and 1e-7*1 is less than zero; 2^3^2 goes from
# the left (64 rather than 512), angles are degrees, also beside pi, and log is to ten. In nerdamer a % takes a hundredth of its own number, so 50+10% is 50.1, where mathjs, as pocket calculators,
# gives 55, while 200*10% is 20 in both; 0x10 is 0. The remainder of -7 by 3 is 2 in mathjs and -1 in the others. log(8,2), to the base 2, is 3 where it is not an error.
# Seen:   1e3: 8.15, others 1000 / 2^3^2: 64, others 512 / sin(30): 0.5, others -0.988 / 50+10%: nerdamer 50.1, mathjs 55 / -7%3: 2 or -1
# Most would guess: 1e3 is 1000 in any of them, powers go from the right, and what is not supported is an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund math-expression-evaluator@2.0.7 nerdamer@1.1.13 mathjs@15.2.0 expr-eval-fork@3.0.3
cat > run.mjs <<'JS'
import { Parser } from 'expr-eval-fork';
import Mexp from 'math-expression-evaluator';
import { evaluate } from 'mathjs';
import nerdamer from 'nerdamer/all.js';
const mexp = new Mexp();
const parser = new Parser();
const short = (value) => String(Number.isFinite(Number(value)) ? Math.round(Number(value) * 1e6) / 1e6 : value);
for (const line of ['1e3', '1e-7*1', '1.5e3+1', '2^3^2', 'sin(30)', 'sin(pi/6)', 'log(100)', '50+10%', '100-20%', '200*10%', '0x10', '-7%3', 'log(8,2)', '2+3*4', '(1+2)/4']) {
  const answers = [];
  for (const [name, call] of [['math-expression-evaluator', () => mexp.eval(line)], ['nerdamer', () => nerdamer(line).evaluate().text()], ['mathjs', () => evaluate(line)], ['expr-eval', () => parser.evaluate(line)]]) {
    try { answers.push(`${name} ${short(call())}`); } catch { answers.push(`${name} error`); }
  }
  console.log(`${line}: ${answers.join(', ')}`);
}
JS
for name in math-expression-evaluator nerdamer mathjs expr-eval-fork; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
1e3: math-expression-evaluator 8.154845, nerdamer 1000, mathjs 1000, expr-eval 1000
1e-7*1: math-expression-evaluator -4.281718, nerdamer 0, mathjs 0, expr-eval 0
1.5e3+1: math-expression-evaluator 13.232268, nerdamer 1501, mathjs 1501, expr-eval 1501
2^3^2: math-expression-evaluator 64, nerdamer 512, mathjs 512, expr-eval 512
sin(30): math-expression-evaluator 0.5, nerdamer -0.988032, mathjs -0.988032, expr-eval -0.988032
sin(pi/6): math-expression-evaluator 0.009138, nerdamer 0.5, mathjs 0.5, expr-eval error
log(100): math-expression-evaluator 2, nerdamer 4.60517, mathjs 4.60517, expr-eval 4.60517
50+10%: math-expression-evaluator error, nerdamer 50.1, mathjs 55, expr-eval error
100-20%: math-expression-evaluator error, nerdamer 99.8, mathjs 80, expr-eval error
200*10%: math-expression-evaluator error, nerdamer 20, mathjs 20, expr-eval error
0x10: math-expression-evaluator error, nerdamer 0, mathjs 16, expr-eval 16
-7%3: math-expression-evaluator error, nerdamer -1, mathjs 2, expr-eval -1
log(8,2): math-expression-evaluator error, nerdamer 3, mathjs 3, expr-eval error
2+3*4: math-expression-evaluator 14, nerdamer 14, mathjs 14, expr-eval 14
(1+2)/4: math-expression-evaluator 0.75, nerdamer 0.75, mathjs 0.75, expr-eval 0.75
END
