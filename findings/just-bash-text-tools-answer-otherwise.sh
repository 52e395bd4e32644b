#!/usr/bin/env bash
# just-bash 3.4.2 (npm), a shell for agents that lives in JavaScript alone, with its own grep, awk, sed and ls, against those of the machine (GNU, POSIX).
# Behaviour: commands that agents write every day end with 0 or "nothing found" and say something else. Of several -e the last pattern alone counts, \+ and \< are
# no operators in grep, the separator of awk -F. is any character, two texts that look like numbers are compared as numbers, int() of a negative number
# goes down, \U of sed is the letter U, ls of several files puts an empty line between them, and what is shifted by more than 31 bits comes round again.
# Seen:   grep -e cat -e dog: dog / grep 'a\+': nothing / awk -F. '{print $2}' of v1.10: nothing / "10" < "9": false / 1<<40: 256 / s/cat/\U&/: Ucat
# Expected by most: what a shell prints, or an error for what is not there.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund just-bash@3.4.2
mkdir work; printf 'the cat\na dog\n' > work/pets; printf 'v1.10\n' > work/version
cat > commands.txt <<'END'
grep -e cat -e dog pets
grep 'a\+' pets
grep '\<cat' pets
awk -F. '{print $2}' version
awk 'BEGIN {if ("10" < "9") print "less"; else print "not less"}'
awk 'BEGIN {print int(-3.7)}'
awk 'BEGIN {x["a"]; print length(x)}'
awk 'BEGIN {RS = ""} {n++} END {print n}' pets
sed 's/cat/\U&/' pets
echo $((1 << 40))
ls pets version
true | xargs echo ran
cut -d' ' -f2 pets
END
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { Bash } from 'just-bash';
const files = Object.fromEntries(['pets', 'version'].map((name) => ['/files/' + name, readFileSync('work/' + name, 'utf8')]));
const show = (status, text) => (text.trim().replaceAll('\n', ', ') || 'nothing') + (status ? ` (exit ${status})` : '');
for (const command of readFileSync('commands.txt', 'utf8').trim().split('\n')) {
  const own = await new Bash({ files, cwd: '/files' }).exec(command);
  const real = spawnSync('bash', ['-c', command], { cwd: 'work', encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  console.log(`${command}: just-bash ${show(own.exitCode, own.stdout)} | bash ${show(real.status, real.stdout)}`);
}
JS
echo "just-bash $(node -p "JSON.parse(require('fs').readFileSync('node_modules/just-bash/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
grep -e cat -e dog pets: just-bash a dog | bash the cat, a dog
grep 'a\+' pets: just-bash nothing (exit 1) | bash the cat, a dog
grep '\<cat' pets: just-bash nothing (exit 1) | bash the cat
awk -F. '{print $2}' version: just-bash nothing | bash 10
awk 'BEGIN {if ("10" < "9") print "less"; else print "not less"}': just-bash not less | bash less
awk 'BEGIN {print int(-3.7)}': just-bash -4 | bash -3
awk 'BEGIN {x["a"]; print length(x)}': just-bash 0 | bash 1
awk 'BEGIN {RS = ""} {n++} END {print n}' pets: just-bash 2 | bash 1
sed 's/cat/\U&/' pets: just-bash the Ucat, a dog | bash the CAT, a dog
echo $((1 << 40)): just-bash 256 | bash 1099511627776
ls pets version: just-bash pets, , version | bash pets, version
true | xargs echo ran: just-bash nothing | bash ran
cut -d' ' -f2 pets: just-bash cat, dog | bash cat, dog
END
