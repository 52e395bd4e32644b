#!/bin/sh
# Every agent host on this machine, run for real against a model on 127.0.0.1 with Weir's hook in
# place; prints a table. See tests/agents/agents.py for what passes and for its options.
#
#   tests/agents.sh [--path DIR]... [HOST...]      with WEIR=FILE for another program than the build's
set -eu
cd "$(dirname "$0")/.."
weir=${WEIR:-}
if [ -z "$weir" ]; then
    cargo build --quiet -p weir-cli
    weir=target/debug/weir
fi
exec python3 tests/agents/agents.py --weir "$weir" "$@"
