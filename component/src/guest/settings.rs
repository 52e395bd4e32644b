//! `settings`.

use super::Component;
use super::convert::{Convert, record};
use super::store::configure;
use crate::abi::exports::weir::plugin::settings as wit;
use crate::settings::{
    Action, FetchSettings, Rule, Settings, StoreSettings, TransformSettings, parse, schema,
};
use crate::spill::measure::Measurer;

record!(
    wit::TransformSettings = TransformSettings {
        threshold_chars,
        threshold_tokens,
        context_tokens,
        turn_budget_chars,
        handle_max_chars,
        client_max_chars,
        head_lines,
        tail_lines,
        line_max_chars,
        json_head_items,
        json_tail_items,
        anchor_lines,
        anchor_words,
        rules,
        exclude,
        never_store,
        fallback_max_chars,
        binary_inline_bytes,
    }
);
record!(
    wit::FetchSettings = FetchSettings {
        max_chars,
        full_max_chars,
        refuse_full,
        grep_max_matches,
        grep_line_chars,
        default_lines,
        legacy_global,
    }
);
record!(wit::StoreSettings => StoreSettings {
    max_bytes, ttl = ttl_seconds, hot_ttl = hot_ttl_seconds, hot_fetches,
    tombstone_ttl = tombstone_ttl_seconds, grace = grace_seconds,
});
record!(StoreSettings => wit::StoreSettings {
    max_bytes, ttl_seconds = ttl, hot_ttl_seconds = hot_ttl, hot_fetches,
    tombstone_ttl_seconds = tombstone_ttl, grace_seconds = grace,
});
record!(wit::Values = Settings { transform, fetch, store });
record!(parse::Problem => wit::Problem { key, message, used });

impl Convert<Rule> for wit::Rule {
    fn convert(self) -> Rule {
        let action = match self.action {
            wit::RuleAction::Threshold => Action::Threshold(self.threshold_chars),
            wit::RuleAction::Always => Action::Always,
            wit::RuleAction::Never => Action::Never,
        };
        Rule { tool: self.tool, action }
    }
}

impl Convert<wit::Rule> for Rule {
    fn convert(self) -> wit::Rule {
        let (action, threshold_chars) = match self.action {
            Action::Threshold(chars) => (wit::RuleAction::Threshold, chars),
            Action::Always => (wit::RuleAction::Always, 0),
            Action::Never => (wit::RuleAction::Never, 0),
        };
        wit::Rule { tool: self.tool, action, threshold_chars }
    }
}

impl wit::Guest for Component {
    fn defaults() -> wit::Values {
        Settings::default().convert()
    }

    fn parse(json: String) -> wit::Parsed {
        let (settings, problems) = parse::parse(&json);
        wit::Parsed { values: settings.convert(), problems: problems.convert() }
    }

    fn schema() -> String {
        schema::schema()
    }

    fn configure(values: wit::Values) {
        configure(values.convert());
    }

    fn estimate_tokens(text: String) -> u64 {
        Measurer::of(text.as_bytes()).estimated_tokens
    }
}
