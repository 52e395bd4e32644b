#!/usr/bin/env bash
# markitdown 0.1.9 (PyPI), which turns files into Markdown for models and is an MCP server as well; here notebooks, feeds and text.
# Behaviour: of a notebook the outputs are left out, results and errors alike, and each code cell is fenced as python, whatever the kernel and the %%magic of
# the cell. Of an RSS feed the addresses of the items are left out. In Markdown and text more than one blank line, also within a fence, and spaces at the
# end of lines, which are line breaks in Markdown, are taken away. In CSV only commas count, and fields beyond the header get a column.
# Seen:   notebook: no 42 and no error, julia as python / feed: title, date, text, no address / fence with two blank lines: with one
# Expected by most: a notebook is code and what came of it, a feed is links, and Markdown stays as it is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check markitdown==0.1.9
cat > run.py <<'PY'
import io
import json
from markitdown import MarkItDown, StreamInfo


def show(name, text, extension):
    print(name + ': ' + json.dumps(MarkItDown().convert_stream(io.BytesIO(text.encode()), stream_info=StreamInfo(extension=extension)).markdown))


def code(source, outputs):
    return {'cell_type': 'code', 'metadata': {}, 'source': [source], 'outputs': outputs, 'execution_count': 1}


printed = {'output_type': 'stream', 'name': 'stdout', 'text': ['42\n']}
failed = {'output_type': 'error', 'ename': 'KeyError', 'evalue': 'x', 'traceback': ['KeyError: x']}
kernel = {'kernelspec': {'language': 'julia', 'name': 'julia', 'display_name': 'Julia'}}
show('notebook', json.dumps({'cells': [code('f(1)', [printed]), code('%%bash\nls', [failed])], 'metadata': kernel, 'nbformat': 4, 'nbformat_minor': 5}), '.ipynb')
item = '<item><title>I</title><link>https://x.example/1</link><description>text</description></item>'
show('feed', '<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>https://x.example</link>' + item + '</channel></rss>', '.xml')
show('markdown', '```\na\n\n\nb\n```\none  \ntwo\n', '.md')
show('csv', 'a;b\n1;2\n', '.csv')
PY
env/bin/python -c "import importlib.metadata as m; print('markitdown', m.version('markitdown'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
notebook: "```python\nf(1)\n```\n\n```python\n%%bash\nls\n```"
feed: "# T\n\n## I\ntext"
markdown: "```\na\n\nb\n```\none\ntwo\n"
csv: "| a;b |\n| --- |\n| 1;2 |"
END
