#!/usr/bin/env bash
# jsonpath-plus 10.4.0 (npm), the JSONPath of many JavaScript tools.
# Behaviour: a filter may say @parent, @property, @root or @path. These are looked for in the whole text of the filter, in quoted values too, and as
# beginnings of words. So no record whose value holds one of them is ever found: an address at parent.example, at path.example or at pathology.example,
# or a package of the scope @root. A text is indexed like an array, so $.a[0] of "text" is "t".
# Seen:   ann@mail.example: 1 / ann@parent.example: 0 / ann@pathology.example: 0 / @root/core: 0 / @tool/core: 1 / $.a[0]: ["t"]
# Expected by most: what stands in quotes is a value.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jsonpath-plus@10.4.0
cat > run.mjs <<'JS'
import { JSONPath } from 'jsonpath-plus';
for (const value of ['ann@mail.example', 'ann@parent.example', 'ann@property.example', 'ann@pathology.example', '@root/core', '@tool/core'])
  console.log(value + ': ' + JSONPath({ path: `$.rows[?(@.value=='${value}')]`, json: { rows: [{ value }] } }).length);
console.log('$.a[0]: ' + JSON.stringify(JSONPath({ path: '$.a[0]', json: { a: 'text' } })));
JS
echo "jsonpath-plus $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jsonpath-plus/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
ann@mail.example: 1
ann@parent.example: 0
ann@property.example: 0
ann@pathology.example: 0
@root/core: 0
@tool/core: 1
$.a[0]: ["t"]
END
