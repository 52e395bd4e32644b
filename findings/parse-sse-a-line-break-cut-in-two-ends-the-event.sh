#!/usr/bin/env bash
# parse-sse 0.1.0 (npm), events of a server (text/event-stream) from a Response.
# Behaviour: where lines end with CR LF and a piece of the stream ends between the two, the LF is taken for an empty line: the event ends there. An event of two data lines
# becomes two, a name or an id is lost with the data that follow, and JSON over several lines can not be parsed. It depends on how the network cut the answer: the same
# bytes in one piece are right.
# Seen:   in one piece: 1 event, delta {"a":\n1} / cut after a CR: 2 events, message {"a": and message 1}
# Expected by most: the same event, however it is cut.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund parse-sse@0.1.0 eventsource-parser@3.1.1 2> /dev/null
cat > run.mjs <<'JS'
import { parseServerSentEvents } from 'parse-sse';
import { EventSourceParserStream } from 'eventsource-parser/stream';
const text = 'event: delta\r\nid: 7\r\ndata: {"a":\r\ndata: 1}\r\n\r\n';
const stream = (pieces) => new ReadableStream({ start(to) { for (const piece of pieces) to.enqueue(new TextEncoder().encode(piece)); to.close(); } });
const cut = (at) => [text.slice(0, at), text.slice(at)];
const show = (events) => `${events.length} event(s): ${events.map((event) => `${event.type ?? event.event} ${JSON.stringify(event.data)}`).join(', ')}`;
const afterName = text.indexOf('\r') + 1, afterData = text.indexOf(':\r') + 2;
for (const [what, pieces] of [['one piece', [text]], ['cut after the CR of the name', cut(afterName)], ['cut after the CR of the first data', cut(afterData)], ['cut behind that CR LF', cut(afterData + 1)]]) {
  const events = [];
  for await (const event of parseServerSentEvents(new Response(stream(pieces)))) events.push(event);
  console.log(`${what}: ${show(events)}`);
  const others = [];
  for await (const event of stream(pieces).pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) others.push(event);
  console.log(`${what}, eventsource-parser: ${show(others)}`);
}
JS
echo "parse-sse $(node -p "JSON.parse(require('fs').readFileSync('node_modules/parse-sse/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
one piece: 1 event(s): delta "{\"a\":\n1}"
one piece, eventsource-parser: 1 event(s): delta "{\"a\":\n1}"
cut after the CR of the name: 1 event(s): message "{\"a\":\n1}"
cut after the CR of the name, eventsource-parser: 1 event(s): delta "{\"a\":\n1}"
cut after the CR of the first data: 2 event(s): delta "{\"a\":", message "1}"
cut after the CR of the first data, eventsource-parser: 1 event(s): delta "{\"a\":\n1}"
cut behind that CR LF: 1 event(s): delta "{\"a\":\n1}"
cut behind that CR LF, eventsource-parser: 1 event(s): delta "{\"a\":\n1}"
END
