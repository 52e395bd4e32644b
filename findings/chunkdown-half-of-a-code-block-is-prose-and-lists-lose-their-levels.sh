#!/usr/bin/env bash
# chunkdown 3.5.0 (npm): a splitter of Markdown "to create semantically meaningful chunks", chunkSize 20 (and 60).
# Behaviour: a code block that is longer than a chunk is cut in two without fences: the first piece opens a fence and does not close it, the second is bare code with a closing fence, which Markdown reads
# as prose that ends in an open code block. Items of a list that stand apart lose their level: what was below "pots" and below "iron" are three items of the first level. A quote that is cut
# gets an empty last line. The text is written anew all along: an asterisk that multiplies gets a backslash, a backslash before $ goes, colons of a table's rule change.
# Seen:   "def two():\n    return 2\n```" / "* iron", "* cast iron" / "$5 \* 3"
# Expected by most: each piece of code between fences; items with their indents or their parents.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund chunkdown@3.5.0
cat > text.md <<'MD'
- pots and pans
  - iron ones are here
    - cast iron ones too

```python
def one():
    return 1

def two():
    return 2
```

> quoted text line one
> line two

Costs \$5 * 3 each.
MD
cat > run.mjs <<'JS'
import fs from 'node:fs';
import { chunkdown } from 'chunkdown';
console.log('chunkdown', JSON.parse(fs.readFileSync('node_modules/chunkdown/package.json')).version);
const text = fs.readFileSync('text.md', 'utf8');
for (const chunkSize of [20, 60]) {
  console.log('size', chunkSize);
  const { chunks } = chunkdown({ chunkSize, maxOverflowRatio: 1.2 }).split(text);
  for (const chunk of chunks) console.log(' ', JSON.stringify(chunk.text));
}
JS
node run.mjs | tee out
diff out - <<'END'
chunkdown 3.5.0
size 20
  "* pots and pans"
  "* iron ones are here"
  "* cast iron ones too"
  "```python\ndef one():\n    return 1"
  "def two():\n    return 2\n```"
  "> quoted text line one\n>"
  "> line two\n>"
  "Costs $5 \\* 3 each."
size 60
  "* pots and pans\n  * iron ones are here\n    * cast iron ones too"
  "```python\ndef one():\n    return 1\n\ndef two():\n    return 2\n```"
  "> quoted text line one\n> line two\n\nCosts $5 \\* 3 each."
END
