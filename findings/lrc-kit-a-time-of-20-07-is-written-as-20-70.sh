#!/usr/bin/env bash
# lrc-kit 1.2.1 (npm): song texts with times (LRC), parse and toString of its README.
# Behaviour: the fraction of a second is written without the noughts at its start: 20.07 s becomes [00:20.70], 1.05 s becomes [00:01.50], 10.999 s becomes [00:10.100], which is read as 10.1 s.
# So a file that is only read and written has nearly one line in ten up to 0.9 s late, and no longer in the same order with its neighbours.
# Times with a fraction from .10 on stay, so most lines look right.
# Seen:   [00:20.07] -> [00:20.70] / [00:01.05] -> [00:01.50] / [00:10.999] -> [00:10.100] = 10.1 s / [00:10.99] stays
# Expected by most: the times of the file.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund lrc-kit@1.2.1
cat > run.mjs <<'JS'
import { Lrc } from 'lrc-kit';
const song = '[ti:Song]\n[00:01.05]one\n[00:09.010][00:30.000]twice\n[00:10.99]three\n[00:10.999]four\n[00:20.07]five\n[00:20.50]six\n';
const times = (lrc) => lrc.lyrics.map((line) => `${line.content} ${line.timestamp}`).sort().join(', ');
const once = Lrc.parse(song);
const written = once.toString().replace(/\r/g, '');
const again = Lrc.parse(written);
console.log(`read: ${times(once)}\n${written.trim()}\nread again: ${times(again)}`);
const words = (lrc) => [...lrc.lyrics].sort((a, b) => a.timestamp - b.timestamp).map((line) => line.content).join(' ');
console.log(`order: ${words(once)}\norder afterwards: ${words(again)}`);
JS
echo "lrc-kit $(node -p "JSON.parse(require('fs').readFileSync('node_modules/lrc-kit/package.json')).version")" >&2
node run.mjs | tee out
diff out - <<'END'
read: five 20.07, four 10.999, one 1.05, six 20.5, three 10.99, twice 30, twice 9.01
[ti:Song]
[00:01.50]one
[00:09.10][00:30.00]twice
[00:10.99]three
[00:10.100]four
[00:20.70]five
[00:20.50]six
read again: five 20.7, four 10.1, one 1.5, six 20.5, three 10.99, twice 30, twice 9.1
order: one twice three four five six twice
order afterwards: one twice four three six five twice
END
