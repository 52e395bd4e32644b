#!/usr/bin/env bash
# function-schema-generator 0.1.0 and func2json 0.1.3 (PyPI): schemas of tools for OpenAI, made from one Python function; native Python 3.11.
# Behaviour: both make "string" of what they do not know, and they know little. function-schema-generator knows a bare int, float, bool, list and dict only: Optional[int], int | None, a choice
# (Literal) and an untyped default of 3 are texts, *args and **more are two required parameters, and the words of the docstring for each parameter are not used. func2json makes a text of
# list[str], of dict[str, int], of a list of models and of int | None, while Optional[int] is right; a model and an enum become references to $defs that are not in what it gives.
# Seen:   list[str]: {"type": "string"} / Optional[int]: {"type": "string"} / an order: {"$ref": "#/$defs/Order"} without any $defs
# Expected by most: a list of strings, an integer, the fields of the order; or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check function-schema-generator==0.1.0 func2json==0.1.3
cat > run.py <<'PY'
import enum
import importlib.metadata
import json
from typing import Literal, Optional
from pydantic import BaseModel
import func2json
from function_schema_generator import generate_openai_schema


class Order(BaseModel):
    item: str
    amount: int

class Colour(enum.Enum):
    red = 'red'
    blue = 'blue'

def plain(names: list[str], limit: Optional[int] = None, page: int | None = None, order: Literal['up', 'down'] = 'up', size=3, *args, **more):
    """Find people.

    Args:
        names: Their family names.
        limit: How many at most.
    """

def models(names: list[str], first: Order, others: list[Order], stock: dict[str, int], colour: Colour = Colour.red, limit: Optional[int] = None, page: int | None = None, order: Literal['up', 'down'] = 'up'):
    """Send orders."""

def show(package, made):
    print(package, importlib.metadata.version(package), '- $defs:', '$defs' in json.dumps(made).replace('#/$defs', ''))
    parameters = made['function']['parameters']
    for name, part in parameters['properties'].items():
        print(f'  {name}: {json.dumps(part)}', '(required)' * (name in parameters['required']))


show('function-schema-generator', generate_openai_schema(plain))
show('func2json', func2json.execf(models))
PY
env/bin/python run.py | tee out
diff out - <<'END'
function-schema-generator 0.1.0 - $defs: False
  names: {"type": "array"} (required)
  limit: {"type": "string"} 
  page: {"type": "string"} 
  order: {"type": "string"} 
  size: {"type": "string"} 
  args: {"type": "string"} (required)
  more: {"type": "string"} (required)
func2json 0.1.3 - $defs: False
  names: {"type": "string"} (required)
  first: {"$ref": "#/$defs/Order"} (required)
  others: {"type": "string"} (required)
  stock: {"type": "string"} (required)
  colour: {"$ref": "#/$defs/Colour"} 
  limit: {"type": "integer"} 
  page: {"type": "string"} 
  order: {"type": "string"} 
END
