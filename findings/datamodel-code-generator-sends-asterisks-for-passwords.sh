#!/usr/bin/env bash
# datamodel-code-generator 0.89.0 with pydantic 2.12.5 (PyPI), which writes Python classes for JSON Schema and OpenAPI.
# Behaviour: a text of format password becomes a SecretStr, and such a field is written as ten asterisks when the object is dumped to JSON, which is
# what a client sends. A text of format byte, which is for binary data, becomes a Base64Str: that holds what was encoded as text of UTF-8, so that the
# start of a picture, valid by the schema, is refused.
# Seen:   {"password":"abc","data":"aGk="} read and dumped: "**********", and data in between is "hi" / the first bytes of a PNG file: error
# Expected by most: format is a note, and what is read is dumped as it was.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check datamodel-code-generator==0.89.0 pydantic==2.12.5
cat > schema.json <<'JSON'
{"title": "Login", "type": "object", "required": ["password", "data"], "properties": {"password": {"type": "string", "format": "password"}, "data": {"type": "string", "format": "byte"}}}
JSON
env/bin/datamodel-codegen --input schema.json --input-file-type jsonschema --output-model-type pydantic_v2.BaseModel --output model.py 2> log || { cat log; exit 1; }
cat > run.py <<'PY'
import base64
import importlib.metadata
import json
import sys
from model import Login

print(*(name + ' ' + importlib.metadata.version(name) for name in ('datamodel-code-generator', 'pydantic')), file=sys.stderr)
for data in (b'hi', b'\x89PNG\r\n'):
    text = base64.b64encode(data).decode()
    try:
        login = Login.model_validate_json(json.dumps({'password': 'abc', 'data': text}))
        print(f'{text}: {login!r} -> {login.model_dump_json()}')
    except Exception as error:
        print(f'{text}: {type(error).__name__} {error}'[:150].replace('\n', ' '))
PY
env/bin/python run.py | tee out
diff out - <<'END'
aGk=: Login(password=SecretStr('**********'), data='hi') -> {"password":"**********","data":"aGk="}
iVBORw0K: ValidationError 1 validation error for Login data   Value error, 'utf-8' codec can't decode byte 0x89 in position 0: invalid start byte [typ
END
