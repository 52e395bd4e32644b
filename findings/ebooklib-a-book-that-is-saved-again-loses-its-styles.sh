#!/usr/bin/env bash
# EbookLib 0.20 (PyPI): a book (EPUB 3) is read with read_epub(), its title is changed, and it is written with write_epub(), as its guide shows it.
# Behaviour: each chapter loses its head: the link to the style sheet, its own styles, its title and its meta data, and the class and id of its body. The
# language of a chapter becomes that of the book. get_content() gives this form as well, while `content` still has the file as it was. The style sheet
# is in the new book, and nothing uses it. Nothing is said.
# Seen:   <html lang="fr"><head><title>, <link>, <style>, <body class="q" id="b"> becomes <html lang="en"><head/><body>
# Expected by most: only the title of the book changes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check EbookLib==0.20 lxml==6.1.3
cat > run.py <<'PY'
import importlib.metadata
import re
import sys
import warnings
import zipfile
from ebooklib import epub
warnings.simplefilter('ignore')

print('EbookLib', importlib.metadata.version('EbookLib'), file=sys.stderr)
chapter = '''<html xmlns="http://www.w3.org/1999/xhtml" lang="fr"><head><title>Un</title><link rel="stylesheet" type="text/css" href="../book.css"/>
<style>.x { color: red }</style></head><body class="q" id="b"><h1>Un</h1><p class="x">texte</p></body></html>'''
container = '''<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'''
package = '''<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">book-1</dc:identifier><dc:title>Old</dc:title><dc:language>en</dc:language></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="css" href="book.css" media-type="text/css"/>
<item id="c1" href="text/c1.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c1"/></spine></package>'''
nav = '''<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>N</title></head>
<body><nav epub:type="toc"><ol><li><a href="text/c1.xhtml">Un</a></li></ol></nav></body></html>'''
with zipfile.ZipFile('old.epub', 'w') as file:
    for name, text in [('mimetype', 'application/epub+zip'), ('META-INF/container.xml', container), ('OEBPS/book.opf', package),
                       ('OEBPS/nav.xhtml', nav), ('OEBPS/text/c1.xhtml', chapter), ('OEBPS/book.css', '.q { margin: 1em }')]:
        file.writestr(name, text)
book = epub.read_epub('old.epub')
book.set_title('New')
item = book.get_item_with_id('c1')
epub.write_epub('new.epub', book)
with zipfile.ZipFile('new.epub') as file:
    written = file.read('EPUB/text/c1.xhtml').decode()
for name, text in [('content', item.content.decode()), ('get_content', item.get_content().decode()), ('written', written)]:
    parts = ['lang="fr"', 'lang="en"', '<title>Un', '<link', '<style>', 'class="q"', 'id="b"', 'class="x"', 'texte']
    print(f'{name}:', ', '.join(part for part in parts if part in text))
print(re.sub(r'\s*\n\s*', '', written.split('book.css')[0][written.index('<html'):].split('vocab/structure/#"')[1]))
PY
env/bin/python run.py | tee out
diff out - <<'END'
content: lang="fr", <title>Un, <link, <style>, class="q", id="b", class="x", texte
get_content: lang="en", class="x", texte
written: lang="en", class="x", texte
 lang="en" xml:lang="en"><head/><body><h1>Un</h1><p class="x">texte</p></body></html>
END
