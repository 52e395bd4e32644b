//! `HOST/NAME:TAG@sha256:DIGEST`: where an artefact is.

use std::fmt;
use std::str::FromStr;

/// Where an artefact is. There is no default registry: the host is always named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The registry: a host, with or without a port.
    pub host: String,
    /// The repository in it.
    pub name: String,
    /// Its tag; `latest` where nothing is named.
    pub tag: Option<String>,
    /// The SHA-256 of the manifest, in hexadecimal digits.
    pub digest: Option<String>,
}

impl FromStr for Reference {
    type Err = String;

    fn from_str(text: &str) -> Result<Reference, String> {
        let rest = text.strip_prefix("oci://").unwrap_or(text);
        let (rest, digest) = match rest.split_once('@') {
            None => (rest, None),
            Some((rest, digest)) => {
                let digest =
                    sha256_of(digest).ok_or("a digest is sha256: and 64 lower-case digits")?;
                (rest, Some(digest.to_owned()))
            }
        };
        let (host, rest) = rest.split_once('/').ok_or(NO_HOST)?;
        let (name, tag) = match rest.split_once(':') {
            None => (rest, None),
            Some((name, tag)) => (name, Some(tag.to_owned())),
        };
        let named = host.contains(['.', ':']) || host == "localhost";
        if !named {
            return Err(NO_HOST.to_owned());
        }
        if !is_host(host) {
            return Err(format!("{host:?} is not a host"));
        }
        if name.is_empty() || name.len() > 255 || !name.split('/').all(is_part) {
            return Err(format!(
                "{name:?} is not the name of a repository: lower-case letters, digits, and . _ - / between them"
            ));
        }
        if let Some(tag) = tag.as_deref().filter(|tag| !is_tag(tag)) {
            return Err(format!("{tag:?} is not a tag"));
        }
        Ok(Reference { host: host.to_owned(), name: name.to_owned(), tag, digest })
    }
}

const NO_HOST: &str = "a reference names its registry, as in registry.example/weir:0.3.0";

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.name)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        if let Some(digest) = &self.digest {
            write!(f, "@sha256:{digest}")?;
        }
        Ok(())
    }
}

/// The hexadecimal digits of `sha256:…`.
#[must_use]
pub fn sha256_of(digest: &str) -> Option<&str> {
    let digits = digest.strip_prefix("sha256:")?;
    let good = digits.len() == 64 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    good.then_some(digits)
}

/// A name or an address, and a port: nothing that means something else in a URL.
fn is_host(host: &str) -> bool {
    let plain = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
    };
    let port = |text: &str| text.parse::<u16>().is_ok();
    if let Some((address, after)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok()
            && (after.is_empty() || after.strip_prefix(':').is_some_and(port));
    }
    match host.split_once(':') {
        None => plain(host),
        Some((host, after)) => plain(host) && port(after),
    }
}

fn is_part(part: &str) -> bool {
    let alphanumeric = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = part.as_bytes();
    bytes.first().is_some_and(|b| alphanumeric(*b))
        && bytes.last().is_some_and(|b| alphanumeric(*b))
        && bytes.iter().all(|b| alphanumeric(*b) || matches!(b, b'.' | b'_' | b'-'))
        && !part.contains("..")
}

fn is_tag(tag: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    tag.len() <= 128
        && tag.bytes().next().is_some_and(word)
        && tag.bytes().all(|b| word(b) || matches!(b, b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_read_and_written() {
        let digest = "0123456789abcdef".repeat(4);
        for (text, host, name, tag, pinned) in [
            ("localhost/weir", "localhost", "weir", None, false),
            ("localhost:5000/a/b-c:1.0", "localhost:5000", "a/b-c", Some("1.0"), false),
            ("ghcr.io/a/weir:0.3.0@", "ghcr.io", "a/weir", Some("0.3.0"), true),
            ("[::1]:5000/weir@", "[::1]:5000", "weir", None, true),
        ] {
            let text = if pinned { format!("{text}sha256:{digest}") } else { text.to_owned() };
            let read: Reference = text.parse().unwrap();
            assert_eq!((read.host.as_str(), read.name.as_str()), (host, name), "{text}");
            assert_eq!((read.tag.as_deref(), read.digest.is_some()), (tag, pinned), "{text}");
            assert_eq!(read.to_string(), text);
            assert_eq!(format!("oci://{text}").parse::<Reference>().unwrap(), read);
        }
    }

    #[test]
    fn what_would_mean_something_else_in_an_address_is_refused() {
        for text in [
            "weir",
            "library/weir",
            "https://ghcr.io/weir",
            "user:pass@ghcr.io/weir",
            "ghcr.io/",
            "ghcr.io/Weir",
            "ghcr.io/a//b",
            "ghcr.io/../v2",
            "ghcr.io/a/..",
            "ghcr.io/a?b",
            "ghcr.io/a#b",
            "ghcr.io/a%2fb",
            "ghcr.io:x/weir",
            "ghcr.io:99999/weir",
            "[::1/weir",
            "ghcr.io/weir:",
            "ghcr.io/weir:a/b",
            "ghcr.io/weir@sha256:12",
            "ghcr.io/weir@md5:12",
        ] {
            assert!(text.parse::<Reference>().is_err(), "{text}");
        }
    }
}
