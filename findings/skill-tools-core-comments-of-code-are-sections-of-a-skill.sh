#!/usr/bin/env bash
# npm @skill-tools/core 0.2.2, a reader of Agent Skills (SKILL.md): parseSkill and the sections of a skill.
# Behaviour: the lines of code blocks are searched for headings. A comment "# install" in a shell block is a section, and it ends the section before it. The opening fence is left at the end of one section, the closing fence is the whole
# text of another, and each piece taken alone is broken Markdown. Depths are false as well: a comment with one # is of depth 1, like the title.
# Seen:   Setup: "Run this:", fence / install: "npm ci" / more: fence / Use
# Expected by most: two sections, Setup with its whole code block, and Use.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @skill-tools/core@0.2.2 2> /dev/null
mkdir pdf-tool
cat > pdf-tool/SKILL.md <<'MD'
---
name: pdf-tool
description: Reads PDF files. Use it when a PDF comes.
---
## Setup

Run this:

```bash
# install
npm ci
## more
```

## Use

~~~text
# not a heading
~~~
MD
cat > run.mjs <<'JS'
import { parseSkill } from '@skill-tools/core';

const { ok, skill } = await parseSkill('pdf-tool/SKILL.md');
console.log('ok:', ok, 'sections:', skill.sections.length);
for (const { heading, depth, content } of skill.sections) console.log(depth, heading, JSON.stringify(content));
JS
echo "@skill-tools/core $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@skill-tools/core/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
ok: true sections: 5
2 Setup "Run this:\n\n```bash"
1 install "npm ci"
2 more "```"
2 Use "~~~text"
1 not a heading "~~~"
END
