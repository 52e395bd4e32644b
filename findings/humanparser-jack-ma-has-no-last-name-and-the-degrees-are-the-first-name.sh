#!/usr/bin/env bash
# humanparser 2.7.0 (npm), parseName of names of people.
# Behaviour: a last name that is also a degree or a numeral is taken for a suffix: Jack Ma and Yo-Yo Ma have no last name, nor has Malcolm I, and the V of "Smith, Anna V" is the fifth. With two degrees behind the name,
# "John Smith, PhD, MBA", the whole name is the last name, "PhD," the first name and "MBA" the middle name. A couple is one person whose first name is "and".
# Seen:   Jack Ma: first Jack, last "", suffix Ma / John Smith, PhD, MBA: first "PhD,", middle MBA, last John Smith
# Expected by most: first Jack, last Ma; first John, last Smith, suffix PhD, MBA.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund humanparser@2.7.0
cat > run.mjs <<'JS'
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { parseName } = require('humanparser');
console.log('humanparser', require('humanparser/package.json').version);
const names = ['Anh Do', 'Jack Ma', 'Yo-Yo Ma', 'Malcolm I', 'Smith, Anna V', 'Mary Ann Smith MD', 'John Smith, PhD', 'John Smith, PhD, MBA', 'Mr. and Mrs. John Smith', 'Maria do Carmo'];
for (const name of names) {
  const { fullName, ...parts } = parseName(name);
  console.log(name + ':', ['salutation', 'firstName', 'middleName', 'lastName', 'suffix'].filter((part) => part in parts).map((part) => `${part} ${JSON.stringify(parts[part])}`).join(', '));
}
JS
node run.mjs | tee out
diff out - <<'END'
humanparser 2.7.0
Anh Do: firstName "Anh", lastName "Do"
Jack Ma: firstName "Jack", lastName "", suffix "Ma"
Yo-Yo Ma: firstName "Yo-Yo", lastName "", suffix "Ma"
Malcolm I: firstName "Malcolm", lastName "", suffix "I"
Smith, Anna V: firstName "Anna", lastName "Smith", suffix "V"
Mary Ann Smith MD: firstName "Mary", middleName "Ann", lastName "Smith", suffix "MD"
John Smith, PhD: firstName "John", lastName "Smith", suffix "PhD"
John Smith, PhD, MBA: firstName "PhD,", middleName "MBA", lastName "John Smith"
Mr. and Mrs. John Smith: salutation "Mr.", firstName "and", middleName "Mrs. John", lastName "Smith"
Maria do Carmo: firstName "Maria", middleName "do", lastName "Carmo"
END
