#!/usr/bin/env bash
# Drives each adapter by its real framework: kits/frameworks.sh COMPONENT.wasm [FOLDER [FRAMEWORK…]]
#
# Every framework has an environment of its own in FOLDER (default target/frameworks): its newest version from PyPI or
# npm, beside the kit's own wheel or npm package, installed as a user installs them. A test that is skipped there counts
# as failed, and so does a framework that cannot be installed. What ran is printed with its versions: npm takes the
# newest that the Node here can run, and Mastra has wanted Node 22 since its version 1.
set -euo pipefail
cd "$(dirname "$0")/.."
component=$(realpath "$1")
mkdir -p "${2:-target/frameworks}"
folder=$(realpath "${2:-target/frameworks}")
chosen=" ${*:3} "
root=$PWD
ran=() failed=()
unset WEIR_COMPONENT PYTHONPATH

wanted() { [[ "$chosen" =~ ^\ *$ || "$chosen" == *" $1 "* ]]; }

# Runs a step of a framework with its output in a log. Prints the end of the log when it fails.
step() {
  if ! "${@:2}" >> "$folder/$1.log" 2>&1; then
    tail -30 "$folder/$1.log"
    return 1
  fi
}

# Fails where a log has such a line, and prints it.
none() { ! grep -E "$2" "$1"; }

# python NAME TEST EXTRA PACKAGE…: what the extra leaves to the user is PACKAGE; `-` for no extra.
python() {
  wanted "$1" || return 0
  local name=$1 test=$2 extra=$3 venv=$folder/$1 log=$folder/$1.log
  printf '\n── %s\n' "$name"
  : > "$log"
  wheel=$(echo "$folder"/dist/*.whl)
  if test "$extra" != -; then wheel="$wheel[$extra]"; fi
  if step "$name" python3 -m venv --clear "$venv" \
    && step "$name" "$venv/bin/pip" install --disable-pip-version-check pytest "$wheel" "${@:4}" \
    && (cd "$folder" && WEIR_TEST_CACHE=$folder/cache step "$name" "$venv/bin/python" -m pytest -rs -o pythonpath= \
      -p no:cacheprovider "$root/kits/python/tests/adapters/test_$test.py") \
    && none "$log" '^SKIPPED.*'; then
    tail -1 "$log"
    ran+=("$("$venv/bin/pip" freeze --disable-pip-version-check 2> /dev/null | grep -iE "^($name|$name-slim|$name-core|$name-agents?|langchain|mcp|anthropic|openai|google-genai)==" | tr '\n' ' ')")
  else
    failed+=("$name")
  fi
  rm -rf "$venv"
}

# javascript NAME PACKAGE…: the tests lie beside the package that the registry would have.
javascript() {
  wanted "$1" || return 0
  local name=$1 place=$folder/$1 log=$folder/$1.log package
  printf '\n── %s\n' "$name"
  : > "$log"
  rm -rf "$place" && mkdir -p "$place"
  echo '{"private":true,"type":"module"}' > "$place/package.json"
  tar xzf "$folder"/dist/weir-wasm-*.tgz -C "$place"
  mkdir "$place/package/test" && cp -r kits/javascript/test/adapters "$place/package/test/"
  if (cd "$place" && step "$name" npm install --no-audit --no-fund "${@:2}") \
    && step "$name" node --test --test-reporter=tap "$place/package/test/adapters/$name.test.mjs" \
    && none "$log" '^# (skipped [^0].*|pass 0)'; then
    grep '^# pass' "$log"
    for package in "${@:2}"; do
      ran+=("$package@$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).version' "$place/node_modules/$package/package.json")")
    done
  else
    failed+=("$name")
  fi
  rm -rf "$place"
}

mkdir -p "$folder/cache" && chmod 700 "$folder/cache"
rm -rf "$folder/dist"
python3 kits/python/backend.py "$component" "$folder/dist" > /dev/null
if test ! -d "$folder/jco/node_modules"; then
  mkdir -p "$folder/jco" && echo '{"private":true}' > "$folder/jco/package.json"
  (cd "$folder/jco" && npm install --silent --no-audit --no-fund @bytecodealliance/jco@1.35.0)
fi
JCO=$folder/jco node kits/javascript/build.mjs "$component" > /dev/null
(cd kits/javascript && npm pack --silent --pack-destination "$folder/dist" > /dev/null)

python deepagents langchain deepagents # and LangChain, which comes with it
python pydantic-ai pydantic_ai pydantic-ai
python openai-agents openai_agents openai-agents
python google-adk google_adk google-adk
python strands strands strands
python crewai crewai crewai
python fastmcp fastmcp fastmcp
python llama-index llama_index llama-index
python hermes hermes - hermes-agent
python providers providers - anthropic openai google-genai mcp jsonschema # what `export` makes, by their types
javascript ai-sdk ai zod
javascript mastra @mastra/core zod
javascript providers @anthropic-ai/sdk openai @google/genai typescript
javascript mcp @modelcontextprotocol/sdk @modelcontextprotocol/server @modelcontextprotocol/client zod

printf '\nran with: %s\n' "${ran[*]}"
if test ${#failed[@]} -gt 0; then
  printf 'FAILED or not installed: %s\n' "${failed[*]}"
  exit 1
fi
