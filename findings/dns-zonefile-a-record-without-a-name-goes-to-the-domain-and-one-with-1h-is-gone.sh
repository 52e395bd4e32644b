#!/usr/bin/env bash
# dns-zonefile 0.3.2 (npm): parse and generate of zone files.
# Behaviour: a line that begins with a space belongs to the name of the line before. Here it belongs to the last name that had a record of the same kind, or else to "@": the TXT record
# below www and the IPv6 address below api become those of the domain itself. A record with a TTL such as 1h, or with the class before the TTL, is dropped without a word.
# A second $ORIGIN takes the place of the first, so when the file is written again all names move to the other domain.
# Seen:   TXT of www -> "@"; AAAA of api -> "@"; "api 1h IN A" and "old IN 600 A" are gone; $ORIGIN sub.example.com. for www, mail and ns1
# Expected by most: the records under their own names (RFC 1035), or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund dns-zonefile@0.3.2
cat > zone <<'ZONE'
$ORIGIN example.com.
$TTL 3600
@ IN SOA ns1.example.com. admin.example.com. ( 1 3600 600 604800 86400 )
@ IN NS ns1.example.com.
@ IN A 192.0.2.1
www IN A 192.0.2.10
    IN A 192.0.2.11
    IN TXT "web"
mail 300 IN A 192.0.2.20
api 1h IN A 192.0.2.30
    IN AAAA 2001:db8::30
ns1 IN A 192.0.2.53
old IN 600 A 192.0.2.40
$ORIGIN sub.example.com.
host IN A 192.0.2.50
ZONE
cat > run.cjs <<'JS'
const zonefile = require('dns-zonefile').default;
const zone = zonefile.parse(require('fs').readFileSync('zone', 'utf8'));
for (const kind of ['a', 'aaaa', 'txt']) for (const { name, ip, txt, ttl } of zone[kind]) console.log([kind.toUpperCase(), name, ip ?? txt, ttl ?? ''].join(' ').trim());
console.log('-- written');
console.log(zonefile.generate(zone).split('\n').filter((line) => /^\$|\tA\t/.test(line)).map((line) => line.replace(/\s+/g, ' ')).join('\n'));
JS
echo "dns-zonefile $(node -p "require('./node_modules/dns-zonefile/package.json').version")" >&2
node run.cjs | tee out
diff out - <<'END'
A @ 192.0.2.1
A www 192.0.2.10
A www 192.0.2.11
A mail 192.0.2.20 300
A ns1 192.0.2.53
A host 192.0.2.50
AAAA @ 2001:db8::30
TXT @ "web"
-- written
$ORIGIN sub.example.com.
$TTL 3600
@ IN A 192.0.2.1
www IN A 192.0.2.10
www IN A 192.0.2.11
mail 300 IN A 192.0.2.20
ns1 IN A 192.0.2.53
host IN A 192.0.2.50
END
