#!/usr/bin/env bash
# @streamparser/json 0.0.26 (npm), a reader of JSON that comes in pieces: write() for each piece, then end().
# Behaviour: end() after a WHOLE object, list, text or word is an error that says that not all the data was received or that it was invalid, for the parser has ended by itself with the last bracket. After a whole number end() is needed:
# without it the number is never given out. So no one order of calls is right for all documents: a program that calls end() calls good answers cut, and one that does not loses numbers.
# A line break behind the document, which most files and answers have, is taken; with a separator (JSON lines) end() is fine after an object.
# Seen:   {"a":1} and end(): "Tokenizer ended in the middle of a token (state: ENDED). ..." / 12 without end(): nothing / {"a":1 and end(): an error too
# Most would guess: an error where something is missing, and none where nothing is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @streamparser/json@0.0.26
cat > run.mjs <<'JS'
import { JSONParser } from '@streamparser/json';
const read = (text, ends, options) => {
  const found = [];
  try {
    const parser = new JSONParser(options);
    parser.onValue = ({ value, stack }) => { if (!stack.length) found.push(JSON.stringify(value)); };
    parser.write(text);
    if (ends) parser.end();
  } catch (error) { found.push(error.message.split('.')[0]); }
  console.log(`${JSON.stringify(text)} ${ends ? 'and end()' : 'alone'}${options ? ' separator' : ''}: ${found.join(', ') || 'nothing'}`);
};
for (const text of ['{"a":1}', '{"a":1}\n', '[1,2]', '"x"', 'true', '12', '12\n', '{"a":1']) for (const ends of [true, false]) read(text, ends);
for (const ends of [true, false]) read('{"a":1}\n{"a":2}\n', ends, { separator: '\n' });
JS
echo "@streamparser/json $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@streamparser/json/package.json', 'utf8')).version")"
node run.mjs | tee out
diff out - <<'END'
"{\"a\":1}" and end(): {"a":1}, Tokenizer ended in the middle of a token (state: ENDED)
"{\"a\":1}" alone: {"a":1}
"{\"a\":1}\n" and end(): {"a":1}, Tokenizer ended in the middle of a token (state: ENDED)
"{\"a\":1}\n" alone: {"a":1}
"[1,2]" and end(): [1,2], Tokenizer ended in the middle of a token (state: ENDED)
"[1,2]" alone: [1,2]
"\"x\"" and end(): "x", Tokenizer ended in the middle of a token (state: ENDED)
"\"x\"" alone: "x"
"true" and end(): true, Tokenizer ended in the middle of a token (state: ENDED)
"true" alone: true
"12" and end(): 12
"12" alone: nothing
"12\n" and end(): 12, Tokenizer ended in the middle of a token (state: ENDED)
"12\n" alone: 12
"{\"a\":1" and end(): Parser ended in mid-parsing (state: COMMA)
"{\"a\":1" alone: nothing
"{\"a\":1}\n{\"a\":2}\n" and end() separator: {"a":1}, {"a":2}
"{\"a\":1}\n{\"a\":2}\n" alone separator: {"a":1}, {"a":2}
END
