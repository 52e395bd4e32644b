#!/usr/bin/env bash
# markitdown 0.1.9 (PyPI, extra xlsx), which turns files into Markdown for models and is an MCP server as well; here workbooks.
# Behaviour: a sheet goes through a table of pandas and is written as that prints it. One empty cell makes its whole column floats, and one large id then makes
# it powers: 12345678901234567 is 1.234568e+16, and the 1 above it 1.000000e+00. Without the empty cell all digits are there. Booleans beside
# an empty cell are 1.0 and 0.0, the texts NA, null and None are NaN like an empty cell, a line break is \n in letters, and a | ends the cell.
# Seen:   id: 1.000000e+00, 1.234568e+16, NaN / full: 1, 12345678901234567 / ok: 1.0, 0.0, NaN / text NA: NaN / a|b: a|b
# Expected by most: what the cells show.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check 'markitdown[xlsx]==0.1.9' openpyxl==3.1.5 pandas==3.1.1
cat > run.py <<'PY'
import io
import openpyxl
from markitdown import MarkItDown, StreamInfo

book = openpyxl.Workbook()
for row in (('id', 'full', 'ok', 'text'), (1, 1, True, 'NA'), (12345678901234567, 12345678901234567, False, 'a|b'), (None, 3, None, 'x\ny')):
    book.active.append(row)
file = io.BytesIO()
book.save(file)
file.seek(0)
print(MarkItDown().convert_stream(file, stream_info=StreamInfo(extension='.xlsx')).markdown)
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('markitdown', 'pandas', 'openpyxl')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
## Sheet
| id | full | ok | text |
| --- | --- | --- | --- |
| 1.000000e+00 | 1 | 1.0 | NaN |
| 1.234568e+16 | 12345678901234570 | 0.0 | a|b |
| NaN | 3 | NaN | x\ny |
END
