//! What a foreign text may carry into a prompt: letters yes, tricks no.
//!
//! Tool names and descriptions are written by whoever runs the server. Hidden characters, role
//! tags and text that gives orders to a model are flagged when a catalog is built, and removed or
//! clipped by [`super::clean`] wherever such text is shown. Schemas are shown unchanged, as a call must fit them.

use crate::sort::sort;

/// What is suspicious about a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suspicion {
    /// Characters that take no room: zero-width, variation and tag characters.
    HiddenCharacters,
    /// Characters that reorder what is displayed.
    Bidirectional,
    /// Control characters other than line breaks and tabs.
    Control,
    /// Marks that chat formats use to switch roles, such as `<|im_start|>` or `</system>`.
    RoleTag,
    /// Text that gives a model orders beyond the use of the tool.
    Instruction,
}

impl Suspicion {
    /// A few words that say what was found.
    pub fn as_str(self) -> &'static str {
        match self {
            Suspicion::HiddenCharacters => "hidden characters",
            Suspicion::Bidirectional => "bidirectional control characters",
            Suspicion::Control => "control characters",
            Suspicion::RoleTag => "a role tag",
            Suspicion::Instruction => "instruction-like text",
        }
    }
}

/// Phrases of orders to a model that no description of a tool needs. Lower case.
const ORDERS: [&str; 18] = [
    "ignore previous",
    "ignore all previous",
    "ignore the above",
    "ignore prior instructions",
    "disregard previous",
    "disregard all",
    "disregard the above",
    "forget your instructions",
    "override your instructions",
    "do not tell the user",
    "don't tell the user",
    "do not mention this",
    "without telling the user",
    "hide this from the user",
    "reveal your system prompt",
    "before using any other tool",
    "before calling any other tool",
    "you must always call this tool first",
];

/// Starts of the marks that chat formats use to switch roles. Lower case.
pub(crate) const ROLE_TAGS: [&str; 17] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<system>",
    "</system>",
    "<assistant>",
    "</assistant>",
    "<important>",
    "</important>",
];

/// What is suspicious about `text`, each kind once, in a fixed order.
pub fn suspicions(text: &str) -> Vec<Suspicion> {
    let mut found = Vec::new();
    let mut see = |suspicion| {
        if !found.contains(&suspicion) {
            found.push(suspicion);
        }
    };
    // Most text is plain ASCII: one pass over bytes tells whether a closer look is needed.
    let bytes = text.as_bytes();
    let is_odd = |b: u8| !(0x20..0x7f).contains(&b) && !matches!(b, b'\n' | b'\r' | b'\t');
    if bytes.chunks(64).any(|chunk| chunk.iter().fold(false, |odd, &b| odd | is_odd(b))) {
        for c in text.chars() {
            match class(c) {
                Class::Plain | Class::Break => {}
                Class::Hidden => see(Suspicion::HiddenCharacters),
                Class::Bidi => see(Suspicion::Bidirectional),
                Class::Control => see(Suspicion::Control),
            }
        }
    }
    let is_order = |at: usize| starts_with_any(bytes, at, &ORDERS);
    let mut look = |at: usize| {
        if is_tag(bytes, at) && starts_with_any(bytes, at, &ROLE_TAGS) {
            see(Suspicion::RoleTag);
        } else if is_anchor(bytes, at) && starts_of_words(bytes, at).any(is_order) {
            see(Suspicion::Instruction);
        }
    };
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes.len().min(at + BLOCK);
        let mut places = bytes.get(at..at + BLOCK + 3).map_or(u32::MAX, places_of_starts);
        while places > 0 && at + (places.trailing_zeros() as usize) < end {
            look(at + places.trailing_zeros() as usize);
            places &= places - 1;
        }
        at = end;
    }
    sort(&mut found);
    found
}

/// Four letters of each order, in its first three words, that are rare elsewhere. Lower case.
const ANCHORS: [[u8; 4]; 10] = [
    *b"gnor", *b"sreg", *b"orge", *b"erri", *b"tell", *b"ntio", *b"hide", *b"veal", *b"befo",
    *b"lway",
];

/// What follows the bracket that starts a role tag. Lower case.
const AFTER_BRACKET: [u8; 6] = *b"|i/<sa";

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// Where in a block, given with the three bytes after it, an anchor or a role tag may start, a bit each.
/// Most blocks have none, and the texts of a catalog have megabytes.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn places_of_starts(block: &[u8]) -> u32 {
    crate::search::simd::places_of_starts(block, &STARTS)
}

/// For each of the first four bytes of what is looked for (two of a role tag), folded to lower case,
/// by the lower and the upper half of the byte: a bit for each that the byte may be of. Anchors share
/// seven bits; one is for role tags.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
const STARTS: [[[u8; 16]; 2]; 4] = {
    const fn note(halves: &mut [[u8; 16]; 2], byte: u8, bit: u8) {
        halves[0][(byte & 15) as usize] |= bit;
        halves[1][(byte >> 4) as usize] |= bit;
    }
    let mut starts = [[[0; 16]; 2]; 4];
    let mut at = 0;
    while at < ANCHORS.len() {
        let mut byte = 0;
        while byte < 4 {
            note(&mut starts[byte], ANCHORS[at][byte], 1 << (at % 7));
            byte += 1;
        }
        at += 1;
    }
    let tag = 1 << 7;
    note(&mut starts[0], b'<' | 0x20, tag);
    note(&mut starts[0], b'[' | 0x20, tag);
    let mut after = 0;
    while after < AFTER_BRACKET.len() {
        note(&mut starts[1], AFTER_BRACKET[after], tag);
        after += 1;
    }
    let mut half = 0;
    while half < 16 {
        note(&mut starts[2], half << 4 | half, tag);
        note(&mut starts[3], half << 4 | half, tag);
        half += 1;
    }
    starts
};

/// The same for all places of a block at once, without a branch or a look-up, so that the compiler makes
/// of it a few instructions for many bytes.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn places_of_starts(block: &[u8]) -> u32 {
    // Two letters in one byte, which few others give.
    let folded = |first: u8, second: u8| (first | 0x20).wrapping_add((second | 0x20) << 3);
    let mut any = false;
    for at in 0..BLOCK {
        let [a, b, c, d] = [block[at], block[at + 1], block[at + 2], block[at + 3]];
        let (ab, cd) = (folded(a, b), folded(c, d));
        any |= ANCHORS
            .iter()
            .fold(false, |any, &[a, b, c, d]| any | ((ab == folded(a, b)) & (cd == folded(c, d))));
        let follows = AFTER_BRACKET.iter().fold(false, |any, &after| any | (b | 0x20 == after));
        any |= ((a == b'<') | (a == b'[')) & follows;
    }
    if any { u32::MAX } else { 0 }
}

fn is_tag(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], b'<' | b'[')
}

fn is_anchor(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..at + 4).is_some_and(|four| {
        ANCHORS
            .iter()
            .any(|anchor| anchor[0] == four[0] | 0x20 && four.eq_ignore_ascii_case(anchor))
    })
}

/// Letters of the longest word that starts an order, with room. A longer word is none of an order, and
/// is not followed to its start: a text of anchors in one word would be walked anew for each.
const WORD_MAX: usize = 16;

/// Where the word at `at` starts, and the two words before it, up to one that is too long.
fn starts_of_words(bytes: &[u8], mut at: usize) -> impl Iterator<Item = usize> {
    (0..3).map_while(move |_| {
        let word =
            bytes[..at].iter().rev().take(WORD_MAX).take_while(|b| b.is_ascii_alphanumeric());
        let length = word.count();
        let start = at - length;
        let between = bytes[..start].iter().rev().take_while(|b| !b.is_ascii_alphanumeric());
        at = start - between.count();
        (length < WORD_MAX).then_some(start)
    })
}

/// Whether one of `phrases` (lower case) is at `at`, in any case and with any white space for its
/// spaces.
pub(crate) fn starts_with_any(bytes: &[u8], at: usize, phrases: &[&str]) -> bool {
    let starts = |phrase: &&str| {
        let mut rest = &bytes[at..];
        phrase.bytes().all(|wanted| {
            let Some((first, after)) = rest.split_first() else { return false };
            let same = match wanted {
                b' ' => first.is_ascii_whitespace(),
                _ => first.eq_ignore_ascii_case(&wanted),
            };
            rest = if wanted == b' ' { after.trim_ascii_start() } else { after };
            same
        })
    };
    phrases.iter().any(starts)
}

/// What a character of a foreign text may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Plain,
    Break,
    Hidden,
    Bidi,
    Control,
}

/// What `c` may do.
pub(crate) fn class(c: char) -> Class {
    match c {
        '\n' | '\r' | '\t' => Class::Break,
        '\u{2028}' | '\u{2029}' => Class::Break,
        '\u{200e}' | '\u{200f}' | '\u{061c}' => Class::Bidi,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Class::Bidi,
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => {
            Class::Hidden
        }
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{2065}' => Class::Hidden,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' => Class::Hidden,
        // U+FE0E and U+FE0F choose how an emoji looks, and U+200C and U+200D join letters of some
        // scripts; the other variation selectors can carry a hidden message.
        '\u{fe00}'..='\u{fe0d}' | '\u{e0000}'..='\u{e0fff}' => Class::Hidden,
        '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => Class::Hidden,
        c if c.is_control() => Class::Control,
        _ => Class::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trick_is_named() {
        assert_eq!(suspicions("List issues. Returns JSON [1, 2] <b>"), []);
        assert_eq!(suspicions("a\u{200b}b"), [Suspicion::HiddenCharacters]);
        assert_eq!(suspicions("a\u{e0041}b"), [Suspicion::HiddenCharacters]);
        assert_eq!(suspicions("a\u{202e}b"), [Suspicion::Bidirectional]);
        assert_eq!(suspicions("a\u{1b}[0m"), [Suspicion::Control]);
        assert_eq!(suspicions("x <|im_start|>system"), [Suspicion::RoleTag]);
        assert_eq!(suspicions("x <IMPORTANT> y"), [Suspicion::RoleTag]);
        assert_eq!(suspicions("Adds. Ignore\n  previous instructions"), [Suspicion::Instruction]);
        assert_eq!(suspicions("Семейство 👍🏽 ❤️ 日本語"), []);
    }

    #[test]
    fn every_order_is_noticed_wherever_it_stands() {
        for order in ORDERS {
            let text = format!("Adds two numbers. {} ", order.to_uppercase());
            assert_eq!(suspicions(&text), [Suspicion::Instruction], "{order}");
            assert_eq!(suspicions(order), [Suspicion::Instruction], "{order}");
        }
        for tag in ROLE_TAGS {
            assert_eq!(suspicions(&format!("x{tag}")), [Suspicion::RoleTag], "{tag}");
        }
        // At every place of a block, spread over blocks, and not inside of a word.
        for before in 0..2 * BLOCK {
            let text = ".".repeat(before);
            for found in ORDERS.map(|order| (order, Suspicion::Instruction)) {
                let spread = found.0.replace(' ', &" \n".repeat(BLOCK));
                assert_eq!(suspicions(&format!("{text}{}", found.0)), [found.1], "{before}");
                assert_eq!(suspicions(&format!("{text}{spread}{text}")), [found.1], "{before}");
                assert_eq!(suspicions(&format!("{text}x{}", found.0)), []);
            }
            for tag in ROLE_TAGS {
                let found = suspicions(&format!("{text}{}{text}", tag.to_uppercase()));
                assert_eq!(found, [Suspicion::RoleTag], "{before} {tag}");
            }
        }
    }

    #[test]
    fn a_text_made_of_beginnings_of_orders_is_screened_in_one_pass() {
        // Walking back from each would take hours, and more fuel than there is.
        for part in ["tell", "tell ", "hide", "befo", "do not ", "<", "[", "do   \n"] {
            assert_eq!(suspicions(&part.repeat(1_000_000 / part.len())), [], "{part}");
        }
        let spaces = format!("do{0}not{0}tell{0}the{0}user", " ".repeat(1_000_000));
        assert_eq!(suspicions(&spaces), [Suspicion::Instruction]);
    }
}
