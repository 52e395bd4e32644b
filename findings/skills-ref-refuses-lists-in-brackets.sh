#!/usr/bin/env bash
# skills-ref 0.1.1 (PyPI), the reference library for Agent Skills, whose check tells whether a SKILL.md is valid.
# Behaviour: its frontmatter is not YAML but a part of it. A list in brackets or an object in braces, an anchor and a tag are "Invalid YAML", so that a skill with
# `allowed-tools: [Read, Grep]` does not load, while the same list in lines with a dash does. Every scalar is a text (version 1.0 is "1.0"), an object within
# metadata becomes the text of a Python dictionary. Fields that hosts define themselves (disable-model-invocation) make a skill invalid, though it is read.
# Seen:   allowed-tools: [Read, Grep]: 1 problem, ParseError / with dashes: valid, a list / metadata author name x: "{'name': 'x'}"
# Expected by most: YAML as elsewhere, and what validates is what hosts load.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check skills-ref==0.1.1
cat > run.py <<'PY'
import importlib.metadata
import json
from pathlib import Path
import skills_ref

print('skills-ref', importlib.metadata.version('skills-ref'))
folder = Path('my-skill')
folder.mkdir()
for more in [
    'allowed-tools: Read Grep',
    'allowed-tools: [Read, Grep]',
    'allowed-tools:\n  - Read\n  - Grep',
    'metadata: {}',
    'metadata:\n  version: 1.0\n  stable: yes',
    'metadata:\n  author:\n    name: x',
    'disable-model-invocation: true',
]:
    (folder / 'SKILL.md').write_text(f'---\nname: my-skill\ndescription: What it is for.\n{more}\n---\nText.\n')
    problems = skills_ref.validate(folder)
    try:
        read = {key: value for key, value in skills_ref.read_properties(folder).to_dict().items() if key not in ('name', 'description')}
    except Exception as error:
        read = type(error).__name__
    print(f'{more!r}: {len(problems)} problem(s), read as {json.dumps(read)}')
PY
env/bin/python run.py | tee all
tail -n +2 all > out
diff out - <<'END'
'allowed-tools: Read Grep': 0 problem(s), read as {"allowed-tools": "Read Grep"}
'allowed-tools: [Read, Grep]': 1 problem(s), read as "ParseError"
'allowed-tools:\n  - Read\n  - Grep': 0 problem(s), read as {"allowed-tools": ["Read", "Grep"]}
'metadata: {}': 1 problem(s), read as "ParseError"
'metadata:\n  version: 1.0\n  stable: yes': 0 problem(s), read as {"metadata": {"version": "1.0", "stable": "yes"}}
'metadata:\n  author:\n    name: x': 0 problem(s), read as {"metadata": {"author": "{'name': 'x'}"}}
'disable-model-invocation: true': 1 problem(s), read as {}
END
