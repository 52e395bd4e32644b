//! The outline of XML: which elements there are.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::{List, Outline, lines_of};
use crate::content::marks::each_tag;
use crate::content::numbers::{counted, thousands};
use crate::content::show::one_line;
use crate::sort::sort_by;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

/// Names of elements that are counted apart.
const NAMES: usize = 512;

/// A name of elements.
struct Name {
    name: Vec<u8>,
    count: u64,
    // The first line that has it.
    line: u64,
}

pub(super) fn xml(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut names: BTreeMap<u64, Name> = BTreeMap::new();
    let mut root: Option<Vec<u8>> = None;
    let mut all = 0u64;
    let mut uncounted = 0u64;
    each_tag(source, false, |_, tag, line| {
        let Some(first) = tag.get(1) else { return };
        if !first.is_ascii_alphabetic() && *first != b'_' && *first < 0x80 {
            return;
        }
        all += 1;
        let len = tag[1..]
            .iter()
            .take_while(|&&b| {
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':' | 0x80..)
            })
            .count();
        let name = &tag[1..1 + len];
        if root.is_none() {
            root = Some(name.to_vec());
        }
        let hash = xxh3_64(name);
        if let Some(found) = names.get_mut(&hash) {
            found.count += 1;
        } else if names.len() < NAMES {
            names.insert(hash, Name { name: name.to_vec(), count: 1, line: line() });
        } else {
            uncounted += 1;
        }
    })?;
    let root = root.unwrap_or_default();
    let root = one_line(&String::from_utf8_lossy(&root), 40);
    let detail = format!("{} in {}", counted(all, "element"), lines_of(measure));
    let mut ranked: Vec<Name> = names.into_values().collect();
    sort_by(&mut ranked, |a, b| {
        b.count.cmp(&a.count).then(a.line.cmp(&b.line)).then(a.name.cmp(&b.name))
    });
    let mut list = List::new(match uncounted {
        0 => "names of elements",
        _ => "names of elements, those met first",
    });
    for Name { name, count, line } in ranked {
        let name = one_line(&String::from_utf8_lossy(&name), 60);
        list.push(|| format!("{} × <{name}> (first in line {line})", thousands(count)));
    }
    let mut lines = vec![format!("--- <{root}> ---")];
    if uncounted > 0 {
        lines.push(format!("--- {} elements have other names ---", thousands(uncounted)));
    }
    Ok(Outline { detail, lines, list, ..Outline::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::measure::Measurer;

    #[test]
    fn names_that_are_not_told_apart_are_said() {
        let of = |names: u64| {
            let text: String = (0..names).map(|n| format!("<a{n}/><a{n}/>\n")).collect();
            xml(&text.as_bytes(), &Measurer::of(text.as_bytes())).unwrap()
        };
        let all = of(NAMES as u64);
        assert_eq!((all.lines.len(), &*all.list.title), (1, "names of elements"));
        assert_eq!(all.detail, "1,024 elements in 512 lines");
        let more = of(NAMES as u64 + 5);
        assert_eq!(more.lines[1], "--- 10 elements have other names ---");
        assert_eq!(more.list.title, "names of elements, those met first");
    }
}
