#!/usr/bin/env bash
# llms-txt-audit 0.1.0 (PyPI), a checker of llms.txt files: its JSON report, and its exit code with --fail-on-warning.
# Behaviour: code blocks are read as Markdown. A comment "# install" in one is a second title, which is a warning and fails a build. "## more" in it is a section, and a link in it is counted and complained about.
# A link whose text has square brackets is no link at all, nor is one behind an asterisk, the other common mark of Markdown lists. So the counts go up by what is not there and down by what is.
# Seen:   a file of 1 title, 2 sections, 4 links with notes: "Multiple H1 titles found", 3 sections, 3 links (one of them in the code), "Link has no description: x", exit 1
# Expected by most: 1 title, 2 sections, 4 links, exit 0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llms-txt-audit==0.1.0
cat > with-code.txt <<'MD'
# Site

> A short text about the site.

```bash
# install
## more
npm i
- [x](y)
```

## Docs

* [Lists](https://example.org/lists.md): about lists
- [Options [all]](https://example.org/options.md): the options
- [Start](https://example.org/start.md): how to begin

## Optional

- [Old](https://example.org/old.md): the old pages
MD
sed '/^```bash/,/^```$/d' with-code.txt > without-code.txt
cat > show.py <<'PY'
import json
import sys

report = json.load(sys.stdin)
print('sections', report['section_count'], 'links', report['link_count'], 'score', report['score'])
for finding in report['findings']:
    if finding['severity'] != 'pass':
        print('  ', finding['severity'], finding['message'])
PY
echo "llms-txt-audit $(env/bin/python -c "import importlib.metadata as m; print(m.version('llms-txt-audit'))")"
for file in with-code.txt without-code.txt; do
  echo "$file:"
  code=0; env/bin/llms-txt-audit "$file" --json --fail-on-warning > report.json || code=$?
  python3 show.py < report.json; echo "   exit $code"
done | tee out
diff out - <<'END'
with-code.txt:
sections 3 links 3 score 88
   warning Multiple H1 titles found.
   info Link has no description: x
   exit 1
without-code.txt:
sections 2 links 2 score 100
   exit 0
END
