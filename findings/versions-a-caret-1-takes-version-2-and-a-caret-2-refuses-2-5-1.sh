#!/usr/bin/env bash
# versions 8.0.1 (crates.io), Requirement::matches(); semver 1.0.28 (crates.io) asked the same.
# Behaviour: a requirement is only compared with a version of the same number of parts. So "^2" and "^1.2" refuse 2.5.1 and 1.2.9, "~1.2" refuses
# 1.2.9, and "=1.0" is not 1.0.0. With the same number of parts a caret of one part takes any version above: "^1" takes 2 and 30.
# A caret also takes a release candidate of its own version, and "<2.0.0" takes 2.0.0-rc1. Only carets of three parts are as they are elsewhere.
# Seen:   ^2 of 2.5.1: no / ^1 of 2: yes / ~1.2 of 1.2.9: no / =1.0 of 1.0.0: no
# Expected by most: yes, no, yes, yes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
versions = "=8.0.1"
semver = "=1.0.28"
TOML
cat > src/main.rs <<'RS'
use versions::{Requirement, Versioning};

fn main() {
    let asked = [
        ("^1.2.3", "1.9.0"), ("^1.2", "1.2.9"), ("^1.2", "1.9.0"), ("^2", "2.5.1"), ("^1", "2"), ("^1", "30"), ("^1.2", "2.0"), ("~1.2", "1.2.9"),
        ("~1", "1.9.0"), ("~1", "2"), ("=1.0", "1.0.0"), (">=1.0.0", "1.0"), ("<2.0.0", "2.0.0-rc1"), ("^1.2.3", "1.2.3-rc1"),
    ];
    for (rule, version) in asked {
        let mine = Requirement::new(rule).unwrap().matches(&Versioning::new(version).unwrap());
        let full = format!("{version}{}", ["", ".0", ".0.0"][2 - version.split('-').next().unwrap().matches('.').count()]);
        let other = semver::VersionReq::parse(rule).unwrap().matches(&semver::Version::parse(&full).unwrap());
        let word = |found| if found { "yes" } else { "no" };
        println!("{rule} of {version}: {}; semver: {}", word(mine), word(other));
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"versions"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
^1.2.3 of 1.9.0: yes; semver: yes
^1.2 of 1.2.9: no; semver: yes
^1.2 of 1.9.0: no; semver: yes
^2 of 2.5.1: no; semver: yes
^1 of 2: yes; semver: no
^1 of 30: yes; semver: no
^1.2 of 2.0: no; semver: no
~1.2 of 1.2.9: no; semver: yes
~1 of 1.9.0: no; semver: yes
~1 of 2: no; semver: no
=1.0 of 1.0.0: no; semver: yes
>=1.0.0 of 1.0: no; semver: yes
<2.0.0 of 2.0.0-rc1: yes; semver: no
^1.2.3 of 1.2.3-rc1: yes; semver: no
END
