#!/usr/bin/env bash
# ssh-config 5.3.0 (npm), parse and stringify of a client configuration with comments behind the values; nothing is changed, or one host is added.
# Behaviour: the blank between a value and its comment is lost: "Port 22 # office" is written as "Port 22# office". For OpenSSH the port is then
# "22#", and it refuses the whole file ("Bad port"), "User jo # me" has one word too many. ssh-config itself reads its file as before, so a check by
# reading it again shows nothing. A host pattern in quotes loses its quotes and becomes two patterns.
# Seen:   Port 22# office / Host my box
# Expected by most: the file as it was; its README says that comments and layout are kept.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund ssh-config@5.3.0
cat > write.js <<'JS'
const fs = require('fs');
const module_ = require('ssh-config');
const Config = module_.default || module_;
console.log('ssh-config', JSON.parse(fs.readFileSync('node_modules/ssh-config/package.json')).version);
const show = (name, text, edit) => {
  const config = Config.parse(text);
  if (edit) edit(config);
  console.log('-- ' + name);
  console.log(Config.stringify(config).trimEnd());
};
const text = 'Host box\n  User jo # me\n  Port 22 # office\n';
show('read and written', text);
show('a host is added', text, config => config.append({ Host: 'new', Port: '23' }));
show('comment on a line of its own', 'Host box\n  # office\n  Port 22\n');
show('a pattern in quotes', 'Host "my box"\n  Port 22\n');
const read = value => JSON.stringify(Config.parse(value).compute('box'));
console.log('read again by itself', read(text) === read(Config.stringify(Config.parse(text))) ? 'as before' : 'changed');
JS
node write.js | tee out
diff out - <<'END'
ssh-config 5.3.0
-- read and written
Host box
  User jo# me
  Port 22# office
-- a host is added
Host box
  User jo# me
  Port 22# office

Host new
  Port 23
-- comment on a line of its own
Host box
  # office
  Port 22
-- a pattern in quotes
Host my box
  Port 22
read again by itself as before
END
