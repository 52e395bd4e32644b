#!/usr/bin/env bash
# hjson 3.2.2 (npm), a configuration is read with Hjson.rt.parse, changed and written with Hjson.rt.stringify, "to roundtrip your comments"; hjson 3.1.0 (PyPI) reads what was written.
# Behaviour: a setting that is deleted is written all the same, as "name: undefined", and that is a text for every reader of Hjson: a proxy that was taken out is now the proxy "undefined".
# A copy by {...settings} has lost the comments above its settings. A text that begins with a tab is written without an escape, in three quotes, and is read without its tab, by both packages.
# Seen:   delete settings.proxy: proxy: undefined, read as "undefined" / "\tgcc -o x" is read again as "gcc -o x"
# Expected by most: no line for proxy; the same text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund hjson@3.2.2
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check hjson==3.1.0
cat > settings.hjson <<'TEXT'
{
  # needed at home
  proxy: http://proxy.example:3128 # old
  # in seconds
  limit: 5
  list: [
    # the first
    a
    b
  ]
}
TEXT
cat > run.mjs <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import Hjson from 'hjson';
const read = () => Hjson.rt.parse(readFileSync('settings.hjson', 'utf8'));
const settings = read();
delete settings.proxy;
delete settings.list;
writeFileSync('new.hjson', Hjson.rt.stringify(settings));
console.log(readFileSync('new.hjson', 'utf8'));
console.log('read again:', JSON.stringify(Hjson.parse(readFileSync('new.hjson', 'utf8'))));
console.log('a copy has the comments', JSON.stringify(Hjson.rt.stringify({ ...read(), limit: 6 }).match(/#.*/g)));
for (const text of ['\tgcc -o x', 'a\tb', '\tgcc\n\tld']) console.log(JSON.stringify(text), 'read again', JSON.stringify(Hjson.parse(Hjson.stringify({ text })).text));
JS
cat > run.py <<'PY'
import hjson
print('hjson of PyPI:', dict(hjson.load(open('new.hjson'))))
for text in ['\tgcc -o x', 'a\tb', '\tgcc\n\tld']:
    print(repr(text), 'read again', repr(hjson.loads(hjson.dumps({'text': text}))['text']))
PY
echo "hjson $(node -p "JSON.parse(require('fs').readFileSync('node_modules/hjson/package.json')).version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
{
  # needed at home
  proxy: undefined
  # in seconds
  limit: 5
  list: undefined
}
read again: {"proxy":"undefined","limit":5,"list":"undefined"}
a copy has the comments ["# old","# the first"]
"\tgcc -o x" read again "gcc -o x"
"a\tb" read again "a\tb"
"\tgcc\n\tld" read again "\tgcc\n\tld"
hjson of PyPI: {'proxy': 'undefined', 'limit': 5, 'list': 'undefined'}
'\tgcc -o x' read again 'gcc -o x'
'a\tb' read again 'a\tb'
'\tgcc\n\tld' read again '\tgcc\n\tld'
END
