#!/usr/bin/env bash
# parse-color 1.0.0 (npm), which reads colours of CSS into numbers, under build tools and token pipelines; color-parse 2.1.2 (npm) beside it.
# Behaviour: a colour of four digits, #f008 (red, half seen), is taken for six: 240, 8, 0. Of eight digits the colour is right, but its list "rgb" has four numbers, "rgba" five, and alpha is 1. Half of red, rgb(50%,0%,0%), is 50 of 255.
# A turn or a radian counts as a degree: half a turn, cyan, is red. The form with spaces, rgb(255 0 0), gives two numbers and a "hex" of four digits. A name in capitals has no numbers. Nothing of it is an error.
# Seen:   #f008: rgba [240,8,0,1] #f00800 / #ff000080: rgba [255,0,0,128,1] / rgb(50%,0%,0%): [50,0,0] / hsl(.5turn,100%,50%): [255,2,0] / rgb(255 0 0): [255,1] "#ff01"
# Expected by most: [255,0,0,0.53]; [255,0,0,0.5]; [128,0,0]; [0,255,255]; [255,0,0].
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund parse-color@1.0.0 color-parse@2.1.2
cat > run.mjs <<'JS'
import colorParse from 'color-parse';
import parseColor from 'parse-color';
for (const text of ['#f00', '#f008', '#abcd', '#ff000080', 'rgb(255,0,0)', 'rgb(50%,0%,0%)', 'rgb(255 0 0)', 'hsl(180,100%,50%)', 'hsl(.5turn,100%,50%)', 'hsl(180deg 100% 50%)', 'red', 'RED']) {
  const { rgb, rgba, hex } = parseColor(text);
  const other = colorParse(text);
  console.log(`${text}: rgb ${JSON.stringify(rgb)}, rgba ${JSON.stringify(rgba)}, hex ${hex}; color-parse ${other.space} ${JSON.stringify(other.values)} alpha ${other.alpha}`);
}
JS
for package in parse-color color-parse; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
#f00: rgb [255,0,0], rgba [255,0,0,1], hex #ff0000; color-parse rgb [255,0,0] alpha 1
#f008: rgb [240,8,0], rgba [240,8,0,1], hex #f00800; color-parse rgb [255,0,0] alpha 0.5333333333333333
#abcd: rgb [171,205,0], rgba [171,205,0,1], hex #abcd00; color-parse rgb [170,187,204] alpha 0.8666666666666667
#ff000080: rgb [255,0,0,128], rgba [255,0,0,128,1], hex #ff000080; color-parse rgb [255,0,0] alpha 0.5019607843137255
rgb(255,0,0): rgb [255,0,0], rgba [255,0,0,1], hex #ff0000; color-parse rgb [255,0,0] alpha 1
rgb(50%,0%,0%): rgb [50,0,0], rgba [50,0,0,1], hex #320000; color-parse rgb [127.5,0,0] alpha 1
rgb(255 0 0): rgb [255,1], rgba [255,1,1], hex #ff01; color-parse rgb [255,0,0] alpha 1
hsl(180,100%,50%): rgb [0,255,255], rgba [0,255,255,1], hex #00ffff; color-parse hsl [180,100,50] alpha 1
hsl(.5turn,100%,50%): rgb [255,2,0], rgba [255,2,0,1], hex #ff0200; color-parse hsl [180,100,50] alpha 1
hsl(180deg 100% 50%): rgb [null,null,null], rgba [null,null,null,1], hex #NaNNaNNaN; color-parse hsl [180,100,50] alpha 1
red: rgb [255,0,0], rgba [255,0,0,1], hex #ff0000; color-parse rgb [255,0,0] alpha 1
RED: rgb undefined, rgba undefined, hex undefined; color-parse rgb [255,0,0] alpha 1
END
