#!/usr/bin/env bash
# Runs all findings, or those named, and prints which no longer hold.
set -u
cd "$(dirname "$0")" || exit 2
changed=0
for file in ${*:-*.sh}; do
  [ "$file" = run.sh ] && continue
  if output=$(bash "$file" 2>&1); then
    printf 'holds    %s\n' "$file"
  else
    printf 'CHANGED  %s\n%s\n' "$file" "$(tail -n 12 <<<"$output" | sed 's/^/    /')"
    changed=1
  fi
done
exit $changed
