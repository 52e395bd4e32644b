#!/usr/bin/env bash
# happy-dom 21.0.4 (npm), the DOM for tests, scrapers and agents' tools that read pages, as it is; jsdom 29.1.1 (npm) answers the same selectors beside it.
# Behaviour: querySelectorAll gives other elements for plain CSS, without an error. :empty finds each paragraph that holds text alone, :not(.t, :empty) therefore none. :checked does not know the
# selected <option>, and :not(:checked) gives it with the rest. :enabled, :optional, :read-only, :any-link, :link, :placeholder-shown and :lang() find nothing, and so does a class that does not exist
# (p:foo), where the standard wants an error. [type=text] does not find type="TEXT". What is found by p:not(div p) is the opposite.
# Seen:   p:empty: 4 of 4, jsdom 1 / option:checked: 0, jsdom 1 / a:any-link: 0, jsdom 1 / p:not(div p): 4, jsdom 0 / p:foo: 0, jsdom error
# Most would guess: what a browser gives, or an error for what is not supported.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund happy-dom@21.0.4 jsdom@29.1.1
cat > run.mjs <<'JS'
import { Window } from 'happy-dom';
import { JSDOM } from 'jsdom';
const page = `<!DOCTYPE html><html><body><div><p class="t">one</p><p class="t">two</p><p>three</p><p></p></div>
<select><option>a</option><option selected>b</option></select><input type="TEXT" name="q"><a href="/x" lang="en-US">link</a></body></html>`;
const { document } = new Window();
document.write(page);
const judge = new JSDOM(page).window.document;
const count = (root, selector) => { try { return root.querySelectorAll(selector).length; } catch { return 'error'; } };
for (const selector of ['p', 'p.t', 'p:empty', 'p:not(:empty)', 'p:not(.t, :empty)', 'p:not(div p)', 'option:checked', 'option:not(:checked)', 'input:enabled', 'input:optional', '[type=text]', 'a:any-link', 'a:lang(en)', 'p:foo', 'p:first-child', 'p:has(+ p)'])
  console.log(`${selector}: ${count(document, selector)}, jsdom ${count(judge, selector)}`);
process.exit(0);
JS
for name in happy-dom jsdom; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
p: 4, jsdom 4
p.t: 2, jsdom 2
p:empty: 4, jsdom 1
p:not(:empty): 0, jsdom 3
p:not(.t, :empty): 0, jsdom 1
p:not(div p): 4, jsdom 0
option:checked: 0, jsdom 1
option:not(:checked): 2, jsdom 1
input:enabled: 0, jsdom 1
input:optional: 0, jsdom 1
[type=text]: 0, jsdom 1
a:any-link: 0, jsdom 1
a:lang(en): 0, jsdom 1
p:foo: 0, jsdom error
p:first-child: 1, jsdom 1
p:has(+ p): 3, jsdom 3
END
