#!/usr/bin/env bash
# pydantic-ai-slim 2.68.0 (PyPI), an Agent with functions as tools: the description of a tool that its model is given, made of the function's docstring.
# Behaviour: when a docstring has sections, only the text before the first one goes to the model as the description. "Note:" and "Warning:" in Google's style and
# "Warnings" in NumPy's are dropped, and so is plain text behind any of them: "Important: ask the user first.", "Never call this twice." Behind a :param: line
# such a text becomes the end of that parameter's description. In a docstring without sections all stays. Nothing says so.
# Seen:   "Delete a file." alone, for docstrings that go on with a warning, a note or "Never call this twice."
# Expected by most: the whole docstring, or all of it but the parameters, which are in the schema.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pydantic-ai-slim==2.68.0
cat > run.py <<'PY'
import importlib.metadata
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

print('pydantic-ai-slim', importlib.metadata.version('pydantic-ai-slim'))


texts = {
    'behind_the_parameters': 'Delete a file.\n\nArgs:\n    number: of the file.\n\nNever call this twice.\n',
    'google': 'Delete a file.\n\nNote:\n    It needs a lock.\n\nImportant: ask the user first.\n\nArgs:\n    number: of the file.\n\n'
              'Warning:\n    It can not be brought back.\n',
    'numpy': 'Delete a file.\n\nParameters\n----------\nnumber : int\n    of the file.\n\nWarnings\n--------\nIt can not be brought back.\n',
    'sphinx': 'Delete a file.\n\n:param number: of the file.\n\nNever call this twice.\n',
    'no_sections': 'Delete a file.\n\nImportant: ask the user first. Never call this twice.\n',
    'in_the_first_text': 'Delete a file. Ask the user first.\n\nNever call this twice.\n\nArgs:\n    number: of the file.\n',
}


def show(messages, info):
    for tool in info.function_tools:
        print(f'{tool.name}: {tool.description!r}, number: {tool.parameters_json_schema["properties"]["number"].get("description")!r}')
    return ModelResponse(parts=[TextPart('done')])


for name, text in texts.items():
    def tool(number: int):
        pass

    tool.__name__ = name
    tool.__doc__ = text
    Agent(FunctionModel(show), tools=[tool]).run_sync('Go.')
PY
env/bin/python run.py | tee out
diff out - <<'END'
pydantic-ai-slim 2.68.0
behind_the_parameters: 'Delete a file.', number: 'of the file.'
google: 'Delete a file.', number: 'of the file.'
numpy: 'Delete a file.', number: 'of the file.'
sphinx: 'Delete a file.', number: 'of the file.\n\nNever call this twice.'
no_sections: 'Delete a file.\n\nImportant: ask the user first. Never call this twice.', number: None
in_the_first_text: 'Delete a file. Ask the user first.\n\nNever call this twice.', number: 'of the file.'
END
