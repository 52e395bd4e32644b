#!/usr/bin/env bash
# mail-parser 4.8.0 and eml-parser 4.4.0 (PyPI), readers of mail under servers, scanners and agents; postal-mime 4.0.0 and mailparser 3.14.2 (npm) beside them. One mail of a line with three attachments, no HTML.
# Behaviour: in mail-parser the text of an attached mail is part of the body of the mail itself, behind a line of its own making, although that mail is marked as an attachment and listed as one: what a
# third party wrote reads as the sender's. eml-parser lists the attached log, the table and the attached mail as bodies as well, and leaves the table out of the attachments, since it is
# marked inline, though it has a file name. The two in JavaScript give the sender's line and three attachments.
# Seen:   mail-parser: "Please pay once.", "--- mail_boundary ---", "Please pay twice." / eml-parser: 4 bodies, 2 attachments / the other two: "Please pay once.", 3 attachments
# Most would guess: the sender's one line, and three attachments.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund postal-mime@4.0.0 mailparser@3.14.2
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mail-parser==4.8.0 eml-parser==4.4.0
cat > one.txt <<'END'
From: ada@example.com
To: bob@example.com
Subject: Invoice
Date: Mon, 05 Jan 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="X"

--X
Content-Type: text/plain

Please pay once.
--X
Content-Type: text/plain; name="log.txt"
Content-Disposition: attachment; filename="log.txt"

3 errors
--X
Content-Type: text/csv
Content-Disposition: inline; filename="table.csv"

id,v
--X
Content-Type: message/rfc822
Content-Disposition: attachment; filename="other.eml"

From: eve@example.com
Subject: Other
MIME-Version: 1.0
Content-Type: text/plain

Please pay twice.
--X--
END
sed 's/$/\r/' one.txt > one.eml
cat > run.py <<'PY'
import eml_parser
import mailparser

mail = mailparser.parse_from_file('one.eml')
print('mail-parser', repr(mail.body.replace('\r', '')), [part['filename'] for part in mail.attachments])
with open('one.eml', 'rb') as file:
    mail = eml_parser.EmlParser(include_raw_body=True).decode_email_bytes(file.read())
print('eml-parser', [part['content'].replace('\r', '') for part in mail['body']], [part['filename'] for part in mail['attachment']])
PY
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import PostalMime from 'postal-mime';
import { simpleParser } from 'mailparser';
const bytes = readFileSync('one.eml');
for (const [name, mail] of [['postal-mime', await PostalMime.parse(bytes)], ['mailparser', await simpleParser(bytes)]]) {
  console.log(name, JSON.stringify(mail.text), JSON.stringify(mail.attachments.map((part) => part.filename)));
}
JS
for package in postal-mime mailparser; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
env/bin/python -c 'from importlib.metadata import version; print(*(f"{name} {version(name)}" for name in ["mail-parser", "eml-parser"]))'
{ env/bin/python run.py; node run.mjs; } | tee out
diff out - <<'END'
mail-parser 'Please pay once.\n--- mail_boundary ---\nPlease pay twice.' ['log.txt', 'table.csv', 'other.eml']
eml-parser ['Please pay once.', '3 errors', 'id,v', 'Please pay twice.'] ['log.txt', 'other.eml']
postal-mime "Please pay once.\n" ["log.txt","table.csv","other.eml"]
mailparser "Please pay once." ["log.txt","table.csv","other.eml"]
END
