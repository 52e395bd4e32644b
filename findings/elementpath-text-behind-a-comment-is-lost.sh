#!/usr/bin/env bash
# elementpath 5.1.4 (PyPI), XPath 1.0 to 3.1 in Python, over a tree of lxml 6.1.3 (PyPI), whose own XPath answers beside it.
# Behaviour: where the value of an element is asked for, the text behind a comment or a processing instruction up to the next tag is missing: in string(), contains(), comparisons and sums. The text
# is in the tree, for text() finds it. So a note in the source makes words and digits vanish: 12<!-- old: 99 -->34 is the number 12, a price behind a comment is an empty text, and a note that begins
# with a comment is not found by its words. A sum over such a price is an error, in the class for XPath 1.0 NaN. That class also says that an attribute n="2" is not equal to 2.
# Seen:   string of <!-- net -->19.90: nothing, lxml 19.90 / 12<!-- old: 99 -->34: 12, lxml 1234 / contains(., "urgent"): none, lxml 1 / text(): all of them
# Most would guess: a comment has no influence on the text, as in lxml.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check elementpath==5.1.4 lxml==6.1.3
cat > run.py <<'PY'
import elementpath
from lxml import etree

root = etree.fromstring('''<order><item n="1"><price><!-- net -->19.90</price></item><item n="2"><price>12<!-- old: 99 -->34</price></item>
<item n="3"><price>5</price></item><note>pay <?page 2?>until <b>May</b> 2026</note><note><!-- todo -->urgent</note></order>''').getroottree()


def show(answer):
    if isinstance(answer, list):
        return [getattr(one, 'tag', one) for one in answer]
    return float(answer) if isinstance(answer, (int, float)) and not isinstance(answer, bool) else str(answer)


def ask(find):
    try:
        return show(find())
    except Exception as error:
        return type(error).__name__


for path in ['string(//item[1]/price)', 'string(//item[2]/price)', 'number(//item[3]/price)', 'sum(//price)', '//price[. > 1000]', '//note[contains(., "urgent")]', 'string(//note[1])', '//note/text()', 'count(//item[@n = 2])', 'count(//item[@n = "2"])']:
    print(f'{path}: elementpath {ask(lambda: elementpath.select(root, path))}, XPath1Parser {ask(lambda: elementpath.select(root, path, parser=elementpath.XPath1Parser))}, lxml {ask(lambda: root.xpath(path))}')
PY
env/bin/python -c "import importlib.metadata as m; print('elementpath', m.version('elementpath'), 'lxml', m.version('lxml'))"
env/bin/python run.py | tee out
diff out - <<'END'
string(//item[1]/price): elementpath , XPath1Parser , lxml 19.90
string(//item[2]/price): elementpath 12, XPath1Parser 12, lxml 1234
number(//item[3]/price): elementpath 5.0, XPath1Parser 5.0, lxml 5.0
sum(//price): elementpath ElementPathTypeError, XPath1Parser nan, lxml 1258.9
//price[. > 1000]: elementpath ElementPathValueError, XPath1Parser ElementPathValueError, lxml ['price']
//note[contains(., "urgent")]: elementpath [], XPath1Parser [], lxml ['note']
string(//note[1]): elementpath pay May 2026, XPath1Parser pay May 2026, lxml pay until May 2026
//note/text(): elementpath ['pay ', 'until ', ' 2026', 'urgent'], XPath1Parser ['pay ', 'until ', ' 2026', 'urgent'], lxml ['pay ', 'until ', ' 2026', 'urgent']
count(//item[@n = 2]): elementpath 1.0, XPath1Parser 0.0, lxml 1.0
count(//item[@n = "2"]): elementpath 1.0, XPath1Parser 1.0, lxml 1.0
END
