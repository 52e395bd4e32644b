#!/usr/bin/env bash
# uritemplate 4.2.0 (PyPI), RFC 6570 in Python, on which clients of Google and GitHub and many tools build addresses; uri-template 1.3.0 (PyPI) fills the same templates beside it.
# Behaviour: in {?page}, {&page} and {;page} a value that counts as false in Python is written as an empty one: page 0, offset 0, a price 0.0 and the flag False send "page=" and so on, which most
# servers read as not given. In the path ({page}) and in a list 0 is 0. A flag that is true is "True" with a capital, which servers that compare with "true" take for false,
# and None within a list is the text "None".
# Seen:   /items{?page,size} with 0 and 20: /items?page=&size=20 / {?all} with False: ?all=, with True: ?all=True / {?ids} with [None, 1]: ?ids=None,1
# Most would guess: page=0&size=20, all=false and all=true.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check uritemplate==4.2.0 uri-template==1.3.0
cat > run.py <<'PY'
import uri_template
import uritemplate

for template, values in [
    ('/items{?page,size}', {'page': 0, 'size': 20}), ('/items?q=a{&offset}', {'offset': 0}), ('/items{;page}', {'page': 0}), ('/items{?min}', {'min': 0.0}), ('/items{?all}', {'all': False}), ('/items{?all}', {'all': True}),
    ('/items/{page}', {'page': 0}), ('/items{?ids}', {'ids': [0, 1]}), ('/items{?ids}', {'ids': [None, 1]}), ('/items{?where*}', {'where': {'page': 0, 'all': False}}), ('/items{?page}', {'page': '0'}),
]:
    print(f'{template} {values}: {uritemplate.expand(template, values)}, uri-template {uri_template.expand(template, **values)}')
PY
env/bin/python -c "import importlib.metadata as m; print('uritemplate', m.version('uritemplate'), 'uri-template', m.version('uri-template'))"
env/bin/python run.py | tee out
diff out - <<'END'
/items{?page,size} {'page': 0, 'size': 20}: /items?page=&size=20, uri-template /items?page=0&size=20
/items?q=a{&offset} {'offset': 0}: /items?q=a&offset=, uri-template /items?q=a&offset=0
/items{;page} {'page': 0}: /items;page, uri-template /items;page=0
/items{?min} {'min': 0.0}: /items?min=, uri-template /items?min=0.0
/items{?all} {'all': False}: /items?all=, uri-template /items?all=false
/items{?all} {'all': True}: /items?all=True, uri-template /items?all=true
/items/{page} {'page': 0}: /items/0, uri-template /items/0
/items{?ids} {'ids': [0, 1]}: /items?ids=0,1, uri-template /items?ids=0,1
/items{?ids} {'ids': [None, 1]}: /items?ids=None,1, uri-template /items?ids=None,1
/items{?where*} {'where': {'page': 0, 'all': False}}: /items?all=False&page=0, uri-template /items?page=0&all=false
/items{?page} {'page': '0'}: /items?page=0, uri-template /items?page=0
END
