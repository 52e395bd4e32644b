#!/usr/bin/env bash
# changelog-parser 4.1.0 (npm, on Node 26.10.0 of the npm package node) and keepachangelog 2.0.0 (PyPI), one changelog in the form of Keep a Changelog.
# Behaviour: what changelog-parser gives in `parsed` is only the first line of each item with a mark: second lines of an item, items below an item, numbered
# items and plain sentences are gone. keepachangelog makes an item of each of those, so half sentences are changes of their own. A heading of two signs
# within a block of code begins a new version: with changelog-parser the rest of the true version comes under that one, with keepachangelog it is lost.
# Seen:   "- Limits are now per user" + "  and not per team": "Limits are now per user" / two items; "The old command" under Removed: version usage / nowhere
# Expected by most: whole items, and three versions.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts changelog-parser@4.1.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check keepachangelog==2.0.0
cat > CHANGELOG.md <<'MD'
# Changelog

## [2.0.0] - 2026-03-01

### Changed

- Limits are now per user
  and not per team.
- Settings moved:
  - `a` is now `b`
1. Stop it
2. Start the new one

Read the guide.

## [1.1.0] - 2026-02-01

### Added

- A template for help texts:

```md
## usage
- first line
```

### Removed

- The old command

## [1.0.0] - 2026-01-01
MD
cat > run.mjs <<'JS'
import { parseChangelog } from 'changelog-parser';
const { versions } = await parseChangelog('CHANGELOG.md');
for (const { version, title, parsed } of versions) console.log(`changelog-parser ${version} (${title}): ${JSON.stringify(parsed)}`);
JS
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import keepachangelog

print('keepachangelog', importlib.metadata.version('keepachangelog'), file=sys.stderr)
for name, version in keepachangelog.to_dict('CHANGELOG.md').items():
    print('keepachangelog', name + ':', json.dumps({key: value for key, value in version.items() if key != 'metadata'}))
PY
echo "changelog-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/changelog-parser/package.json')).version")"
(node run.mjs; env/bin/python run.py) | tee out
diff out - <<'END'
changelog-parser 2.0.0 ([2.0.0] - 2026-03-01): {"_":["Limits are now per user","Settings moved:"],"Changed":["Limits are now per user","Settings moved:"]}
changelog-parser 1.1.0 ([1.1.0] - 2026-02-01): {"_":["A template for help texts:"],"Added":["A template for help texts:"]}
changelog-parser null (usage): {"_":["first line","The old command"],"Removed":["The old command"]}
changelog-parser 1.0.0 ([1.0.0] - 2026-01-01): {"_":[]}
keepachangelog 2.0.0: {"changed": ["Limits are now per user", "and not per team.", "Settings moved:", "`a` is now `b`", "1. Stop it", "2. Start the new one", "Read the guide."]}
keepachangelog 1.1.0: {"added": ["A template for help texts:", "```md"]}
keepachangelog 1.0.0: {}
END
