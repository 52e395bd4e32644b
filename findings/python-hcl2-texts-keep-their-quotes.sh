#!/usr/bin/env bash
# python-hcl2 8.1.4 against 7.3.1 (PyPI), which reads Terraform's files into Python; `loads(text)` without options.
# Behaviour: in 8 each text keeps the quotes of the file as part of it, the names of blocks too, so that data["resource"][0]["aws_vm"] is a KeyError
# and a name is never equal to itself without quotes. A heredoc is its own source, marker and all, in quotes. A block has a member __is_block__ that
# is in no file, and a comment makes one for the whole. In 7 there are no quotes. Nothing warns.
# Seen:   8: '"aws_vm"', '"web"', heredoc '"<<EOT\none\n  two\nEOT"' / 7: 'aws_vm', 'web', the heredoc without marker
# Expected by most: the value of name = "web" is web.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
cat > run.py <<'PY'
import importlib.metadata
import hcl2

print('python-hcl2', importlib.metadata.version('python-hcl2'))
data = hcl2.loads('# the machine\nresource "aws_vm" "a" {\n  name = "web"\n  size = 3\n  note = <<EOT\none\n  two\nEOT\n}\n')
print(data)
PY
for version in 8.1.4 7.3.1; do
  python3 -m venv "env-$version"; "env-$version/bin/pip" install --quiet --disable-pip-version-check "python-hcl2==$version"
  "env-$version/bin/python" run.py
done | tee out
diff out - <<'END'
python-hcl2 8.1.4
{'resource': [{'"aws_vm"': {'"a"': {'name': '"web"', 'size': 3, 'note': '"<<EOT\none\n  two\nEOT"', '__is_block__': True}}}], '__comments__': [{'value': 'the machine'}]}
python-hcl2 7.3.1
{'resource': [{'aws_vm': {'a': {'name': 'web', 'size': 3, 'note': 'one\n  two'}}}]}
END
