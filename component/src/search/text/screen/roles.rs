//! Marks of chat formats, and turns of a dialogue: the lists, and whether one is at a place of a text.

/// Starts of the marks that chat formats use for turns, roles, tools and their results, between line breaks: a slice of many
/// takes eight bytes more for each. Lower case.
pub(super) const ROLE_TAGS: &str = "\
    <|\n<bos>\n<sop>\n<tools>\n<im_\n<parameter name\n<\u{ff5c}\n[inst]\n[/inst]\n<<sys>>\n<</sys>>\n\
    [system]\n[/system]\n[assistant]\n<system>\n</system>\n<system-\n</system-\n<system_\n<assistant>\n\
    </assistant>\n<important>\n</important>\n<start_of_turn>\n<end_of_turn>\n<start_of_\n<invoke \n<invoke>\n\
    </invoke>\n<function_\n</function_\n<function=\n<tool_call\n</tool_call\n<tool_result\n</tool_result\n\
    <tool_response\n</tool_response\n<tool_use\n</tool_use\n<antml\n</antml\n<tool_output\n</tool_output\n\
    [system:\n<<system\n[tool_calls]\n[tool_results]\n[/tool_\n[available_tools]\n[tool_result\n<observation>\n\
    </observation>\n<human>\n</human>\n</user>\n<developer>\n</developer>\n<reminder>\n</reminder>\n\
    <turn|>\n</tool>\n</tools>\n</function>\n</s>\n<eos>\n<end_of_\n[gmask]\n<reserved_\n<message role\n\
    </thinking>\n</think>\n<channel|>\n[system message\n[system note\n[system reminder\n[system prompt\n\
    [system notice\n[system override\n[system instruction\n[system_\n[/system_\n[|system|]\n[|user|]\n\
    [|assistant|]\n[|endof\n<developer_message\n</developer_message\n<assistant_message\n</assistant_message\n<assistant_instruction\n\
    <agent_instruction\n<model_instruction\n<hidden_instruction\n<internal_instruction\n<secret_instruction";

/// Names of speakers with which some formats start a turn, at the start of a line. Lower case.
const SPEAKERS: [&str; 12] = [
    "instruction:",
    "human:",
    "assistant:",
    "system:",
    "system reminder:",
    "system note:",
    "system notice:",
    "system message:",
    "system override:",
    "system warning:",
    "system alert:",
    "system instruction:",
];

/// White space and marks before a speaker that are looked at.
const TURN_MARKS_MAX: usize = 64;

/// What follows the bracket that starts a mark. Lower case.
const AFTER_BRACKET: &[u8] = b"/<abcdefghimoprst|\xef";

/// Whether a mark of a chat format is at `at`.
#[inline]
pub(crate) fn is_role_tag(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], b'<' | b'[')
        && bytes.get(at + 1).is_some_and(|byte| AFTER_BRACKET.contains(&(byte | 0x20)))
        && starts_with_any(bytes, at, ROLE_TAGS.as_bytes().split(|byte| *byte == b'\n'))
}

/// Whether there is such a mark anywhere. Only where a bracket is found is looked closer.
pub(super) fn has_role_tags(bytes: &[u8]) -> bool {
    memchr::memchr2_iter(b'<', b'[', bytes).any(|at| is_role_tag(bytes, at))
}

/// White space, and what marks a heading or a quote.
fn is_turn_mark(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'#' | b'>' | b'[')
}

/// Whether there is a speaker's turn anywhere: behind the marks that start the text or a line, or those of a heading.
pub(super) fn has_turns(bytes: &[u8]) -> bool {
    let starts = memchr::memchr2_iter(b'\n', b'#', bytes);
    std::iter::once(0).chain(starts).any(|start| {
        let marks = bytes[start..].iter().take(TURN_MARKS_MAX);
        let at = start + marks.take_while(|byte| is_turn_mark(byte)).count();
        at < bytes.len() && is_turn(bytes, at)
    })
}

/// Whether a speaker's turn starts at `at`, which must start a line or follow the mark of a heading. The system is one
/// with a capital letter: `system:` is what many a list of parameters has.
fn is_turn(bytes: &[u8], at: usize) -> bool {
    // A small `s` is that of a parameter.
    if !matches!(bytes[at], b'H' | b'h' | b'A' | b'a' | b'I' | b'i' | b'S') {
        return false;
    }
    let before = bytes[..at].iter().rev().take(TURN_MARKS_MAX);
    let marks = before.take_while(|byte| is_turn_mark(byte)).count();
    let before = &bytes[at - marks..at];
    let opens = marks == at || before.contains(&b'\n') || before.starts_with(b" ###");
    // A heading of a chat format, or of any text.
    let is_marked = bytes[at] | 0x20 != b'i' || before.contains(&b'#');
    opens && is_marked && starts_with_any(bytes, at, SPEAKERS.map(str::as_bytes))
}

/// Whether a dialogue is written with one letter for each side: lines that start with `H: ` and lines with `A:`. Either
/// alone is what many a list has.
pub(super) fn has_short_turns(text: &str) -> bool {
    let is_there = |speaker: &str| text.lines().any(|line| line.trim_start().starts_with(speaker));
    let mut capitals = memchr::memchr_iter(b'H', text.as_bytes());
    capitals.any(|at| text[at..].starts_with("H: ")) && is_there("H: ") && is_there("A:")
}

/// Whether one of `phrases` (lower case) is at `at`, in any case and with any white space for its
/// spaces.
#[inline(never)]
fn starts_with_any<'p>(
    bytes: &[u8],
    at: usize,
    phrases: impl IntoIterator<Item = &'p [u8]>,
) -> bool {
    let starts = |phrase: &[u8]| {
        let mut rest = &bytes[at..];
        phrase.iter().all(|wanted| {
            let Some((first, after)) = rest.split_first() else { return false };
            let same = match wanted {
                b' ' => first.is_ascii_whitespace(),
                _ => first.eq_ignore_ascii_case(wanted),
            };
            rest = if *wanted == b' ' { after.trim_ascii_start() } else { after };
            same
        })
    };
    phrases.into_iter().any(starts)
}
