#!/usr/bin/env bash
# langextract 1.7.1 (PyPI): where in the text each extraction of a model stands (Resolver.align, the step that lx.extract does after each answer); no model is asked, the extractions are given.
# Behaviour: the places are found by one walk through text and extractions in their order. If the extractions come in another order, as by kind (all drugs, then all doses), a name that comes twice loses
# one of its places: the second "aspirin" lies on the first, or the first on the second, and even as MATCH_EXACT. Pieces of a longer answer are said to be at a single word: "15 mg on 5 May" at
# "15". The letter C is found in "C++", though it stands alone further on.
# Seen:   drugs first: aspirin 0-7, ibuprofen, aspirin 0-7 / by order of the text: 0-7, 57-64
# Expected by most: two places for two mentions, as each extraction has its own.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langextract==1.7.1
cat > run.py <<'PY'
import importlib.metadata
from langextract.core import data
from langextract.resolver import Resolver


def show(label, text, found):
    print(label)
    extractions = [data.Extraction(extraction_class='x', extraction_text=part) for part in found]
    for part in Resolver().align(extractions, text, 0):
        place = part.char_interval
        print(f'  {part.extraction_text!r}', f'{place.start_pos}-{place.end_pos} {text[place.start_pos:place.end_pos]!r} {part.alignment_status.name}' if place else 'no place')


print('langextract', importlib.metadata.version('langextract'))
note = 'Aspirin 100 mg in the morning, ibuprofen 200 mg at noon, aspirin 50 mg at night.'
show('in the order of the text', note, ['Aspirin', '100 mg', 'ibuprofen', '200 mg', 'aspirin', '50 mg'])
show('drugs, then doses', note, ['Aspirin', 'ibuprofen', 'aspirin', '100 mg', '200 mg', '50 mg'])
show('ibuprofen first', 'First aspirin, then ibuprofen, then aspirin again.', ['ibuprofen', 'aspirin', 'aspirin'])
show('not there as such', 'The dose was 15 mg on 3 May and 50 mg on 5 May.', ['15 mg on 5 May', '50 mg on 3 May'])
show('languages', 'C++ and C are languages.', ['C', 'C++'])
PY
env/bin/python run.py | tee out
diff out - <<'END'
langextract 1.7.1
in the order of the text
  'Aspirin' 0-7 'Aspirin' MATCH_EXACT
  '100 mg' 8-14 '100 mg' MATCH_EXACT
  'ibuprofen' 31-40 'ibuprofen' MATCH_EXACT
  '200 mg' 41-47 '200 mg' MATCH_EXACT
  'aspirin' 57-64 'aspirin' MATCH_EXACT
  '50 mg' 65-70 '50 mg' MATCH_EXACT
drugs, then doses
  'Aspirin' 0-7 'Aspirin' MATCH_EXACT
  'ibuprofen' 31-40 'ibuprofen' MATCH_FUZZY
  'aspirin' 0-7 'Aspirin' MATCH_FUZZY
  '100 mg' 8-14 '100 mg' MATCH_EXACT
  '200 mg' 41-47 '200 mg' MATCH_EXACT
  '50 mg' 65-70 '50 mg' MATCH_EXACT
ibuprofen first
  'ibuprofen' 20-29 'ibuprofen' MATCH_EXACT
  'aspirin' 36-43 'aspirin' MATCH_EXACT
  'aspirin' 36-43 'aspirin' MATCH_EXACT
not there as such
  '15 mg on 5 May' 13-15 '15' MATCH_LESSER
  '50 mg on 3 May' 16-27 'mg on 3 May' MATCH_FUZZY
languages
  'C' 0-1 'C' MATCH_FUZZY
  'C++' 0-3 'C++' MATCH_EXACT
END
