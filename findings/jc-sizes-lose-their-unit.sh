#!/usr/bin/env bash
# jc 1.26.1 (PyPI), which turns what shell commands print into JSON.
# Behaviour: of sizes that ls -h and du -h print only the whole number in front is kept, without its unit: 1.5M is 1 and 4.0K is 4, so that sorting by
# size puts the larger file below the smaller one; free -h of the same program is turned into bytes. A commit's message loses its indents
# in git log. The time of a web log's line becomes an epoch as if its offset were that of this machine.
# Seen:   du 1.5M: 1, 4.0K: 4, 2.0G: 2 / free 23Gi: 24696061952 / message: "    code" is "code" / 03:04:05 +0200: 03:04:05 in UTC
# Expected by most: bytes, or the text as it is; the message as it is; the moment of the line.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jc==1.26.1
env/bin/python -c "import importlib.metadata as m; print('jc', m.version('jc'))"
export TZ=UTC
{
  printf '1.5M\t./video\n4.0K\t./note\n2.0G\t./disk\n' | env/bin/jc --du
  printf 'total 8\n-rw-r--r-- 1 a a 1.5M Jan  2 03:04 video\n-rw-r--r-- 1 a a 4.0K Jan  2 03:04 note\n' | env/bin/jc --ls
  printf '               total        used\nMem:            23Gi       1.2Gi\n' | env/bin/jc --free
  printf 'commit 728d882ed007b3c8b785018874a0eb06e1143b66\nAuthor: A <a@example.org>\nDate:   Wed Apr 20 09:50:19 2022 -0400\n\n    one\n    \n        code\n    \n    two\n' | env/bin/jc --git-log
  printf '127.0.0.1 - - [02/Jan/2026:03:04:05 +0200] "GET /a HTTP/1.1" 200 5 "-" "curl/8"\n' | env/bin/jc --clf | env/bin/python -c "import json, sys; print({k: v for k, v in json.load(sys.stdin)[0].items() if 'epoch' in k})"
} | tee out
diff out - <<'END'
[{"size":1,"name":"./video"},{"size":4,"name":"./note"},{"size":2,"name":"./disk"}]
[{"filename":"video","flags":"-rw-r--r--","links":1,"owner":"a","group":"a","size":1,"date":"Jan 2 03:04"},{"filename":"note","flags":"-rw-r--r--","links":1,"owner":"a","group":"a","size":4,"date":"Jan 2 03:04"}]
[{"type":"Mem","total":24696061952,"used":1288490188}]
[{"commit":"728d882ed007b3c8b785018874a0eb06e1143b66","author":"A","author_email":"a@example.org","date":"Wed Apr 20 09:50:19 2022 -0400","message":"one\n\ncode\n\ntwo","epoch":1650448219,"epoch_utc":null}]
{'epoch': 1767323045, 'epoch_utc': None}
END
