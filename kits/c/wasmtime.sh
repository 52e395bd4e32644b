#!/usr/bin/env bash
# wasmtime.sh FOLDER: wasmtime's C API in FOLDER, from packages: the headers of the crate wasmtime-c-api-impl and the
# library of the Python package of the same version. Where wasmtime's releases can be had, take their c-api archive.
set -euo pipefail
version=${WASMTIME_VERSION:-50.0.1}
mkdir -p "$1/lib"
folder=$(realpath "$1")
if test -f "$folder/lib/libwasmtime.so" && grep -qs "\"$version\"" "$folder/include/wasmtime.h"; then exit; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/headers/src" && touch "$work/headers/src/lib.rs"
printf '[package]\nname = "headers"\nedition = "2021"\n[dependencies]\nwasmtime-c-api-impl = { version = "=%s", default-features = false }\n[workspace]\n' \
  "$version" > "$work/headers/Cargo.toml"
api=$(cd "$work/headers" && cargo metadata --quiet --format-version 1 \
  | sed 's/.*"manifest_path":"\([^"]*wasmtime-c-api-impl[^"]*\)\/Cargo.toml".*/\1/')
rm -rf "$folder/include"
cp -r "$api/include" "$folder/include"
# What the library of the Python package was built with, of what the headers ask for.
sed -E 's/#cmakedefine (WASMTIME_FEATURE_(WASI|COMPONENT_MODEL|CRANELIFT))$/#define \1/; s/#cmakedefine.*//' \
  "$folder/include/wasmtime/conf.h.in" > "$folder/include/wasmtime/conf.h"

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check --no-deps "wasmtime==$version"
cp "$(find "$work/python" -name '_libwasmtime.so')" "$folder/lib/libwasmtime.so"
