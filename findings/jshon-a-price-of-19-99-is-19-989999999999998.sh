#!/usr/bin/env bash
# jshon 20131010-3+b1 with libjansson4 2.14-2 (Debian 12); Python's json, asked the same.
# Behaviour: jshon writes each fraction with up to seventeen digits, so a file that is only read and printed has other prices, and so has one in which some
# other field was set. 19.99 is 19.989999999999998 and 0.1 is 0.10000000000000001. The same holds for one value that is taken out, so a script that
# compares it with the text 19.99 finds no match. 1e3 is 1000.0, and a float that is whole keeps its point.
# Seen:   {"price": 19.99} -> {"price":19.989999999999998}
# Expected by most: 19.99, as it was, and as any other tool writes it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq jshon=20131010-3+b1 libjansson4=2.14-2 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PATH=$dir/unpacked/usr/bin:$PATH LD_LIBRARY_PATH=$(dirname "$(find unpacked -name 'libjansson.so.4' | head -n 1)")
echo '{"price": 19.99, "tax": 0.1, "rate": 1e3, "sum": 2.50, "far": 100000000000000000000000.0}' > a.json
echo "jshon $(dpkg-deb -f jshon_*.deb Version)"
(
  jshon -F a.json
  echo "taken out: $(jshon -F a.json -e price)"
  [ "$(jshon -F a.json -e price)" = 19.99 ] && echo 'is 19.99' || echo 'is not 19.99'
  echo "another field set: $(jshon -F a.json -s new -i name | tr -d '\n')"
  python3 -c 'import json; print("python:", json.dumps(json.load(open("a.json"))))'
) | tee out
diff out - <<'END'
{
 "price": 19.989999999999998,
 "tax": 0.10000000000000001,
 "rate": 1000.0,
 "sum": 2.5,
 "far": 9.9999999999999992e22
}
taken out: 19.989999999999998
is not 19.99
another field set: { "price": 19.989999999999998, "tax": 0.10000000000000001, "rate": 1000.0, "sum": 2.5, "far": 9.9999999999999992e22, "name": "new"}
python: {"price": 19.99, "tax": 0.1, "rate": 1000.0, "sum": 2.5, "far": 1e+23}
END
