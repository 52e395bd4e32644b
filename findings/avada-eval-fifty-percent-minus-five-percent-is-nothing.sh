#!/usr/bin/env bash
# avada-eval 0.1.1 (PyPI), evaluate_for_llm, the tool for models.
# Behaviour: the text for models says that a % glued to a number is percent. It is not where + or - follows at once: 50%-5% is read as 50 modulo -0.05, which is 0.
# The second % of the same sum is percent. ok is True, and the answer is a plain 0.00. With blanks around the sign, or with * behind, the sum is right.
# In the same tool ^ is no power (2^10 is 8, and nothing says so), and sum(100,200) is 100200, as the text about thousands says.
# Seen:   50%-5% -> 0.00 / 80000*(100%-20%) -> 0.00 / 80000*(100% - 20%) -> 64000.00
# Expected by most: 0.45 and 64000.00, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check avada-eval==0.1.1
cat > run.py <<'PY'
import importlib.metadata
from avada_eval.llm import TOOL_DESCRIPTION, evaluate_for_llm

print('avada-eval', importlib.metadata.version('avada-eval'))
print('told to the model: percent', 'glued to a number is percent' in TOOL_DESCRIPTION, '| about ^:', '^' in TOOL_DESCRIPTION)
for text in ('50%-5%', '50% - 5%', '100%+8%', '12.5%+1%', '80000*(100%-20%)', '80000*(100% - 20%)', '80000*(1-20%)', '5%*3', '7%+2', '2^10', '2**10', 'sum(100,200)', 'sum(100, 200)'):
    result = evaluate_for_llm(text).to_dict()
    print(f'{text:20} {result["normalized"]:22} {result["value"]} ok: {result["ok"]}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
avada-eval 0.1.1
told to the model: percent True | about ^: False
50%-5%               50%-0.05               0.00 ok: True
50% - 5%             0.50 - 0.05            0.45 ok: True
100%+8%              100%+0.08              0.00 ok: True
12.5%+1%             12.5%+0.01             0.00 ok: True
80000*(100%-20%)     80000*(100%-0.20)      0.00 ok: True
80000*(100% - 20%)   80000*(1.00 - 0.20)    64000.00 ok: True
80000*(1-20%)        80000*(1-0.20)         64000.00 ok: True
5%*3                 0.05*3                 0.15 ok: True
7%+2                 7%+2                   1 ok: True
2^10                 2^10                   8 ok: True
2**10                2**10                  1024 ok: True
sum(100,200)         sum(100200)            100200 ok: True
sum(100, 200)        sum(100, 200)          300 ok: True
END
