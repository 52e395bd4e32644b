#!/usr/bin/env bash
# betterproto2 0.10.0 with betterproto2-compiler 0.10.1 and grpcio-tools 1.85.1 (PyPI), protobuf as Python dataclasses, against protobuf 7.36.2 (PyPI) on the same message.
# Behaviour: a negative duration with a fraction is written wrongly, in both forms. Minus half a second goes out as plus half a second, minus a quarter as plus three quarters; with whole
# seconds before the point the two parts get different signs, which Google's reader refuses and its own reads as another duration (-1.5 as -0.5). Nothing is
# raised when it writes. What Google wrote it reads rightly. It does not read its own JSON of "-1.500s". An integer field takes 1.5 from JSON as 1.
# Seen:   -0.5 s: 0.5 / -0.25 s: 0.75 / -1.5 s: -0.5 / {"count": 1.5}: 1
# Expected by most: the same duration, and an error for 1.5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check betterproto2==0.10.0 betterproto2-compiler==0.10.1 grpcio-tools==1.85.1 protobuf==7.36.2
cat > clock.proto <<'PROTO'
syntax = "proto3";
package clock;
import "google/protobuf/duration.proto";
message Skew { google.protobuf.Duration by = 1; int32 count = 2; }
PROTO
mkdir better google_made
PATH="$PWD/env/bin:$PATH" env/bin/python -m grpc_tools.protoc -I. --python_out=google_made --python_betterproto2_out=better clock.proto 2> log > /dev/null || { cat log; exit 1; }
cat > run.py <<'PY'
import datetime
import importlib.metadata
import sys
from google.protobuf import json_format
from better.clock import Skew
sys.path.insert(0, 'google_made')
import clock_pb2

print('betterproto2', importlib.metadata.version('betterproto2'))


def text(call):
    try:
        return str(call())
    except Exception as error:
        return f'{type(error).__name__}'


for seconds in (1.5, -0.5, -0.25, -1.5, -2):
    given = datetime.timedelta(seconds=seconds)
    ours = Skew(by=given)
    theirs = clock_pb2.Skew()
    theirs.by.FromTimedelta(given)
    read = clock_pb2.Skew.FromString(bytes(ours)).by
    print(f'{seconds} s | its JSON: {ours.to_json()} | its bytes, read by itself: {Skew.parse(bytes(ours)).by.total_seconds()}, by Google: {read.seconds} s and {read.nanos} ns'
          f' | its JSON, read by itself: {text(lambda: Skew.from_json(ours.to_json()).by.total_seconds())} | bytes of Google: {Skew.parse(theirs.SerializeToString()).by.total_seconds()}')
print('{"count": 1.5}:', text(lambda: clock_pb2.Skew.FromString(bytes(Skew.from_json('{"count": 1.5}'))).count), '| Google:', text(lambda: json_format.Parse('{"count": 1.5}', clock_pb2.Skew())))
PY
env/bin/python run.py | tee out
sed -i 1d out
diff out - <<'END'
1.5 s | its JSON: {"by": "1.500s"} | its bytes, read by itself: 1.5, by Google: 1 s and 500000000 ns | its JSON, read by itself: 1.5 | bytes of Google: 1.5
-0.5 s | its JSON: {"by": "0.500s"} | its bytes, read by itself: 0.5, by Google: 0 s and 500000000 ns | its JSON, read by itself: 0.5 | bytes of Google: -0.5
-0.25 s | its JSON: {"by": "0.750s"} | its bytes, read by itself: 0.75, by Google: 0 s and 750000000 ns | its JSON, read by itself: 0.75 | bytes of Google: -0.25
-1.5 s | its JSON: {"by": "-1.500s"} | its bytes, read by itself: -0.5, by Google: -1 s and 500000000 ns | its JSON, read by itself: ValueError | bytes of Google: -1.5
-2 s | its JSON: {"by": "-2s"} | its bytes, read by itself: -2.0, by Google: -2 s and 0 ns | its JSON, read by itself: ValueError | bytes of Google: -2.0
{"count": 1.5}: 1 | Google: ParseError
END
