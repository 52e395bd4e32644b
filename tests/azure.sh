#!/usr/bin/env bash
# Objects in Azure's Blob Storage, against Azurite from npm: the conformance suite of `weir-tier`, and what `weir doctor`
# says of a wrong container, account and key.
#
#   tests/azure.sh [DIRECTORY]
#
# WEIR is the command to test (default: the debug build of this workspace). Needs node and npm.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
weir=${WEIR:-${CARGO_TARGET_DIR:-$here/target}/debug/weir}
command -v node >/dev/null && command -v npm >/dev/null || { echo "skip  Azure: node and npm are not there"; exit 0; }
work=${1:-$(mktemp -d)}
mkdir -p "$work/npm" "$work/data"
cd "$work/npm"
[ -f package.json ] || echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts azurite@3 @azure/storage-blob@12
port=$(node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
node_modules/.bin/azurite-blob --silent --skipApiVersionCheck --location "$work/data" --blobPort "$port" >"$work/azurite.log" 2>&1 &
azurite=$!
trap 'kill $azurite 2>/dev/null || true' EXIT
for _ in $(seq 100); do (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done

# The account that every Azurite has.
export AZURE_STORAGE_ACCOUNT_NAME=devstoreaccount1
export AZURE_STORAGE_ACCOUNT_KEY=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==
export AZURE_STORAGE_ENDPOINT=http://127.0.0.1:$port/$AZURE_STORAGE_ACCOUNT_NAME AZURE_ALLOW_HTTP=true
node -e '
const { BlobServiceClient, StorageSharedKeyCredential } = require("@azure/storage-blob");
const { AZURE_STORAGE_ACCOUNT_NAME: name, AZURE_STORAGE_ACCOUNT_KEY: key, AZURE_STORAGE_ENDPOINT: url } = process.env;
new BlobServiceClient(url, new StorageSharedKeyCredential(name, key)).getContainerClient("weir").createIfNotExists();
'
cd "$here"
WEIR_TEST_BUCKET=az://weir/tests cargo test -p weir-tier --test conformance a_server_conforms
echo "ok    a container conforms"

export HOME=$work/home XDG_CONFIG_HOME=$work/config WEIR_STORE=$work/store WEIR_STATE=$work/state
mkdir -p "$HOME" "$work/config/weir"
# doctor URL [TEXT]: what is said of the tier has the text; without one it is nothing
doctor() {
  echo "tier = { url = '$1', endpoint = '$AZURE_STORAGE_ENDPOINT' }" >"$work/config/weir/config.toml"
  local said=
  "$weir" doctor >"$work/doctor.out" 2>&1 || said=$(grep "cannot be shared" "$work/doctor.out")
  if [[ -n ${2:-} && $said == *"$2"* || -z ${2:-} && -z $said ]]; then echo "ok    $1: $said"; else echo "FAIL  $1"; cat "$work/doctor.out"; exit 1; fi
}
doctor az://weir/doctor
doctor az://nothing "there is no such container"
AZURE_STORAGE_ACCOUNT_KEY=$(printf 'wrong key' | base64) doctor az://weir "account's key is wrong"
