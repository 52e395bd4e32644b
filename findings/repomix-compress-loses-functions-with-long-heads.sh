#!/usr/bin/env bash
# repomix 1.18.1 (npm), which packs a repository into one file for a model, with --compress (also a parameter of its MCP server), which by its guide keeps the
# signatures of functions and classes and leaves out what is in them.
# Behaviour: a function of Python whose head goes over several lines, as formatters write each long one, is not there at all, __init__ neither. Its documentation is, behind
# the function before it, as if it were that one's. In Rust and Java the first line of such a head is all that is left, no parameter, no type of
# the result, and a constructor of Java is gone. In TypeScript heads are whole, but exported constants and members of classes that hold functions are gone.
# Seen:   one(a), several(<lines>), get(self, key): one, "Doc of several.", get / Rust: pub fn several( / TypeScript: schema, LIMIT, handler gone
# Expected by most: all signatures, whole.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts repomix@1.18.1 2> /dev/null
mkdir code; cd code
cat > a.py <<'PY'
def one(a: int) -> str:
    return a


def several(
    a: int,
    b: str = "x",
) -> str:
    """Doc of several."""
    return b


class Store:
    def __init__(
        self,
        size: int,
    ):
        self.size = size

    def get(self, key):
        return None
PY
cat > b.rs <<'RS'
pub fn several(
    a: u32,
    b: u32,
) -> Result<u32, String> {
    compute(a, b)
}
RS
cat > c.java <<'JAVA'
public class J {
  public J(
      int a) {
    this.a = a;
  }
  public String find(
      String key,
      int n) throws IOException {
    return key;
  }
}
JAVA
cat > d.ts <<'TS'
export const LIMIT = 500;
export const schema = z.object({ id: z.string() });
export class Store {
  handler = async (a: number) => {
    return 1;
  };
  find(
    key: string,
  ): string {
    return key;
  }
}
TS
cd ..
node node_modules/repomix/bin/repomix.cjs code --compress --style plain --no-security-check --no-file-summary --no-directory-structure -o packed.txt > log 2>&1 || { cat log; exit 1; }
echo "repomix $(node -p "JSON.parse(require('fs').readFileSync('node_modules/repomix/package.json')).version")"
sed -n '/^File: /,/^End of/p' packed.txt | grep -vE '^(=+|End of.*|⋮-*|)$' | tee out
diff out - <<'END'
File: a.py
def one(a: int) -> str
"""Doc of several."""
class Store
def get(self, key)
File: b.rs
pub fn several(
compute(a, b)
File: c.java
public class J {
public String find(
File: d.ts
export class Store
find(
    key: string,
): string
END
