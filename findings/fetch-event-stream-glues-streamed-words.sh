#!/usr/bin/env bash
# fetch-event-stream 0.1.6 (npm), server-sent events of a fetch() answer; eventsource-parser 3.1.1 (npm), under most SDKs of models, reads the same stream beside it.
# Behaviour: the standard takes ONE blank away behind "data:". This takes all blanks and tabs, so that a text that is streamed in pieces, where a piece begins with its blank, comes out as one word,
# and the lines of code or YAML in an event lose their indents. Blanks at the end stay, and JSON is not harmed, so that nothing shows it. An event without data, such as a
# ping, is given out as one with undefined data, while an event whose data is empty without a colon is not given out.
# Seen:   "data: Hello", "data:  world": Helloworld, eventsource-parser Hello world / "data: if x:", "data:     return": no indent / event: ping alone: data undefined
# Most would guess: Hello world; both read one standard.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fetch-event-stream@0.1.6 eventsource-parser@3.1.1
cat > run.mjs <<'JS'
import { createParser } from 'eventsource-parser';
import { events } from 'fetch-event-stream';
const streams = {
  'words': 'data: Hello\n\ndata:  world\n\ndata:  of\n\ndata:  streams\n\n',
  'code': 'data: if x:\ndata:     return 1\n\n',
  'tab': 'data: \tone\ndata:\ttwo\n\n',
  'blanks at the end': 'data: one  \n\ndata: two\n\n',
  'ping': 'event: ping\n\ndata: one\n\n',
  'no colon': 'data\n\ndata: one\n\n',
};
for (const [name, stream] of Object.entries(streams)) {
  const seen = [];
  for await (const event of events(new Response(stream))) seen.push(event.data);
  const judge = [];
  createParser({ onEvent: (event) => judge.push(event.data) }).feed(stream);
  const show = (list) => JSON.stringify(list.map((data) => data ?? 'UNDEFINED'));
  console.log(`${name}: ${show(seen)}, eventsource-parser ${show(judge)}`);
}
JS
for name in fetch-event-stream eventsource-parser; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
words: ["Hello","world","of","streams"], eventsource-parser ["Hello"," world"," of"," streams"]
code: ["if x:\nreturn 1"], eventsource-parser ["if x:\n    return 1"]
tab: ["one\ntwo"], eventsource-parser ["\tone\n\ttwo"]
blanks at the end: ["one  ","two"], eventsource-parser ["one  ","two"]
ping: ["UNDEFINED","one"], eventsource-parser ["one"]
no colon: ["one"], eventsource-parser ["","one"]
END
