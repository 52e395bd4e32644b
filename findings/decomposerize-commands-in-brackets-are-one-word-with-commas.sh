#!/usr/bin/env bash
# decomposerize 1.4.4 (npm), which makes "docker run" of a compose file, default settings; both forms of a list in YAML.
# Behaviour: a command that is a list, the usual form, is written with commas and without quotes: the container is told to run a program named "sh,-c,echo a b". The test of a health check
# is put as CMD,curl,-f,…, for which the shell finds no program, so the container is never healthy. An entrypoint becomes several --entrypoint, of which Docker takes the last. A command that is a text keeps its words. No warning.
# Seen:   command: ["sh", "-c", "echo a b"]: sh,-c,echo a b / test: ["CMD", "curl", "-f", "http://localhost"]: --health-cmd CMD,curl,-f,http://localhost
# Expected by most: sh -c "echo a b" and --health-cmd "curl -f http://localhost".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund decomposerize@1.4.4
cat > run.cjs <<'JS'
const module_ = require('decomposerize');
const decompose = module_.default ?? module_;
const show = (name, lines) => console.log(`${name}: ${decompose(`services:\n  web:\n    image: img:1.10\n${lines.map((line) => `    ${line}\n`).join('')}`).trim()}`);
show('command, text', ['command: sh -c "echo a b"']);
show('command, list', ['command: ["sh", "-c", "echo a b"]']);
show('command, list in lines', ['command:', '  - sh', '  - -c', '  - echo a b']);
show('entrypoint, list', ['entrypoint: ["/bin/app", "--port", "80"]']);
show('test, text', ['healthcheck:', '  test: curl -f http://localhost']);
show('test, list', ['healthcheck:', '  test: ["CMD", "curl", "-f", "http://localhost"]', '  interval: 1m30s']);
show('ports, list', ['ports: ["8080:80"]', 'environment:', '  A: b c']);
JS
echo "decomposerize $(node -p "JSON.parse(require('fs').readFileSync('node_modules/decomposerize/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
command, text: docker run img:1.10 sh -c "echo a b"
command, list: docker run img:1.10 sh,-c,echo a b
command, list in lines: docker run img:1.10 sh,-c,echo a b
entrypoint, list: docker run --entrypoint /bin/app --entrypoint --port --entrypoint 80 img:1.10
test, text: docker run --health-cmd "curl -f http://localhost" img:1.10
test, list: docker run --health-cmd CMD,curl,-f,http://localhost --health-interval 1m30s img:1.10
ports, list: docker run -p 8080:80 -e A="b c" img:1.10
END
