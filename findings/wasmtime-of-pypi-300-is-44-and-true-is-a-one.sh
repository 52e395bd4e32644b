#!/usr/bin/env bash
# wasmtime 50.0.1 (PyPI), a component as Python sees it; the component is made by componentize-py 0.25.1 (PyPI) and gives back what it gets.
# Behaviour: an integer that does not fit the type of a parameter is neither refused nor held at the bound: its lowest bits are sent. 300 for u8 is 44, -1 for u32 is 4294967295,
# 2**63 for s64 is its own negative. For a variant the kind of the Python value chooses the case, and True is an integer too: it goes as int(1)
# though a bool case is there, and a Variant that names that case is refused, so it can not be sent at all.
# Other kinds are strict: 3 for a float and 1 for a bool are errors, and so is a number out of range that the guest gives back.
# Seen:   u8 300: 44 / u32 -1: 4294967295 / s64 2**63: -9223372036854775808 / variant of int and flag, True: int(1)
# Expected by most: an error, and flag(True).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check wasmtime==50.0.1 componentize-py==0.25.1
mkdir wit
cat > wit/echo.wit <<'WIT'
package test:echo@0.1.0;
interface api {
  variant value { int(s64), flag(bool), text(string) }
  small: func(value: u8) -> u8;
  count: func(value: u32) -> u32;
  large: func(value: s64) -> s64;
  real: func(value: f64) -> f64;
  yes: func(value: bool) -> bool;
  seen: func(value: value) -> string;
}
world echo { export api; }
WIT
cat > app.py <<'PY'
class Api:
    def small(self, value): return value
    def count(self, value): return value
    def large(self, value): return value
    def real(self, value): return value
    def yes(self, value): return value
    def seen(self, value): return f'{type(value).__name__.split("_")[-1].lower()}({value.value!r})'
PY
env/bin/componentize-py -d wit -w echo componentize --stub-wasi app -o echo.wasm > /dev/null
cat > run.py <<'PY'
import importlib.metadata
from wasmtime import Engine, Store, component

print('wasmtime', importlib.metadata.version('wasmtime'))
engine = Engine()
compiled = component.Component.from_file(engine, 'echo.wasm')
for name, value in [('small', 255), ('small', 256), ('small', 300), ('count', -1), ('count', 2**32 + 5), ('large', 2**63), ('real', 3), ('yes', 1),
                    ('seen', 7), ('seen', True), ('seen', 2**64 + 7), ('seen', 'x'), ('seen', component.Variant('flag', True))]:
    store = Store(engine)
    instance = component.Linker(engine).instantiate(store, compiled)
    api = instance.get_export_index(store, 'test:echo/api@0.1.0')
    try: got = instance.get_func(store, instance.get_export_index(store, name, api))(store, value)
    except Exception as error: got = f'{type(error).__name__}: {error}'
    shown = value if not isinstance(value, component.Variant) else f'Variant {value.tag} {value.payload}'
    print(f'{name} {shown}: {got}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
wasmtime 50.0.1
small 255: 255
small 256: 0
small 300: 44
count -1: 4294967295
count 4294967301: 5
large 9223372036854775808: -9223372036854775808
real 3: TypeError: expected float for F64 type
yes 1: TypeError: expected bool for Bool type
seen 7: int(7)
seen True: int(1)
seen 18446744073709551623: int(7)
seen x: text('x')
seen Variant flag True: ValueError: value not valid for this variant
END
