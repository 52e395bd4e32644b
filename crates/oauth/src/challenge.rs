//! `WWW-Authenticate`: what a server wants to see.

use axum::http::{HeaderMap, header};

/// The `Bearer` challenge of a response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Challenge {
    /// Where the metadata of the resource is.
    pub resource_metadata: Option<String>,
    /// The scopes that the request would have needed.
    pub scope: Option<String>,
    /// `invalid_token`, `insufficient_scope`, …
    pub error: Option<String>,
}

impl Challenge {
    /// Reads the headers; `None` when none of them asks for a bearer token.
    pub fn of(headers: &HeaderMap) -> Option<Challenge> {
        let values = headers.get_all(header::WWW_AUTHENTICATE);
        values.iter().filter_map(|value| value.to_str().ok()).find_map(Challenge::read)
    }

    /// Whether the token is good, but not for this.
    pub fn wants_more(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    fn read(text: &str) -> Option<Challenge> {
        let found = read(text);
        let bearer = found.iter().find(|scheme| scheme.name.eq_ignore_ascii_case("bearer"))?;
        let value = |name| bearer.get(name).map(str::to_owned);
        Some(Challenge {
            resource_metadata: value("resource_metadata"),
            scope: value("scope"),
            error: value("error"),
        })
    }
}

/// One challenge: a scheme with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Scheme {
    /// `Bearer`, `Basic`, …, as the server writes it.
    name: String,
    /// In the order of the header.
    parameters: Vec<(String, String)>,
}

impl Scheme {
    /// A parameter's value. The first of two counts: what comes later may be what somebody appended.
    fn get(&self, name: &str) -> Option<&str> {
        let mut named = self.parameters.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.as_str())
    }
}

/// Reads one header, which may hold several challenges. A word with no `=` begins one.
fn read(text: &str) -> Vec<Scheme> {
    let mut found: Vec<Scheme> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return found;
        }
        let end = rest.find([' ', '\t', ',', '=']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let spaced = after.trim_start();
        let Some(value) = spaced.strip_prefix('=') else {
            found.push(Scheme { name: word.to_owned(), parameters: Vec::new() });
            rest = after;
            continue;
        };
        let (value, after) = parameter(value.trim_start());
        if let Some(scheme) = found.last_mut() {
            scheme.parameters.push((word.to_owned(), value));
        }
        rest = after;
    }
}

/// A token or a quoted string, and what follows it.
fn parameter(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([' ', '\t', ',']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, c)| c)),
            c => value.push(c),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Challenge> {
        Challenge::read(text)
    }

    #[test]
    fn a_bearer_challenge_is_found_among_others() {
        let expected = Challenge {
            resource_metadata: Some("https://a.example/x?y=\"z".into()),
            scope: Some("a b".into()),
            error: Some("insufficient_scope".into()),
        };
        for text in [
            r#"Bearer resource_metadata="https://a.example/x?y=\"z", scope="a b", error="insufficient_scope""#,
            r#"Basic realm="b, Bearer scope=no", bearer realm="x",error=insufficient_scope , SCOPE = "a b",resource_metadata="https://a.example/x?y=\"z""#,
            r#"Bearer error="insufficient_scope", scope="a b", resource_metadata="https://a.example/x?y=\"z", DPoP scope="other""#,
        ] {
            assert_eq!(read(text), Some(expected.clone()), "{text}");
            assert!(read(text).unwrap().wants_more());
        }
        assert_eq!(read("Bearer"), Some(Challenge::default()));
        assert_eq!(read(r#"Basic realm="x""#), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn a_challenge_that_is_cut_off_ends() {
        for text in [
            "Bearer scope=\"a",
            "Bearer scope=\"a\\",
            "Bearer =",
            "Bearer ,,=,",
            "=",
            "Bearer a==b",
        ] {
            let _ = read(text);
        }
        // The first of two counts: what comes later may be what somebody appended.
        assert_eq!(read("Bearer scope=a, scope=b").unwrap().scope.as_deref(), Some("a"));
    }
}
