#!/usr/bin/env bash
# litellm 1.110.2 with numpydoc 1.11.0 (PyPI): litellm.utils.function_to_dict, its documented way from a function to a tool.
# Behaviour: choices of the docstring become ONE text, with brackets and quotes in it ("enum": "['asc', 'desc']"), which is no JSON Schema, and whose order is another from start to start. A parameter that is not one of a few
# bare types is a string: list[str], Optional[int], Literal, a date alike; one parameter
# that is int | None makes no tool at all, but an AttributeError. Descriptions are there for numpy's style alone: with Google's or Sphinx's style
# the parameters have none, and what was said of them is gone.
# Seen:   sort: "enum": "['asc', 'desc']" / tags: list[str]: {"type": "string"} / Args: query: What to find.: {"type": "string"} / limit: int | None: AttributeError
# Most would guess: list, integer and the choices as a list; the docstring of any of the three usual styles.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2 numpydoc==1.11.0
cat > run.py <<'PY'
import datetime
import json
from typing import Literal, Optional
from litellm.utils import function_to_dict


def numpy(query: str, limit: Optional[int] = None, tags: list[str] = (), sort: Literal['asc', 'desc'] = 'asc', day: Optional[datetime.date] = None):
    """Searches the orders.

    Parameters
    ----------
    query : str
        What to find.
    limit : int, optional
        How many.
    tags : list of str
        Tags to have.
    sort : {'asc', 'desc'}
        The order.
    day : date
        The day.
    """


def google(query: str, limit: int = 10):
    """Searches the orders.

    Args:
        query: What to find.
        limit: How many.
    """


def sphinx(query: str, limit: int = 10):
    """Searches the orders.

    :param query: What to find.
    :param limit: How many.
    """


def union(query: str, limit: int | None = None):
    """Searches the orders."""


for function in (numpy, google, sphinx, union):
    try:
        tool = function_to_dict(function)
    except AttributeError:
        print(function.__name__ + ': AttributeError')
        continue
    print(tool['name'] + ':', json.dumps(tool['description']))
    for name, schema in tool['parameters']['properties'].items():
        if 'enum' in schema:
            assert schema['enum'] in ("['asc', 'desc']", "['desc', 'asc']")
            schema['enum'] = 'a text: ' + ''.join(sorted(schema['enum']))
        print('   ', name + ':', json.dumps(schema))
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('litellm', 'numpydoc')))"
LITELLM_LOCAL_MODEL_COST_MAP=True env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
numpy: "Searches the orders."
    query: {"type": "string", "description": "What to find."}
    limit: {"type": "integer", "description": "How many."}
    tags: {"type": "string", "description": "Tags to have."}
    sort: {"type": "string", "description": "The order.", "enum": "a text:  '''',[]accdess"}
    day: {"type": "string", "description": "The day."}
google: "Searches the orders."
    query: {"type": "string"}
    limit: {"type": "integer"}
sphinx: "Searches the orders."
    query: {"type": "string"}
    limit: {"type": "integer"}
union: AttributeError
END
