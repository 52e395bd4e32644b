#!/usr/bin/env bash
# PyPI code-index-mcp 2.17.1, an MCP server that lists and finds the symbols of a project, asked over stdio.
# Behaviour: of a TypeScript file get_file_summary names plain functions alone. Classes and all their methods are missing, and "symbol_count" counts what is left; the same text as .js has them.
# Interfaces are listed among the functions. Of two things with one name one is left: the second of two Java methods, one of two Go methods "Get" of different types, the setter of a Python property.
# get_symbol_body then gives that one as a success; of Go it runs to the end of the file, of Python it leaves the decorators out. In search_code_advanced lines of context count as matches.
# Seen:   shop.ts: 1 symbol, shop.js: 3 / Shop.sell: the one with a String / Get: that of B, and the function behind it / "total_matches" of one match with 2 lines of context: 5
# Expected by most: the same symbols for both, or a word that classes are left out; an error for a name that is not clear, as there is for Python's methods; 1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check code-index-mcp==2.17.1
mkdir code
cat > code/shop.js <<'JS'
export class Shop {
  sell(n) { return n; }
}
export function open() { return 1; }
JS
cp code/shop.js code/shop.ts
cat > code/item.ts <<'TS'
export interface Item { id: number }
export const add = (a: number, b: number): number => a + b;
TS
cat > code/Shop.java <<'JAVA'
public class Shop {
    public int sell(int n) {
        return n;
    }
    public int sell(String name) {
        return 0;
    }
}
JAVA
cat > code/shop.go <<'GO'
package shop

type A struct{}
type B struct{}

func (a A) Get() int { return 1 }

func (b B) Get() int { return 2 }

func Other() int { return 3 }
GO
cat > code/shop.py <<'PY'
class Shop:
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value


@cached(seconds=5)
def fetch(url):
    return url
PY
seq 1 9 | sed 's/^/line /' > code/lines.txt
cat > run.py <<'PY'
import json
import os
import subprocess

server = subprocess.Popen(['env/bin/code-index-mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
count = 0


def ask(method, params):
    global count
    count += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': count, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == count:
            return json.loads(line)['result']


def call(name, **values):
    return ask('tools/call', {'name': name, 'arguments': values})['content'][0]['text']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
call('set_project_path', path=os.path.abspath('code'))
call('build_deep_index')
for name in ('shop.js', 'shop.ts', 'item.ts', 'Shop.java', 'shop.go', 'shop.py'):
    summary = json.loads(call('get_file_summary', file_path=name))
    print(f'{name}: {summary["symbol_count"]} symbols;', '; '.join(f'{kind} {" ".join(sorted(item["name"] for item in summary[kind]))}' for kind in ('classes', 'functions', 'methods') if summary[kind]))
for name, symbol in (('Shop.java', 'Shop.sell'), ('shop.go', 'Get'), ('shop.py', 'size'), ('shop.py', 'fetch'), ('shop.ts', 'Shop')):
    body = json.loads(call('get_symbol_body', file_path=name, symbol_name=symbol))
    print(f'{name} {symbol}: {body["status"]} {body.get("code", "")!r}')
for lines in (0, 2):
    print(f'"line 5" with {lines} lines of context: total_matches', json.loads(call('search_code_advanced', pattern='line 5', file_pattern='*.txt', context_lines=lines))['pagination']['total_matches'])
server.kill()
PY
env/bin/python -c "import importlib.metadata as m; print('code-index-mcp', m.version('code-index-mcp'))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
shop.js: 3 symbols; classes Shop; functions open; methods Shop.sell
shop.ts: 1 symbols; functions open
item.ts: 2 symbols; functions Item add
Shop.java: 2 symbols; classes Shop; methods Shop.sell
shop.go: 4 symbols; functions A B Other; methods Get
shop.py: 3 symbols; classes Shop; functions Shop.size fetch
Shop.java Shop.sell: success '    public int sell(String name) {\n        return 0;\n    }\n'
shop.go Get: success 'func (b B) Get() int { return 2 }\n\nfunc Other() int { return 3 }\n'
shop.py size: success '    def size(self, value):\n        self._size = value\n'
shop.py fetch: success 'def fetch(url):\n    return url\n'
shop.ts Shop: error ''
"line 5" with 0 lines of context: total_matches 1
"line 5" with 2 lines of context: total_matches 5
END
