#!/usr/bin/env bash
# llama-index-core 0.14.25 (PyPI), MarkdownNodeParser, default settings: pieces of Markdown by headings, with the path of headings.
# Behaviour: only a fence of three backticks counts as code, and any line that starts with them begins or ends it. In a block between ~~~ a
# comment ("# install") is a heading, cuts the block in two and is the first step of the path of all that follows. The same within a fence of four
# backticks that holds one of three. A line of code in one line between three backticks begins a block that never ends, so that no later heading
# counts. Headings underlined with = or - are none.
# Seen:   ~~~ # install ~~~ ## Use: path of Use is /install/ / ```x``` then # B: one piece / Setup, =====: no heading
# Expected by most: headings as CommonMark has them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llama-index-core==0.14.25
cat > run.py <<'PY'
from llama_index.core import Document
from llama_index.core.node_parser import MarkdownNodeParser

texts = ['# Guide\n```sh\n# install\n```\n## Use\nx', '# Guide\n~~~sh\n# install\n~~~\n## Use\nx',
         '# Guide\n````md\n```sh\n# install\n```\n````\n## Use\nx',
         '# Guide\n```make all```\n## Use\nx\n## End\ny', '# Guide\n<!--\n# old\n-->\n## Use\nx', 'Setup\n=====\ntext\n\nUse\n---\nmore']
for text in texts:
    print(repr(text))
    for node in MarkdownNodeParser().get_nodes_from_documents([Document(text=text)]):
        print('   ', node.metadata['header_path'], repr(node.text))
PY
env/bin/python -c "import importlib.metadata as m; print('llama-index-core', m.version('llama-index-core'))"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
'# Guide\n```sh\n# install\n```\n## Use\nx'
    / '# Guide\n```sh\n# install\n```'
    /Guide/ '## Use\nx'
'# Guide\n~~~sh\n# install\n~~~\n## Use\nx'
    / '# Guide\n~~~sh'
    / '# install\n~~~'
    /install/ '## Use\nx'
'# Guide\n````md\n```sh\n# install\n```\n````\n## Use\nx'
    / '# Guide\n````md\n```sh'
    / '# install\n```\n````'
    /install/ '## Use\nx'
'# Guide\n```make all```\n## Use\nx\n## End\ny'
    / '# Guide\n```make all```\n## Use\nx\n## End\ny'
'# Guide\n<!--\n# old\n-->\n## Use\nx'
    / '# Guide\n<!--'
    / '# old\n-->'
    /old/ '## Use\nx'
'Setup\n=====\ntext\n\nUse\n---\nmore'
    / 'Setup\n=====\ntext\n\nUse\n---\nmore'
END
