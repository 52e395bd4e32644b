#!/usr/bin/env bash
# ast-outline 1.9.0 (PyPI), the commands outline and show.
# Behaviour: functions that stand below try or except (or if), inside a function or in a namespace of TypeScript are in no outline, and nothing says that something was left out.
# show says of them "symbol not found", though the file defines them. The usual fallbacks for a missing module are of this kind. Of an overloaded function only the last head is there,
# the one that callers can not use. A variable with a lambda in it is listed without a hint that it is a function. grep finds all of them.
# Seen:   read_toml below try and except: not in the outline, "symbol not found" / area(side: string), area(side: number): only area(side: any) / grep read_toml: both
# Expected by most: every function of the file with its lines, above all those of which there are two.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ast-outline==1.9.0
cat > load.py <<'PY'
try:
    import tomllib

    def read_toml(path):
        return tomllib.load(path)
except ImportError:
    def read_toml(path):
        return {}

def outer(x):
    def helper(y):
        return y + 1
    return helper(x)

double = lambda n: 2 * n
PY
cat > shapes.ts <<'TS'
export function area(side: string): string;
export function area(side: number): number;
export function area(side: any): any { return side; }
export namespace Units {
  export function toMetres(feet: number) { return feet * 0.3048; }
}
TS
{
  env/bin/pip list --disable-pip-version-check 2>/dev/null | grep '^ast-outline' | tr -s ' '
  env/bin/ast-outline load.py shapes.ts
  for name in read_toml helper; do echo "-- show $name"; env/bin/ast-outline show load.py $name 2>&1 || true; done
  echo '-- show toMetres'; env/bin/ast-outline show shapes.ts toMetres 2>&1 || true
  echo '-- grep'; env/bin/ast-outline grep read_toml load.py 2>&1 || true
} | sed 's/[[:space:]]*$//' | tee out
diff out - <<'END'
ast-outline 1.9.0
# load.py [tiny] (16 lines, ~62 tokens, 1 methods, 1 fields)
def outer(x)  L10-13

double  L15


# shapes.ts [tiny] (7 lines, ~59 tokens, 1 methods)
export function area(side: any): any  L3

-- show read_toml
# note: symbol not found: read_toml in load.py
-- show helper
# note: symbol not found: helper in load.py
-- show toMetres
# note: symbol not found: toMetres in shapes.ts
-- grep
# load.py (2 matches)

## matches
  > L4: def read_toml(path):
  > L7: def read_toml(path):
END
