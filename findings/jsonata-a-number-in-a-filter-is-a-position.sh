#!/usr/bin/env bash
# jsonata 2.2.2 (npm), the query and transformation language of low-code tools and of some MCP servers.
# Behaviour: hosts[retries] is not "the hosts that have retries". The brackets are both filter and index, and that is decided for each item by its own
# value: an item whose value is a number is kept if the number is its own position (-1 for the last). $filter() with the same condition tells true from
# false. A comparison with a missing member is false, != as well, so hosts[retries != 1] leaves out a host without retries, and $not(retries = 1) does not.
# Seen:   hosts[retries]: b, e / hosts[$boolean(retries)], $filter: a, b, c, e / [retries != 1]: c, e / [$not(retries = 1)]: c, d, e
# Expected by most: a, b, c, e for each of the first three, and c, d, e for the last two.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jsonata@2.2.2
cat > run.mjs <<'JS'
import jsonata from 'jsonata';
const data = { hosts: [{ name: 'a', retries: 1 }, { name: 'b', retries: 1 }, { name: 'c', retries: 8080 }, { name: 'd' }, { name: 'e', retries: -1 }] };
for (const program of ['hosts[retries].name', 'hosts[$boolean(retries)].name', '$filter(hosts, function($host) { $host.retries }).name', 'hosts[retries != 1].name', 'hosts[$not(retries = 1)].name'])
  console.log(program + ': ' + (await jsonata(program).evaluate(data)).join(', '));
JS
echo "jsonata $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jsonata/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
hosts[retries].name: b, e
hosts[$boolean(retries)].name: a, b, c, e
$filter(hosts, function($host) { $host.retries }).name: a, b, c, e
hosts[retries != 1].name: c, e
hosts[$not(retries = 1)].name: c, d, e
END
