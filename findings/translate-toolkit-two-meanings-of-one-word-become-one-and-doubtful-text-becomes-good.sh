#!/usr/bin/env bash
# translate-toolkit 3.20.4 (PyPI): po2xliff and xliff2po, po2csv and csv2po, which carry translations to translators and back, default settings.
# Behaviour: XLIFF has no msgctxt. Of two texts that read alike and mean two things (Open of a menu, Open of an issue) the way back keeps the first alone, with an empty context that no program asks for; the other
# translation is gone (a warning is all). An entry that is obsolete (#~) is a living one afterwards. CSV has no context either, and by way of it the mark "fuzzy", which keeps a doubtful text out of the program, is gone.
# Seen:   msgctxt "menu" Öffnen, msgctxt "issue" Offen: msgctxt "" Öffnen / #~ msgid "gone": msgid "gone" / #, fuzzy by way of CSV: no mark
# Expected by most: the same file; at least both translations and the mark.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check translate-toolkit==3.20.4
cat > in.po <<'PO'
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#, fuzzy
msgid "Delete all"
msgstr "Nichts löschen"

msgctxt "menu"
msgid "Open"
msgstr "Öffnen"

msgctxt "issue"
msgid "Open"
msgstr "Offen"

#~ msgid "gone"
#~ msgstr "weg"
PO
for way in xliff csv; do
  env/bin/po2$way --progress=none in.po middle.$way 2> /dev/null
  env/bin/${way}2po --progress=none middle.$way $way.po 2> /dev/null
done
body() { sed -n '/^$/,$p' "$1" | grep -v '^$'; }
{
  echo "translate-toolkit $(env/bin/python -c "import importlib.metadata as m; print(m.version('translate-toolkit'))")"
  for way in xliff csv; do echo "== by way of $way"; body $way.po; done
} | tee out
diff out - <<'END'
translate-toolkit 3.20.4
== by way of xliff
#, fuzzy
msgid "Delete all"
msgstr "Nichts löschen"
msgctxt ""
msgid "Open"
msgstr "Öffnen"
msgid "gone"
msgstr "weg"
== by way of csv
msgid "Delete all"
msgstr "Nichts löschen"
msgctxt ""
msgid "Open"
msgstr "Öffnen"
msgid "gone"
msgstr "weg"
END
