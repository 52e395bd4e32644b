#!/usr/bin/env bash
# Builds and tests the kits that need only ordinary packages: kits/test.sh COMPONENT.wasm [FOLDER]
# `cargo xtask component` builds the component and prints its path.
#
# What a machine does not have (Python, Node, a registry) is left out, by name. FOLDER (default target/kits) keeps
# what is installed. The artefacts are installed into empty environments and used from there.
set -euo pipefail
cd "$(dirname "$0")/.."
component=$(realpath "$1")
mkdir -p "${2:-target/kits}"
folder=$(realpath "${2:-target/kits}")
export WEIR_COMPONENT=$component
python=$(command -v python3 || true)

left_out() { printf 'note: %s is left out: %s\n' "$1" "$2"; }

# Prints the first block of a page, of a language.
first_lines() { awk -v start="\`\`\`$2" '$0 == start { inside = 1; next } /^```/ && inside { exit } inside' "$1"; }

kit_for_python() {
  test -n "$python" || { left_out 'the kit for Python' 'there is no python3'; return 0; }
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { left_out 'the kit for Python' 'python3 is older than 3.11'; return 0; }
  local venv=$folder/python wheel
  if ! test -x "$venv/bin/python"; then
    rm -rf "$venv"
    "$python" -m venv "$venv" || { left_out 'the kit for Python' 'python3 has no venv'; return 0; }
  fi
  timeout 150 "$venv/bin/pip" install --quiet --disable-pip-version-check wasmtime pytest \
    || { left_out 'the kit for Python' 'wasmtime cannot be installed'; return 0; }
  rm -rf "$folder/dist"
  "$python" kits/python/backend.py "$component" "$folder/dist"
  wheel=$(echo "$folder"/dist/*.whl)
  "$python" kits/python/backend.py "$component" "$folder/again"
  cmp "$wheel" "$folder/again/${wheel##*/}"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
  # The installed wheel, with the component that is in it.
  (unset WEIR_COMPONENT; mkdir -p "$folder/cache"; chmod 700 "$folder/cache"
    WEIR_TEST_CACHE=$folder/cache "$venv/bin/python" -m pytest -o pythonpath= -p no:cacheprovider -rs kits/python/tests)
}

kit_for_javascript() {
  command -v node > /dev/null && command -v npm > /dev/null || { left_out 'the kit for JavaScript' 'there is no node with npm'; return 0; }
  node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || { left_out 'the kit for JavaScript' 'node is older than 20'; return 0; }
  if ! test -d "$folder/jco/node_modules/@bytecodealliance/jco"; then
    rm -rf "$folder/jco"
    mkdir -p "$folder/jco"
    echo '{"private":true}' > "$folder/jco/package.json"
    (cd "$folder/jco" && timeout 150 npm install --silent --no-audit --no-fund @bytecodealliance/jco@1.35.0) \
      || { left_out 'the kit for JavaScript' 'jco cannot be installed'; return 0; }
  fi
  JCO=$folder/jco node kits/javascript/build.mjs "$component" > /dev/null
  node --test kits/javascript/test/*.test.mjs kits/javascript/test/adapters/*.test.mjs
  rm -rf "$folder/npm" && mkdir -p "$folder/npm"
  (cd kits/javascript && npm pack --silent --pack-destination "$folder/npm" > /dev/null)
  (cd "$folder/npm" && echo '{"type":"module","private":true}' > package.json \
    && npm install --silent --no-audit --no-fund --offline ./weir-wasm-*.tgz \
    && first_lines "$OLDPWD/docs/embedding/javascript.md" js > ten.mjs && node ten.mjs | grep '4321: error: disk is full')
}

# JavaScript first: the test of both on one store uses what it builds.
kit_for_javascript
kit_for_python
