#!/usr/bin/env bash
# npm mcp-mail-server 1.2.1, an MCP server for mail over IMAP and SMTP, asked over stdio, before hoodiecrow-imap 2.1.0 (npm) with two plain mails, and a small stand-in for SMTP that writes recipients down.
# Behaviour: of several recipients the server shows the first, in "to" and in "cc", and no names. reply_to_email with replyToAll answers to those that it sees: of three in To and two in Cc one each
# is left, and its answer lists them as if they were all. "date" is not the date of the mail but the time at which it came into the mailbox, which for a moved or imported mail is that of the import.
# Date ranges are held against this time as well. In a zone west of Greenwich an endDate leaves that whole day out.
# Seen:   to: bob@example.com (of three) / reply to all: ann, bob and eve, without carl, dora and finn / date 2026-09-15 of a mail of 2026-03-01
# Expected by most: all recipients, a reply to all of them, and the date of the mail.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts mcp-mail-server@1.2.1 hoodiecrow-imap@2.1.0 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import hoodiecrow from 'hoodiecrow-imap';
const mail = (head, text) => ({ raw: [...head, 'Content-Type: text/plain; charset=utf-8', '', text, ''].join('\r\n'), internaldate: '15-Sep-2026 12:00:00 +0000' });
const messages = [
  mail(['From: Ann <ann@example.com>', 'To: Bob <bob@example.com>, Carl <carl@example.com>, Dora <dora@example.com>', 'Cc: Eve <eve@example.com>, Finn <finn@example.com>', 'Subject: Plan', 'Date: Sun, 01 Mar 2026 10:00:00 +0000', 'Message-ID: <1@example.com>'], 'Shall we?'),
  mail(['From: Ann <ann@example.com>', 'To: me@example.com', 'Subject: Later', 'Date: Tue, 15 Sep 2026 12:00:00 +0000', 'Message-ID: <2@example.com>'], 'Yes.'),
];
const imap = hoodiecrow({ plugins: ['ID', 'NAMESPACE', 'UNSELECT', 'ENABLE', 'SPECIAL-USE', 'IDLE', 'UIDPLUS'], users: { me: { password: 'none' } }, storage: { INBOX: { messages } } });
const recipients = [];
const smtp = createServer((socket) => {
  let data = false;
  socket.on('error', () => {});
  socket.write('220 stub\r\n');
  createInterface({ input: socket }).on('line', (line) => {
    if (data) { if (line === '.') { data = false; socket.write('250 ok\r\n'); } return; }
    const to = line.match(/^RCPT TO:<(.*?)>/i);
    if (to) recipients.push(to[1].split('@')[0]);
    if (/^EHLO/i.test(line)) socket.write('250-stub\r\n250 AUTH PLAIN LOGIN\r\n');
    else if (/^AUTH/i.test(line)) socket.write('235 ok\r\n');
    else if (/^DATA/i.test(line)) { data = true; socket.write('354 go\r\n'); } else socket.write('250 ok\r\n');
  });
});
const imapPort = await new Promise((done) => { const free = createServer().listen(0, '127.0.0.1', () => { const { port } = free.address(); free.close(() => done(port)); }); });
await new Promise((done) => imap.listen(imapPort, done));
await new Promise((done) => smtp.listen(0, '127.0.0.1', done));
const env = (zone) => ({ ...process.env, IMAP_HOST: '127.0.0.1', IMAP_PORT: `${imapPort}`, IMAP_SECURE: 'false', SMTP_HOST: '127.0.0.1', SMTP_PORT: `${smtp.address().port}`, SMTP_SECURE: 'false', EMAIL_USER: 'me', EMAIL_PASS: 'none', TZ: zone });
const start = async (zone) => {
  const server = spawn('node_modules/.bin/mcp-mail-server', [], { stdio: ['pipe', 'pipe', 'ignore'], env: env(zone) });
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
  return { call: async (name, values) => JSON.parse((await ask('tools/call', { name, arguments: values })).content[0].text), kill: () => server.kill() };
};
let server = await start('UTC');
const [plan] = await server.call('get_messages', { uids: [1] });
console.log(`shown: from ${plan.from}, to ${plan.to}, cc ${plan.cc}, date ${plan.date}`);
const { replyInfo } = await server.call('reply_to_email', { originalUid: 1, text: 'Yes', replyToAll: true });
console.log('reply to all, as told:', JSON.stringify(replyInfo.recipients));
console.log('reply to all, as sent:', recipients.join(' '));
for (const zone of ['UTC', 'America/New_York', 'Asia/Tokyo']) {
  server.kill();
  server = await start(zone);
  const { totalMatches } = await server.call('search_by_subject', { subject: 'Later', startDate: '2026-09-14', endDate: '2026-09-15', inboxOnly: true });
  console.log(`${zone}: mails of noon on the 15th, endDate 2026-09-15: ${totalMatches}`);
}
server.kill();
process.exit(0);
JS
for name in mcp-mail-server hoodiecrow-imap; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
shown: from ann@example.com, to bob@example.com, cc eve@example.com, date 2026-09-15T12:00:00.000Z
reply to all, as told: {"to":["ann@example.com"],"cc":["bob@example.com","eve@example.com"]}
reply to all, as sent: ann bob eve
UTC: mails of noon on the 15th, endDate 2026-09-15: 1
America/New_York: mails of noon on the 15th, endDate 2026-09-15: 0
Asia/Tokyo: mails of noon on the 15th, endDate 2026-09-15: 1
END
