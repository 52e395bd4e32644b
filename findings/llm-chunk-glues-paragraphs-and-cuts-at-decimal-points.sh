#!/usr/bin/env bash
# llm-chunk 0.0.1 and @orama/chunker 0.0.3 (npm), which cut a text into pieces for a model, as their READMEs call them.
# Behaviour: llm-chunk joins the paragraphs of a piece with nothing between: a heading that ends in 2026 and a text that begins with 12 are 202612. With its splitter for sentences
# each point ends one, so 3.5 is cut into "3." and "5", and 1,234.50 as well. @orama/chunker puts one space in place of each line break and indent: tables and lists are one line, and
# code has no lines, so a comment takes in what stands below it.
# Seen:   "# Sales 2026" + "12 shops": # Sales 202612 shops / 3.5 percent: 3. + 5 percent / code: if x: # never return 1 return 2
# Expected by most: an empty line or a space between paragraphs; a number in one piece; the lines of the text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund llm-chunk@0.0.1 @orama/chunker@0.0.3
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FixedChunker, NLPChunker } from '@orama/chunker';
const { chunk } = createRequire(import.meta.url)('llm-chunk');
for (const name of ['llm-chunk', '@orama/chunker']) console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version);
const show = (name, parts) => {
  console.log(`${name}:`);
  for (const part of parts) console.log(`  ${JSON.stringify(part)}`);
};
const text = '# Sales 2026\n\n12 shops sold 3.5 percent more.\n\nPrices rose by 1,234.50 in all.\n';
show('llm-chunk', chunk(text));
show('llm-chunk, short', chunk(text, { maxLength: 40 }));
show('llm-chunk, sentences', chunk(text, { splitter: 'sentence' }));
show('llm-chunk, sentences of 20 and more', chunk(text, { splitter: 'sentence', minLength: 20 }));
const code = 'if x:\n    # never\n    return 1\nreturn 2\n\n| name | qty |\n|---|---|\n| pen | 2 |\n';
show('@orama/chunker, fixed', await new FixedChunker().chunk(code, 512));
show('@orama/chunker, sentences', await new NLPChunker().chunk(code, 512));
JS
node run.mjs | tee out
diff out - <<'END'
llm-chunk 0.0.1
@orama/chunker 0.0.3
llm-chunk:
  "# Sales 202612 shops sold 3.5 percent more."
  "Prices rose by 1,234.50 in all.\n"
llm-chunk, short:
  "# Sales 202612 shops sold 3.5 percent mo"
  "re. Prices rose by 1,234.50 in all.\n"
llm-chunk, sentences:
  "# Sales 2026\n"
  "12 shops sold 3."
  "5 percent more."
  "Prices rose by 1,234."
  "50 in all."
  ""
llm-chunk, sentences of 20 and more:
  "# Sales 2026\n 12 shops sold 3."
  "5 percent more. Prices rose by 1,234."
  "50 in all. "
@orama/chunker, fixed:
  "if x: # never return 1 return 2 | name | qty | |---|---| | pen | 2 | "
@orama/chunker, sentences:
  "if x: # never return 1 return 2 | name | qty |\n|---|---| | pen | 2 |"
END
