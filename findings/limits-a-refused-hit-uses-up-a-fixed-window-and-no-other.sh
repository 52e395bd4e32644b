#!/usr/bin/env bash
# limits 5.8.0 (PyPI), the library below many rate limits of web frameworks, in memory.
# Behaviour: hit of the fixed window counts a hit also when it answers False. A refused cost of 3 uses up the whole quota of 2, and small hits that would fit are refused until the
# window ends. MovingWindow and SlidingWindowCounter, which are called in the same way, count only what they allow. With test before each hit all three agree.
# Seen:   2 a minute, cost 3 refused, then cost 2: fixed window False, moving and sliding window True
# Expected by most: True in all three.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check limits==5.8.0
cat > run.py <<'PY'
import importlib.metadata
import time
from limits import parse, storage, strategies

print('limits', importlib.metadata.version('limits'))
if time.time() % 60 > 50:
    time.sleep(11)
quota = parse('2/minute')
for kind in (strategies.FixedWindowRateLimiter, strategies.MovingWindowRateLimiter, strategies.SlidingWindowCounterRateLimiter):
    limiter = kind(storage.MemoryStorage())
    said = [f'cost 3 {limiter.hit(quota, "key", cost=3)}', f'{limiter.get_window_stats(quota, "key").remaining} left', f'cost 2 {limiter.hit(quota, "key", cost=2)}']
    limiter = kind(storage.MemoryStorage())
    said += [f'then anew: cost 1 {limiter.hit(quota, "key")}', f'cost 2 {limiter.hit(quota, "key", cost=2)}', f'cost 1 {limiter.hit(quota, "key")}']
    limiter = kind(storage.MemoryStorage())
    asked = limiter.test(quota, 'key', cost=3) and limiter.hit(quota, 'key', cost=3)
    said += [f'with test first: cost 3 {asked}', f'cost 2 {limiter.test(quota, "key", cost=2) and limiter.hit(quota, "key", cost=2)}']
    print(kind.__name__ + ':', ', '.join(said))
PY
env/bin/python run.py | tee out
diff out - <<'END'
limits 5.8.0
FixedWindowRateLimiter: cost 3 False, 0 left, cost 2 False, then anew: cost 1 True, cost 2 False, cost 1 False, with test first: cost 3 False, cost 2 True
MovingWindowRateLimiter: cost 3 False, 2 left, cost 2 True, then anew: cost 1 True, cost 2 False, cost 1 True, with test first: cost 3 False, cost 2 True
SlidingWindowCounterRateLimiter: cost 3 False, 2 left, cost 2 True, then anew: cost 1 True, cost 2 False, cost 1 True, with test first: cost 3 False, cost 2 True
END
