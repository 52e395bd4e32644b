#!/usr/bin/env bash
# yaml-diff-patch 2.0.0 and yawn-yaml 3.0.0 (npm), with which programs change YAML "while preserving comments", one file each; yaml 2.9.1 (npm) reads what they wrote.
# Behaviour: when the first item of a list goes, both keep its comment and put it over the next item; yaml-diff-patch drops the comments of the items behind it. So "# production, do not touch" stands over
# another server. Where the text has an anchor, both change the anchor's own place and leave the aliases: the file then does not say the value that it was given.
# Seen:   "# production" over web1 and "# test" over web2; web1 removed: "# production" over web2 / port 1 to 2 in one of two places, with an alias in the other: 2 in both, in both packages
# Expected by most: the comment goes with its item, and what is read from the new text is the value that was given.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund yaml-diff-patch@2.0.0 yawn-yaml@3.0.0 yaml@2.9.1
cat > run.mjs <<'JS'
import { yamlOverwrite } from 'yaml-diff-patch';
import { parse } from 'yaml';
import * as module from 'yawn-yaml';
const Yawn = [module.default?.default, module.default, module.YAWN].find((part) => typeof part === 'function');
function yawn(text, value) {
  const file = new Yawn(text);
  file.json = value;
  return file.yaml;
}
const servers = 'servers:\n  # production, do not touch\n  - web1\n  # test\n  - web2\n  # old\n  - web3\n';
console.log(`yaml-diff-patch\n${yamlOverwrite(servers, { servers: ['web2', 'web3'] })}yawn-yaml\n${yawn(servers, { servers: ['web2', 'web3'] })}`);
console.log(`an item in front, yaml-diff-patch\n${yamlOverwrite(servers, { servers: ['web0', 'web1', 'web2', 'web3'] })}`);
const shared = 'live: &base\n  port: 1\ntest: *base\n';
for (const value of [{ live: { port: 2 }, test: { port: 1 } }]) {
  console.log(`given ${JSON.stringify(value)}, read from yaml-diff-patch ${JSON.stringify(parse(yamlOverwrite(shared, value)))}, yawn-yaml ${JSON.stringify(parse(yawn(shared, value)))}`);
}
JS
for package in yaml-diff-patch yawn-yaml; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
yaml-diff-patch
servers:
  # production, do not touch
  - web2
  - web3
yawn-yaml
servers:
  # production, do not touch
  - web2
  # test
  - web3

an item in front, yaml-diff-patch
servers:
  # production, do not touch
  - web0
  - web1
  - web2
  - web3

given {"live":{"port":2},"test":{"port":1}}, read from yaml-diff-patch {"live":{"port":2},"test":{"port":2}}, yawn-yaml {"live":{"port":2},"test":{"port":2}}
END
