#!/usr/bin/env bash
# llm-response-cache 1.0.0 (PyPI, imported as llm_cache): its decorator cache.cached, with default settings.
# Behaviour: only the first argument is in the key. A call with another system prompt, another temperature or other tools as keyword arguments gets the answer of the first call. The "exact" key is the
# text in small letters with all white space made one blank, so that code that differs in case or in line breaks is the same; and the second match takes the words as a set: two
# questions with the same words in another order are one, so "a - b" has the answer of "b - a".
# Seen:   "Ann owes Bob ten euros, who pays": the answer of "Bob owes Ann ten euros, who pays" / system="in German": the English one / "DEF a(): PASS" is "def A(): pass"
# Expected by most: other arguments are another call; the order of words counts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llm-response-cache==1.0.0
cat > run.py <<'PY'
import importlib.metadata
from llm_cache import LLMCache

print('llm-response-cache', importlib.metadata.version('llm-response-cache'))
cache = LLMCache('cache.db')


@cache.cached(model='m')
def ask(prompt, system='', temperature=0):
    return f'answer to {prompt!r}, {system!r}, {temperature}'


for prompt, options in [
    ('Greet the new customer', {'system': 'in English'}), ('Greet the new customer', {'system': 'in German'}), ('Greet the new customer', {'temperature': 1}),
    ('Bob owes Ann ten euros, who pays', {}), ('Ann owes Bob ten euros, who pays', {}),
    ('What is b - a', {}), ('What is a - b', {}),
    ('def A(): pass', {}), ('DEF a(): PASS', {}),
    ('if a:\n    b()\nc()', {}), ('if a:\n    b()\n    c()', {}),
    ('What is 15% of 200 euros in total', {}), ('What is 25% of 200 euros in total', {}),
]:
    print(f'{prompt!r} {options}\n  {ask(prompt, **options)}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
llm-response-cache 1.0.0
'Greet the new customer' {'system': 'in English'}
  answer to 'Greet the new customer', 'in English', 0
'Greet the new customer' {'system': 'in German'}
  answer to 'Greet the new customer', 'in English', 0
'Greet the new customer' {'temperature': 1}
  answer to 'Greet the new customer', 'in English', 0
'Bob owes Ann ten euros, who pays' {}
  answer to 'Bob owes Ann ten euros, who pays', '', 0
'Ann owes Bob ten euros, who pays' {}
  answer to 'Bob owes Ann ten euros, who pays', '', 0
'What is b - a' {}
  answer to 'What is b - a', '', 0
'What is a - b' {}
  answer to 'What is b - a', '', 0
'def A(): pass' {}
  answer to 'def A(): pass', '', 0
'DEF a(): PASS' {}
  answer to 'def A(): pass', '', 0
'if a:\n    b()\nc()' {}
  answer to 'if a:\n    b()\nc()', '', 0
'if a:\n    b()\n    c()' {}
  answer to 'if a:\n    b()\nc()', '', 0
'What is 15% of 200 euros in total' {}
  answer to 'What is 15% of 200 euros in total', '', 0
'What is 25% of 200 euros in total' {}
  answer to 'What is 25% of 200 euros in total', '', 0
END
