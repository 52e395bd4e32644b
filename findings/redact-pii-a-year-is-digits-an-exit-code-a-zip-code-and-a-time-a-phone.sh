#!/usr/bin/env bash
# redact-pii 3.4.0 (npm), takes personal data out of texts, default settings.
# Behaviour: each number of five digits is a zip code, each of ten a phone number, and of a date the year alone is "digits". Exit codes, counts and times of
# logs are gone under names of other things. Words that are also first names go without their company: "Black Friday" and "Paris" are persons, while
# the persons in "Regards to Will, May and Grace" stay.
# Seen:   2026-01-15: DIGITS-01-15 / code 12345: ZIPCODE / 1700000000: PHONE_NUMBER / Black PERSON_NAME offer / Will, May and Grace: kept
# Expected by most: dates, codes and times stay.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund redact-pii@3.4.0
cat > run.cjs <<'JS'
const { SyncRedactor } = require('redact-pii');
console.log('redact-pii', JSON.parse(require('fs').readFileSync('node_modules/redact-pii/package.json')).version);
const all = new SyncRedactor();
const off = { enabled: false };
const few = new SyncRedactor({ builtInRedactors: { names: off, digits: off, zipcode: off, phoneNumber: off } });
for (const text of ['failed at 12:30 on 2026-01-15', 'exit code 12345', '10000 rows read', 'started at 1700000000', 'Paris store, Black Friday offer', 'Regards to Will, May and Grace',
  'version 1.2.3.4 of the driver', 'mail to bob@example.org']) {
  console.log(text);
  console.log('  default: ' + all.redact(text));
  console.log('  four rules off: ' + few.redact(text));
}
JS
node run.cjs | tee out
diff out - <<'END'
redact-pii 3.4.0
failed at 12:30 on 2026-01-15
  default: failed at 12:30 on DIGITS-01-15
  four rules off: failed at 12:30 on 2026-01-15
exit code 12345
  default: exit code ZIPCODE
  four rules off: exit code 12345
10000 rows read
  default: ZIPCODE rows read
  four rules off: 10000 rows read
started at 1700000000
  default: started at PHONE_NUMBER
  four rules off: started at 1700000000
Paris store, Black Friday offer
  default: PERSON_NAME store, Black PERSON_NAME offer
  four rules off: Paris store, Black Friday offer
Regards to Will, May and Grace
  default: Regards to Will, May and Grace
  four rules off: Regards to Will, May and Grace
version 1.2.3.4 of the driver
  default: version IP_ADDRESS of the driver
  four rules off: version IP_ADDRESS of the driver
mail to bob@example.org
  default: mail to EMAIL_ADDRESS
  four rules off: mail to EMAIL_ADDRESS
END
