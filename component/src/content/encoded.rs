//! Base64 in a text: told from words, and what it holds.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::content::magic::sniff;
use crate::content::numbers::counted;
use crate::source::{ReadError, Source};

/// Characters of base64 that are one after the other before they are taken for it.
const LEAST_CHARS: usize = 160;

/// Bytes at the start of a text in which base64 is looked for.
const HEAD_BYTES: u64 = 640;

/// Places between start and end that are looked at, and bytes of each.
const SAMPLES: u64 = 8;
const SAMPLE_BYTES: u64 = 128;

/// Where base64 stands, as bytes of a source, and what it is in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Encoded {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// `base64: image/png, 3,090 bytes`.
    pub(crate) about: String,
}

fn is_sign(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Whether signs of base64 come in no order, as those of data do.
pub(crate) fn is_random(signs: &[u8]) -> bool {
    let class = |byte: &u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let changes = signs.windows(2).filter(|two| class(&two[0]) != class(&two[1])).count();
    let has = |want: u8| signs.iter().any(|byte| class(byte) == want);
    signs.iter().all(|byte| is_sign(*byte))
        && has(0)
        && has(1)
        && has(2)
        && changes * 10 >= signs.len() * 3
}

/// The base64 that begins near the start of `start..end` and goes on to near its end.
pub(crate) fn find(
    source: &dyn Source,
    start: u64,
    end: u64,
) -> Result<Option<Encoded>, ReadError> {
    if end.saturating_sub(start) < LEAST_CHARS as u64 {
        return Ok(None);
    }
    let head = source.read_range(start, end.min(start + HEAD_BYTES))?;
    let mut from = 0;
    let found = loop {
        let Some(first) = head[from..].iter().position(|byte| is_sign(*byte)) else { break None };
        let first = from + first;
        let length = head[first..].iter().take_while(|byte| is_sign(**byte)).count();
        if length >= LEAST_CHARS && is_random(&head[first..first + LEAST_CHARS]) {
            break Some((first, first + length));
        }
        from = first + length;
    };
    let Some((first, stopped)) = found else { return Ok(None) };
    let begin = start + first as u64;
    let stop = if stopped < head.len() {
        start + stopped as u64
    } else {
        let tail_start = end.saturating_sub(HEAD_BYTES).max(begin);
        let tail = source.read_range(tail_start, end)?;
        let length = tail.iter().take_while(|byte| is_sign(**byte)).count() as u64;
        let step = (tail_start - begin) / (SAMPLES + 1);
        for sample in 1..=SAMPLES {
            let at = begin + sample * step;
            let bytes = source.read_range(at, (at + SAMPLE_BYTES).min(tail_start.max(at)))?;
            if !bytes.iter().all(|byte| is_sign(*byte)) {
                return Ok(None);
            }
        }
        tail_start + length
    };
    let padding = source.read_range(stop, end.min(stop + 2))?;
    let padding = padding.iter().take_while(|byte| **byte == b'=').count() as u64;
    let about = about(&head[first..stopped], stop - begin);
    Ok(Some(Encoded { start: begin, end: stop + padding, about }))
}

/// What base64 that begins so and has so many signs holds, in words.
pub(crate) fn about(first: &[u8], signs: u64) -> String {
    let bytes = counted(signs / 4 * 3 + (signs % 4).saturating_sub(1), "byte");
    match decoded(first) {
        Some(head) => format!("base64: {}, {bytes}", kind(&head)),
        None => format!("base64: {bytes}"),
    }
}

/// The first bytes that it stands for.
fn decoded(signs: &[u8]) -> Option<Vec<u8>> {
    let usual: Vec<u8> = signs[..signs.len().min(96) / 4 * 4]
        .iter()
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => *byte,
        })
        .collect();
    STANDARD_NO_PAD.decode(usual).ok()
}

fn kind(head: &[u8]) -> &'static str {
    if let Some(media) = sniff(head) {
        return media;
    }
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => "",
    };
    let is_text = !text.is_empty() && !text.chars().any(|c| c.is_control() && !c.is_whitespace());
    match text.trim_start().as_bytes().first() {
        _ if !is_text => "binary data",
        Some(b'{' | b'[') => "JSON",
        Some(b'<') => "markup",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn noise(length: usize) -> Vec<u8> {
        let mut seed = 9_u32;
        std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .take(length)
        .collect()
    }

    fn found(text: &str) -> Option<(String, String)> {
        let found = find(&text.as_bytes(), 0, text.len() as u64).unwrap()?;
        Some((text[found.start as usize..found.end as usize].to_owned(), found.about))
    }

    #[test]
    fn what_is_encoded_is_named_with_its_size() {
        for (head, kind) in [
            (&b"\x89PNG\r\n\x1a\n"[..], "image/png"),
            (b"%PDF-1.7 ", "application/pdf"),
            (b"", "binary data"),
        ] {
            for length in [200, 301, 5_000] {
                let bytes = [head, &noise(length)].concat();
                let encoded = STANDARD.encode(&bytes);
                let about = format!("base64: {kind}, {}", counted(bytes.len() as u64, "byte"));
                for (before, after) in
                    [("", ""), ("data:image/png;base64,", "\">"), ("{\"data\":\"", "\"}")]
                {
                    assert_eq!(
                        found(&format!("{before}{encoded}{after}")),
                        Some((encoded.clone(), about.clone()))
                    );
                }
            }
        }
        let text = STANDARD.encode("{\"sub\": \"1234567890\", \"Name\": \"Ada\"}\n".repeat(40));
        assert!(found(&text).is_some_and(|(_, about)| about.starts_with("base64: JSON, ")));
    }

    #[test]
    fn words_and_paths_are_no_base64() {
        for text in [
            "a".repeat(900),
            "ab12".repeat(300),
            "/usr/lib/python3/dist-packages".repeat(30),
            "IllegalStateExceptionHandlerFactory".repeat(30),
            "the quick brown fox ".repeat(80),
            "0123456789abcdef".repeat(50),
        ] {
            assert_eq!(found(&text), None, "{text}");
        }
        // Something else in the middle.
        let noise = STANDARD.encode(noise(4_000));
        assert_eq!(found(&format!("{noise} {}{noise}", "words ".repeat(900))), None);
    }
}
