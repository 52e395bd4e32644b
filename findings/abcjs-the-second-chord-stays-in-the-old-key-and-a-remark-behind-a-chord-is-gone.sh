#!/usr/bin/env bash
# abcjs 6.7.2 (npm): strTranspose, which writes ABC notation in another key.
# Behaviour: of a chord symbol only the first chord is moved. The other chord in brackets, "G(Em)" in the notation's standard, stays as it was, as do a chord in brackets alone and the second
# of two in one symbol. Of two symbols at one note the second stays too, and a line break is written between them, inside the quotes. A remark behind a chord ("G""^slow") is dropped.
# Notes, keys and the bass behind a chord are moved.
# Seen:   up by 2: "G(Em)" -> "A(Em)" / "Am7 Dm" -> "Bm7 Dm" / "G""Em" -> "A, a line break, Em" / "G""^slow" -> "A" / "C/E" -> "D/F#"
# Expected by most: "A(F#m)", "Bm7 Em", "A""F#m", "A""^slow".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund abcjs@6.7.2 2> /dev/null
cat > run.cjs <<'JS'
const abc = require('abcjs');
for (const chord of ['"G"', '"C/E"', '"Bb"', '"G(Em)"', '"(Em)"', '"Am7 Dm"', '"G""Em"', '"G""^slow"', '"^slow"']) {
  const song = `X:1\nL:1/4\nK:G\n${chord}G B|\n`;
  const [, , key, ...lines] = abc.strTranspose(song, abc.parseOnly(song), 2).trimEnd().split('\n');
  console.log(`${chord}G B in K:G -> ${JSON.stringify(lines.join('\n'))} in ${key}`);
}
JS
node -p "'abcjs ' + JSON.parse(require('fs').readFileSync('node_modules/abcjs/package.json')).version"
node run.cjs | tee out
diff out - <<'END'
"G"G B in K:G -> "\"A\"A c|" in K:A
"C/E"G B in K:G -> "\"D/F#\"A c|" in K:A
"Bb"G B in K:G -> "\"C\"A c|" in K:A
"G(Em)"G B in K:G -> "\"A(Em)\"A c|" in K:A
"(Em)"G B in K:G -> "\"(Em)\"A c|" in K:A
"Am7 Dm"G B in K:G -> "\"Bm7 Dm\"A c|" in K:A
"G""Em"G B in K:G -> "\"A\nEm\"A c|" in K:A
"G""^slow"G B in K:G -> "\"A\"A c|" in K:A
"^slow"G B in K:G -> "\"^slow\"A c|" in K:A
END
