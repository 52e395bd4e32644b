#!/usr/bin/env bash
# searcharray 0.0.73 (PyPI), a text index that is a column of pandas 2.3.3.
# Behaviour: pandas.concat joins two such columns without an error, and the rows of the table read right, but in the joined index the second piece is counted from
# the first row again. So a word of the second piece gives its score to a row of the first that does not hold it, and rows of the first lose words of their own.
# Seen:   "tea" is in row 3 (york tea), the score is in row 0 (new york) / "new" is in rows 0 and 1, only row 1 has a score
# Expected by most: the scores of the rows that hold the word.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check searcharray==0.0.73 pandas==2.3.3 numpy==2.4.6
cat > run.py <<'PY'
import importlib.metadata
import logging
import pandas as pd
from searcharray import SearchArray

logging.disable(logging.CRITICAL)
print('searcharray', importlib.metadata.version('searcharray'))
first = ['new york', 'new york new', 'boston']
second = ['york tea', 'coffee']
parts = [pd.DataFrame({'text': texts, 'index': SearchArray.index(pd.Series(texts))}) for texts in (first, second)]
joined = pd.concat(parts, ignore_index=True)
again = joined.assign(index=SearchArray.index(joined['text']))
for name, table in (('joined', joined), ('indexed after joining', again)):
    for word in ('tea', 'coffee', 'new', 'boston'):
        scores = table['index'].array.score(word)
        found = [f'{row} ({table["text"][row]})' for row in range(len(scores)) if scores[row] > 0]
        print(f'{name}: {word}: rows with a score:', ', '.join(found) or 'none')
PY
env/bin/python run.py 2>/dev/null | tee out
diff out - <<'END'
searcharray 0.0.73
joined: tea: rows with a score: 0 (new york)
joined: coffee: rows with a score: 1 (new york new)
joined: new: rows with a score: 1 (new york new)
joined: boston: rows with a score: 2 (boston)
indexed after joining: tea: rows with a score: 3 (york tea)
indexed after joining: coffee: rows with a score: 4 (coffee)
indexed after joining: new: rows with a score: 0 (new york), 1 (new york new)
indexed after joining: boston: rows with a score: 2 (boston)
END
