#!/usr/bin/env bash
# gray-matter 4.0.3 (npm), the reader of frontmatter that many loaders of skills and agents use.
# Behaviour: it remembers by the text of a file, before it has read it. Frontmatter that is no YAML (here a description with a
# colon) throws at the first read. The second read of the same text neither throws nor warns: data is {} and the whole file is
# content. And what the caller changes in the data of one read is changed in the next read of equal text.
# Seen:   first: throws YAMLException / second: {} / name after a change by the first reader: changed
# Expected by most: the same error each time, and an object of one's own at each read.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund gray-matter@4.0.3
cat > run.cjs <<'JS'
const matter = require('gray-matter');
console.log('gray-matter', require('gray-matter/package.json').version);
const broken = '---\nname: notes\ndescription: keeps notes: short ones\n---\nbody\n';
const read = () => { try { return JSON.stringify(matter(broken).data); } catch (error) { return 'throws ' + error.name; } };
console.log('first: ' + read());
console.log('second: ' + read());
const good = '---\nname: notes\n---\nbody\n';
matter(good).data.name = 'changed';
console.log('name after a change by the first reader: ' + matter(good).data.name);
JS
node run.cjs | tee out
grep -q '^first: throws' out && grep -q '^second: {}$' out && grep -q 'reader: changed$' out
