#!/usr/bin/env bash
# toml-patch 0.2.3 (npm), patch(text, object) where one item was added to a list.
# Behaviour: in a list of several lines with comments behind the items, the comments move down by one item when an item is added at the end, so that they
# stand beside another value. When the first item is removed, the rest is written over itself: 80 becomes the end of a comment ("# ssh0"), and the
# list of the file is empty. With the comments above the items, all items that were there are lost when one is added. There is no error.
# Other lines, also numbers such as 1_000 and 1.10, stay as they were. Lists on one line are right.
# Seen:   22,  / 80, # ssh / 443 # web; after shift(): []; comments above: [443]
# Expected by most: 22, # ssh and 80, # web with the new item below; after shift(): 80. Keeping comments is what the package is for.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund toml-patch@0.2.3
cat > patch.js <<'JS'
const { parse, patch } = require('toml-patch');
console.log('toml-patch', require('toml-patch/package.json').version);
const behind = `limit = 1_000 # bytes
version = 1.10
ports = [
  22, # ssh
  80, # web
]
`;
const above = `ports = [
  # ssh
  22,
  # web
  80,
]
`;
const change = (name, text, edit) => {
  const data = parse(text);
  edit(data);
  const written = patch(text, data);
  console.log('-- ' + name + ', read again:', JSON.stringify(parse(written).ports), 'wanted:', JSON.stringify(data.ports));
  console.log(written.trimEnd());
};
change('one item added at the end', behind, d => d.ports.push(443));
change('first item removed', behind, d => d.ports.shift());
change('comments above, one item added', above, d => d.ports.push(443));
change('list on one line, one item added', 'ports = [22, 80] # both\n', d => d.ports.push(443));
JS
node patch.js | tee out
diff out - <<'END'
toml-patch 0.2.3
-- one item added at the end, read again: [22,80,443] wanted: [22,80,443]
limit = 1_000 # bytes
version = 1.10
ports = [
  22,
  80, # ssh
  443      # web
]
-- first item removed, read again: [] wanted: [80]
limit = 1_000 # bytes
version = 1.10
ports = [
    # ssh0
      # web
]
-- comments above, one item added, read again: [443] wanted: [22,80,443]
ports = [

  # ssh

  # web
  443
]
-- list on one line, one item added, read again: [22,80,443] wanted: [22,80,443]
ports = [22, 80, 443] # both
END
