#!/usr/bin/env bash
# cendor-squeeze 1.1.2 (PyPI), compress with kind="code" and kind="logs".
# Behaviour: comments are looked for without knowing the language. "//" begins one also in Python, where it divides: x = 7 // 2 becomes x = 7, which still runs.
# In CSS a line ends at the "//" of an address, and in JavaScript at the end of a regex that holds an escaped slash. Only the original behind the handle has the rest.
# Log lines that differ only in a number become one, whatever the number says: exit codes, states of HTTP, percentages. "lossless" does that too.
# Seen:   pages = 14 // 4 -> pages = 14 / "exit code 0" and "exit code 1" -> "exit code <n> (×2)", with fidelity "lossless"
# Expected by most: code that does the same without its comments; a failure that stays beside a success, at least where nothing is to be lost.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check cendor-squeeze==1.1.2
cat > run.py <<'PY'
import importlib.metadata
from cendor.squeeze import compress

print('cendor-squeeze', importlib.metadata.version('cendor-squeeze'))
python = '''def pages(rows, size):
    full = rows // size  # whole pages
    return full
print(pages(14, 4))
'''
for fidelity in ('balanced', 'lossless'):
    small, handle = compress(python, kind='code', fidelity=fidelity)
    print(fidelity + ':', small.splitlines()[1].strip(), '| original comes back:', handle.expand() == python)
    exec(small)
css = 'body { background: url(https://static.example/a.png); color: #333; }\n'
print('css:', compress(css, kind='code')[0])
script = 'const address = /^https?:\\/\\//; // both kinds\nconst n = 1;\n'
print('js:', compress(script, kind='code')[0].replace('\n', ' / '))
logs = '''2026-03-01 10:00:01 backup exit code 0
2026-03-01 10:05:01 backup exit code 1
2026-03-01 10:06:00 GET /orders 200
2026-03-01 10:06:01 GET /orders 500
2026-03-01 10:07:00 disk 12% full
2026-03-01 10:08:00 disk 99% full
'''
for fidelity in ('lossless', 'aggressive'):
    print(fidelity + ':', compress(logs, kind='logs', fidelity=fidelity)[0].replace('\n', ' / '))
PY
env/bin/python run.py | tee out
diff out - <<'END'
cendor-squeeze 1.1.2
balanced: full = rows | original comes back: True
14
lossless: full = rows // size  # whole pages | original comes back: True
3
css: body { background: url(https:
js: const address = /^https?:\/\ / const n = 1;
lossless: <ts> backup exit code <n> (×2) / <ts> GET /orders <n> (×2) / <ts> disk <n>% full (×2)
aggressive: <ts> backup exit code <n> (×2) / <ts> GET /orders <n> (×2) / <ts> disk <n>% full (×2)
END
