//! Where the bridge tools begin to cost a client less than all definitions.
//!
//! Compared is what a conversation costs in new input tokens, by the prices that providers publish: a token that was
//! sent before costs a tenth, an output token five. Definitions are sent with every turn; behind the bridge some tools
//! must be searched first, which is an answer and a turn more. The benchmark of this repository measures the same
//! conversation with real tools (`dev/bench/report.md`, "Where searching begins to pay").

/// Turns of a conversation.
pub const TURNS: u64 = 40;

/// How many of them look for a tool.
pub const SEARCHES: u64 = 3;

/// A cached token costs the tenth part.
const CACHED: u64 = 10;

/// An output token costs so many.
const OUTPUT: u64 = 5;

/// Estimated tokens: of a search as a model writes it, of its answer, and of all that is sent again with one more turn.
const QUERY: u64 = 40;
const ANSWER: u64 = 350;
const PREFIX: u64 = 10_000;

/// Estimated tokens of our own tools, of the listing at most, and of what it says of one tool.
pub(crate) const BRIDGE: u64 = 310;
const LISTING: u64 = 1_000;
const LISTED: u64 = 30;

/// Estimated tokens of the definitions of so many tools up to which a client is better off with all of them.
pub const fn break_even(tools: usize) -> u64 {
    let listing = (tools as u64).saturating_mul(LISTED);
    let bridge = BRIDGE + if listing < LISTING { listing } else { LISTING };
    // A definition is sent once, and then again with every turn: in tenths of its tokens.
    let definition = CACHED + TURNS - 1;
    bridge + SEARCHES * SEARCH_TENTHS / definition
}

/// Tokens of new input that one search costs: it is written, answered, and the answer sent again in half of the turns.
pub const SEARCH: u64 = SEARCH_TENTHS / CACHED;
const SEARCH_TENTHS: u64 = CACHED * (OUTPUT * QUERY + ANSWER) + ANSWER * TURNS / 2 + PREFIX;

#[cfg(test)]
mod tests {
    use super::break_even;

    #[test]
    fn a_few_small_tools_stay_and_three_servers_are_searched() {
        // Estimated tokens of real servers: one of 9 tools, one of 26, three of 49 together.
        for (tools, tokens, searched) in [
            (0, 0, false),
            (1, 1_500, false),
            (9, 900, false),
            (26, 4_200, true),
            (49, 6_110, true),
        ] {
            assert_eq!(tokens > break_even(tools), searched, "{tools} tools, {tokens} tokens");
        }
        assert_eq!(break_even(usize::MAX), break_even(10_000));
    }
}
