#!/usr/bin/env bash
# google-adk 2.13.0 (PyPI), LlmAgent with output_key, run by InMemoryRunner; the model is a class of this script.
# Behaviour: what is stored under output_key is not the agent's final answer: what the model wrote before its tool calls stands in front of it, with nothing between, and so with every round. The
# next agent of a SequentialAgent, whose instruction has {draft} in it, reads the glued text. The arguments of a call are not checked: "3" for an int comes to the function as a text, and a misspelt
# argument is dropped without a word, so that the default is used.
# Seen:   "Let me look." + call, "Now the tax." + call, "It is 3.": stored "Let me look.Now the tax.It is 3." / {"amount": "3", "discuont": 5}: function gets '3' and 0
# Expected by most: "It is 3."; an error for the model, or the number 3.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check google-adk==2.13.0
cat > run.py <<'PY'
import asyncio
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types


class Script(BaseLlm):
    model: str = 'script'
    answers: list
    asked: list = []

    async def generate_content_async(self, request, stream=False):
        self.asked.append(request)
        text, *calls = self.answers[len(self.asked) - 1]
        parts = [types.Part(text=text)] if text else []
        parts += [types.Part(function_call=types.FunctionCall(name='price', args=arguments)) for arguments in calls]
        yield LlmResponse(content=types.Content(role='model', parts=parts))


def price(item: str, amount: int = 1, discount: int = 0) -> dict:
    """The price of an item."""
    print('  function:', repr(item), repr(amount), repr(discount))
    return {'price': 3}


async def ask(name, *answers):
    print(name)
    model = Script(answers=list(answers) + [('Fine.',)], asked=[])
    first = LlmAgent(name='clerk', model=model, tools=[price], output_key='draft')
    second = LlmAgent(name='boss', model=model, instruction='Check this: <{draft}>')
    runner = InMemoryRunner(agent=SequentialAgent(name='office', sub_agents=[first, second]), app_name='app')
    session = await runner.session_service.create_session(app_name='app', user_id='u')
    question = types.Content(role='user', parts=[types.Part(text='What is a pen?')])
    async for event in runner.run_async(user_id='u', session_id=session.id, new_message=question):
        if event.is_final_response() and event.author == 'clerk':
            print('  final answer:', event.content.parts[0].text)
    session = await runner.session_service.get_session(app_name='app', user_id='u', session_id=session.id)
    print('  stored:', session.state['draft'])
    print('  next agent:', model.asked[-1].config.system_instruction.split('\n')[0])


asyncio.run(ask('no words', (None, {'item': 'pen', 'amount': '3', 'discuont': 5}), ('It is 3.',)))
asyncio.run(ask('words', ('Let me look.', {'item': 'pen'}), ('Now the tax.', {'item': 'tax'}), ('It is 3.',)))
PY
echo "google-adk $(env/bin/python -c "import importlib.metadata as m; print(m.version('google-adk'))")"
env/bin/python run.py | tee out
diff out - <<'END'
no words
  function: 'pen' '3' 0
  final answer: It is 3.
  stored: It is 3.
  next agent: Check this: <It is 3.>
words
  function: 'pen' 1 0
  function: 'tax' 1 0
  final answer: It is 3.
  stored: Let me look.Now the tax.It is 3.
  next agent: Check this: <Let me look.Now the tax.It is 3.>
END
