#!/usr/bin/env bash
# pptx2md 2.0.6 (PyPI), a presentation made by python-pptx 1.0.2, the command with --disable-image and no other option.
# Behaviour: a text box of fewer than 15 characters is left out ("Total: 42 %"), wherever it stands on the slide, and so is a slide that has nothing else. Of a chart
# nothing is there, neither its names nor its figures. A line break within a cell of a
# table puts the two lines together, so 12 and 5 are 125, and a | in a cell makes one more cell. Nothing tells that something is missing.
# Seen:   "Total: 42 %": not there / "Total of all: 42 %": there / cell 12, line break, 5: 125 / chart Sales 1.5, 2.5: not there
# Expected by most: all texts of the slides, and the figures of a chart or a mark for it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pptx2md==2.0.6 python-pptx==1.0.2
cat > make.py <<'PY'
import importlib.metadata
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

print('pptx2md', importlib.metadata.version('pptx2md'))
deck = Presentation()


def slide(title, layout=5):
    made = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        made.shapes.title.text = title
    return made


def box(on, text, top=1):
    on.shapes.add_textbox(Inches(1), Inches(top), Inches(4), Inches(1)).text_frame.text = text


first = slide('Results')
box(first, 'Total: 42 %', 2)
box(first, 'Total of all: 42 %', 3)
table = first.shapes.add_table(2, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
for place, text in [((0, 0), 'a|b'), ((0, 1), 'count'), ((1, 0), 'x'), ((1, 1), '12\n5')]:
    table.cell(*place).text = text
data = CategoryChartData()
data.categories = ['first quarter', 'second quarter']
data.add_series('Sales of the year', (1.5, 2.5))
slide('Sales').shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), data)
box(slide('', 6), 'Not approved')
box(slide('Thanks'), 'Questions to the whole team')
deck.save('deck.pptx')
PY
env/bin/python make.py
env/bin/pptx2md deck.pptx -o deck.md --disable-image > said 2>&1
sed 's/[[:space:]]*$//' deck.md | cat -s | tee out
diff out - <<'END'
# Results

Total of all: 42 %

| a|b | count |
| :-: | :-: |
| x | 125 |

# Sales

# Thanks

Questions to the whole team

END
