#!/usr/bin/env bash
# rtf-parser 0.4.3 (crates.io), RtfDocument and get_text(); striprtf 0.0.35 (PyPI) reads the same documents.
# Behaviour: a blank that must not break (\~), a fixed hyphen (\_) or a soft one (\-) takes with it all the text that follows, up to the next command.
# So "10\~000 euro for 3 days" is 10. The end of a paragraph (\par) gives neither a line break nor a blank, so two paragraphs stick together. The sign that
# stands after \u for old readers takes the text up to the next command with it, when it is a question mark.
# Seen:   it costs 10 / first linesecond line / price 500 net
# Expected by most: it costs 10 000 euro for 3 days / two lines / price € 500 net.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
rtf-parser = "=0.4.3"
TOML
cat > src/main.rs <<'RS'
use rtf_parser::RtfDocument;

fn main() {
    let path = std::env::args().nth(1).unwrap();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let text = format!(r"{{\rtf1\ansi {line}}}");
        println!("{line}\n    rtf-parser: {:?}", RtfDocument::try_from(text.as_str()).unwrap().get_text());
    }
}
RS
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check striprtf==0.0.35
cat > lines <<'RTF'
it costs 10\~000 euro for 3 days
a well\_known co\-operation of two
first line\par second line\par
price \u8364? 500 net
price \u8364\'80 500 net
shown {\v hidden }end
RTF
cat > run.py <<'PY'
from striprtf.striprtf import rtf_to_text
for line in open('lines').read().splitlines():
    print(f'    striprtf:   {rtf_to_text("{" + chr(92) + "rtf1" + chr(92) + "ansi " + line + "}")!r}')
PY
nice -n 19 cargo build --quiet -j1
grep -A1 '"rtf-parser"' Cargo.lock
nice -n 19 cargo run --quiet lines > out; env/bin/python run.py >> out; cat out
diff out - <<'END'
it costs 10\~000 euro for 3 days
    rtf-parser: "it costs 10"
a well\_known co\-operation of two
    rtf-parser: "a well"
first line\par second line\par
    rtf-parser: "first linesecond line"
price \u8364? 500 net
    rtf-parser: "price 500 net"
price \u8364\'80 500 net
    rtf-parser: "price € 500 net"
shown {\v hidden }end
    rtf-parser: "shown hidden end"
    striprtf:   'it costs 10\xa0000 euro for 3 days'
    striprtf:   'a well‑known co\xadoperation of two'
    striprtf:   'first line\nsecond line\n'
    striprtf:   'price € 500 net'
    striprtf:   'price € 500 net'
    striprtf:   'shown hidden end'
END
