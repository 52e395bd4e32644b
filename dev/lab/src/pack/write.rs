//! Makes a pack of phrases.

use std::collections::{BTreeMap, BinaryHeap};

use weir_component::search::pack::is_stop_word;
use weir_component::search::pack::key::Key;
use weir_component::search::pack::read::{CODE_MAX_BITS, MAGIC};

use super::ByTool;

/// Phrases of one tool that a pack keeps.
const PHRASES_MAX: usize = 3;
/// Bytes of a word that is kept.
const WORD_MAX_BYTES: usize = 15;

/// Whether a file of `dev/training/phrases` is a source of the pack: phrases of invented tools are for training alone.
pub(super) fn is_source(file: &str) -> bool {
    file == "real.jsonl" || file.starts_with("pack-") && file.ends_with(".jsonl")
}

/// Phrases by tool, from files with a line of JSON for each tool: `{"server", "tool", "q": [phrases]}`.
///
/// # Errors
/// A line that is none.
pub(super) fn read_phrases<'a>(
    files: impl Iterator<Item = &'a str>,
) -> Result<ByTool<Vec<String>>, String> {
    #[derive(serde::Deserialize)]
    struct Line {
        server: String,
        tool: String,
        q: Vec<String>,
    }
    let mut phrases = ByTool::<Vec<String>>::new();
    for line in files.flat_map(str::lines).filter(|line| !line.trim().is_empty()) {
        let Line { server, tool, q } =
            serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        phrases.entry((server, tool)).or_default().extend(q);
    }
    Ok(phrases)
}

/// Keys by tool, from a file with four columns: server, tool, and the two parts of the key in hexadecimal.
///
/// # Errors
/// A line that has none.
pub(super) fn read_keys(text: &str) -> Result<ByTool<Key>, String> {
    let mut keys = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let key = |name: &str, signature: &str| {
            let name = u32::from_str_radix(name, 16).ok()?;
            Some(Key { name, signature: u64::from_str_radix(signature, 16).ok()? })
        };
        let parts: Vec<&str> = line.split('\t').collect();
        let [server, tool, name, signature] = parts[..] else {
            return Err(format!("not four columns: {line}"));
        };
        let key = key(name, signature).ok_or_else(|| format!("no key: {line}"))?;
        keys.insert((server.to_owned(), tool.to_owned()), key);
    }
    Ok(keys)
}

/// The pack of the tools that have phrases and a key.
pub(super) fn assemble(phrases: ByTool<Vec<String>>, keys: &ByTool<Key>) -> Vec<u8> {
    let mut tools: BTreeMap<Key, Vec<String>> = BTreeMap::new();
    for (of, phrases) in phrases {
        if let Some(key) = keys.get(&of) {
            tools.entry(*key).or_default().extend(phrases);
        }
    }
    write(&tools)
}

/// A pack of these tools' phrases. Of each tool the first phrases count, and of them the words without a
/// digit, which would be made-up details, and without stop words, which no tool is found by. The same tools
/// give the same bytes.
pub(super) fn write(tools: &BTreeMap<Key, Vec<String>>) -> Vec<u8> {
    let tools: Vec<(&Key, Vec<Vec<String>>)> = tools
        .iter()
        .map(|(key, phrases)| (key, kept(phrases)))
        .filter(|(_, p)| !p.is_empty())
        .collect();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for phrase in tools.iter().flat_map(|(_, phrases)| phrases) {
        phrase.iter().for_each(|word| *counts.entry(word).or_default() += 1);
        *counts.entry("").or_default() += 1;
    }
    let lengths = code_lengths(&counts.values().copied().collect::<Vec<_>>());
    let mut words: Vec<(&str, usize)> = counts.keys().copied().zip(lengths).collect();
    words.sort_by_key(|&(word, length)| (length, word));

    let mut codes: BTreeMap<&str, (u32, usize)> = BTreeMap::new();
    let mut by_length = [0u16; CODE_MAX_BITS];
    let mut front_coded = Vec::new();
    let (mut code, mut code_length, mut before) = (0u32, 0, "");
    for &(word, length) in &words {
        code <<= length - code_length;
        code_length = length;
        codes.insert(word, (code, length));
        code += 1;
        by_length[length - 1] += 1;
        let shared = word.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count().min(15);
        front_coded.push((shared << 4 | (word.len() - shared)) as u8);
        front_coded.extend(&word.as_bytes()[shared..]);
        before = word;
    }

    let mut phrases = Vec::new();
    let mut encoded: Vec<(&Key, usize)> = Vec::new();
    for (key, of_tool) in &tools {
        let mut of_tool = of_tool.as_slice();
        // A length is one byte: what is longer loses its last phrases.
        let bytes = loop {
            let bytes = encode(of_tool, &codes);
            match of_tool.split_last() {
                Some((_, fewer)) if bytes.len() > 255 => of_tool = fewer,
                _ => break bytes,
            }
        };
        if !of_tool.is_empty() {
            encoded.push((key, bytes.len()));
            phrases.extend(bytes);
        }
    }
    let mut pack = MAGIC.to_vec();
    for number in [encoded.len(), words.len(), front_coded.len()] {
        pack.extend((number as u32).to_le_bytes());
    }
    by_length.iter().for_each(|count| pack.extend(count.to_le_bytes()));
    pack.extend(front_coded);
    encoded.iter().for_each(|(key, _)| pack.extend(key.name.to_le_bytes()));
    encoded.iter().for_each(|(key, _)| pack.extend(key.signature.to_le_bytes()));
    pack.extend(encoded.iter().map(|&(_, bytes)| bytes as u8));
    pack.extend(phrases);
    pack
}

/// The phrases that are kept, as words: those with fewer details before those with more.
fn kept(phrases: &[String]) -> Vec<Vec<String>> {
    let mut phrases: Vec<&String> = phrases.iter().collect();
    phrases.sort_by_cached_key(|phrase| phrase.chars().any(|c| c.is_ascii_digit()));
    let words = |phrase: &String| {
        let words = phrase.split(|c: char| !c.is_alphanumeric());
        let plain = |word: &&str| {
            (1..=WORD_MAX_BYTES).contains(&word.len())
                && word.bytes().all(|b| b.is_ascii_alphabetic())
        };
        let words = words.filter(plain).map(str::to_ascii_lowercase);
        words.filter(|word| !is_stop_word(word)).collect::<Vec<_>>()
    };
    let mut kept: Vec<Vec<String>> = Vec::new();
    for words in phrases.into_iter().map(words).filter(|words| (1..64).contains(&words.len())) {
        if !kept.contains(&words) && kept.len() < PHRASES_MAX {
            kept.push(words);
        }
    }
    kept
}

fn encode(phrases: &[Vec<String>], codes: &BTreeMap<&str, (u32, usize)>) -> Vec<u8> {
    let mut bits = Vec::new();
    let mut push =
        |code: u32, length: usize| bits.extend((0..length).rev().map(|at| code >> at & 1));
    push(phrases.len().saturating_sub(1) as u32, 2);
    for phrase in phrases {
        for word in phrase.iter().map(String::as_str).chain([""]) {
            let (code, length) = codes.get(word).copied().unwrap_or_default();
            push(code, length);
        }
    }
    bits.chunks(8)
        .map(|byte| (0..8).fold(0, |all, at| all << 1 | byte.get(at).map_or(0, |bit| *bit as u8)))
        .collect()
}

/// How long the Huffman code of each is that is seen so often.
fn code_lengths(counts: &[u64]) -> Vec<usize> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = huffman(&counts);
        if lengths.iter().all(|length| *length <= CODE_MAX_BITS) {
            return lengths;
        }
        // Nearer to each other, so that the longest gets shorter.
        counts.iter_mut().for_each(|count| *count = *count / 2 + 1);
    }
}

fn huffman(counts: &[u64]) -> Vec<usize> {
    let mut parents = vec![usize::MAX; counts.len()];
    let mut heap: BinaryHeap<_> =
        counts.iter().enumerate().map(|(at, count)| std::cmp::Reverse((*count, at))).collect();
    while let (Some(a), Some(b)) = (heap.pop(), heap.pop()) {
        let at = parents.len();
        parents.push(usize::MAX);
        (parents[a.0.1], parents[b.0.1]) = (at, at);
        if heap.is_empty() {
            break;
        }
        heap.push(std::cmp::Reverse((a.0.0 + b.0.0, at)));
    }
    let mut depths = vec![0usize; parents.len()];
    for at in (0..parents.len()).rev() {
        if let Some(above) = depths.get(parents[at]) {
            depths[at] = above + 1;
        }
    }
    // One word alone has a code too.
    depths.truncate(counts.len());
    depths.into_iter().map(|depth| depth.max(1)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use weir_component::search::pack::key::{name, signature};
    use weir_component::search::pack::read::Pack;

    fn texts(phrases: &[&str]) -> Vec<String> {
        phrases.iter().map(|phrase| (*phrase).to_owned()).collect()
    }

    #[test]
    fn what_is_written_is_read_for_the_tool_it_was_written_for() {
        let key = |own: &str, text: &str| Key { name: name(own), signature: signature(text, "") };
        let (issue, mail) = ("Create an issue in a repository", "Send a mail to somebody");
        let tools = BTreeMap::from([
            (
                key("create", issue),
                texts(&["Report the bug!", "on repo 77 open 'x1'", "file ticket"]),
            ),
            (key("create", mail), texts(&["write to Jo", "write jo"])),
            (key("gone", ""), texts(&["77"])),
        ]);
        let bytes = write(&tools);
        let pack = Pack::read(&bytes).unwrap();
        let of = |own: &str, text: &str| pack.phrases([own].into_iter(), text, "");
        assert_eq!(of("create", issue), Some(texts(&["report bug", "file ticket", "repo open"])));
        assert_eq!(of("mcp__x__create", mail), Some(texts(&["write jo"])));
        assert_eq!(of("create", "Draw a picture of a house"), None);
        assert_eq!(of("other", issue), None);
        assert_eq!(pack.len(), 2);
    }

    #[test]
    fn the_pack_is_what_its_sources_make() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../training/phrases");
        let mut files: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| is_source(&path.file_name().unwrap().to_string_lossy()));
        files.sort();
        let texts: Vec<String> =
            files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
        let keys = std::fs::read_to_string(format!("{folder}/keys.tsv")).unwrap();
        let phrases = read_phrases(texts.iter().map(String::as_str)).unwrap();
        let made = assemble(phrases, &read_keys(&keys).unwrap());
        let shipped = include_bytes!("../../../../component/data/phrases.pack");
        assert!(made == shipped, "run `weir-lab pack make`, see dev/training/README.md");
    }

    #[test]
    fn an_empty_pack_is_one_and_other_bytes_are_none() {
        let bytes = write(&BTreeMap::new());
        assert!(Pack::read(&bytes).is_some_and(|pack| pack.is_empty()));
        assert!(Pack::read(b"").is_none() && Pack::read(b"WPHR2").is_none());
    }

    proptest! {
        #[test]
        fn every_phrase_comes_back_and_damage_breaks_nothing(
            tools in proptest::collection::btree_map(
                (any::<u32>(), any::<u64>()),
                proptest::collection::vec("[qxz]{1,15}( [qxz]{1,9}){0,6}", 1..=3), 0..20),
            at in any::<prop::sample::Index>(), byte in any::<u8>(),
        ) {
            let mut tools: BTreeMap<Key, Vec<String>> = tools.into_iter()
                .map(|((name, signature), phrases)| (Key { name, signature }, phrases)).collect();
            for phrases in tools.values_mut() {
                let mut seen = Vec::new();
                phrases.retain(|phrase| !seen.contains(phrase) && { seen.push(phrase.clone()); true });
            }
            let mut bytes = write(&tools);
            let pack = Pack::read(&bytes).unwrap();
            for (at, (key, phrases)) in tools.iter().enumerate() {
                prop_assert_eq!(pack.key(at), Some(*key));
                prop_assert_eq!(pack.phrases_at(at), Some(phrases.clone()));
            }
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Some(pack) = Pack::read(&bytes) {
                (0..pack.len().min(100)).for_each(|at| { pack.phrases_at(at); });
            }
            Pack::read(&bytes[..at]);
        }
    }
}
