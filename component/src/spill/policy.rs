//! Which results are replaced: rules, exclusions, thresholds.

use super::result::Origin;
use crate::settings::{Action, TransformSettings};

/// The tool that reads stored results back. Its own answers are never replaced.
pub const READER: &str = "weir_fetch";

/// The share of a model's context window that one result may have, in percent.
const CONTEXT_PERCENT: u64 = 15;

/// A known context window lowers the threshold to this many characters and no further.
const CONTEXT_FLOOR_CHARS: u64 = 8_000;

/// Characters that a token stands for, where a limit in tokens is turned into one in characters.
const CHARS_PER_TOKEN: u64 = 4;

/// How many characters the text of a result may have before it is replaced; `None` when it is never
/// replaced. `max_chars` is what the tool's server states for its own results: it comes before the
/// general threshold and after rules.
pub fn threshold(
    settings: &TransformSettings,
    origin: &Origin,
    max_chars: Option<u32>,
) -> Option<u32> {
    if is_reader(&origin.tool) || settings.exclude.iter().any(|glob| names(glob, origin)) {
        return None;
    }
    match settings.rules.iter().find(|rule| names(&rule.tool, origin)).map(|rule| rule.action) {
        Some(Action::Never) => None,
        Some(Action::Always) => Some(0),
        Some(Action::Threshold(chars)) => Some(chars),
        None => Some(max_chars.unwrap_or_else(|| general(settings))),
    }
}

/// The threshold of a tool that nothing special is said of.
pub fn general(settings: &TransformSettings) -> u32 {
    let set = settings.threshold_chars;
    if settings.context_tokens == 0 {
        return set;
    }
    let share = u64::from(settings.context_tokens) * CONTEXT_PERCENT / 100 * CHARS_PER_TOKEN;
    set.min(u32::try_from(share.max(CONTEXT_FLOOR_CHARS)).unwrap_or(u32::MAX))
}

/// Whether a tool is the reader, however a client or a gateway has prefixed its name.
fn is_reader(tool: &str) -> bool {
    tool.strip_suffix(READER)
        .is_some_and(|prefix| prefix.is_empty() || prefix.ends_with(['_', '.', '/', ':']))
}

fn names(glob: &str, origin: &Origin) -> bool {
    if matches(glob, &origin.tool) {
        return true;
    }
    let toolset = origin.toolset.as_deref().unwrap_or_default();
    glob.contains('/') && matches(glob, &format!("{toolset}/{}", origin.tool))
}

/// Whether a text is what a glob of `*` and `?` describes. Linear but for one step back a star.
pub fn matches(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => match star {
                // The star takes one more character, and the rest is tried again.
                Some((star_g, star_t)) => {
                    star = Some((star_g, star_t + 1));
                    g = star_g + 1;
                    t = star_t + 1;
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Rule;

    fn origin(toolset: &str, tool: &str) -> Origin {
        Origin { tool: tool.into(), toolset: Some(toolset.into()), ..Origin::default() }
    }

    #[test]
    fn the_first_rule_counts_and_exclusion_before_all() {
        let rule = |tool: &str, action| Rule { tool: tool.into(), action };
        let settings = TransformSettings {
            exclude: vec!["secret_*".into()],
            rules: vec![
                rule("web_*", Action::Threshold(30_000)),
                rule("*", Action::Never),
                rule("web_x", Action::Always),
            ],
            ..TransformSettings::default()
        };
        let at = |tool: &str| threshold(&settings, &origin("set", tool), Some(7));
        assert_eq!(at("web_x"), Some(30_000));
        assert_eq!(at("terminal"), None);
        assert_eq!(at("secret_web"), None);
    }

    #[test]
    fn a_rule_may_name_the_toolset() {
        let rules = vec![Rule { tool: "github/*".into(), action: Action::Always }];
        let settings = TransformSettings { rules, ..TransformSettings::default() };
        assert_eq!(threshold(&settings, &origin("github", "x"), None), Some(0));
        assert_eq!(threshold(&settings, &origin("gitlab", "x"), None), Some(12_000));
        assert_eq!(threshold(&settings, &origin("gitlab", "x"), Some(500_000)), Some(500_000));
    }

    #[test]
    fn the_reader_is_never_replaced_whatever_its_prefix() {
        let settings = TransformSettings {
            rules: vec![Rule { tool: "*".into(), action: Action::Always }],
            ..TransformSettings::default()
        };
        for tool in ["weir_fetch", "mcp__weir__weir_fetch", "gateway.weir_fetch"] {
            assert_eq!(threshold(&settings, &origin("", tool), None), None, "{tool}");
        }
        assert_eq!(threshold(&settings, &origin("", "notweir_fetch"), None), Some(0));
    }

    #[test]
    fn a_small_context_window_lowers_the_threshold_to_a_floor() {
        let at = |context_tokens| {
            general(&TransformSettings { context_tokens, ..TransformSettings::default() })
        };
        assert_eq!([at(0), at(1_000_000), at(16_000), at(4_000)], [12_000, 12_000, 9_600, 8_000]);
    }

    #[test]
    fn globs_match_as_in_a_shell() {
        for (glob, text) in
            [("*", ""), ("a*c", "abbc"), ("a?c", "abc"), ("*a*b", "xaxbab"), ("é?", "éü")]
        {
            assert!(matches(glob, text), "{glob} {text}");
        }
        for (glob, text) in [("", "a"), ("a", ""), ("a?", "a"), ("a*c", "abcd"), ("*.rs", "rs")] {
            assert!(!matches(glob, text), "{glob} {text}");
        }
        let long = "a".repeat(20_000);
        assert!(!matches("*a*a*a*b", &long));
    }
}
