#!/usr/bin/env bash
# repomix 1.18.1 (npm), which packs a repository into one file for a model, with --remove-comments. Its guide calls this conservative, so as not to remove code.
# Behaviour: code goes that a reader then misses. Of Python each text in three quotes at the beginning of a line is taken for documentation, also where it is a
# value: lists of queries and arguments are empty. Behind the # of an f-string or r-string the line is cut. The line of a PHP attribute goes, with the method behind it. In
# CSS an address that begins with // ends the line, and so does http:// in the text of JSX, and in a string behind a regular expression that has a quote in it.
# The first line #! of a script goes too. None of it leaves a mark.
# Seen:   [ """SELECT 1""", ]: [ , ] / f"{n} # items": f"{n} / #[Deprecated] public function f() {}: nothing / url(//x.y/z.png); color: red; }: url(
# Expected by most: comments are gone, code is left, and where the tool is not sure a comment stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts repomix@1.18.1 2> /dev/null
mkdir code; cd code
cat > a.py <<'PY'
#!/usr/bin/env python3
queries = [
    """SELECT 1""",
]
run(
    """SELECT 2"""
)
a = f"{n} # items"
b = "x # y"  # gone
PY
cat > b.php <<'PHP'
<?php
class A {
  #[Deprecated] public function f() {}
  public function g() {} # gone
}
PHP
cat > c.css <<'CSS'
a { background: url(//x.y/z.png) no-repeat; color: red; }
b { color: #fff; } /* gone */
CSS
cat > d.jsx <<'JSX'
export const A = () => <p>see http://x.y/z now</p>;
const url = 'http://x.y'; // gone
JSX
cat > e.js <<'JS'
const re = /'/g; const u = 'http://x.y';
JS
cd ..
node node_modules/repomix/bin/repomix.cjs code --remove-comments --style plain --no-security-check --no-file-summary --no-directory-structure -o packed.txt > log 2>&1 || { cat log; exit 1; }
echo "repomix $(node -p "JSON.parse(require('fs').readFileSync('node_modules/repomix/package.json')).version")"
sed -n '/^File: /,/^End of/p' packed.txt | grep -vE '^(=+|End of.*|)$' | tee out
diff out - <<'END'
File: a.py
queries = [
    ,
]
run(
)
a = f"{n}
b = "x # y"
File: b.php
<?php
class A {
  public function g() {}
}
File: c.css
a { background: url(
b { color: #fff; }
File: d.jsx
export const A = () => <p>see http:
const url = 'http://x.y';
File: e.js
const re = /'/g; const u = 'http:
END
