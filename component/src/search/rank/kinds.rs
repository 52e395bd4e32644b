//! What kind of thing a query names: `PROJ-482` is an issue, `jana@example.com` an address, Munich a city.
//!
//! People name things and tools name kinds. The form of a name says more about its kind than its letters do, and a
//! rare noun says nothing where no tool has it; dev/lab/measurements.md has what both are worth.

use crate::search::rank::service_names::is_one_of;
use crate::search::text::listed::Listed;

/// Something that a query names.
pub(crate) struct Named<'t> {
    /// As written, without the marks around it.
    pub(crate) text: &'t str,
    /// Words for its kind, which spaces divide.
    pub(crate) kind: &'static str,
    /// Whether it is an everyday noun. Otherwise its form tells its kind.
    pub(crate) is_noun: bool,
}

/// Endings of names of files.
static FILES: Listed = Listed::new(
    "csv doc docx gif gz htm html ipynb java jpeg jpg js json log md mov mp3 mp4 pdf png ppt pptx py rs sql svg tar \
    toml ts tsv txt wav xls xlsx xml yaml yml zip",
);

/// What stands before a hyphen and a number and is the name of no project: of standards, products, an illness.
static NO_PROJECTS: Listed = Listed::new("covid din en gpt http iec ieee iso mp rfc sha utf");

/// Everyday nouns: in each line the words for a kind, a colon, and what is of that kind.
const NOUNS: &str = include_str!("../../../data/kinds.txt");

/// What ids of well-known services begin with: in each line the words for a kind, a colon, and the beginnings.
const IDS: &str = include_str!("../../../data/ids.txt");

/// Characters in the shortest rest of an id behind a beginning that words have as well: `in_`, `sub_`.
const ID_REST_MIN: usize = 4;

/// What `text` names by its form, and what by a noun where `nouns` are asked for.
pub(crate) fn kinds(text: &str, nouns: bool) -> Vec<Named<'_>> {
    let marks = |c: char| !c.is_alphanumeric() && !matches!(c, '#' | '!' | '+' | '*');
    let tokens: Vec<&str> =
        text.split_whitespace().map(|token| token.trim_matches(marks)).collect();
    let mut named = Vec::new();
    for (at, text) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        if let Some(kind) = form_kind(text).or_else(|| pair_kind(text, next)) {
            named.push(Named { text, kind, is_noun: false });
        } else if nouns && let Some(kind) = noun_kind(text) {
            named.push(Named { text, kind, is_noun: true });
        }
    }
    named
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn starts_with_letter(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// What the form of one word says.
fn form_kind(token: &str) -> Option<&'static str> {
    if token.starts_with("https://") || token.starts_with("http://") {
        return Some("web page url");
    }
    if let Some(kind) = id_kind(token) {
        return Some(kind);
    }
    if let Some((before, after)) = token.split_once('#') {
        let (owner, name) = before.split_once('/').unwrap_or_default();
        return match before {
            "" if is_number(after) => Some("issue"),
            "" if starts_with_letter(after) => Some("channel message"),
            _ if owner.is_empty() || name.is_empty() || !is_number(after) => None,
            _ => Some("repository issue pull request"),
        };
    }
    if let Some((person, host)) = token.split_once('@') {
        let (host, top) = host.rsplit_once('.')?;
        let is_address = ![person, host].contains(&"") && top.len() > 1 && starts_with_letter(top);
        return is_address.then_some("email");
    }
    if token.strip_prefix('!').is_some_and(is_number) {
        return Some("merge request");
    }
    if token.strip_prefix('+').is_some_and(|rest| rest.len() > 1 && is_number(rest)) {
        return Some("phone contact");
    }
    if let Some((project, number)) = token.split_once('-')
        && (2..=10).contains(&project.len())
        && project.bytes().all(|b| b.is_ascii_uppercase())
        && is_number(number)
    {
        return (number.len() < 7 && !NO_PROJECTS.has(project)).then_some("issue");
    }
    let parts = token.split('.');
    if parts.clone().count() == 4 && parts.clone().all(|part| part.len() < 4 && is_number(part)) {
        return Some("ip address");
    }
    let is_hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    if (7..=40).contains(&token.len()) && token.bytes().all(is_hex) && !is_number(token) {
        return token.bytes().any(|b| b.is_ascii_digit()).then_some("commit");
    }
    let (name, ending) = token.rsplit_once('.')?;
    (!name.is_empty() && FILES.has(ending)).then_some("file")
}

/// What the beginning of an id says: `i-0abc12345`, `arn:aws:s3:::logs`, `pod/web-1`.
fn id_kind(token: &str) -> Option<&'static str> {
    let is_id = |start: &str| {
        let Some(rest) = token.strip_prefix(start) else { return false };
        match start.ends_with(['-', '_']) {
            true => {
                let is_part =
                    |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
                let has_digit = rest.bytes().any(|byte| byte.is_ascii_digit());
                rest.len() >= ID_REST_MIN && has_digit && rest.bytes().all(is_part)
            }
            false => !rest.is_empty(),
        }
    };
    // All have a digit behind their beginning, or one of these signs in it.
    if !token.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'/')) {
        return None;
    }
    let mut kinds = IDS.lines().filter_map(|line| line.split_once(": "));
    kinds.find(|(_, starts)| starts.split(' ').any(is_id)).map(|(kind, _)| kind)
}

/// What the forms of two words that follow each other say.
fn pair_kind(first: &str, second: &str) -> Option<&'static str> {
    // Two decimals at least: "1.5" is rather a version.
    let is_degrees = |token: &str| {
        token.split_once('.').is_some_and(|(_, decimals)| decimals.len() > 1)
            && token.parse::<f32>().is_ok_and(|degrees| degrees.abs() <= 180.0)
    };
    match (first, second) {
        ("SELECT" | "UPDATE", _)
        | ("INSERT", "INTO")
        | ("DELETE", "FROM")
        | ("CREATE" | "DROP" | "ALTER", "TABLE") => Some("run sql query"),
        _ if is_degrees(first) && is_degrees(second) => Some("location coordinates"),
        _ => None,
    }
}

/// What an everyday noun is, in the singular or with an `s` behind it.
fn noun_kind(token: &str) -> Option<&'static str> {
    let one = token.strip_suffix('s').unwrap_or(token);
    let mut kinds = NOUNS.lines().filter_map(|line| line.split_once(": "));
    kinds.find(|(_, nouns)| is_one_of(token, nouns) || is_one_of(one, nouns)).map(|(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{NOUNS, kinds, noun_kind};

    fn of(text: &str) -> Vec<&str> {
        kinds(text, true).into_iter().map(|named| named.kind).collect()
    }

    #[test]
    fn the_form_of_a_name_tells_its_kind() {
        for (text, kind) in [
            ("PROJ-482", "issue"),
            ("close #31, please", "issue"),
            ("\"acme/web#214\"", "repository issue pull request"),
            ("!410 is good to go", "merge request"),
            ("#standup: I'm off", "channel message"),
            ("from:booking@example.com", "email"),
            ("open https://example.com/a?b=1", "web page url"),
            ("find *.pdf", "file"),
            ("Q3-budget.XLSX", "file"),
            ("+49 171 5552031", "phone contact"),
            ("ping 10.0.3.7.", "ip address"),
            ("revert 4f9c2d1", "commit"),
            ("stop i-0abc12345", "instance"),
            ("refund pi_3MtwBwLkdIwHu7ix", "payment intent"),
            ("who may use arn:aws:s3:::logs?", "resource"),
            ("patch CVE-2024-3094", "vulnerability advisory"),
            ("logs of pod/web-7f9", "pod"),
            ("go to 48.137, 11.575", "location coordinates"),
            ("DELETE FROM sessions", "run sql query"),
            ("UPDATE plans SET price = 9", "run sql query"),
        ] {
            assert_eq!(of(text), [kind], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_name_is_none() {
        let none = "GPT-4 UTF-8 v1.2.3 1.5 2026-11-27 A-1 X-ray # ! + @ a@b C# F# and/or#x file. .pdf deadbeef 1234567 \
            i-am in_progress i-9 arn: pod/ sg-rules vol-77 in_x.y1 \
            select update delete drop e.g. user@ @user -5 1.2.3.4.5 300.1234.1.1";
        for token in none.split(' ') {
            assert!(of(token).is_empty(), "{token}: {:?}", of(token));
        }
    }

    #[test]
    fn everyday_nouns_have_kinds_and_each_has_one() {
        for (text, kind) in [
            ("weather in Munich?", "city location place"),
            ("is there a pharmacy", "place location"),
            ("the kitchen lights", "device"),
            ("200 euros", "currency"),
        ] {
            assert_eq!(of(text), [kind], "{text}");
            assert!(kinds(text, false).is_empty());
        }
        let named = kinds("PROJ-1 in Oslo", true);
        assert_eq!(
            named.iter().map(|n| (n.text, n.is_noun)).collect::<Vec<_>>(),
            [("PROJ-1", false), ("Oslo", true)]
        );
        for line in NOUNS.lines() {
            let (kind, nouns) = line.split_once(": ").unwrap();
            assert!(
                nouns.split(' ').all(|noun| !noun.is_empty() && noun_kind(noun).is_some()),
                "{kind}"
            );
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read(text in "\\PC{0,80}", odd in "[#!@+*./:-]{0,6}[0-9a-fA-Z]{0,9}[#@.-]{0,3}[0-9]{0,4}") {
            for named in kinds(&format!("{text} {odd}"), true) {
                prop_assert!(text.contains(named.text) || odd.contains(named.text) || named.text.contains(&odd));
            }
        }
    }
}
