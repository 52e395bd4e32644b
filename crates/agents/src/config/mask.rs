//! Values of a configuration that nobody is to read over a shoulder.

use aho_corasick::{AhoCorasick, MatchKind};

use super::node::Node;

/// Shorter values are not hidden: replacing each `1` or `true` would only garble the text.
const MIN_BYTES: usize = 4;

/// A text with what looks like a secret in these files replaced by `***`.
#[derive(Debug, Clone)]
pub struct Mask {
    /// All of them at once: a file of megabytes has thousands. `None` where they are too many.
    values: Option<AhoCorasick>,
}

/// Objects whose values are all hidden.
const HIDDEN_OBJECTS: [&str; 7] =
    ["env", "environment", "envs", "headers", "http_headers", "oauthAccount", "requestInit"];

/// Words in the name of a key or a flag whose value is hidden.
const HIDDEN_WORDS: [&str; 10] = [
    "token",
    "secret",
    "password",
    "passwd",
    "apikey",
    "api_key",
    "api-key",
    "authorization",
    "credential",
    "cookie",
];

/// How well-known tokens begin.
const PREFIXES: [&str; 14] = [
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk_",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "eyJ",
    "npm_",
    "hf_",
];

impl Mask {
    /// Hides what looks like a secret in these values.
    pub fn of<'n>(nodes: impl IntoIterator<Item = &'n Node>) -> Mask {
        let mut values = Vec::new();
        for node in nodes {
            collect(node, false, &mut values);
        }
        values.retain(|value: &String| value.len() >= MIN_BYTES);
        // As JSON writes them too.
        let escaped: Vec<String> = values
            .iter()
            .map(|value| super::node::quote(value).trim_matches('"').to_owned())
            .collect();
        values.extend(escaped);
        values.sort_unstable();
        values.dedup();
        Mask {
            values: AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(values)
                .ok(),
        }
    }

    /// The text without the secrets.
    pub fn hide(&self, text: &str) -> String {
        let Some(values) = &self.values else { return "***".into() };
        let mut out = String::new();
        values.replace_all_with(text, &mut out, |_, _, out| {
            out.push_str("***");
            true
        });
        out
    }
}

fn is_hidden_word(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    HIDDEN_WORDS.iter().any(|word| name.contains(word)) || name == "key" || name.ends_with("-key")
}

fn collect(node: &Node, hidden: bool, into: &mut Vec<String>) {
    match node {
        Node::Map(members) => {
            for (key, value) in members {
                let hide = hidden || HIDDEN_OBJECTS.contains(&key.as_str());
                // `bearer_token_env_var` names a variable.
                let names_variable = key.ends_with("_env_var") || key.ends_with("_env");
                let secret = !names_variable && value.as_text().is_some() && is_hidden_word(key);
                collect(value, hide || secret, into);
            }
        }
        Node::List(items) => {
            let mut after_flag = false;
            for item in items {
                collect(item, hidden || after_flag, into);
                let text = item.as_text().unwrap_or_default();
                after_flag = text.starts_with('-') && !text.contains('=') && is_hidden_word(text);
            }
        }
        Node::Text(text) if hidden => {
            // `${TOKEN}` and `{env:TOKEN}` are names, not values.
            if !text.contains("${") && !text.contains("{env:") {
                into.push(text.clone());
            }
            for word in text.split_whitespace().skip(1) {
                if !word.contains('{') {
                    into.push(word.to_owned());
                }
            }
        }
        Node::Text(text) => of_text(text, into),
        _ => {}
    }
}

/// Secrets within a text that is none by its place.
fn of_text(text: &str, into: &mut Vec<String>) {
    if let Some((flag, value)) = text.split_once('=')
        && flag.starts_with('-')
        && is_hidden_word(flag)
    {
        into.push(value.to_owned());
    }
    if let Some((_, rest)) = text.split_once("://") {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some((user, _)) = authority.rsplit_once('@') {
            into.push(user.to_owned());
        }
        let query = rest.split_once('?').map_or("", |(_, query)| query);
        for pair in query.split('&') {
            if let Some((_, value)) = pair.split_once('=')
                && !value.contains('{')
            {
                into.push(value.to_owned());
            }
        }
        return;
    }
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, '=' | ',' | ';' | '"' | '\''))
    {
        let known = PREFIXES.iter().any(|prefix| word.starts_with(prefix)) && word.len() >= 12;
        let random = word.len() >= 24
            && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+'))
            && word.chars().filter(char::is_ascii_digit).count() >= 4
            && word.chars().any(|c| c.is_ascii_alphabetic());
        if known || random {
            into.push(word.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        let node = Node::from(serde_json::json!({
            "mcpServers": {
                "a": {"command": "npx", "args": ["--api-key", "flag-value", "--token=in-flag", "ghp_SECRETSECRET", "plain"],
                      "env": {"GITHUB_TOKEN": "env-value", "NAME": "${NAME}"},
                      "url": "https://user:pass-word@example.com/mcp?key=query-value"},
                "b": {"headers": {"Authorization": "Bearer header-value"}, "bearer_token_env_var": "FIGMA_TOKEN"}},
            "oauthAccount": {"emailAddress": "someone@example.com"}, "sessionToken": "top-value"}));
        let mask = Mask::of([&node]);
        let shown = mask.hide(&node.one_line());
        for secret in [
            "flag-value",
            "in-flag",
            "ghp_SECRET",
            "env-value",
            "pass-word",
            "query-value",
            "header-value",
            "someone@",
            "top-value",
        ] {
            assert!(!shown.contains(secret), "{secret}: {shown}");
        }
        let longer = Node::from(serde_json::json!({"env": {"A": "abcd", "B": "abcdefgh"}}));
        assert_eq!(Mask::of([&longer]).hide("abcdefgh abcd ab"), "*** *** ab");
        assert_eq!(Mask::of([]).hide("a text"), "a text");
        for kept in ["npx", "plain", "${NAME}", "example.com/mcp", "FIGMA_TOKEN", "GITHUB_TOKEN"] {
            assert!(shown.contains(kept), "{kept}: {shown}");
        }
    }
}
