#!/usr/bin/env bash
# @azure/core-sse 2.3.0 (npm), events of a server as the clients of Azure read them.
# Behaviour: an event that has a name and no data, as servers send to keep a line open, is not given, which is right, but its name stays and is given to the next event, which has none of its
# own. A message that follows "event: ping" is then a ping, and whoever goes by the names drops it or takes it for something else. The same for an id.
# Seen:   event: ping, empty line, data: {"text":"Hi"}: event "ping", data {"text":"Hi"}
# Expected by most: a message without a name (the standard empties the name at each empty line).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @azure/core-sse@2.3.0 eventsource-parser@3.1.1 2> /dev/null
cat > run.mjs <<'JS'
import { createSseStream } from '@azure/core-sse';
import { EventSourceParserStream } from 'eventsource-parser/stream';
const stream = (text) => new Response(text).body;
for (const [what, text] of [
  ['ping without data, then a message', 'event: ping\n\ndata: {"text":"Hi"}\n\ndata: {"text":"!"}\n\n'],
  ['error, its data empty, then a message', 'event: error\ndata\n\ndata: {"text":"Hi"}\n\n'],
  ['id alone, then a message', 'id: 7\n\ndata: {"text":"Hi"}\n\n'],
  ['ping with data', 'event: ping\ndata: {}\n\ndata: {"text":"Hi"}\n\n']]) {
  const events = [];
  for await (const event of createSseStream(stream(text))) events.push(`"${event.event}" "${event.id}" ${event.data}`);
  console.log(`${what}: ${events.join(', ')}`);
  const others = [];
  for await (const event of stream(text).pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) others.push(`"${event.event ?? ''}" "${event.id ?? ''}" ${event.data}`);
  console.log(`${what}, eventsource-parser: ${others.join(', ')}`);
}
JS
echo "core-sse $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@azure/core-sse/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
ping without data, then a message: "ping" "" {"text":"Hi"}, "" "" {"text":"!"}
ping without data, then a message, eventsource-parser: "" "" {"text":"Hi"}, "" "" {"text":"!"}
error, its data empty, then a message: "error" "" {"text":"Hi"}
error, its data empty, then a message, eventsource-parser: "error" "" , "" "" {"text":"Hi"}
id alone, then a message: "" "7" {"text":"Hi"}
id alone, then a message, eventsource-parser: "" "" {"text":"Hi"}
ping with data: "ping" "" {}, "" "" {"text":"Hi"}
ping with data, eventsource-parser: "ping" "" {}, "" "" {"text":"Hi"}
END
