#!/usr/bin/env bash
# shell-quote 1.12.0 (npm), which splits command lines in many JavaScript tools, against bash.
# Behaviour: a # in the middle of a word begins a comment, so the fragment of an address and all arguments behind it are gone; in a shell a
# comment begins only where a word begins. A backslash before a line break, by which long commands are written on several lines, gives an empty
# argument of its own. A question mark makes an address a pattern, an object in place of a text.
# Seen:   words of curl https://x.example/docs#install -s: curl https://x.example/docs {comment} (bash: three) / "a \ newline b": a,"",b (bash: a,b)
# Expected by most: the words that a shell would pass.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund shell-quote@1.12.0
cat > run.cjs <<'JS'
const { parse } = require('shell-quote');
const { execFileSync } = require('child_process');
const words = (line) => JSON.parse(execFileSync('bash', ['-c', 'node -p "JSON.stringify(process.argv.slice(1))" ' + line]).toString());
for (const line of ['get https://x.example/docs#install -s', 'get issue#12 done', 'get \\\n --all', 'get https://x.example/?page=2']) {
  console.log(JSON.stringify(line) + ': ' + JSON.stringify(parse(line)) + ' bash: ' + JSON.stringify(words(line)));
}
JS
echo "shell-quote $(node -p "JSON.parse(require('fs').readFileSync('node_modules/shell-quote/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
"get https://x.example/docs#install -s": ["get","https://x.example/docs",{"comment":"install -s"}] bash: ["get","https://x.example/docs#install","-s"]
"get issue#12 done": ["get","issue",{"comment":"12 done"}] bash: ["get","issue#12","done"]
"get \\\n --all": ["get","","--all"] bash: ["get","--all"]
"get https://x.example/?page=2": ["get",{"op":"glob","pattern":"https://x.example/?page=2"}] bash: ["get","https://x.example/?page=2"]
END
