#!/usr/bin/env bash
# spdx-correct 3.2.0 (npm), which makes an SPDX identifier of what a package says about its licence, under npm's own reading of package.json and many licence checkers, default settings.
# Behaviour: it looks for known words within the text and answers with one identifier. UNLICENSED, npm's word for "nobody may use this", becomes Unlicense, which gives all rights away, without a warning.
# Of a choice or a sum of licences one is left: the known words of the other are not looked at again. An exception is dropped, 0BSD by its name becomes BSD-2-Clause, and "Not MIT" is MIT. What is valid as it stands is kept.
# Seen:   UNLICENSED: Unlicense / MIT OR Apache: Apache-2.0 / Dual MIT/GPL: GPL-3.0-or-later / BSD Zero Clause License: BSD-2-Clause
# Expected by most: null for UNLICENSED; "MIT OR Apache-2.0", or null.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund spdx-correct@3.2.0
cat > run.mjs <<'JS'
import correct from 'spdx-correct';
for (const text of [
  'MIT License', 'Apache 2', 'MIT OR Apache-2.0', 'UNLICENSED', 'Unlicensed', 'MIT OR Apache', 'MIT and BSD', 'Dual MIT/GPL', 'GPL-3.0 with Classpath exception',
  'BSD Zero Clause License', 'GPL', 'LGPL', 'BSD', 'Not MIT', 'ISC License', 'No idea what license',
]) console.log(`${text}: ${correct(text)}`);
JS
echo "spdx-correct $(node -p "JSON.parse(require('fs').readFileSync('node_modules/spdx-correct/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
MIT License: MIT
Apache 2: Apache-2.0
MIT OR Apache-2.0: MIT OR Apache-2.0
UNLICENSED: Unlicense
Unlicensed: Unlicense
MIT OR Apache: Apache-2.0
MIT and BSD: BSD-2-Clause
Dual MIT/GPL: GPL-3.0-or-later
GPL-3.0 with Classpath exception: GPL-3.0-or-later
BSD Zero Clause License: BSD-2-Clause
GPL: GPL-3.0-or-later
LGPL: LGPL-3.0-or-later
BSD: BSD-2-Clause
Not MIT: MIT
ISC License: null
No idea what license: null
END
