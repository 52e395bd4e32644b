#!/usr/bin/env bash
# gettext-converter 1.3.4 (npm), po2i18next and i18next2po as its README shows; i18next 27.1.5 (npm) uses the texts.
# Behaviour: an entry that is marked fuzzy, which gettext itself leaves out of the program since nobody has checked it, becomes a text like all others; the mark is nowhere. Plurals get the names of i18next's old
# JSON (key_plural), which i18next since version 21 does not read: two files are one. On the way back the plural has the words of the singular as its msgid_plural, and the fuzzy text is good.
# Seen:   #, fuzzy Nichts löschen: "Nichts löschen" / count 2: "%d Datei" / msgid_plural "%d files": msgid_plural "%d file"
# Expected by most: the fuzzy entry left out; "%d Dateien".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund gettext-converter@1.3.4 i18next@27.1.5
cat > de.po <<'PO'
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#, fuzzy
msgid "Delete all"
msgstr "Nichts löschen"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d Datei"
msgstr[1] "%d Dateien"
PO
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import gettext from 'gettext-converter';
import i18next from 'i18next';
for (const options of [undefined, { compatibilityJSON: 'v4' }]) {
  const texts = gettext.po2i18next(readFileSync('de.po', 'utf8'), options);
  console.log(`options ${JSON.stringify(options)}: ${JSON.stringify(texts)}`);
  const instance = i18next.createInstance();
  await instance.init({ lng: 'de', resources: { de: { translation: texts } }, keySeparator: false, nsSeparator: false, showSupportNotice: false });
  console.log(`i18next: ${['Delete all', '%d file'].map((key) => [1, 2].map((count) => JSON.stringify(instance.t(key, { count }))).join(' ')).join(' / ')}`);
  console.log(gettext.i18next2po('de', texts, options).split('\n').filter((line) => /^(#|msg(id|str)(\S*) "[%DN])/.test(line)).join(' '));
}
JS
echo "gettext-converter $(node -p "JSON.parse(require('fs').readFileSync('node_modules/gettext-converter/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
options undefined: {"Delete all":"Nichts löschen","%d file":"%d Datei","%d file_plural":"%d Dateien"}
i18next: "Nichts löschen" "Nichts löschen" / "%d Datei" "%d Datei"
msgid "Delete all" msgstr "Nichts löschen" msgid "%d file" msgid_plural "%d file" msgstr[0] "%d Datei" msgstr[1] "%d Dateien"
options {"compatibilityJSON":"v4","charset":"utf-8"}: {"Delete all":"Nichts löschen","%d file_one":"%d Datei","%d file_other":"%d Dateien"}
i18next: "Nichts löschen" "Nichts löschen" / "%d Datei" "%d Dateien"
msgid "Delete all" msgstr "Nichts löschen" msgid "%d file" msgid_plural "%d file" msgstr[0] "%d Datei" msgstr[1] "%d Dateien"
END
