#!/usr/bin/env bash
# pyrate-limiter 4.5.1 (PyPI), rate limits, as in its first example.
# Behaviour: the name that try_acquire and as_decorator take is no key: all names of a Limiter share one count, though "per-key limits" is among the features. Once one user has used
# up the rate, each other one is refused too, and with the default (blocking) waits for that user's time to pass. A limit per name needs a class of one's own.
# Seen:   2 a minute: ann True, ann True, ann False, bob False / a BucketFactory of one's own: bob True
# Expected by most: bob True, since the name is another.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyrate-limiter==4.5.1
cat > run.py <<'PY'
import importlib.metadata
from pyrate_limiter import BucketFactory, Duration, InMemoryBucket, Limiter, MonotonicClock, Rate, RateItem, limiter_factory

print('pyrate-limiter', importlib.metadata.version('pyrate-limiter'))


def show(what, limiter):
    print(what + ':', ', '.join(f'{name} {limiter.try_acquire(name, blocking=False)}' for name in ('ann', 'ann', 'ann', 'bob', 'bob', 'bob')))


class PerName(BucketFactory):
    def __init__(self):
        self.clock = MonotonicClock()
        self.buckets = {}

    def wrap_item(self, name, weight=1):
        return RateItem(name, self.clock.now(), weight=weight)

    def get(self, item):
        return self.buckets.setdefault(item.name, InMemoryBucket([Rate(2, Duration.MINUTE)]))


show('Limiter', Limiter(Rate(2, Duration.MINUTE)))
show('limiter_factory', limiter_factory.create_inmemory_limiter(rate_per_duration=2, duration=Duration.MINUTE))
show('a factory with a bucket for each name', Limiter(PerName()))
PY
env/bin/python run.py | tee out
diff out - <<'END'
pyrate-limiter 4.5.1
Limiter: ann True, ann True, ann False, bob False, bob False, bob False
limiter_factory: ann True, ann True, ann False, bob False, bob False, bob False
a factory with a bucket for each name: ann True, ann True, ann False, bob True, bob True, bob False
END
