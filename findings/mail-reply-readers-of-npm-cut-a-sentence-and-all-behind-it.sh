#!/usr/bin/env bash
# planer 1.2.0 and email-reply-parser 2.3.7 (npm), which take the new text out of a mail that answers another, plain text.
# Behaviour: planer takes three lines of the form "Word: text" with From and To in them for the head of a quoted mail: all behind the first is gone. email-reply-parser takes a line that begins with "Sent from my"
# for the mark of a phone and leaves out the whole paragraph, and takes away lines with > that the writer quotes in the middle of the text. planer keeps those, and keeps the
# questions of an answer between the lines, so that nobody can tell what is new.
# Seen:   "From: Monday / To: Friday / Subject: ...": planer "I am away." / "Sent from my desk are two letters.": email-reply-parser "See below." / quote in the middle: "He said: I agree."
# Expected by most: the text of the mail.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund planer@1.2.0 email-reply-parser@2.3.7
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const planer = require('planer');
const module = require('email-reply-parser');
const Reader = module.default ?? module;
for (const name of ['planer', 'email-reply-parser']) console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version);
const mails = {
  'an answer': 'Yes, please.\n\nOn Tue, Nov 3, 2026 at 2:30 PM Ann Lee <ann@example.org> wrote:\n> Shall I?\n',
  'a form': 'I am away.\n\nFrom: Monday\nTo: Friday\nSubject: holiday\n\nBob has the keys.\n',
  'a list': 'The trip:\n\nFrom: Bern\nTo: Basel\nPrice: 20\n\nShall I book it?\n',
  'a sentence': 'See below.\n\nSent from my desk are two letters.\nThe third is lost.\n',
  'a quote in the middle': 'He said:\n> be bold\nI agree.\n',
  'between the lines': '> Is it open?\nYes.\n> Is it full?\nNo.\n',
};
for (const [name, text] of Object.entries(mails)) {
  console.log(name);
  console.log('  planer:', JSON.stringify(planer.extractFrom(text, 'text/plain')));
  console.log('  email-reply-parser:', JSON.stringify(new Reader().read(text).getVisibleText()));
}
JS
node run.mjs | tee out
diff out - <<'END'
planer 1.2.0
email-reply-parser 2.3.7
an answer
  planer: "Yes, please."
  email-reply-parser: "Yes, please.\n"
a form
  planer: "I am away."
  email-reply-parser: "I am away.\n\nFrom: Monday\nTo: Friday\nSubject: holiday\n\nBob has the keys.\n"
a list
  planer: "The trip:"
  email-reply-parser: "The trip:\n\nFrom: Bern\nTo: Basel\nPrice: 20\n\nShall I book it?\n"
a sentence
  planer: "See below.\n\nSent from my desk are two letters.\nThe third is lost."
  email-reply-parser: "See below.\n"
a quote in the middle
  planer: "He said:\n> be bold\nI agree."
  email-reply-parser: "He said:\nI agree.\n"
between the lines
  planer: "> Is it open?\nYes.\n> Is it full?\nNo."
  email-reply-parser: "Yes.\nNo.\n"
END
