#!/usr/bin/env bash
# raif-format 0.6.0 (PyPI), encode, decode, fix and validate.
# Behaviour: encode writes an integer of Python with all of its digits. decode rounds it to the nearest double and gives an integer again, with no repair noted, also with a schema that says number.
# fix, which is there to bring a text into its one right form, writes the other number into the text and says that nothing was repaired.
# validate says of a text with all digits that it is not in its right form. Texts of digits are kept.
# Seen:   12345678901234567890 -> text 12345678901234567890 -> 12345678901234567168 / fix: id=9007199254740993 becomes id=9007199254740992, repairs []
# Expected by most: the same integer, since Python and JSON have it, or a text for it, or a refusal.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check raif-format==0.6.0
cat > run.py <<'PY'
import importlib.metadata
from raif import decode, encode, fix, parse_schema, validate

print('raif-format', importlib.metadata.version('raif-format'))
for value in (12345678901234567890, 9007199254740993, 1764547200123456789, '9007199254740993'):
    text = encode({'id': value})
    back = decode(text)
    print('wrote', text, '| read', repr(back['value']['id']), '| same', back['value']['id'] == value, '| repairs', back['repairs'])
print('with a schema:', decode('id=9007199254740993', parse_schema('id:n'))['value'])
fixed = fix('id=9007199254740993\nname=Ada')
print('fix:', fixed['canonical'].replace('\n', ' / '), '| repairs', fixed['repairs'])
print('validate, all digits:', validate('id=9007199254740993'), '| rounded:', validate('id=9007199254740992'))
PY
env/bin/python run.py | tee out
diff out - <<'END'
raif-format 0.6.0
wrote id=12345678901234567890 | read 12345678901234567168 | same False | repairs []
wrote id=9007199254740993 | read 9007199254740992 | same False | repairs []
wrote id=1764547200123456789 | read 1764547200123456768 | same False | repairs []
wrote id:s=9007199254740993 | read '9007199254740993' | same True | repairs []
with a schema: {'id': 9007199254740992}
fix: id=9007199254740992 / name=Ada | repairs []
validate, all digits: {'ok': False, 'errors': ['non-canonical: differs from canonical form']} | rounded: {'ok': True}
END
