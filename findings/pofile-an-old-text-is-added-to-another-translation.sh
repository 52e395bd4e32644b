#!/usr/bin/env bash
# pofile 1.1.4 (npm), which reads and writes catalogues of translations (gettext's .po), against gettext-parser 10.0.0 (npm) and polib 1.2.0 (PyPI); a file as msgmerge --previous writes it.
# Behaviour: the lines "#~| msgid", by which gettext keeps the old text of a message that is no longer used, are taken for a further line of what was read last: the old text is
# added to the TRANSLATION of the message before, and saved so. Of several flags in a line, as all tools write them, only the first is found under its name: the
# others have a blank in front, so that flags['python-format'] is missing. Old texts of messages in use (#|) are dropped when saved.
# Seen:   Save: "Sichern" becomes "SichernSave as" / flags: "fuzzy", " python-format" / "#| msgid" is gone
# Expected by most: what polib reads, and a file that differs only where it was changed.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund pofile@1.1.4 gettext-parser@10.0.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check polib==1.2.0
cat > de.po <<'PO'
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"

#, fuzzy, python-format
#| msgid "%s files"
msgid "%s documents"
msgstr "%s Dateien"

msgid "Save"
msgstr "Sichern"

#~| msgid "Save as"
#~ msgid "Save as..."
#~ msgstr "Sichern unter"
PO
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import PO from 'pofile';
import { po as parser } from 'gettext-parser';
const catalogue = PO.parse(readFileSync('de.po', 'utf8'));
for (const item of catalogue.items) console.log(JSON.stringify([item.msgid, item.msgstr, Object.keys(item.flags), item.obsolete]));
console.log(catalogue.toString().split('\n').filter((line) => line.startsWith('#') || /^msgstr "./.test(line)).join('\n'));
for (const each of Object.values(parser.parse(readFileSync('de.po')).translations[''])) {
  if (each.msgid) console.log('gettext-parser: ' + JSON.stringify([each.msgid, each.msgstr, each.comments ?? {}]));
}
JS
echo "pofile $(node -p "require('./node_modules/pofile/package.json').version")"
{
  node run.mjs
  env/bin/python -c "import polib; [print('polib:', [entry.msgid, entry.msgstr, entry.flags, entry.previous_msgid, bool(entry.obsolete)]) for entry in polib.pofile('de.po')]"
} | tee out
diff out - <<'END'
["%s documents",["%s Dateien"],["fuzzy"," python-format"],false]
["Save",["SichernSave as"],[],false]
["Save as...",["Sichern unter"],[],true]
msgstr ""
#, fuzzy, python-format
msgstr "%s Dateien"
msgstr "SichernSave as"
#~ msgid "Save as..."
#~ msgstr "Sichern unter"
gettext-parser: ["%s documents",["%s Dateien"],{"flag":"fuzzy, python-format","previous":"msgid \"%s files\""}]
gettext-parser: ["Save",["Sichern"],{}]
polib: ['%s documents', '%s Dateien', ['fuzzy', 'python-format'], '%s files', False]
polib: ['Save', 'Sichern', [], None, False]
polib: ['Save as...', 'Sichern unter', [], None, True]
END
