#!/usr/bin/env bash
# velocityjs 2.1.7 (npm), templates of Apache Velocity in JavaScript, which many use to try mappings of gateways.
# Behaviour: whole numbers are divided to fractions, 7 / 2 is 3.5, where Velocity has 3, so pages and halves are others. The methods that Java's texts and lists have are there only in part:
# length, contains and isEmpty print their own source, and within a condition they are false, whatever the value is. After #break the rest of that turn of
# the loop is still printed.
# Seen:   7 / 2: 3.5 / $s.length(): $s.length() / #if($s.contains("b")) of abc: no / loop that breaks at 3: 123
# Expected by most: 3, 3, yes, 12.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund velocityjs@2.1.7 2> /dev/null
cat > run.cjs <<'JS'
const velocity = require('velocityjs');
console.log('velocityjs', JSON.parse(require('fs').readFileSync('node_modules/velocityjs/package.json')).version);
for (const text of ['#set($x = 7 / 2)$x', '#set($x = (7 - 7 % 2) / 2)$x', '$s.length() $s.substring(1)', '#if($s.contains("b"))yes#{else}no#end', '#if($s.indexOf("b") >= 0)yes#{else}no#end',
  '#if($list.contains(2))yes#{else}no#end', '#if($list.isEmpty())empty#{else}full#end', '#if($none.isEmpty())empty#{else}full#end', '#if($list.size() == 0)empty#{else}full#end',
  '#foreach($i in [1..5])#if($i == 3)#break#end$i#end', '#foreach($i in [1..5])#if($i == 3)#break#{else}$i#end#end']) {
  console.log(`${text}: ${velocity.render(text, { s: 'abc', list: [1, 2], none: [] })}`);
}
JS
node run.cjs | tee out
diff out - <<'END'
velocityjs 2.1.7
#set($x = 7 / 2)$x: 3.5
#set($x = (7 - 7 % 2) / 2)$x: 3
$s.length() $s.substring(1): $s.length() bc
#if($s.contains("b"))yes#{else}no#end: no
#if($s.indexOf("b") >= 0)yes#{else}no#end: yes
#if($list.contains(2))yes#{else}no#end: no
#if($list.isEmpty())empty#{else}full#end: full
#if($none.isEmpty())empty#{else}full#end: full
#if($list.size() == 0)empty#{else}full#end: full
#foreach($i in [1..5])#if($i == 3)#break#end$i#end: 123
#foreach($i in [1..5])#if($i == 3)#break#{else}$i#end#end: 12
END
