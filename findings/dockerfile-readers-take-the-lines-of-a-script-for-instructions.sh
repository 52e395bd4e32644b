#!/usr/bin/env bash
# dockerfile-parse 2.0.1 (PyPI) and docker-file-parser 1.0.7 (npm), which scanners and build tools read Dockerfiles with; dockerfile-ast 0.7.1 (npm) beside them.
# Behaviour: a script in a Dockerfile (RUN <<EOF) is not known to the first two. Each of its lines is an instruction of its own. So the FROM of a query makes its table the base image and
# begins a stage, which has none of the variables of the real one. ENV in a file that the script writes is a variable of the image, and SELECT, CAT and EOF are instructions.
# dockerfile-ast reads it as one RUN. dockerfile-parse fills in ${PORT:-80} as the value of PORT and then the text ":-80}".
# Seen:   base image orders, stages python:3.12 and orders / variables MODE=debug alone / port ":-80}" / dockerfile-ast: python:3.12, FROM ENV RUN LABEL CMD
# Most would guess: the base image is python:3.12, and an unknown notation is an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund docker-file-parser@1.0.7 dockerfile-ast@0.7.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dockerfile-parse==2.0.1
cat > Dockerfile <<'END'
FROM python:3.12
ENV PORT=8080
RUN <<EOF
sqlite3 shop.db "
SELECT id
FROM orders
"
cat > run.conf <<CONF
ENV MODE=debug
CONF
EOF
LABEL port="${PORT:-80}"
CMD ["python", "app.py"]
END
cat > run.py <<'PY'
from dockerfile_parse import DockerfileParser

file = DockerfileParser('Dockerfile')
print('dockerfile-parse', file.baseimage, file.parent_images, file.is_multistage, file.envs, file.labels)
print('dockerfile-parse', ' '.join(step['instruction'] for step in file.structure))
PY
cat > run.cjs <<'JS'
const { readFileSync } = require('node:fs');
const text = readFileSync('Dockerfile', 'utf8');
const steps = require('docker-file-parser').parse(text);
console.log('docker-file-parser', steps.filter(({ name }) => name === 'FROM').map(({ args }) => args).join(' '), JSON.stringify(steps.filter(({ name }) => name === 'ENV').map(({ args }) => args)));
console.log('docker-file-parser', steps.map(({ name }) => name).join(' '));
const ast = require('dockerfile-ast').DockerfileParser.parse(text);
console.log('dockerfile-ast', ast.getFROMs().map((one) => one.getImage()).join(' '), ast.getInstructions().map((one) => one.getInstruction()).join(' '));
JS
for package in docker-file-parser dockerfile-ast; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
echo "dockerfile-parse $(env/bin/python -c 'from importlib.metadata import version; print(version("dockerfile-parse"))')"
{ env/bin/python run.py; node run.cjs; } | tee out
diff out - <<'END'
dockerfile-parse orders ['python:3.12', 'orders'] True {'MODE': 'debug'} {'port': ':-80}'}
dockerfile-parse FROM ENV RUN SQLITE3 SELECT FROM " CAT ENV CONF EOF LABEL CMD
docker-file-parser python:3.12 orders [{"PORT":"8080"},{"MODE":"debug"}]
docker-file-parser FROM ENV RUN SQLITE3 SELECT FROM " CAT ENV CONF EOF LABEL CMD
dockerfile-ast python:3.12 FROM ENV RUN LABEL CMD
END
