#!/usr/bin/env bash
# minijinja 3.1.0 (PyPI), templates like those of Jinja2 3.1.6 (PyPI), the same template and data in both.
# Behaviour: a Decimal that comes into a template becomes a float at once. 1.10 is shown as 1.1 and 100.00 as 100.0, of an amount with many digits the cents and the last digits change,
# a sum of cents is 0.30000000000000004 and not equal to 0.30, and a Fraction of a third is a decimal. Jinja2 leaves all of them exact. Nothing is said.
# Seen:   1.10: 1.1 / 12345678901234567.89: 12345678901234568.0 / 0.10 + 0.20 == 0.30: False
# Expected by most: the text of the Decimal, as Python and Jinja2 show it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check minijinja==3.1.0 jinja2==3.1.6
cat > run.py <<'PY'
import importlib.metadata
from decimal import Decimal
from fractions import Fraction
import jinja2
import minijinja

print('minijinja', importlib.metadata.version('minijinja'))
data = {'price': Decimal('1.10'), 'total': Decimal('100.00'), 'large': Decimal('12345678901234567.89'), 'a': Decimal('0.10'), 'b': Decimal('0.20'),
        'c': Decimal('0.30'), 'third': Fraction(1, 3), 'whole': 2**70}
for template in ('{{ price }}', '{{ total }}', '{{ large }}', '{{ a + b }}', '{{ a + b == c }}', '{{ third * 3 }}', '{{ whole }}', '{{ "%.2f"|format(total) }}'):
    texts = [minijinja.Environment().render_str(template, **data), jinja2.Environment().from_string(template).render(**data)]
    print(f'{template}: minijinja {texts[0]}, Jinja2 {texts[1]}')
words = {name: str(value) for name, value in data.items()}
print('given as text:', minijinja.Environment().render_str('{{ price }} {{ total }} {{ large }}', **words))
PY
env/bin/python run.py | tee out
diff out - <<'END'
minijinja 3.1.0
{{ price }}: minijinja 1.1, Jinja2 1.10
{{ total }}: minijinja 100.0, Jinja2 100.00
{{ large }}: minijinja 12345678901234568.0, Jinja2 12345678901234567.89
{{ a + b }}: minijinja 0.30000000000000004, Jinja2 0.30
{{ a + b == c }}: minijinja False, Jinja2 True
{{ third * 3 }}: minijinja 1.0, Jinja2 1
{{ whole }}: minijinja 1180591620717411303424, Jinja2 1180591620717411303424
{{ "%.2f"|format(total) }}: minijinja 100.00, Jinja2 100.00
given as text: 1.10 100.00 12345678901234567.89
END
