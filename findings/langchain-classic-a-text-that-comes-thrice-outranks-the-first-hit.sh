#!/usr/bin/env bash
# langchain-classic 1.0.8 with langchain-core 1.8.3 (PyPI): EnsembleRetriever, which joins the lists of several retrievers by reciprocal rank; the retrievers of this script give fixed lists.
# Behaviour: documents are told apart by their text alone. A text that one retriever gives three times (a footer, a line of a table, overlapping pieces) gets its points three times and stands above what
# that retriever put first, and above what both found. Two documents with one text and different sources become one, with the source of the first; the other source is in no answer. With
# id_key the first is the same: an id that comes three times counts three times.
# Seen:   [best, footer, footer, footer] and [other, ...]: footer is first / "Total: 5" of 2025 and of 2026: only 2025
# Expected by most: once in each list; both sources.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain-classic==1.0.8 langchain-core==1.8.3
cat > run.py <<'PY'
import importlib.metadata
from langchain_classic.retrievers import EnsembleRetriever
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever


class Fixed(BaseRetriever):
    found: list

    def _get_relevant_documents(self, query, *, run_manager=None):
        return self.found


def page(text, **metadata):
    return Document(page_content=text, metadata=metadata)


def show(label, first, second, **options):
    joined = EnsembleRetriever(retrievers=[Fixed(found=first), Fixed(found=second)], weights=[0.5, 0.5], **options)
    print(f'{label}:', [document.page_content + ''.join(f' ({value})' for value in document.metadata.values()) for document in joined.invoke('q')])


print('langchain-classic', importlib.metadata.version('langchain-classic'))
show('once', [page('best'), page('footer')], [page('other'), page('third')])
show('three times', [page('best'), page('footer'), page('footer'), page('footer')], [page('other'), page('third')])
show('three times, against what both found', [page('both'), page('footer'), page('footer'), page('footer')], [page('both'), page('third')])
show('the same, and the second has it too', [page('both'), page('footer'), page('footer'), page('footer')], [page('both'), page('footer')])
show('two sources', [page('Total: 5', year=2025), page('x')], [page('Total: 5', year=2026), page('y')])
show('by id', [page('best', n=1), page('footer', n=2), page('footer', n=2), page('footer', n=2)], [page('other', n=3)], id_key='n')
PY
env/bin/python run.py | tee out
diff out - <<'END'
langchain-classic 1.0.8
once: ['best', 'other', 'footer', 'third']
three times: ['footer', 'best', 'other', 'third']
three times, against what both found: ['footer', 'both', 'third']
the same, and the second has it too: ['footer', 'both']
two sources: ['Total: 5 (2025)', 'x', 'y']
by id: ['footer (2)', 'best (1)', 'other (3)']
END
