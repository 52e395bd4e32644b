#!/usr/bin/env bash
# configobj 5.0.9 (PyPI) and ini 7.0.0 (npm, on Node 26.10.0 of the npm package node), one file of settings, default settings; configparser of Python 3 for comparison.
# Behaviour: both take # within a word for the start of a comment, without a space before it. An address loses its fragment, a colour all of it, and a
# password its end; ini does so with ; too. configobj makes a list of a text with a comma. ini divides the name of a section at a dot, so that
# [app 1.2] is a section 2 within "app 1". What configobj writes back still has the whole line, as a comment that stands close to the value.
# Seen:   https://example.com/docs#setup: https://example.com/docs / #ff0000: "" / Hello, world: ["Hello", "world"] / [app 1.2]: {"app 1": {"2": ...}}
# Expected by most: the values as configparser has them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check configobj==5.0.9
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts ini@7.0.0 2> /dev/null
cat > app.ini <<'INI'
[app 1.2]
help = https://example.com/docs#setup
colour = #ff0000
password = ab#cd
rule = a;b
greeting = Hello, world
INI
cat > run.py <<'PY'
import configparser
import importlib.metadata
import json
import sys
from configobj import ConfigObj

print('configobj', importlib.metadata.version('configobj'), file=sys.stderr)
plain = configparser.ConfigParser()
plain.read('app.ini')
print('configparser:', json.dumps({name: dict(plain[name]) for name in plain.sections()}))
print('configobj:', json.dumps(ConfigObj('app.ini')))
PY
cat > run.mjs <<'JS'
import fs from 'node:fs';
import { parse } from 'ini';
console.log('ini:', JSON.stringify(parse(fs.readFileSync('app.ini', 'utf8'))));
JS
echo "ini $(node -p "JSON.parse(require('fs').readFileSync('node_modules/ini/package.json')).version")"
(env/bin/python run.py; node run.mjs) | tee out
diff out - <<'END'
configparser: {"app 1.2": {"help": "https://example.com/docs#setup", "colour": "#ff0000", "password": "ab#cd", "rule": "a;b", "greeting": "Hello, world"}}
configobj: {"app 1.2": {"help": "https://example.com/docs", "colour": "", "password": "ab", "rule": "a;b", "greeting": ["Hello", "world"]}}
ini: {"app 1":{"2":{"help":"https://example.com/docs","colour":"","password":"ab","rule":"a","greeting":"Hello, world"}}}
END
