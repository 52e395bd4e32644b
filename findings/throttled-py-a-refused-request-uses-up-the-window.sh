#!/usr/bin/env bash
# throttled-py 3.5.0 (PyPI), rate limits with five algorithms, in memory.
# Behaviour: with the fixed window and the sliding window a request that is refused since its cost is too high takes its cost all the same: nothing is left, and a request that
# fits is refused until the window ends. With token bucket, leaking bucket and gcra, which are chosen by one word in the same call, a refused request takes nothing.
# Seen:   quota 2, cost 3 refused, then cost 2: fixed window and sliding window refused, the other three allowed
# Expected by most: what was refused takes nothing, in all five.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check throttled-py==3.5.0
cat > run.py <<'PY'
import importlib.metadata
import time
from throttled import RateLimiterType, Throttled, rate_limiter, store

print('throttled-py', importlib.metadata.version('throttled-py'))
if time.time() % 60 > 50:
    time.sleep(11)
for kind in RateLimiterType:
    limit = Throttled(using=kind.value, quota=rate_limiter.per_min(2, burst=2), store=store.MemoryStore())
    word = {True: 'refused', False: 'allowed'}
    said = [f'{limit.peek("key").remaining} left', f'cost 3 {word[limit.limit("key", cost=3).limited]}', f'{limit.peek("key").remaining} left', f'cost 2 {word[limit.limit("key", cost=2).limited]}']
    print(kind.value + ':', ', '.join(said))
PY
env/bin/python run.py | tee out
diff out - <<'END'
throttled-py 3.5.0
fixed_window: 2 left, cost 3 refused, 0 left, cost 2 refused
sliding_window: 2 left, cost 3 refused, 0 left, cost 2 refused
leaking_bucket: 2 left, cost 3 refused, 2 left, cost 2 allowed
token_bucket: 2 left, cost 3 refused, 2 left, cost 2 allowed
gcra: 2 left, cost 3 refused, 2 left, cost 2 allowed
END
