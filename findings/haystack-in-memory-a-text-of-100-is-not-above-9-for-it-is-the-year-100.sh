#!/usr/bin/env bash
# haystack-ai 3.4.1 (PyPI), InMemoryDocumentStore: filters with > and < on meta fields that are texts, as rows of a CSV file give them.
# Behaviour: its own message says that only texts in the ISO form of dates can be compared. But a text of figures is read as a date without a word: "100" is the year 100, "45" the year 2045, "10" the tenth of this month.
# So "100" is not above "9", "45" is; "1,200" is not; of "3.10" and "3.2" neither is the greater. "May" is above "April". Only what is no date at all ("10 kg") is refused. (A "31" is compared or refused by the month in which it runs.)
# Seen:   above "9": 10, 45 and not 100, 1,200; "3.10" > "3.2" and "3.2" > "3.10" both false; "10 kg" > "9 kg": FilterError
# Expected by most: an error as for "10 kg", or a comparison as numbers or as letters.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check haystack-ai==3.4.1 python-dateutil==4.0.0
cat > run.py <<'PY'
import importlib.metadata
from haystack import Document
from haystack.document_stores.in_memory import InMemoryDocumentStore

print('haystack-ai', importlib.metadata.version('haystack-ai'))


def above(value, limit):
    store = InMemoryDocumentStore()
    store.write_documents([Document(content='row', meta={'price': value})])
    try:
        found = len(store.filter_documents({'field': 'meta.price', 'operator': '>', 'value': limit}))
    except Exception as error:
        return type(error).__name__
    return 'yes' if found else 'no'


for value, limit in [('10', '9'), ('45', '9'), ('100', '9'), ('1,200', '9'), ('2', '9'), ('3.10', '3.2'), ('3.2', '3.10'), ('May', 'April'), ('10 kg', '9 kg'), (100, 9)]:
    print(repr(value), 'above', repr(limit) + ':', above(value, limit))
PY
env/bin/python run.py 2>/dev/null | tee out
diff out - <<'END'
haystack-ai 3.4.1
'10' above '9': yes
'45' above '9': yes
'100' above '9': no
'1,200' above '9': no
'2' above '9': no
'3.10' above '3.2': no
'3.2' above '3.10': no
'May' above 'April': yes
'10 kg' above '9 kg': FilterError
100 above 9: yes
END
