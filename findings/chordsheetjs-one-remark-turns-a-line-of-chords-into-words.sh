#!/usr/bin/env bash
# chordsheetjs 15.5.2 (npm): ChordPro is written as chords over words (ChordsOverWordsFormatter) and read again (ChordsOverWordsParser), both of the same library.
# Behaviour: a remark such as [*Coda] is written without its star among the chords. The line of chords is then no line of chords for the reader: it becomes words to be sung, and all chords of that line are gone.
# maj7 is written as ma7, the marks of verse and chorus and all comments are left out. A song without remarks keeps its chords, so a test with one song shows nothing.
# Seen:   [Bb]Hello [Gm/F]world, my [*Coda]friend: words "Bb    Gm/F      Coda" and "Hello world, my friend" / {start_of_chorus}: nothing / [Ebmaj7]: [Ebma7]
# Expected by most: the same chords on the same words.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund chordsheetjs@15.5.2
cat > run.cjs <<'JS'
const { ChordProFormatter, ChordProParser, ChordsOverWordsFormatter, ChordsOverWordsParser } = require('chordsheetjs').default;
const write = (song) => new ChordProFormatter().format(song).trim();
const show = (name, text) => {
  const over = new ChordsOverWordsFormatter().format(new ChordProParser().parse(text));
  console.log(`== ${name}\n${over.trim()}\n-- read again\n${write(new ChordsOverWordsParser().parse(over))}`);
};
show('without a remark', '{key: Bb}\n[Bb]Hello [Gm/F]world, my [F]friend');
show('with a remark', '{key: Bb}\n[Bb]Hello [Gm/F]world, my [*Coda]friend');
show('chorus', '# softly\n{start_of_chorus}\n[C]One [Ebmaj7]two [Am]three\n{end_of_chorus}');
JS
echo "chordsheetjs $(node -p "JSON.parse(require('fs').readFileSync('node_modules/chordsheetjs/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
== without a remark
key: Bb

Bb    Gm/F      F
Hello world, my friend
-- read again
{key: Bb}

[Bb]Hello [Gm/F]world, my [F]friend
== with a remark
key: Bb

Bb    Gm/F      Coda
Hello world, my friend
-- read again
{key: Bb}

Bb    Gm/F      Coda
Hello world, my friend
== chorus
C   Ebma7 Am
One two   three
-- read again
[C]One [Ebma7]two [Am]three
END
