#!/usr/bin/env bash
# picomatch 4.0.7 and minimatch 11.0.9 (npm), which nearly all rules with patterns of JavaScript tools are matched with, default settings.
# Behaviour: they differ on ordinary patterns, in both directions. In picomatch [!a] is not "anything but a" (only [^a] is), and [id] matches the
# characters themselves, "[id]", as well as "i". src/** matches src itself in picomatch alone, **.ts goes into folders there, ./a matches a, and
# (a|b) is a choice. A pattern that begins with # is a comment in minimatch and matches nothing.
# Seen:   [!a] b: picomatch no, minimatch yes / app/[id]/page.tsx itself: yes, no / src/** src: yes, no / **.ts a/b.ts: yes, no / #a: yes, no
# Expected by most: one pattern means the same in both but for corners.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund picomatch@4.0.7 minimatch@11.0.9
cat > run.mjs <<'JS'
import picomatch from 'picomatch';
import { minimatch } from 'minimatch';
const tried = [['[!a]', 'b'], ['[^a]', 'b'], ['app/[id]/page.tsx', 'app/[id]/page.tsx'], ['app/[id]/page.tsx', 'app/i/page.tsx'], ['src/**', 'src'], ['**/build/**', 'build'], ['**.ts', 'a/b.ts'], ['./a', 'a'], ['(a|b)', 'a'], ['#a', '#a']];
for (const [pattern, path] of tried) console.log(pattern + ' ' + path + ': ' + picomatch.isMatch(path, pattern) + ' ' + minimatch(path, pattern));
JS
for name in picomatch minimatch; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
[!a] b: false true
[^a] b: true true
app/[id]/page.tsx app/[id]/page.tsx: true false
app/[id]/page.tsx app/i/page.tsx: true true
src/** src: true false
**/build/** build: true false
**.ts a/b.ts: true false
./a a: true false
(a|b) a: true false
#a #a: true false
END
