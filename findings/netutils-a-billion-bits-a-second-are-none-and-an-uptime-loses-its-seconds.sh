#!/usr/bin/env bash
# netutils 1.19.2 (PyPI): words of network devices for speeds and times.
# Behaviour: a speed in plain bits or bytes a second, such as 1000000000bps or 9600bps, is 0, without an error; with K, M or G in front it is right. The library
# itself writes such words: bits_to_name(999) is "999bps", which is 0 when read. name_to_name rounds to whole units, so that 100Kbps are "0.0Mbps" and a
# line of 1544Kbps is one of "2.0Mbps". An uptime with minutes and seconds loses the seconds, which its own writer writes.
# Seen:   1000000000bps: 0 / 1Gbps: 1000000000 / 1544Kbps in Mbps: 2.0Mbps / 3690 seconds: "1 hour, 1 minute, 30 seconds": 3660
# Expected by most: 1000000000; 1.544Mbps (or 1.5); 3690.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check netutils==1.19.2
cat > run.py <<'PY'
from netutils.bandwidth import bits_to_name, name_to_bits, name_to_bytes, name_to_name
from netutils.time import uptime_seconds_to_string, uptime_string_to_seconds

for name in ['1Gbps', '1000000000bps', '9.6Kbps', '9600bps', '500KBps', '500000Bps']:
    print(f'{name}: {name_to_bits(name)} bits, {name_to_bytes(name)} bytes')
for bits in [999, 64000, 1000000000]:
    name = bits_to_name(bits)
    print(f'{bits} bits, written {name}, read {name_to_bits(name)}')
for name, unit in [('100Kbps', 'Mbps'), ('1544Kbps', 'Mbps'), ('499Mbps', 'Gbps'), ('1000000000bps', 'Mbps')]:
    print(f'{name} in {unit}: {name_to_name(name, unit)}')
for seconds in [3660, 3690, 90061, 119]:
    text = uptime_seconds_to_string(seconds)
    print(f'{seconds} seconds, written "{text}", read {uptime_string_to_seconds(text)}')
PY
env/bin/pip list 2> /dev/null | grep -E '^netutils'
env/bin/python -W ignore run.py | tee out
diff out - <<'END'
1Gbps: 1000000000 bits, 125000000.0 bytes
1000000000bps: 0 bits, 0.0 bytes
9.6Kbps: 9600 bits, 1200.0 bytes
9600bps: 0 bits, 0.0 bytes
500KBps: 4000000 bits, 500000.0 bytes
500000Bps: 0 bits, 0.0 bytes
999 bits, written 999bps, read 0
64000 bits, written 64Kbps, read 64000
1000000000 bits, written 1Gbps, read 1000000000
100Kbps in Mbps: 0.0Mbps
1544Kbps in Mbps: 2.0Mbps
499Mbps in Gbps: 0.0Gbps
1000000000bps in Mbps: 0.0Mbps
3660 seconds, written "1 hour, 1 minute", read 3660
3690 seconds, written "1 hour, 1 minute, 30 seconds", read 3660
90061 seconds, written "1 day, 1 hour, 1 minute, 1 second", read 90060
119 seconds, written "1 minute, 59 seconds", read 60
END
