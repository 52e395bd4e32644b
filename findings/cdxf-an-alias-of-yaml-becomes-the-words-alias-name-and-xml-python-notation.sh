#!/usr/bin/env bash
# cdxf 0.1.3 (PyPI) with cbor2 5.9.0 (PyPI): "universal interchange" of JSON, YAML, XML and TOML; cdxf convert of its README.
# Behaviour: an alias of YAML is kept as a node of its own and is not resolved for the other formats. In JSON it is the text "Alias(name='b')", a merge key is a key named "<<".
# In TOML both are left out: the key that was an alias and all that was merged are gone. XML becomes one text in Python notation in JSON and null in YAML; JSON becomes an empty file in XML.
# Each time the exit code is 0 and a file is written.
# Seen:   again: *b -> "again": "Alias(name='b')" / TOML: web has port only, again is gone / <r id="007"> -> "Element(name='r', ...)" / {"name": "x"} -> empty
# Expected by most: the values that the alias stands for; elements as objects; or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check cdxf==0.1.3 cbor2==5.9.0
env/bin/python -c "import importlib.metadata as m, sys; print('cdxf', m.version('cdxf'), file=sys.stderr)"
cat > a.yaml <<'YAML'
base: &b
  image: app
  port: 80
web:
  <<: *b
  port: 8080
again: *b
YAML
printf '<r id="007"><i>1.10</i></r>\n' > b.xml
printf '{"name": "x", "ports": [1, 2]}\n' > c.json
show() {
  env/bin/cdxf convert "$1" --to "$2" > log && code=0 || code=$?
  echo "== $1 to $2, exit code $code, bytes: $(wc -c < "${1%.*}.$2")"
  awk 'NF' "${1%.*}.$2"
}
{
  show a.yaml json
  show a.yaml toml
  show b.xml json
  show b.xml yaml
  show c.json xml
} | tee out
diff out - <<'END'
== a.yaml to json, exit code 0, bytes: 146
{
  "base": {
    "image": "app",
    "port": 80
  },
  "web": {
    "<<": "Alias(name='b')",
    "port": 8080
  },
  "again": "Alias(name='b')"
}
== a.yaml to toml, exit code 0, bytes: 50
[base]
image = "app"
port = 80
[web]
port = 8080
== b.xml to json, exit code 0, bytes: 403
"Element(name='r', namespace_uri=None, prefix=None, attributes=[Attribute(name='id', value='007', namespace_uri=None, prefix=None)], children=[Element(name='i', namespace_uri=None, prefix=None, attributes=[], children=[Scalar(scalar_type=<ScalarType.STRING: 5>, value='1.10', tag=None, anchor=None)], namespace_declarations={}, tag=None, anchor=None)], namespace_declarations={}, tag=None, anchor=None)"
== b.xml to yaml, exit code 0, bytes: 9
null
...
== c.json to xml, exit code 0, bytes: 0
END
