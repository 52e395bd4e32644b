#!/usr/bin/env bash
# codeowners 5.1.1 (npm) and codeowners-utils 1.0.2 (npm) against codeowners 0.9.0 (PyPI): one CODEOWNERS file with the examples that its guide gives.
# Behaviour: the npm package has the words of a comment at the end of a line as owners. In both npm packages docs/* is for all that lies deeper, where GitHub
# has it for the files in docs alone, so a rule for a folder is overruled by it. A name with an escaped space is not found by either.
# Seen:   app.js: @js, #, the, web, team / docs/guides/a.md: @top and not @docs / "my file.md": @all and not @space
# Expected by most: @js / @docs / @space, as the package of PyPI says and as GitHub does.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts codeowners@5.1.1 codeowners-utils@1.0.2 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check codeowners==0.9.0
cat > CODEOWNERS <<'TXT'
*             @all
*.js          @js # the web team
/docs/        @docs
docs/*        @top
my\ file.md   @space
/scripts/     @a @b
TXT
cat > run.py <<'PY'
import json
from codeowners import CodeOwners
rules = CodeOwners(open('CODEOWNERS').read())
names = ['README.md', 'app.js', 'docs/a.md', 'docs/guides/a.md', 'my file.md', 'scripts/run']
json.dump([[name, [owner for _, owner in rules.of(name)]] for name in names], open('py.json', 'w'))
PY
cat > run.cjs <<'JS'
const fs = require('fs');
const Owners = require('codeowners');
const found = require('codeowners-utils');
const utils = found.default ?? found;
const rules = new Owners('.');
const entries = utils.parse(fs.readFileSync('CODEOWNERS', 'utf8'));
for (const [name, owners] of JSON.parse(fs.readFileSync('py.json'))) {
  console.log(`${name}: PyPI ${owners}; npm codeowners ${rules.getOwner(name)}; codeowners-utils ${utils.matchFile(name, entries).owners}`);
}
JS
env/bin/python run.py
for name in codeowners codeowners-utils; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.cjs | tee out
diff out - <<'END'
README.md: PyPI @all; npm codeowners @all; codeowners-utils @all
app.js: PyPI @js; npm codeowners @js,#,the,web,team; codeowners-utils @js
docs/a.md: PyPI @top; npm codeowners @top; codeowners-utils @top
docs/guides/a.md: PyPI @docs; npm codeowners @top; codeowners-utils @top
my file.md: PyPI @space; npm codeowners @all; codeowners-utils @all
scripts/run: PyPI @a,@b; npm codeowners @a,@b; codeowners-utils @a,@b
END
