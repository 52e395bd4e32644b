#!/usr/bin/env bash
# @citation-js/core, plugin-bibtex and plugin-ris 0.8.2 (npm; the newest that go together), which turn references of one form into another.
# Behaviour: "and others", the way BibTeX says et al., becomes an author whose family name is others, and is written as one ({others}, AU  - others). By way of RIS van der Berg is Berg, and of two
# addresses or notes the second is lost, as are the first page where there is no last one, and the book of a chapter (BT). Keywords with a comma become two. A thesis is
# written to BibTeX as @misc, which reads back as a document.
# Seen:   Lee, Ann and others: authors Lee and others / van der Berg, Jan: AU  - Berg, Jan / SP  - 45: no page / @phdthesis: @misc
# Expected by most: one author and et al.; the whole name; the page; @phdthesis.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @citation-js/core@0.8.2 @citation-js/plugin-bibtex@0.8.2 @citation-js/plugin-ris@0.8.2
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Cite } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-ris';
for (const name of ['core', 'plugin-bibtex', 'plugin-ris']) console.log(`@citation-js/${name}`, JSON.parse(readFileSync(`node_modules/@citation-js/${name}/package.json`)).version);
const show = (name, text, ...forms) => {
  const cite = new Cite(text);
  const [{ _graph, id, ...data }] = cite.data;
  console.log(`${name}: ${JSON.stringify(data)}`);
  for (const form of forms) console.log(cite.format(form).replace(/^ID  - .*\n/m, '').trim().replace(/^/gm, '  '));
};
show('others', '@article{a, author = {Lee, Ann and others}, title = {T}, year = 2026}', 'bibtex', 'ris');
show('particle', '@book{b, author = {van der Berg, Jan}, title = {T}}', 'ris');
show('thesis', '@phdthesis{c, author = {Lee, Ann}, title = {T}, school = {U}, year = 2020}', 'bibtex');
show('article', 'TY  - JOUR\nTI  - T\nSP  - 10\nEP  - 20\nUR  - https://a.example\nUR  - https://b.example\nN1  - one\nN1  - two\nKW  - oil, crude\nER  - \n', 'ris');
show('chapter', 'TY  - CHAP\nTI  - T\nBT  - The Book\nSP  - 45\nER  - \n', 'ris');
JS
node run.mjs | tee out
diff out - <<'END'
@citation-js/core 0.8.2
@citation-js/plugin-bibtex 0.8.2
@citation-js/plugin-ris 0.8.2
others: {"author":[{"given":"Ann","family":"Lee"},{"family":"others"}],"type":"article-journal","citation-key":"a","issued":{"date-parts":[[2026]]},"title":"T"}
  @article{a,
  	author = {Lee, Ann and {others}},
  	year = {2026},
  	title = {T},
  }
  TY  - JOUR
  AU  - Lee, Ann
  AU  - others
  DA  - 2026///
  PY  - 2026
  TI  - T
  ER  -
particle: {"author":[{"given":"Jan","family":"Berg","non-dropping-particle":"van der"}],"type":"book","citation-key":"b","title":"T"}
  TY  - BOOK
  AU  - Berg, Jan
  TI  - T
  ER  -
thesis: {"publisher":"U","author":[{"given":"Ann","family":"Lee"}],"type":"thesis","genre":"phdthesis","citation-key":"c","issued":{"date-parts":[[2020]]},"title":"T"}
  @misc{c,
  	author = {Lee, Ann},
  	year = {2020},
  	school = {U},
  	title = {T},
  	type = {phdthesis},
  }
article: {"type":"article-journal","title":"T","note":["one","two"],"keyword":"oil, crude","page-first":"10","page":"10-20","URL":["https://a.example","https://b.example"]}
  TY  - JOUR
  KW  - oil
  KW  -  crude
  M2  - 10
  N1  - one
  SP  - 10-20
  TI  - T
  UR  - https://a.example
  ER  -
chapter: {"type":"chapter","title":"T","page-first":"45"}
  TY  - CHAP
  TI  - T
  ER  -
END
