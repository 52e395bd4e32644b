#!/usr/bin/env bash
# kubernetes-resource-parser 0.1.0 (npm), which makes numbers of the quantities of Kubernetes: cpuParser gives cores, memoryParser bytes.
# Behaviour: a quantity of memory with a decimal point loses all that is behind the point, the unit with it: 1.5Gi is 1 byte, 0.5G is 0. Kubernetes itself writes and takes such values. An exponent (1e3) is 1.
# Of millicores the m counts, but u and n, in which metrics of the API server come, do not: 100u is 100 cores, and the 1500000n of "kubectl get --raw" are a million and a half cores. 100m of memory is NaN.
# Seen:   memoryParser('1.5Gi'): 1 / memoryParser('1536Mi'): 1610612736 / cpuParser('1500000n'): 1500000 / cpuParser('500m'): 0.5
# Expected by most: 1610612736 for both; 0.0015 cores.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund kubernetes-resource-parser@0.1.0
cat > run.cjs <<'JS'
const { cpuParser, memoryParser } = require('kubernetes-resource-parser');
for (const text of ['512Mi', '1536Mi', '1.5Gi', '0.5G', '2.5Ti', '128974848', '1e3', '129M', '100m']) console.log(`memory ${text}: ${memoryParser(text)}`);
for (const text of ['2', '0.1', '500m', '2k', '100u', '1500000n', '250000u']) console.log(`cpu ${text}: ${cpuParser(text)}`);
JS
echo "kubernetes-resource-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/kubernetes-resource-parser/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
memory 512Mi: 536870912
memory 1536Mi: 1610612736
memory 1.5Gi: 1
memory 0.5G: 0
memory 2.5Ti: 2
memory 128974848: 128974848
memory 1e3: 1
memory 129M: 129000000
memory 100m: NaN
cpu 2: 2
cpu 0.1: 0.1
cpu 500m: 0.5
cpu 2k: 2
cpu 100u: 100
cpu 1500000n: 1500000
cpu 250000u: 250000
END
