#!/usr/bin/env bash
# luqum 1.0.0 (PyPI), queries of Lucene to those of Elasticsearch.
# Behaviour: "price:>5" and "price:<5", which Elasticsearch itself takes, are read well and then become a question for exactly 5; ">5 AND <9" asks for what is 5 and 9 at once. "[5 TO *]" is
# right. "temp:-5" is "not 5", and the way out, "temp:\-5", keeps its backslash and looks for the text \-5. So does "name:a\:b": no escape comes through. Nothing is said.
# Seen:   price:>5 -> term 5 / NOT price:>5 -> not 5 / temp:-5 -> must_not 5 / temp:\-5 -> the text \-5
# Expected by most: a range above 5, minus five.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check luqum==1.0.0
cat > run.py <<'PY'
import json
from luqum.elasticsearch import ElasticsearchQueryBuilder
from luqum.parser import parser

build = ElasticsearchQueryBuilder(not_analyzed_fields=['price', 'temp', 'name'])
rows = [{'price': price, 'temp': price - 10, 'name': name} for price, name in [(3, 'ab'), (5, 'a:b'), (7, 'a-b'), (12, 'a b')]]


def holds(query, row):
    """Answers as Elasticsearch does, for the few kinds of question that come up here."""
    (kind, rest), = query.items()
    if kind == 'bool':
        return all(holds(one, row) for one in rest.get('must', [])) and not any(holds(one, row) for one in rest.get('must_not', []))
    (field, value), = rest.items()
    if kind == 'term':
        return str(row[field]) == value['value']
    return all({'gt': row[field] > float(limit), 'gte': row[field] >= float(limit), 'lt': row[field] < float(limit), 'lte': row[field] <= float(limit)}[sign] for sign, limit in value.items())


for text in ['price:>5', 'price:<5', 'NOT price:>5', 'price:>4 AND price:<9', 'price:[5 TO *]', 'temp:-5', r'temp:\-5', 'temp:"-5"', r'name:a\:b', 'name:"a:b"']:
    query = build(parser.parse(text))
    print(f"{text}\n    {json.dumps(query)}\n    prices found: {', '.join(str(row['price']) for row in rows if holds(query, row)) or 'none'}")
PY
echo "luqum $(env/bin/python -c "import importlib.metadata as m; print(m.version('luqum'))")"
env/bin/python run.py | tee out
diff out - <<'END'
price:>5
    {"term": {"price": {"value": "5"}}}
    prices found: 5
price:<5
    {"term": {"price": {"value": "5"}}}
    prices found: 5
NOT price:>5
    {"bool": {"must_not": [{"term": {"price": {"value": "5"}}}]}}
    prices found: 3, 7, 12
price:>4 AND price:<9
    {"bool": {"must": [{"term": {"price": {"value": "4"}}}, {"term": {"price": {"value": "9"}}}]}}
    prices found: none
price:[5 TO *]
    {"range": {"price": {"gte": "5"}}}
    prices found: 5, 7, 12
temp:-5
    {"bool": {"must_not": [{"term": {"temp": {"value": "5"}}}]}}
    prices found: 3, 5, 7, 12
temp:\-5
    {"term": {"temp": {"value": "\\-5"}}}
    prices found: none
temp:"-5"
    {"term": {"temp": {"value": "-5"}}}
    prices found: 5
name:a\:b
    {"term": {"name": {"value": "a\\:b"}}}
    prices found: none
name:"a:b"
    {"term": {"name": {"value": "a:b"}}}
    prices found: 5
END
