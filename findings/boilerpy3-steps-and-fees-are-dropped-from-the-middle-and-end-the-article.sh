#!/usr/bin/env bash
# boilerpy3 1.0.7 (PyPI), ArticleExtractor().get_content of a page with long paragraphs, a list or a table, and another long paragraph.
# Behaviour: of a list of four steps between long paragraphs the first two are left out and the other two kept; of a table of fees the first cell and
# the last two are kept, so that "Service 25 EUR day" stands there. When one paragraph only is behind them, that paragraph and the whole
# rest are left out too: the article ends with "Steps:". A list of two items is kept whole. There is no error and no mark.
# Seen:   Steps: / Close the valve. / Check the seal. and Service / 25 EUR / day; with one paragraph behind: Steps: is the last line
# Expected by most: the steps and the fees are all kept or all left out, and the long paragraphs behind them are there.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check boilerpy3==1.0.7
cat > read.py <<'PY'
import importlib.metadata
from boilerpy3 import extractors

print('boilerpy3', importlib.metadata.version('boilerpy3'))
long = ('<p>%s paragraph of the manual tells in some detail how the pump is to be operated, cleaned and stored by the staff, '
        'and it has far more than twenty words so that it counts as text.</p>')
middles = {
    'nothing': '',
    'two steps': '<p>Steps:</p><ol><li>Open the valve.</li><li>Wait 10 minutes.</li></ol>',
    'four steps': '<p>Steps:</p><ol><li>Open the valve.</li><li>Wait 10 minutes.</li><li>Close the valve.</li><li>Check the seal.</li></ol>',
    'a table of fees': '<table><tr><th>Service</th><th>Fee</th><th>Per</th></tr><tr><td>Repair</td><td>40 EUR</td><td>hour</td></tr>'
                       '<tr><td>Visit</td><td>25 EUR</td><td>day</td></tr></table>',
}
for behind in (['The third', 'The last'], ['The last']):
    print('paragraphs behind it:', len(behind))
    for name, middle in middles.items():
        body = '<h1>Pump</h1>' + long % 'The first' + long % 'The second' + middle + ''.join(long % word for word in behind)
        page = '<html><head><title>Pump</title></head><body>' + body + '</body></html>'
        lines = extractors.ArticleExtractor().get_content(page).split('\n')
        print('  ', name, '|', ' / '.join(' '.join(line.split()[:3]) for line in lines if line))
PY
env/bin/python read.py | tee out
diff out - <<'END'
boilerpy3 1.0.7
paragraphs behind it: 2
   nothing | Pump / The first paragraph / The second paragraph / The third paragraph / The last paragraph
   two steps | Pump / The first paragraph / The second paragraph / Steps: / Open the valve. / Wait 10 minutes. / The third paragraph / The last paragraph
   four steps | Pump / The first paragraph / The second paragraph / Steps: / Close the valve. / Check the seal. / The third paragraph / The last paragraph
   a table of fees | Pump / The first paragraph / The second paragraph / Service / 25 EUR / day / The third paragraph / The last paragraph
paragraphs behind it: 1
   nothing | Pump / The first paragraph / The second paragraph / The last paragraph
   two steps | Pump / The first paragraph / The second paragraph / Steps: / Open the valve. / Wait 10 minutes. / The last paragraph
   four steps | Pump / The first paragraph / The second paragraph / Steps:
   a table of fees | Pump / The first paragraph / The second paragraph / Service
END
