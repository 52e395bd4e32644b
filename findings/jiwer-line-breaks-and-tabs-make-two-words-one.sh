#!/usr/bin/env bash
# jiwer 4.0.0 (PyPI), word error rate and its kin, default settings.
# Behaviour: words are cut at spaces alone. A line break or a tab between two words makes one word of them, so that a transcript with its lines and the same
# words on one line differ: two of three words are wrong. Spaces, however many, make no difference, nor do breaks at the end.
# Seen:   two lines against one: wer 0.6667, three words counted / a tab: wer 2.0 / two spaces: 0.0
# Expected by most: white space is white space: 0.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jiwer==4.0.0
cat > run.py <<'PY'
import importlib.metadata
import jiwer

print('jiwer', importlib.metadata.version('jiwer'))
words = jiwer.Compose([jiwer.SubstituteRegexes({r'\s+': ' '}), jiwer.Strip(), jiwer.ReduceToListOfListOfWords()])
for name, reference, spoken in (
    ('two lines', 'first line\nsecond line', 'first line second line'),
    ('a tab', 'yes\tno', 'yes no'),
    ('two spaces', 'yes  no', 'yes no'),
    ('last break', 'yes no\n', 'yes no'),
):
    seen = jiwer.process_words(reference, spoken)
    told = seen.hits + seen.substitutions + seen.deletions
    own = jiwer.wer(reference, spoken, reference_transform=words, hypothesis_transform=words)
    print(f'{name}: wer {seen.wer:.4f}, words of the reference {told}; with an own transform {own:.4f}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
jiwer 4.0.0
two lines: wer 0.6667, words of the reference 3; with an own transform 0.0000
a tab: wer 2.0000, words of the reference 1; with an own transform 0.0000
two spaces: wer 0.0000, words of the reference 2; with an own transform 0.0000
last break: wer 0.0000, words of the reference 2; with an own transform 0.0000
END
