#!/usr/bin/env bash
# resultseal 0.2.0 (PyPI), which lets only those results of tools through that satisfy a contract: seal, with the contract and the wrapper of its README's quickstart.
# Behaviour: the table of the README says that a record of customer 7 is blocked when 42 was asked for. The target that is compared is the one that the wrapper writes itself, as it does in the quickstart; the record is not looked at, so the record of customer 7
# is sealed for customer 42. A required field is there when its key is: null and an empty text are sealed, though the table says "missing". A body with an error beside the fields is sealed too.
# Seen:   {"customer_id": "7", "name": "Bob"} for customer:42: sealed / {"customer_id": "42", "name": null}: sealed
# Expected by most: TARGET_MISMATCH; MISSING_REQUIRED_FIELD.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check resultseal==0.2.0
cat > run.py <<'PY'
import json
import resultseal

contract = resultseal.load_contract({
    'schema_version': '1', 'claim_type': 'found', 'required_fields': ['customer_id', 'name'],
    'freshness': {'mode': 'not_required'}, 'source_ref': 'crm://customers', 'target_ref': 'customer:42',
})


def observe(body, target='customer:42'):
    return {'kind': 'json', 'source_ref': 'crm://customers', 'target_ref': target, 'tool_name': 'search_customer', 'body': body}


def show(body, **more):
    try:
        resultseal.seal(observe(body, **more), contract)
        said = 'sealed'
    except resultseal.BlockedObservation as blocked:
        said = str(blocked)
    print(json.dumps(body), *more.values(), '->', said)


show({'customer_id': '42', 'name': 'Ada'})
show({'customer_id': '7', 'name': 'Bob'})
show({'customer_id': '7', 'name': 'Bob'}, target='customer:7')
show({'customer_id': '42', 'name': None})
show({'customer_id': None, 'name': ''})
show({'customer_id': '42'})
show({'error': 'the database is down', 'customer_id': '42', 'name': 'Ada'})
PY
echo "resultseal $(env/bin/python -c "import importlib.metadata as m; print(m.version('resultseal'))")"
env/bin/python run.py | tee out
diff out - <<'END'
{"customer_id": "42", "name": "Ada"} -> sealed
{"customer_id": "7", "name": "Bob"} -> sealed
{"customer_id": "7", "name": "Bob"} customer:7 -> observation blocked as source_mismatch: TARGET_MISMATCH
{"customer_id": "42", "name": null} -> sealed
{"customer_id": null, "name": ""} -> sealed
{"customer_id": "42"} -> observation blocked as partial: MISSING_REQUIRED_FIELD
{"error": "the database is down", "customer_id": "42", "name": "Ada"} -> sealed
END
