#!/usr/bin/env bash
# Signs, pushes and pulls a component with a real registry and public tools.
#
#   apt-get install docker-registry skopeo openssl curl
#   tests/registry.sh [WEIR] [COMPONENT] [WIT]
#
# WEIR is the command (default: target/debug/weir), COMPONENT a component's file (default:
# target/component/weir.wasm), WIT the contract as a WIT package (default: the one that `cargo xtask dist` made).
# Tools that are missing are named, and what needs them is left out; without a registry the exit code is 77.
# Everything happens in a temporary directory and on this machine.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
weir=${1:-$root/target/debug/weir}
component=${2:-$root/target/component/weir.wasm}
wit=${3:-$(echo "$root"/target/dist/weir-plugin-*.wit.wasm)}
weir=$(realpath "$weir")
component=$(realpath "$component")
# Only a release has one.
wit=$(realpath -m "$wit")
passed=0
failed=0

if ! command -v docker-registry > /dev/null || ! command -v curl > /dev/null; then
  echo "left out: docker-registry and curl are needed (apt-get install docker-registry curl)"
  exit 77
fi

work=$(mktemp -d)
registry=
trap '[ -z "$registry" ] || kill "$registry" 2> /dev/null; rm -rf "$work"' EXIT
cd "$work"
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
export DOCKER_CONFIG=$work/docker REGISTRY_AUTH_FILE=$work/auth.json
unset HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy WEIR_CONFIG WEIR_STORE

pass() {
  passed=$((passed + 1))
  echo "ok: $1"
}
fail() {
  failed=$((failed + 1))
  echo "FAILED: $1"
}
# check NAME COMMAND…: the command succeeds.
check() {
  local name=$1
  shift
  if "$@" > out 2> err; then pass "$name"; else
    fail "$name"
    cat out err
  fi
}
# refused NAME WORDS COMMAND…: the command fails, and says this.
refused() {
  local name=$1 words=$2
  shift 2
  if "$@" > out 2> err; then
    fail "$name: it went through"
  elif grep -qF -- "$words" err; then pass "$name"; else
    fail "$name"
    cat err
  fi
}

# --- a registry on a free port, with or without a login

# start FILE: begins a registry under this configuration, and waits until it answers.
start() {
  [ -z "$registry" ] || { kill "$registry"; wait "$registry" 2> /dev/null || true; }
  for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 20000))
    sed "s/PORT/$port/" "$1" > running.yml
    # It would take the variable for a setting of its own.
    env -u REGISTRY_AUTH_FILE docker-registry serve running.yml > registry.log 2>&1 &
    registry=$!
    for _ in $(seq 100); do
      if curl -s -o answer "http://127.0.0.1:$port/v2/"; then
        at=127.0.0.1:$port/tools/weir
        return
      fi
      kill -0 "$registry" 2> /dev/null || break
      sleep 0.1
    done
  done
  echo "the registry does not start:"
  cat registry.log
  exit 1
}

cat > open.yml << END
version: 0.1
log: {level: error}
storage: {filesystem: {rootdirectory: $work/stored}, delete: {enabled: true}}
http: {addr: "127.0.0.1:PORT"}
END
start open.yml

# --- signatures, ours and those of OpenSSL

cp "$component" weir.wasm
check "keys are made" "$weir" component keygen good
check "other keys are made" "$weir" component keygen other
check "the component is signed" "$weir" component sign weir.wasm --key good.key
check "the signature is good" "$weir" component verify weir.wasm --key good.pub
if command -v openssl > /dev/null; then
  openssl base64 -d -A -in weir.wasm.sig -out weir.der
  check "OpenSSL verifies our signature" \
    openssl dgst -sha256 -verify good.pub -signature weir.der weir.wasm
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out theirs.key 2> /dev/null
  openssl pkey -in theirs.key -pubout -out theirs.pub
  # Not the one inside, which needs no signature.
  cp weir.wasm foreign.wasm
  printf '\0\6\5other' >> foreign.wasm
  openssl dgst -sha256 -sign theirs.key foreign.wasm | openssl base64 -A > foreign.wasm.sig
  check "we verify OpenSSL's signature" "$weir" component verify foreign.wasm --key theirs.pub
  check "we sign with OpenSSL's key" "$weir" component sign foreign.wasm --key theirs.key
  check "and verify that" "$weir" component verify foreign.wasm --key theirs.pub
  openssl base64 -d -A -in foreign.wasm.sig -out foreign.der
  check "as OpenSSL does" openssl dgst -sha256 -verify theirs.pub -signature foreign.der foreign.wasm
else
  echo "left out: OpenSSL is missing"
  cp weir.wasm foreign.wasm
  printf '\0\6\5other' >> foreign.wasm
fi
"$weir" component sign foreign.wasm --key good.key > /dev/null

# --- push and pull

source=org.opencontainers.image.source=https://example.com/weir
check "a component is pushed" "$weir" component push foreign.wasm "$at:1" --annotation "$source"
digest=$(sed 's/.*@//' out)
check "the same is pushed again" "$weir" component push foreign.wasm "$at:1" --annotation "$source"
check "with the same digest" test "$digest" = "$(sed 's/.*@//' out)"
check "it is pulled by its tag" "$weir" component pull "$at:1" --key good.pub --out tag.wasm
check "as it was" cmp tag.wasm foreign.wasm
check "with its signature" "$weir" component verify tag.wasm --key good.pub
check "it is pulled by its digest" "$weir" component pull "$at@$digest" --key good.pub --out digest.wasm
check "and with a pin" "$weir" component pull "$at:1" --digest "$digest" --key good.pub
refused "no key is trusted" "no key is trusted" "$weir" component pull "$at:1"
refused "another key" "another key signed it" "$weir" component pull "$at:1" --key other.pub
refused "another digest" "--digest says" \
  "$weir" component pull "$at:1" --key good.pub --digest "sha256:$(printf '%064d' 0)"
refused "no such tag" "no such artefact" "$weir" component pull "$at:none" --key good.pub
cp foreign.wasm unsigned.wasm
printf '\0\4\3one' >> unsigned.wasm
check "an unsigned one is pushed" "$weir" component push unsigned.wasm "$at:unsigned"
refused "and not pulled" "it is not signed" "$weir" component pull "$at:unsigned" --key good.pub
check "unless that is said" "$weir" component pull "$at:unsigned" --allow-unsigned --out unsigned2.wasm

# What the file says of itself is on the artefact.
curl -s -H 'Accept: application/vnd.oci.image.manifest.v1+json' \
  "http://127.0.0.1:$port/v2/tools/weir/manifests/$digest" > manifest.json
for wanted in org.opencontainers.image.version org.opencontainers.image.licenses \
  org.opencontainers.image.description application/vnd.wasm.config.v0+json '"application/wasm"'; do
  check "the manifest has $wanted" grep -qF "$wanted" manifest.json
done

# --- the contract, as the WIT package of a release

if [ -f "$wit" ]; then
  cp "$wit" contract.wasm
  check "the contract is pushed" "$weir" component push contract.wasm "127.0.0.1:$port/wit/weir:1" --key good.key
  contract=$(sed 's/.*@//' out)
  check "it is pulled with a pin" "$weir" component pull "127.0.0.1:$port/wit/weir:1" --digest "$contract" \
    --key good.pub --out contract2.wasm
  check "as it was" cmp contract2.wasm contract.wasm
  refused "another key" "another key signed it" "$weir" component pull "127.0.0.1:$port/wit/weir:1" --key other.pub
  refused "it is not run" "as a WIT package, not a component" \
    "$weir" --component contract2.wasm --allow-unsigned status
  if command -v skopeo > /dev/null; then
    check "skopeo pulls it" skopeo copy --src-tls-verify=false "docker://127.0.0.1:$port/wit/weir:1" dir:pulled-wit
    check "as it was" cmp "pulled-wit/$(sha256sum contract.wasm | cut -d' ' -f1)" contract.wasm
  fi
else
  echo "left out: the contract as a WIT package (cargo xtask dist makes it)"
fi

# --- public tools

if command -v skopeo > /dev/null; then
  check "skopeo reads the artefact" skopeo inspect --raw --tls-verify=false "docker://$at:1"
  check "skopeo pulls it" skopeo copy --src-tls-verify=false "docker://$at:1" dir:pulled
  check "as it was" cmp "pulled/$(sha256sum foreign.wasm | cut -d' ' -f1)" foreign.wasm
  check "skopeo mirrors it" skopeo copy --preserve-digests --src-tls-verify=false \
    --dest-tls-verify=false "docker://$at:1" "docker://127.0.0.1:$port/mirror/weir:1"
  check "the mirror has the same digest and signature" \
    "$weir" component pull "127.0.0.1:$port/mirror/weir@$digest" --key good.pub --out mirror.wasm
  check "skopeo writes it to a file" skopeo copy --src-tls-verify=false "docker://$at:1" oci-archive:weir.tar
  check "skopeo puts it back" skopeo copy --dest-tls-verify=false oci-archive:weir.tar \
    "docker://127.0.0.1:$port/back/weir:1"
  check "with the same digest" \
    "$weir" component pull "127.0.0.1:$port/back/weir@$digest" --key good.pub --out back.wasm
else
  echo "left out: skopeo is missing"
fi
for tool in wkg oras cosign; do
  command -v "$tool" > /dev/null || echo "left out: $tool is missing"
done
if command -v oras > /dev/null; then
  mkdir oras
  check "oras pulls it" oras pull --plain-http -o oras "$at:1"
  check "as it was" cmp oras/foreign.wasm foreign.wasm
fi
if command -v wkg > /dev/null; then
  check "wkg pulls it" wkg oci pull --insecure "127.0.0.1:$port" -o wkg.wasm "$at:1"
  check "as it was" cmp wkg.wasm foreign.wasm
  check "wkg pushes it" wkg oci push --insecure "127.0.0.1:$port" "127.0.0.1:$port/wkg/weir:1" foreign.wasm
  check "it is pulled when it is said that nobody signed it" \
    "$weir" component pull "127.0.0.1:$port/wkg/weir:1" --allow-unsigned --out wkg2.wasm
  check "as it was" cmp wkg2.wasm foreign.wasm
  if [ -f "$wit" ]; then
    check "wkg pulls the contract" wkg oci pull --insecure "127.0.0.1:$port" -o wkg-wit.wasm "127.0.0.1:$port/wit/weir:1"
    check "as it was" cmp wkg-wit.wasm contract.wasm
  fi
fi
if command -v cosign > /dev/null; then
  check "cosign verifies our signature" cosign verify-blob --key good.pub \
    --signature foreign.wasm.sig --insecure-ignore-tlog=true foreign.wasm
fi

# --- a registry that changes what it holds

blob=$(sha256sum foreign.wasm | cut -d' ' -f1)
stored=$work/stored/docker/registry/v2/blobs/sha256/${blob:0:2}/$blob/data
cp "$stored" saved
printf 'X' | dd of="$stored" bs=1 seek=100 conv=notrunc status=none
refused "a changed blob" "the file has the digest" \
  "$weir" component pull "$at:1" --key good.pub --out changed.wasm
head -c 1000 saved > "$stored"
refused "a short blob" "of the" "$weir" component pull "$at:1" --key good.pub --out changed.wasm
cp saved "$stored"
[ ! -e changed.wasm ] && pass "nothing was kept" || fail "something was kept"

# --- a registry with a login

if command -v htpasswd > /dev/null; then
  htpasswd -Bbn alice s3cret > htpasswd
else
  echo "left out: the login (htpasswd of apache2-utils is missing)"
fi
if [ -s htpasswd ]; then
  cat open.yml - > closed.yml << END
auth: {htpasswd: {realm: weir, path: $work/htpasswd}}
END
  start closed.yml
  refused "a login is asked for" "asks for a login" "$weir" component pull "$at:1" --key good.pub
  mkdir -p docker
  login() {
    printf '{"auths": {"127.0.0.1:%s": {"auth": "%s"}}}' "$port" "$(printf '%s' "$1" | base64)" \
      > docker/config.json
  }
  login alice:wrong
  refused "a wrong password" "does not let alice do this" "$weir" component pull "$at:1" --key good.pub
  login alice:s3cret
  check "a login is used" "$weir" component pull "$at:1" --key good.pub --out login.wasm
  check "to push too" "$weir" component push foreign.wasm "$at:2"
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
