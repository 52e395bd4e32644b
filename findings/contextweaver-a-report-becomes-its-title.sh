#!/usr/bin/env bash
# contextweaver 0.18.2 (PyPI), a "context firewall": compact_tool_result as it is, which keeps a large result in a store and gives the model a summary of at most 500 characters.
# Behaviour: of a text with blank lines the summary is what stands before the first one. A Markdown report of 6,000 characters becomes "# Report", a list of orders its first line. Nothing
# tells that there is more: only a text that was cut within its first part ends with "…". JSON that is given as data is written with sorted names before it is cut, so that "total", which
# the server sent first, is behind the rows and is lost; the same JSON as text keeps it. A strategy that does not exist ("truncate", "keys") is taken without an error and is this summary.
# Seen:   report: '# Report', 8 of 6,244 characters / data {total, items}: no total / the same as text: total / strategy "truncate": summary
# Expected by most: as much of the text as the budget allows, and an error for a misspelt strategy.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check contextweaver==0.18.2
cat > run.py <<'PY'
import json

import contextweaver

report = '# Report\n\nAll 14 checks passed but one: backups are 3 days old.\n\n' + '\n'.join(f'## Part {number}\n\nThe value is {number}.\n' for number in range(200))
orders = 'Open orders: 300\n\nTotal: 19,588.50 EUR\n\n' + '\n\n'.join(f'Order {number}: {number * 2} EUR' for number in range(300))
data = {'total': 300, 'items': [{'id': number, 'amount': number * 1.5} for number in range(300)]}
for name, given, more in (('report', report, {}), ('orders', orders, {}), ('report, budget 5000', report, {'budget': 5000}), ('report, strategy truncate', report, {'strategy': 'truncate'}),
                          ('data', data, {}), ('data as text', json.dumps(data), {}), ('data, strategy keys', data, {'strategy': 'keys'})):
    result = contextweaver.compact_tool_result(given, **more)
    summary = result.summary
    print(f'{name}: {result.stats.strategy}, {len(summary)} of {result.stats.original_chars} characters, {summary if len(summary) < 60 else summary[:40] + " ... " + summary[-1]}')
PY
env/bin/python -c "import importlib.metadata as m; print('contextweaver', m.version('contextweaver'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
report: summary, 8 of 6244 characters, # Report
orders: summary, 16 of 5873 characters, Open orders: 300
report, budget 5000: summary, 8 of 6244 characters, # Report
report, strategy truncate: summary, 8 of 6244 characters, # Report
data: summary, 501 of 8841 characters, {"items": [{"amount": 0.0, "id": 0}, {"a ... …
data as text: summary, 501 of 8841 characters, {"total": 300, "items": [{"id": 0, "amou ... …
data, strategy keys: summary, 501 of 8841 characters, {"items": [{"amount": 0.0, "id": 0}, {"a ... …
END
