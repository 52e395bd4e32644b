#!/usr/bin/env bash
# Logins with a real authorization server, oidc-provider from npm: discovery, registration, PKCE,
# refresh with rotation, step-up, a client registered by hand, pasting, logout.
#
#   tests/oauth.sh [DIRECTORY]
#
# WEIR is the command to test (default: the release build of this workspace). Needs node and npm.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
weir=${WEIR:-$here/target/release/weir}
command -v node >/dev/null && command -v npm >/dev/null || { echo "skip  logins: node and npm are not there"; exit 0; }
work=${1:-$(mktemp -d)}
mkdir -p "$work/npm"
cp "$here"/tests/oauth/*.mjs "$work/npm"
cd "$work/npm"
[ -f package.json ] || echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts oidc-provider@9
failed=0
check() { if "${@:2}" >"$work/last.log" 2>&1; then echo "ok    $1"; else echo "FAIL  $1"; tail -30 "$work/last.log"; failed=1; fi; }

free() { node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }
port=$(free) mcp=$(free)
node provider.mjs "$port" "$mcp" >"$work/provider.out" 2>"$work/provider.err" &
provider=$!
trap 'kill $provider 2>/dev/null || true' EXIT
for _ in $(seq 100); do grep -q listening "$work/provider.out" && break; sleep 0.1; done

export HOME=$work/home WEIR_STORE=$work/store WEIR_STATE=$work/state WEIR_SERVERS=$work/servers.json XDG_CONFIG_HOME=$work/config
rm -rf "$work/state" "$work/config"; mkdir -p "$HOME"
url=http://127.0.0.1:$mcp/mcp
printf '%s' canary-client-secret | "$weir" secret set as >/dev/null
cat >"$WEIR_SERVERS" <<JSON
{"mcpServers": {
  "guarded": {"url": "$url"},
  "byhand": {"url": "$url", "oauth": {"clientId": "by-hand", "clientSecret": "secret:as"}}
}}
JSON

# log_in SERVER: the login, with the person's part done by browser.mjs
log_in() {
  "$weir" login "$1" --no-browser >"$work/login.out" 2>"$work/login.err" </dev/null &
  local login=$! address=
  for _ in $(seq 100); do address=$(grep -o '^http://127.0.0.1:.*' "$work/login.err" || true); [ -n "$address" ] && break; sleep 0.1; done
  node browser.mjs "$address" && wait "$login"
  local code=$?
  cat "$work/login.out" "$work/login.err"
  return $code
}
paste() {
  mkfifo "$work/paste.$$"
  "$weir" login "$1" --no-browser >"$work/login.out" 2>"$work/login.err" <"$work/paste.$$" &
  local login=$! address=
  exec 5>"$work/paste.$$"
  for _ in $(seq 100); do address=$(grep -o '^http://127.0.0.1:.*' "$work/login.err" || true); [ -n "$address" ] && break; sleep 0.1; done
  node browser.mjs "$address" --stop >&5
  wait "$login"
  local code=$?
  exec 5>&-
  rm -f "$work/paste.$$"
  cat "$work/login.out" "$work/login.err"
  return $code
}
count() { curl -s "http://127.0.0.1:$mcp/counts" | grep -o "\"$1\":[0-9]*" | cut -d: -f2; }
needs() { ! "$weir" servers --check >"$work/servers.out"; grep -q "needs login.*weir login guarded" "$work/servers.out"; }
call() { "$weir" call "$1" >"$work/call.out" 2>&1; cat "$work/call.out"; grep -q "$2" "$work/call.out"; }
kept() { [ "$(find "$work/state/logins" -name '*.json' | wc -l)" = "$1" ] && [ -z "$(find "$work/state/logins" -type f ! -perm 0600)" ]; }

check "a server that wants a login says so" needs
check "login: discovery, registration, PKCE, consent" log_in guarded
check "a tool is called with the token" call guarded__read "read as alice with files:read"
sleep 6
check "an access token that has ended is renewed" call guarded__read "read as alice"
sleep 6
check "and again, with the rotated refresh token" call guarded__read "read as alice"
renewed() { [ "$(count refreshed)" -ge 2 ] && [ "$(count refused)" = 0 ]; }
check "no refresh token was used twice" renewed
sleep 6
parallel() {
  local before jobs=() job
  before=$(count refreshed)
  for _ in 1 2 3 4; do "$weir" call guarded__read >/dev/null 2>&1 & jobs+=($!); done
  for job in "${jobs[@]}"; do wait "$job" || return 1; done
  [ "$(count refused)" = 0 ] || return 1
  echo "renewed $(($(count refreshed) - before)) times by four processes"
}
check "four processes at once use no refresh token twice" parallel
further() { ! call guarded__write "further permissions (files:write).*weir login guarded" || true; grep -q "files:write" "$work/call.out"; }
check "a call that needs more says what" further
check "step-up: the next login asks for it too" log_in guarded
check "and the call works" call guarded__write "write as alice with .*files:write"
once() { [ "$(count registered)" -le 2 ]; }
check "we do not register again and again" once
check "a client registered by hand, with its secret by reference, pasted over SSH" paste byhand
check "its tool is called" call byhand__read "read as alice"
check "logins are kept for their owner alone" kept 2
hidden() { ! grep -rl "canary-client-secret" "$work/state" "$work/store" "$work/servers.json" "$work/login.out" "$work/login.err" "$work/call.out" 2>/dev/null; }
check "the client's secret is in no other file and no output" hidden
check "logout" "$weir" logout guarded
check "and only that one is gone" kept 1
check "the server wants a login again" needs
exit $failed
