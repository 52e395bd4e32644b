#!/usr/bin/env bash
# strands-agents-tools 0.8.10 with strands-agents 1.62.0 (PyPI): the tools file_read and calculator of Strands agents, called as an agent calls them.
# Behaviour: file_read's search numbers lines from 1. Its mode "lines" takes start_line from 0 and leaves end_line out, and neither stands in what the model is told of the tool. So a hit in line 2
# that is read with 2 and 2 gives an empty text and the status success, and 2 to 4 gives lines 3 and 4. The words that were found stand in the model's text between the marks [bold yellow] and
# [/bold yellow], inside of numbers too. A diff has an empty line behind each line. The calculator gives two digits behind the point above a million.
# Seen:   hit "2: [bold yellow]beta[/bold yellow]"; lines 2 to 2: "" / search "7" in 1750: 1[bold yellow]7[/bold yellow]50 / 1234567.8914: 1,234,567.89
# Expected by most: one way to count, plain text, and all digits.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir BYPASS_TOOL_CONSENT=true STRANDS_NON_INTERACTIVE=true
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check strands-agents-tools==0.8.10 strands-agents==1.62.0
cat > run.py <<'PY'
import contextlib
import io
import warnings

warnings.filterwarnings('ignore')
from strands_tools import calculator, file_read


def text(answer):
    return answer['status'] + ': ' + ' | '.join(repr(part['text']) for part in answer['content'])


def quiet(function, *given, **named):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return function(*given, **named)


def read(**given):
    return text(quiet(file_read.file_read, {'toolUseId': 't', 'name': 'file_read', 'input': {'path': 'a.txt', **given}}))


lines = 'alpha\nbeta\ngamma\ndelta 1750\n'
open('a.txt', 'w').write(lines)
open('b.txt', 'w').write(lines.replace('beta', 'BETA'))
print('search beta', read(mode='search', search_pattern='beta', context_lines=0))
print('search 7', read(mode='search', search_pattern='7', context_lines=0))
for start, end in ((2, 2), (1, 2), (2, 4), (0, 1)):
    print('lines', start, 'to', end, read(mode='lines', start_line=start, end_line=end))
print('told of start_line:', file_read.TOOL_SPEC['inputSchema']['json']['properties']['start_line']['description'])
print('diff', read(mode='diff', comparison_path='b.txt'))
for expression in ('1234567.8914', '123456.78914', '12345678.9 * 10.01'):
    print(expression, text(quiet(calculator.calculator, expression=expression)))
PY
env/bin/python -c "import importlib.metadata as m; print('strands-agents-tools', m.version('strands-agents-tools'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
search beta success: '→ 2: [bold yellow]beta[/bold yellow]'
search 7 success: '→ 4: delta 1[bold yellow]7[/bold yellow]50'
lines 2 to 2 success: ''
lines 1 to 2 success: 'beta\n'
lines 2 to 4 success: 'gamma\ndelta 1750\n'
lines 0 to 1 success: 'alpha\n'
told of start_line: Starting line number (for lines mode)
diff success: 'Diff between a.txt and b.txt:\n--- a.txt\n+++ b.txt\n@@ -1,4 +1,4 @@\n alpha\n\n-beta\n\n+BETA\n\n gamma\n\n delta 1750\n'
1234567.8914 success: 'Result: 1,234,567.89'
123456.78914 success: 'Result: 123456.78914'
12345678.9 * 10.01 success: 'Result: 123,580,245.79'
END
