//! `settings`.

use std::time::Duration;

use super::{Component, SETTINGS};
use crate::abi::exports::weir::plugin::settings as wit;
use crate::settings::{
    Action, FetchSettings, Rule, Settings, StoreSettings, TransformSettings, parse, schema,
};
use crate::spill::measure::Measurer;

impl wit::Guest for Component {
    fn defaults() -> wit::Values {
        values(Settings::default())
    }

    fn parse(json: String) -> wit::Parsed {
        let (settings, problems) = parse::parse(&json);
        let problems = problems
            .into_iter()
            .map(|problem| wit::Problem {
                key: problem.key,
                message: problem.message,
                used: problem.used,
            })
            .collect();
        wit::Parsed { values: values(settings), problems }
    }

    fn schema() -> String {
        schema::schema()
    }

    fn configure(values: wit::Values) {
        SETTINGS.set(settings(values).clamped());
    }

    fn estimate_tokens(text: String) -> u64 {
        Measurer::of(text.as_bytes()).estimated_tokens
    }
}

fn values(settings: Settings) -> wit::Values {
    let Settings { transform: t, fetch: f, store: s } = settings;
    let rule = |rule: Rule| wit::Rule {
        tool: rule.tool,
        action: match rule.action {
            Action::Threshold(chars) => wit::Action::Threshold(chars),
            Action::Always => wit::Action::Always,
            Action::Never => wit::Action::Never,
        },
    };
    wit::Values {
        transform: wit::TransformSettings {
            threshold_chars: t.threshold_chars,
            threshold_tokens: t.threshold_tokens,
            context_tokens: t.context_tokens,
            turn_budget_chars: t.turn_budget_chars,
            handle_max_chars: t.handle_max_chars,
            head_lines: t.head_lines,
            tail_lines: t.tail_lines,
            line_max_chars: t.line_max_chars,
            json_head_items: t.json_head_items,
            json_tail_items: t.json_tail_items,
            anchor_lines: t.anchor_lines,
            anchor_words: t.anchor_words,
            rules: t.rules.into_iter().map(rule).collect(),
            exclude: t.exclude,
            fallback_max_chars: t.fallback_max_chars,
            binary_inline_bytes: t.binary_inline_bytes,
        },
        fetch: wit::FetchSettings {
            max_chars: f.max_chars,
            full_max_chars: f.full_max_chars,
            refuse_full: f.refuse_full,
            grep_max_matches: f.grep_max_matches,
            grep_line_chars: f.grep_line_chars,
            default_lines: f.default_lines,
            legacy_global: f.legacy_global,
        },
        store: wit::StoreSettings {
            max_bytes: s.max_bytes,
            ttl_seconds: s.ttl.as_secs(),
            hot_ttl_seconds: s.hot_ttl.as_secs(),
            hot_fetches: s.hot_fetches,
            tombstone_ttl_seconds: s.tombstone_ttl.as_secs(),
            grace_seconds: s.grace.as_secs(),
        },
    }
}

fn settings(values: wit::Values) -> Settings {
    let wit::Values { transform: t, fetch: f, store: s } = values;
    let rule = |rule: wit::Rule| Rule {
        tool: rule.tool,
        action: match rule.action {
            wit::Action::Threshold(chars) => Action::Threshold(chars),
            wit::Action::Always => Action::Always,
            wit::Action::Never => Action::Never,
        },
    };
    Settings {
        transform: TransformSettings {
            threshold_chars: t.threshold_chars,
            threshold_tokens: t.threshold_tokens,
            context_tokens: t.context_tokens,
            turn_budget_chars: t.turn_budget_chars,
            handle_max_chars: t.handle_max_chars,
            head_lines: t.head_lines,
            tail_lines: t.tail_lines,
            line_max_chars: t.line_max_chars,
            json_head_items: t.json_head_items,
            json_tail_items: t.json_tail_items,
            anchor_lines: t.anchor_lines,
            anchor_words: t.anchor_words,
            rules: t.rules.into_iter().map(rule).collect(),
            exclude: t.exclude,
            // The contract has no word for it yet: what is built in holds.
            never_store: Vec::new(),
            fallback_max_chars: t.fallback_max_chars,
            binary_inline_bytes: t.binary_inline_bytes,
        },
        fetch: FetchSettings {
            max_chars: f.max_chars,
            full_max_chars: f.full_max_chars,
            refuse_full: f.refuse_full,
            grep_max_matches: f.grep_max_matches,
            grep_line_chars: f.grep_line_chars,
            default_lines: f.default_lines,
            legacy_global: f.legacy_global,
        },
        store: StoreSettings {
            max_bytes: s.max_bytes,
            ttl: Duration::from_secs(s.ttl_seconds),
            hot_ttl: Duration::from_secs(s.hot_ttl_seconds),
            hot_fetches: s.hot_fetches,
            tombstone_ttl: Duration::from_secs(s.tombstone_ttl_seconds),
            grace: Duration::from_secs(s.grace_seconds),
        },
    }
}
