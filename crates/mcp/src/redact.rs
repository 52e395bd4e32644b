//! Secrets, kept out of what is shown.

use serde::{Deserialize, Serialize};

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

/// Values that must never be shown.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secrets(Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} values", self.0.len())
    }
}

/// Shorter values are no secrets: hiding each `1` or `true` would only garble the text.
const SECRET_MIN_CHARS: usize = 6;

impl Secrets {
    /// Adds a value.
    pub fn add(&mut self, value: &str) {
        // `Bearer abc`: the part after the scheme is shown alone in some messages.
        for part in std::iter::once(value).chain(value.split_whitespace()) {
            // As servers write it that show what they were given as JSON.
            let quoted = serde_json::Value::from(part).to_string();
            for part in [part, &quoted[1..quoted.len() - 1]] {
                if part.len() >= SECRET_MIN_CHARS && !self.0.iter().any(|known| known == part) {
                    self.0.push(part.to_owned());
                }
            }
        }
        self.0.sort_by_key(|value| std::cmp::Reverse(value.len()));
    }

    /// Adds what a program's arguments give as a secret: `--api-key VALUE`, `--token=VALUE`,
    /// `--header "Authorization: Bearer VALUE"`, `PASSWORD=VALUE`, and secrets of addresses.
    pub fn add_from_args(&mut self, args: &[String]) {
        let mut named = false;
        for arg in args {
            if std::mem::take(&mut named) && !arg.starts_with('-') {
                // A header is a name and a value of its own.
                let value = arg.split_once(": ").map_or(arg.as_str(), |(_, value)| value);
                self.add(value);
            }
            self.add_from_url(arg);
            let flag = arg.starts_with('-');
            match arg.split_once('=').or_else(|| arg.split_once(": ")) {
                Some((name, value)) if names_a_secret(name) && !name.contains("://") => {
                    self.add(value)
                }
                None if flag => named = names_a_secret(arg) || is_header_flag(arg),
                _ => {}
            }
        }
    }

    /// Adds the password and the query's secrets of an address.
    pub fn add_from_url(&mut self, text: &str) {
        let Some((_, rest)) = text.split_once("://") else { return };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let authority = place.split('/').next().unwrap_or("");
        if let Some((user, _)) = authority.rsplit_once('@') {
            // `https://TOKEN@host` has no password: the user is the secret.
            self.add(user.split_once(':').map_or(user, |(_, password)| password));
        }
        for pair in query.split(['&', '#']) {
            if let Some((name, value)) = pair.split_once('=')
                && names_a_secret(name)
            {
                self.add(value);
            }
        }
    }

    /// `text` with every secret value replaced by `***`.
    pub fn redact(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }

    /// The same of a text that was cut at its end, where a secret may have been cut as well.
    pub fn redact_start(&self, text: &str) -> String {
        let mut text = self.redact(text);
        let cut = |secret: &String| {
            let ends = secret.char_indices().map(|(at, _)| at).skip(1);
            ends.filter(|end| text.ends_with(&secret[..*end])).max()
        };
        if let Some(piece) = self.0.iter().filter_map(cut).max()
            && piece >= SECRET_MIN_CHARS
        {
            text.truncate(text.len() - piece);
            text.push_str("***");
        }
        text
    }
}

/// Whether the name of a flag, a variable or a parameter says that its value is a secret.
fn names_a_secret(name: &str) -> bool {
    const WORDS: [&str; 11] = [
        "token",
        "secret",
        "password",
        "passwd",
        "pass",
        "key",
        "apikey",
        "auth",
        "authorization",
        "credential",
        "credentials",
    ];
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
        || ["token", "secret", "apikey", "password"]
            .iter()
            .any(|word| name.to_ascii_lowercase().ends_with(word))
}

fn is_header_flag(flag: &str) -> bool {
    matches!(flag, "-H" | "--header" | "--headers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_vanish_with_their_parts() {
        let mut secrets = Secrets::default();
        secrets.add("Bearer tok-123456");
        assert_eq!(secrets.redact("refused: tok-123456 / Bearer tok-123456"), "refused: *** / ***");
        assert!(!format!("{secrets:?}").contains("tok"));
        // What shows it cuts it, or quotes it.
        assert_eq!(secrets.redact_start("it wrote: Bearer tok-12"), "it wrote: *** ***");
        assert_eq!(secrets.redact_start("it wrote: tok-1234"), "it wrote: ***");
        assert_eq!(secrets.redact_start("it wrote: Bea"), "it wrote: Bea");
        secrets.add("pass\"word\\1");
        assert_eq!(secrets.redact(r#"{"P": "pass\"word\\1"}"#), r#"{"P": "***"}"#);
    }

    #[test]
    fn secrets_of_arguments_and_addresses_are_masked_and_nothing_else_is() {
        let args = [
            "--api-key",
            "canary-1",
            "--token=canary-2",
            "-H",
            "Authorization: Bearer canary-3",
            "--port",
            "canary-no",
            "PASSWORD=canary-4",
            "https://user:canary-5@host/path?access_token=canary-6&page=canary-no",
            "--accessToken",
            "canary-7",
            "--monkey",
            "canary-no",
            "--secret",
            "--verbose",
            "https://canary-8@host",
            "--header",
            "X-Api-Key: canary-9",
        ];
        let mut secrets = Secrets::default();
        secrets.add_from_args(&args.map(str::to_owned));
        let shown = secrets.redact(&args.join(" "));
        for n in 1..=9 {
            assert!(!shown.contains(&format!("canary-{n}")), "{shown}");
        }
        assert_eq!(shown.matches("canary-no").count(), 3, "{shown}");
        assert!(shown.contains("--verbose"), "{shown}");
    }
}
