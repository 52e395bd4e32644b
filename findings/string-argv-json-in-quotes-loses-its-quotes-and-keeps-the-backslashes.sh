#!/usr/bin/env bash
# string-argv 0.4.0 (npm), makes a list of arguments of one command line, as launchers of servers and tasks do with what a user wrote.
# Behaviour: a backslash means nothing to it. In "{\"id\": 5}" each inner quote ends the text and is dropped, and the backslash stays: the program gets
# {\id\: 5}. An escaped blank still cuts the argument in two. The words don't stop won't become one argument without its apostrophes.
# In single quotes, where nothing needs escaping, all is well.
# Seen:   {\id\: 5} / say \hi\ now / my\ and file.txt / dont stop wont
# Expected by most: what a shell hands over: {"id": 5} / say "hi" now / my file.txt
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund string-argv@0.4.0
cat > lines <<'END'
run --json "{\"id\": 5}"
run --json '{"id": 5}'
run -m "say \"hi\" now"
run my\ file.txt
run "C:\dir\a b.txt"
run \"hi\"
END
cat > run.mjs <<'JS'
import { parseArgsStringToArgv } from 'string-argv';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

console.log('string-argv', JSON.parse(readFileSync('node_modules/string-argv/package.json')).version);
for (const line of readFileSync('lines', 'utf8').trim().split('\n')) {
  const shell = execFileSync('sh', ['-c', 'for one in ' + line + '; do printf "%s|" "$one"; done'], { encoding: 'utf8' });
  console.log(`${line}\n  shell: ${shell}\n  string-argv: ${parseArgsStringToArgv(line).join('|')}|`);
}
console.log("don't stop won't =>", parseArgsStringToArgv("don't stop won't").join('|') + '|');
JS
node run.mjs | tee out
diff out - <<'END'
string-argv 0.4.0
run --json "{\"id\": 5}"
  shell: run|--json|{"id": 5}|
  string-argv: run|--json|{\id\: 5}|
run --json '{"id": 5}'
  shell: run|--json|{"id": 5}|
  string-argv: run|--json|{"id": 5}|
run -m "say \"hi\" now"
  shell: run|-m|say "hi" now|
  string-argv: run|-m|say \hi\ now|
run my\ file.txt
  shell: run|my file.txt|
  string-argv: run|my\|file.txt|
run "C:\dir\a b.txt"
  shell: run|C:\dir\a b.txt|
  string-argv: run|C:\dir\a b.txt|
run \"hi\"
  shell: run|"hi"|
  string-argv: run|\hi\|
don't stop won't => dont stop wont|
END
