#!/usr/bin/env bash
# npm caldav-mcp 0.10.0, an MCP server for calendars over CalDAV, asked over stdio, before radicale 3.9.0 (PyPI), a CalDAV server that keeps its events as files.
# Behaviour: update-event says that only the given fields are changed. A new title for a weekly meeting deletes its moved date (RECURRENCE-ID), the name and the answer of those invited, the status and
# the definition of the zone. The start is written as a time in UTC, with its Z, under the label of the old zone: programs that believe the label have the 10:00 of Berlin at 9:00, those that believe
# the Z have it in UTC, and so an hour later from the end of March. list-events for a week gives the whole series once, under its first date, which lies in the week before, and without a word that it repeats;
# the date within the week is not there, and the date moved to mid-April is. A whole day is midnight in the machine's zone, told in UTC.
# Seen:   DTSTART;TZID=Europe/Berlin:20260323T090000Z and no RECURRENCE-ID / list of 30 March to 5 April: 2026-03-23T09:00:00.000Z and 2026-04-14T13:00:00.000Z
# Expected by most: another SUMMARY and nothing else; 30 March, 10:00 in Berlin, alone.
set -euo pipefail
dir=$(mktemp -d); trap 'kill "$radicale" 2> /dev/null || true; rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts caldav-mcp@0.10.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check radicale==3.9.0
port=$(python3 -c "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])")
printf '[server]\nhosts = 127.0.0.1:%s\n[auth]\ntype = none\n[storage]\nfilesystem_folder = %s/data\n' "$port" "$dir" > config
env/bin/radicale --config config > log 2>&1 & radicale=$!
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const base = `http://127.0.0.1:${process.argv[2]}`;
const send = (method, path, type, body) => fetch(base + path, { method, body, headers: { 'Content-Type': type, Authorization: 'Basic bWU6bm9uZQ==' } }).catch(() => undefined);
const calendar = '<mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop><resourcetype><collection/><C:calendar/></resourcetype><displayname>Work</displayname></prop></set></mkcol>';
for (let tries = 0; tries < 60 && !(await send('MKCOL', '/me/plans/', 'application/xml', calendar))?.ok; tries++) await new Promise((done) => setTimeout(done, 500));
const events = {
  team: `BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19810329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:team
DTSTAMP:20260101T000000Z
SUMMARY:Team
DTSTART;TZID=Europe/Berlin:20260323T100000
DTEND;TZID=Europe/Berlin:20260323T110000
RRULE:FREQ=WEEKLY;COUNT=6
STATUS:TENTATIVE
ATTENDEE;CN=Bob;PARTSTAT=DECLINED:mailto:bob@example.com
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Team
TRIGGER:-PT15M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:team
DTSTAMP:20260101T000000Z
RECURRENCE-ID;TZID=Europe/Berlin:20260413T100000
SUMMARY:Team moved
DTSTART;TZID=Europe/Berlin:20260414T150000
DTEND;TZID=Europe/Berlin:20260414T160000
END:VEVENT
`,
  holiday: 'BEGIN:VEVENT\nUID:holiday\nDTSTAMP:20260101T000000Z\nSUMMARY:Holiday\nDTSTART;VALUE=DATE:20260402\nDTEND;VALUE=DATE:20260404\nEND:VEVENT\n',
};
for (const [name, text] of Object.entries(events)) await send('PUT', `/me/plans/${name}.ics`, 'text/calendar', `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:c\n${text}END:VCALENDAR\n`.replaceAll('\n', '\r\n'));
const server = spawn('node_modules/.bin/caldav-mcp', [], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, CALDAV_BASE_URL: base, CALDAV_USERNAME: 'me', CALDAV_PASSWORD: 'none', TZ: 'America/New_York' } });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }) + '\n');
  for (;;) {
    const answer = JSON.parse((await lines.next()).value);
    if (answer.id === count) return answer.result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const call = async (name, values) => (await ask('tools/call', { name, arguments: values })).content[0].text;
const [{ url }] = JSON.parse(await call('list-calendars', {}));
const listed = JSON.parse(await call('list-events', { calendarUrl: url, start: '2026-03-30T00:00:00Z', end: '2026-04-06T00:00:00Z' }));
for (const { summary, start, end, ...rest } of listed.sort((a, b) => (a.start < b.start ? -1 : 1))) console.log(`30 March to 5 April: ${summary}, ${start} to ${end}, other fields: ${Object.keys(rest).join(' ')}`);
const stored = () => readFileSync('data/collection-root/me/plans/team.ics', 'utf8').replaceAll('\r\n ', '').split('\r\n').filter((line) => /^(BEGIN|DTSTART|ATTENDEE|STATUS|SUMMARY|RRULE|RECURRENCE)/.test(line) && !/DAYLIGHT|STANDARD|YEARLY|START:19|VCALENDAR/.test(line)).join(' ');
console.log('before:', stored());
await call('update-event', { calendarUrl: url, uid: 'team', summary: 'Team Berlin' });
console.log('after a new title:', stored());
server.kill();
process.exit(0);
JS
echo "caldav-mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/caldav-mcp/package.json')).version")"
node run.mjs "$port" | tee out
diff out - <<'END'
30 March to 5 April: Team, 2026-03-23T09:00:00.000Z to 2026-03-23T10:00:00.000Z, other fields: uid
30 March to 5 April: Holiday, 2026-04-02T04:00:00.000Z to 2026-04-04T04:00:00.000Z, other fields: uid
30 March to 5 April: Team moved, 2026-04-14T13:00:00.000Z to 2026-04-14T14:00:00.000Z, other fields: uid
before: BEGIN:VTIMEZONE BEGIN:VEVENT DTSTART;TZID=Europe/Berlin:20260323T100000 ATTENDEE;CN=Bob;PARTSTAT=DECLINED:mailto:bob@example.com RRULE:FREQ=WEEKLY;COUNT=6 STATUS:TENTATIVE SUMMARY:Team BEGIN:VALARM BEGIN:VEVENT RECURRENCE-ID;TZID=Europe/Berlin:20260413T100000 DTSTART;TZID=Europe/Berlin:20260414T150000 SUMMARY:Team moved
after a new title: BEGIN:VEVENT DTSTART;TZID=Europe/Berlin:20260323T090000Z ATTENDEE:mailto:bob@example.com RRULE:FREQ=WEEKLY;INTERVAL=1;COUNT=6 SUMMARY:Team Berlin BEGIN:VALARM
END
