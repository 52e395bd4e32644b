//! Content bytes as text that is safe to show.
//!
//! Printable characters are shown as they are. Bytes that are not UTF-8 are shown as `\xNN`; so are
//! control characters, and characters that are invisible or reorder text as `\u{N}`, so that what a
//! reader sees is what is there. Imitations of our own marks get a backslash ([`super::defang`]).

use crate::content::defang::imitates;
use crate::content::encoded;
use crate::content::numbers::thousands;
use crate::content::scan::tally;
use crate::source::{ReadError, Source, count_chars};
use weir_text::hidden::is_hidden;

/// How many characters `text` has.
pub fn width(text: &str) -> usize {
    count_chars(text.as_bytes()) as usize
}

fn push_shown(out: &mut String, c: char) {
    match c {
        '\t' => out.push(c),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        c if is_hidden(c) => {
            out.push_str(&if c < '\u{80}' {
                format!("\\x{:02x}", c as u32)
            } else {
                format!("\\u{{{:x}}}", c as u32)
            });
        }
        c => out.push(c),
    }
}

/// Calls `each` with every unit: the byte after it, and what is shown for it.
fn units(content: &[u8], mut each: impl FnMut(usize, &str) -> bool) {
    let mut at = 0;
    let mut shown = String::new();
    for chunk in content.utf8_chunks() {
        for c in chunk.valid().chars() {
            shown.clear();
            if matches!(c, 'w' | 'W') && imitates(content, at) {
                shown.push('\\');
            }
            push_shown(&mut shown, c);
            at += c.len_utf8();
            if !each(at, &shown) {
                return;
            }
        }
        for byte in chunk.invalid() {
            at += 1;
            if !each(at, &format!("\\x{byte:02x}")) {
                return;
            }
        }
    }
}

/// The first of `content` in at most `max_chars`, with how many of its bytes that shows.
pub fn shown_prefix(content: &[u8], max_chars: usize) -> (String, usize) {
    let mut out = String::new();
    let mut left = max_chars;
    let mut end = 0;
    units(content, |after, shown| {
        let chars = width(shown);
        if chars > left {
            return false;
        }
        left -= chars;
        out.push_str(shown);
        end = after;
        true
    });
    (out, end)
}

/// The last of `content` in at most `max_chars`, with how many of its bytes that shows.
pub fn shown_suffix(content: &[u8], max_chars: usize) -> (String, usize) {
    // What begins inside a character belongs to what is not shown.
    let skip = content.iter().take(3).take_while(|&&b| (b as i8) < -0x40).count();
    let content = &content[skip..];
    let mut out = String::new();
    let mut marks = vec![(0, 0, 0)];
    let mut chars = 0;
    units(content, |after, shown| {
        out.push_str(shown);
        chars += width(shown);
        marks.push((after, out.len(), chars));
        true
    });
    let cut = marks.partition_point(|&(_, _, before)| chars - before > max_chars);
    let (byte, at, _) = marks[cut.min(marks.len() - 1)];
    out.drain(..at);
    (out, content.len() - byte)
}

/// A text in at most `max_chars`; `…` stands for what was cut.
pub fn clip(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) if max_chars == 0 => String::new(),
        Some(_) => text.chars().take(max_chars - 1).chain(['…']).collect(),
    }
}

/// All of a short text on one line, in at most `max_chars`; `…` stands for what was cut.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut out, shown) = shown_prefix(flat.as_bytes(), max_chars);
    if shown < flat.len() {
        while width(&out) >= max_chars.max(1) {
            out.pop();
        }
        if max_chars > 0 {
            out.push('…');
        }
    }
    out
}

/// The bytes in `start..end` in at most `max_chars`. When that is not all, the first and the last
/// are shown, and between them how many characters are not: `…[+1,204 chars]…`.
///
/// `total_chars` is the number of characters in the range, when the caller knows it.
///
/// # Errors
/// As [`Source::read_at`].
pub fn span(
    source: &dyn Source,
    start: u64,
    end: u64,
    max_chars: usize,
    total_chars: Option<u64>,
) -> Result<String, ReadError> {
    let len = end.saturating_sub(start);
    let fits = 4 * max_chars as u64;
    if len >= SHOWN_BASE64_CHARS
        && let Some(text) = without_base64(source, start, end, max_chars)?
    {
        return Ok(text);
    }
    if len <= fits {
        let bytes = source.read_range(start, end)?;
        let (text, shown) = shown_prefix(&bytes, max_chars);
        if shown == bytes.len() {
            return Ok(text);
        }
    }
    let marker = width(&marker(len));
    let Some(room) = max_chars.checked_sub(marker) else {
        // No room to say how much: the caller's line says that something is cut.
        return Ok(if max_chars == 0 { String::new() } else { "…".to_owned() });
    };
    let for_tail = room / 2;
    let head_bytes = source.read_range(start, end.min(start + 4 * room as u64))?;
    let (head, head_len) = shown_prefix(&head_bytes, room - for_tail);
    let tail_start = end.saturating_sub(4 * for_tail as u64).max(start + head_len as u64);
    let tail_bytes = source.read_range(tail_start, end)?;
    let (tail, tail_len) = shown_suffix(&tail_bytes, for_tail);
    let hidden = match total_chars {
        Some(total) => total
            .saturating_sub(count_chars(&head_bytes[..head_len]))
            .saturating_sub(count_chars(&tail_bytes[tail_bytes.len() - tail_len..])),
        None => tally(source, start + head_len as u64, end - tail_len as u64, count_chars)?,
    };
    Ok(format!("{head}{}{tail}", self::marker(hidden)))
}

/// Bytes up to which base64 is shown as it is, and the first of what is not.
const SHOWN_BASE64_CHARS: u64 = 240;
const BASE64_HEAD: u64 = 24;

/// The words that stand where base64 is not shown.
pub(crate) const OF_BASE64: &str = " chars of base64: ";

/// The bytes in `start..end` with words in place of the base64 that nearly all of it is: nobody can
/// read that. Nothing when there is none, or that does not fit.
fn without_base64(
    source: &dyn Source,
    start: u64,
    end: u64,
    max_chars: usize,
) -> Result<Option<String>, ReadError> {
    let Some(found) = encoded::find(source, start, end)? else { return Ok(None) };
    let from = found.start + BASE64_HEAD;
    let about = found.about.strip_prefix("base64: ").unwrap_or(&found.about);
    let (before, after) = (source.read_range(start, from)?, source.read_range(found.end, end)?);
    let ((head, head_len), (tail, tail_len)) =
        (shown_prefix(&before, max_chars), shown_prefix(&after, max_chars));
    if head_len < before.len() || tail_len < after.len() {
        return Ok(None);
    }
    let text = format!("{head}…[+{}{OF_BASE64}{about}]…{tail}", thousands(found.end - from));
    Ok((width(&text) <= max_chars).then_some(text))
}

fn marker(chars: u64) -> String {
    format!("…[+{} chars]…", thousands(chars))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        let (text, _) = shown_prefix(b"a\x00\x1b[0m\xff\xc3\xa9 \xe2\x80\xae\xe2\x80\xa8", 99);
        assert_eq!(text, "a\\x00\\x1b[0m\\xffé \\u{202e}\\u{2028}");
        assert_eq!(shown_prefix(b"[weir: x] weird", 99).0, "[\\weir: x] weird");
    }

    #[test]
    fn a_long_line_shows_both_ends_and_says_how_much_is_between() {
        let line = format!("head{}tail", "é".repeat(1_000_000));
        let source = line.as_bytes();
        let text = span(&source, 0, source.len() as u64, 60, None).unwrap();
        let (head, rest) = text.split_once("…[+999,968 chars]…").unwrap();
        assert_eq!(head.trim_end_matches('é'), "head");
        assert_eq!(rest.trim_start_matches('é'), "tail");
        assert_eq!(width(head) + width(rest), 1_000_008 - 999_968);
    }

    #[test]
    fn a_text_is_clipped_within_its_bound() {
        for (text, max, shown) in [
            ("größe", 5, "größe"),
            ("größen", 5, "größ…"),
            ("ab", 1, "…"),
            ("a", 0, ""),
            ("", 0, ""),
        ] {
            assert_eq!(clip(text, max), shown);
        }
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(one_line("a\n[weir: b]\r\n c", 99), "a [\\weir: b] c");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    proptest! {
        #[test]
        fn shown_and_counted_characters_are_all_there_are(
            bytes in proptest::collection::vec(any::<u8>(), 0..600), max in 0usize..300,
        ) {
            let source = bytes.as_slice();
            let text = span(&source, 0, source.len() as u64, max, None).unwrap();
            prop_assert!(width(&text) <= max);
            let total = count_chars(source);
            prop_assert_eq!(&span(&source, 0, source.len() as u64, max, Some(total)).unwrap(), &text);
        }

        #[test]
        fn plain_text_adds_up(text in "[a-zé]{0,400}", max in 24usize..300) {
            let shown = span(&text.as_bytes(), 0, text.len() as u64, max, None).unwrap();
            let total = width(&text);
            match shown.split_once("…[+") {
                None => prop_assert_eq!(shown, text),
                Some((head, rest)) => {
                    let (n, tail) = rest.split_once(" chars]…").unwrap();
                    let n: usize = n.replace(',', "").parse().unwrap();
                    prop_assert_eq!(width(head) + n + width(tail), total);
                    prop_assert!(text.starts_with(head) && text.ends_with(tail));
                }
            }
        }
    }
}
