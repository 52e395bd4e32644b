#!/usr/bin/env bash
# glossy 0.1.7 and syslog-parse 2.0.0 (npm), which read lines of syslog into level, host, time and message.
# Behaviour: for glossy a line with the highest level, <0> (kernel, emergency), has no level and no facility. For syslog-parse it is the other way round: a line in a file, which has no number
# in front, is an emergency of the kernel. The form in which rsyslog sends lines on (RSYSLOG_ForwardFormat, with a time as in 2026-11-03T14:30:00Z) glossy reads with the
# first word of the message as the host and without a time; host and program are lost. syslog-parse gives nothing for that form and for RFC 5424, without an error.
# Seen:   <0>...: glossy no severity / a line without number: syslog-parse kern, emerg / <30>2026-11-03T14:30:00Z web1 app[1]: disk is full: glossy host "disk", message "is full"
# Expected by most: emerg; no level; the host web1 and the whole message, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund glossy@0.1.7 syslog-parse@2.0.0
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const glossy = require('glossy').Parse;
const other = await import('syslog-parse');
const syslogParse = [other.default?.default, other.default, other.parse].find((part) => typeof part === 'function');
for (const name of ['glossy', 'syslog-parse']) console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version);
const show = (part) => (part ? `${part.facility ?? 'no facility'}, ${part.severity ?? 'no severity'}, host ${part.host ?? 'none'}, ${part.time ? 'a time' : 'no time'}, message ${JSON.stringify(part.message ?? null)}` : 'nothing');
for (const line of [
  '<30>Nov  3 14:30:00 web1 app[1]: disk is full',
  '<0>Nov  3 14:30:00 web1 kernel: panic',
  'Nov  3 14:30:00 web1 app[1]: disk is full',
  '<30>2026-11-03T14:30:00Z web1 app[1]: disk is full',
  '<30>1 2026-11-03T14:30:00Z web1 app 1 - - disk is full',
]) {
  console.log(line);
  console.log('  glossy:', show(glossy.parse(line)));
  console.log('  syslog-parse:', show(syslogParse(line)));
}
JS
node run.mjs | tee out
diff out - <<'END'
glossy 0.1.7
syslog-parse 2.0.0
<30>Nov  3 14:30:00 web1 app[1]: disk is full
  glossy: daemon, info, host web1, a time, message "app[1]: disk is full"
  syslog-parse: daemon, info, host web1, a time, message "disk is full"
<0>Nov  3 14:30:00 web1 kernel: panic
  glossy: no facility, no severity, host web1, a time, message "kernel: panic"
  syslog-parse: kern, emerg, host web1, a time, message "panic"
Nov  3 14:30:00 web1 app[1]: disk is full
  glossy: no facility, no severity, host none, no time, message null
  syslog-parse: kern, emerg, host web1, a time, message "disk is full"
<30>2026-11-03T14:30:00Z web1 app[1]: disk is full
  glossy: daemon, info, host disk, no time, message "is full"
  syslog-parse: nothing
<30>1 2026-11-03T14:30:00Z web1 app 1 - - disk is full
  glossy: daemon, info, host web1, a time, message "disk is full"
  syslog-parse: nothing
END
