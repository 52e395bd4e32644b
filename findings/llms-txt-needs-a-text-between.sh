#!/usr/bin/env bash
# llms-txt 0.0.7 (PyPI), the reader of llms.txt files of those who proposed them.
# Behaviour: the page of the format says that the title is all a file needs. Without a paragraph between summary and sections the summary is None and stands, with
# its mark, in the field for that paragraph; with the title alone, or with a section right below it, there is a TypeError. Windows line breaks stay in the names of sections. A
# bullet *, a sentence in a section, a bold link or a description of two lines are an AttributeError, and an address with brackets is cut at the first of them.
# Seen:   title, > s, section: summary None, info "> s" / the title alone: TypeError / * [A](a.md): AttributeError / a_(b).md: "a_(b"
# Expected by most: the parts as the format names them, and Markdown in its usual forms.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llms-txt==0.0.7
cat > run.py <<'PY'
import importlib.metadata
import json
import llms_txt

print('llms-txt', importlib.metadata.version('llms-txt'))
start = '# T\n\n> s\n\ntext\n\n## Docs\n\n'
for text in [
    start + '- [A](a.md): x\n',
    '# T\n\n> s\n\n## Docs\n\n- [A](a.md): x\n',
    '# T\n\n> s\n> t\n\ntext\n\n## Docs\n\n- [A](a.md): x\n',
    '# T\n',
    '# T\n## Docs\n\n- [A](a.md): x\n',
    start.replace('\n', '\r\n') + '- [A](a.md): x\r\n',
    start + '* [A](a.md): x\n',
    start + 'First of all:\n\n- [A](a.md): x\n',
    start + '- **[A](a.md)**: x\n',
    start + '- [A](a.md): x\n  and more\n',
    start + '- [A](a_(b).md): x\n',
    start + '- [A](a.md) - x\n',
]:
    try:
        said = str(llms_txt.parse_llms_file(text))
    except Exception as error:
        said = type(error).__name__
    print(json.dumps(text) + '\n    ' + said)
PY
env/bin/python run.py | tee all
tail -n +2 all > out
diff out - <<'END'
"# T\n\n> s\n\ntext\n\n## Docs\n\n- [A](a.md): x\n"
    {'title': 'T', 'summary': 's', 'info': 'text', 'sections': {'Docs': [{'title': 'A', 'url': 'a.md', 'desc': 'x'}]}}
"# T\n\n> s\n\n## Docs\n\n- [A](a.md): x\n"
    {'title': 'T', 'summary': None, 'info': '> s', 'sections': {'Docs': [{'title': 'A', 'url': 'a.md', 'desc': 'x'}]}}
"# T\n\n> s\n> t\n\ntext\n\n## Docs\n\n- [A](a.md): x\n"
    {'title': 'T', 'summary': 's', 'info': '> t\n\ntext', 'sections': {'Docs': [{'title': 'A', 'url': 'a.md', 'desc': 'x'}]}}
"# T\n"
    TypeError
"# T\n## Docs\n\n- [A](a.md): x\n"
    TypeError
"# T\r\n\r\n> s\r\n\r\ntext\r\n\r\n## Docs\r\n\r\n- [A](a.md): x\r\n"
    {'title': 'T\r\n\r', 'summary': 's\r', 'info': '\r\ntext', 'sections': {'Docs\r': [{'title': 'A', 'url': 'a.md', 'desc': 'x'}]}}
"# T\n\n> s\n\ntext\n\n## Docs\n\n* [A](a.md): x\n"
    AttributeError
"# T\n\n> s\n\ntext\n\n## Docs\n\nFirst of all:\n\n- [A](a.md): x\n"
    AttributeError
"# T\n\n> s\n\ntext\n\n## Docs\n\n- **[A](a.md)**: x\n"
    AttributeError
"# T\n\n> s\n\ntext\n\n## Docs\n\n- [A](a.md): x\n  and more\n"
    AttributeError
"# T\n\n> s\n\ntext\n\n## Docs\n\n- [A](a_(b).md): x\n"
    {'title': 'T', 'summary': 's', 'info': 'text', 'sections': {'Docs': [{'title': 'A', 'url': 'a_(b', 'desc': None}]}}
"# T\n\n> s\n\ntext\n\n## Docs\n\n- [A](a.md) - x\n"
    {'title': 'T', 'summary': 's', 'info': 'text', 'sections': {'Docs': [{'title': 'A', 'url': 'a.md', 'desc': None}]}}
END
