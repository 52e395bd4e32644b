//! Where a text needs a closer look: four letters of an order, or the bracket of a role mark. A block of text without
//! either is passed over at once, as most are.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::roles::is_tag;

/// The anchors of all orders and of the speakers: four letters that are rare elsewhere, lower case. Every seventh shares a bit
/// in [`STARTS`]: their order is one in which few other letters have all four bits.
pub(super) const ANCHORS: [[u8; 4]; 75] = [
    *b"cret", *b"rwar", *b"suar", *b"summ", *b"far ", *b"envi", *b"/sha", *b"bove", *b"ssis",
    *b"/.ss", *b"ppro", *b"blin", *b"egee", *b"/.ba", *b"obey", *b"tem ", *b"sate", *b"need",
    *b"nfir", *b"nswe", *b"user", *b"erri", *b"ypas", *b"/.co", *b"rule", *b"ntio", *b"mome",
    *b"keep", *b"d_rs", *b"/pas", *b"/.np", *b"verb", *b"http", *b"onge", *b"mmer", *b"irst",
    *b"rmis", *b"/.aw", *b"quie", *b"let ", *b"lway", *b"/.gi", *b"ers'", *b"iemp", *b"/.ne",
    *b"prio", *b"bcc ", *b"othe", *b"/.do", *b"orge", *b"tem:", *b"uman", *b"befo", *b"baik",
    *b"uten", *b"oujo", *b"now ", *b"romp", *b".env", *b"sswo", *b"gnor", *b"ilen", *b"afet",
    *b"er's", *b"empr", *b"/.ku", *b"eced", *b"nstr", *b"utze", *b"nver", *b"chat", *b"copy",
    *b"sess", *b"sreg", *b"hide",
];

/// What follows the bracket that starts a role tag. Lower case.
const AFTER_BRACKET: [u8; 19] = *b"/<abcdefghimoprst|\xef";

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 32;

/// Bits that the anchors share.
const SHARED_BITS: usize = 7;

/// For each of the first four bytes of what is looked for (two of a role tag), folded to lower case,
/// by the lower and the upper half of the byte: a bit for each that the byte may be of. Anchors share
/// seven bits; one is for role tags.
static STARTS: [[[u8; 16]; 2]; 4] = {
    const fn note(halves: &mut [[u8; 16]; 2], byte: u8, bit: u8) {
        halves[0][(byte & 15) as usize] |= bit;
        halves[1][(byte >> 4) as usize] |= bit;
    }
    let mut starts = [[[0; 16]; 2]; 4];
    let mut at = 0;
    while at < ANCHORS.len() {
        let mut byte = 0;
        while byte < 4 {
            note(&mut starts[byte], ANCHORS[at][byte] | 0x20, 1 << (at % SHARED_BITS));
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

/// Where in a block, given with the three bytes after it, an anchor or a role tag may start, a bit each.
/// Most blocks have none, and the texts of a catalog have megabytes.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) fn places_of_starts(block: &[u8]) -> u32 {
    crate::search::simd::places_of_starts(block, &STARTS)
}

/// The same on other targets.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn places_of_starts(block: &[u8]) -> u32 {
    let mut places = 0;
    for (at, four) in block.windows(4).take(BLOCK).enumerate() {
        let Some(four) = four.first_chunk() else { break };
        let is_tag = is_tag(four, 0) && AFTER_BRACKET.contains(&(four[1] | 0x20));
        places |= u32::from(is_tag || shared_bits(four) > 0) << at;
    }
    places
}

/// Which anchor is at `at`, by its place among [`ANCHORS`].
pub(super) fn anchor(bytes: &[u8], at: usize) -> Option<usize> {
    let four: &[u8; 4] = bytes.get(at..)?.first_chunk()?;
    let bits = shared_bits(four);
    let mut places = (0..ANCHORS.len()).filter(|place| bits >> (place % SHARED_BITS) & 1 == 1);
    if bits == 0 { None } else { places.find(|&place| four.eq_ignore_ascii_case(&ANCHORS[place])) }
}

/// The bits of the anchors that four bytes may be.
fn shared_bits(four: &[u8; 4]) -> u8 {
    let bits = STARTS.iter().zip(four).map(|([low, high], &byte)| {
        let byte = usize::from(byte | 0x20);
        low[byte & 15] & high[byte >> 4]
    });
    bits.fold((1 << SHARED_BITS) - 1, |all, bits| all & bits)
}
