//! Skills by the extension "Skills over MCP": an entry, checked, and kept among its server's tools.
//!
//! ```text
//! skills/list ─► entry ─► definition, named by the skill's URI ─► pins, approval, catalog, index: as of any tool
//! read ─► the entry's digest, size and fields ─► the client
//! ```

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use weir_agents::config::Node;
use weir_base::hex;
use weir_servers::frontmatter;
pub(crate) use weir_servers::skills::MAX_SKILLS;
use weir_servers::skills::{MAX_BYTES, MAX_FILES, SKILL_FILE, decoded};

use crate::search::names::{DESCRIBE, public_uri};
use weir_mcp::json::{self, Json, quote};

/// Where the definition of a skill has its entry, as its server wrote that.
pub(crate) const MEMBER: &str = "weir/skill";

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) uri: String,
    pub(crate) digest: String,
    pub(crate) size: u64,
}

/// A skill, as its server describes it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) written: Json,
    pub(crate) uri: String,
    /// All its files; `None` where its server makes them anew each time and says nothing of them.
    pub(crate) files: Option<Vec<File>>,
}

/// The entry of a skill as a definition of a tool that has the skill's URI for a name: so its changes are noticed, and it is
/// found, as those of tools are.
///
/// # Errors
/// Why it is no skill that may be offered, as a sentence.
pub(crate) fn definition_of(entry: &Json) -> Result<Json, String> {
    let uri = Entry::checked(entry.clone())?.uri;
    let text = |name: &str| quote(&entry.text_at(&["frontmatter", name]).unwrap_or_default());
    Ok(Json::assembled(format!(
        r#"{{"name":{},"title":{},"description":{},"{MEMBER}":{entry}}}"#,
        quote(&uri),
        text("name"),
        text("description"),
    )))
}

impl Entry {
    /// Of a definition that was made by [`definition_of`].
    pub(crate) fn of(definition: &Json) -> Result<Entry, String> {
        Entry::checked(definition.at(&[MEMBER]).unwrap_or_else(Json::empty))
    }

    fn checked(written: Json) -> Result<Entry, String> {
        // Of two members with one name readers take different ones: a `Node` has none.
        let fields = written.at(&["frontmatter"]).unwrap_or_else(Json::empty);
        if fields.as_str().len() > frontmatter::MAX_BYTES {
            return Err("its frontmatter is too long".to_owned());
        }
        if json::repeated_name(written.as_str(), &["uri", "frontmatter", "resources"]).is_some()
            || fields.read::<Node>().is_none()
        {
            return Err("its entry has a member twice, or no frontmatter".to_owned());
        }
        let uri = written.text_at(&["uri"]).ok_or("its entry has no uri")?;
        let name = written.text_at(&["frontmatter", "name"]).ok_or("its entry has no name")?;
        written.text_at(&["frontmatter", "description"]).ok_or("its entry has no description")?;
        let root =
            root_of(&uri).ok_or_else(|| format!("its uri does not end with /{SKILL_FILE}"))?;
        if !frontmatter::is_name(&name) || root.rsplit('/').next() != Some(&name) {
            return Err(format!("its uri does not end with its name {}", quote(&name)));
        }
        if !stays_inside(&uri) {
            return Err("its uri leads elsewhere".to_owned());
        }
        let files = match written.text_at(&["resources"]) {
            Some(word) if word == "dynamic" => None,
            _ => Some(files_of(&written, &uri, root)?),
        };
        Ok(Entry { uri, files, written })
    }

    /// The URI of its directory, with the `/` behind it.
    pub(crate) fn root(&self) -> &str {
        self.uri.strip_suffix(SKILL_FILE).unwrap_or(&self.uri)
    }

    /// The entry with URIs as clients of the gateway know them. All else stays as it came.
    pub(crate) fn public(&self, server: &str) -> Json {
        let public = |uri: &str| quote(&public_uri(server, uri));
        let entry = self.written.with(&["uri"], &public(&self.uri));
        if self.files.is_none() {
            return entry;
        }
        entry.with_items(&["resources"], |file| {
            let own = json::find(file, &["uri"]).and_then(|span| json::string(&file[span]));
            json::set(file, &["uri"], &public(&own.unwrap_or_default()))
        })
    }

    /// The file at this URI, or at this path in the skill. What is escaped differs between servers and clients.
    pub(crate) fn file(&self, wanted: &str) -> Option<&File> {
        let path = |file: &File| file.uri.strip_prefix(self.root()).map(decoded);
        let plain = decoded(wanted);
        let mut files = self.files.iter().flatten();
        files.find(|file| decoded(&file.uri) == plain || path(file).as_deref() == Some(wanted))
    }

    /// Whether these are the bytes of its file at this URI.
    ///
    /// # Errors
    /// How they are not what the server said of the skill: the end of a sentence that begins with the file.
    pub(crate) fn check(&self, uri: &str, bytes: &[u8]) -> Result<(), String> {
        match (&self.files, self.file(uri)) {
            (None, _) if bytes.len() as u64 > MAX_BYTES => {
                return Err(format!("has more than {} MiB", MAX_BYTES >> 20));
            }
            (None, _) => {}
            (Some(_), None) => {
                return Err("is not among the files that its server lists".to_owned());
            }
            (Some(_), Some(file)) => {
                let digest = format!("sha256:{}", hex(&Sha256::digest(bytes)));
                if bytes.len() as u64 != file.size || digest != file.digest {
                    return Err("has not the size and digest that its server lists".to_owned());
                }
            }
        }
        if uri != self.uri {
            return Ok(());
        }
        let said = self.written.at(&["frontmatter"]).and_then(|said| said.read::<Value>());
        let read = frontmatter::read(&String::from_utf8_lossy(bytes));
        let read = read.map_err(|reason| format!("is no skill: {reason}"))?.to_value();
        match said.is_some_and(|said| frontmatter::agrees(&said, &read)) {
            true => Ok(()),
            false => Err("has other fields than its server lists".to_owned()),
        }
    }
}

/// The URI of a skill's directory.
fn root_of(uri: &str) -> Option<&str> {
    uri.strip_suffix(SKILL_FILE)?.strip_suffix('/').filter(|root| !root.is_empty())
}

/// Whether no part of a URI leads out of where it says it is.
fn stays_inside(uri: &str) -> bool {
    let path = uri.split_once("://").map_or(uri, |(_, path)| path);
    let inside = |part: &str| {
        let part = decoded(part);
        !part.is_empty() && !matches!(&*part, "." | "..") && !part.contains(['/', '\\', '\0'])
    };
    path.split('/').all(inside) && !uri.contains(['?', '#']) && !uri.chars().any(char::is_control)
}

fn files_of(entry: &Json, uri: &str, root: &str) -> Result<Vec<File>, String> {
    let items = entry.items(&["resources"]);
    if items.len() > MAX_FILES {
        return Err(format!("it has more than {MAX_FILES} files"));
    }
    let mut files: Vec<File> = Vec::with_capacity(items.len());
    for item in items {
        let item = Json::assembled(item.to_owned());
        if json::repeated_name(item.as_str(), &["uri", "digest", "size"]).is_some() {
            return Err("a file of it has a member twice".to_owned());
        }
        let file = File {
            uri: item.text_at(&["uri"]).unwrap_or_default(),
            digest: item.text_at(&["digest"]).unwrap_or_default(),
            size: item
                .at(&["size"])
                .and_then(|size| size.read())
                .ok_or("a file of it has no size")?,
        };
        let shown = quote(&weir_base::clip(&file.uri, 200));
        let below = file.uri.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'));
        if !below || !stays_inside(&file.uri) {
            return Err(format!("its file {shown} is not in its directory"));
        }
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        let digits = file.digest.strip_prefix("sha256:").unwrap_or_default();
        if digits.len() != 64 || !digits.bytes().all(is_digit) {
            return Err(format!("its file {shown} has no SHA-256 digest"));
        }
        if files.iter().any(|other| other.uri == file.uri) {
            return Err(format!("its file {shown} is listed twice"));
        }
        files.push(file);
    }
    let bytes = files.iter().fold(0u64, |sum, file| sum.saturating_add(file.size));
    if bytes > MAX_BYTES {
        return Err(format!("its files have more than {} MiB", MAX_BYTES >> 20));
    }
    match files.iter().any(|file| file.uri == uri) {
        true => Ok(files),
        false => Err(format!("its files lack {SKILL_FILE}")),
    }
}

/// The bytes that a result of `resources/read` has, and whether they came as text.
pub(crate) fn bytes_of(result: &Json) -> Result<(Vec<u8>, bool), String> {
    let contents = result.items(&["contents"]);
    let [content] = contents[..] else {
        return Err("was not answered with one content".to_owned());
    };
    let content = Json::assembled(content.to_owned());
    if let Some(text) = content.text_at(&["text"]) {
        return Ok((text.into_bytes(), true));
    }
    use base64::Engine as _;
    let blob = content.text_at(&["blob"]).ok_or("was answered with neither text nor blob")?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(blob);
    bytes.map(|bytes| (bytes, false)).map_err(|_| "was answered with no valid base64".to_owned())
}

/// How a model reads a skill, or a file of it.
pub(crate) fn reading(name: &str) -> String {
    format!(r#"{DESCRIBE} {{"names":[{}]}}"#, quote(name))
}

/// What a call of a skill is answered with.
pub(crate) fn not_called(name: &str) -> String {
    format!("{name} is a skill, not a tool: nothing was called. Read it with {}", reading(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::servers::digest::digest;

    const TEXT: &str = "---\nname: refunds\ndescription: Pays back.\n---\nRead it.\n";

    fn entry(change: impl Fn(String) -> String) -> Result<Entry, String> {
        let digest = hex(&Sha256::digest(TEXT));
        let text = format!(
            r#"{{"uri":"skill://acme/refunds/SKILL.md","frontmatter":{{"name":"refunds","description":"Pays back."}},
               "resources":[{{"uri":"skill://acme/refunds/SKILL.md","digest":"sha256:{digest}","size":{}}},
               {{"uri":"skill://acme/refunds/a%20b.md","digest":"sha256:{digest}","size":1}}]}}"#,
            TEXT.len()
        );
        let entry = Json::parse(change(text)).unwrap();
        definition_of(&entry).and_then(|definition| Entry::of(&definition))
    }

    #[test]
    fn an_entry_that_is_none_is_told_in_a_sentence() {
        assert!(entry(|text| text).is_ok());
        let large = format!(r#""size":{}"#, MAX_BYTES);
        for (from, to, wanted) in [
            ("refunds/SKILL.md\",\"fr", "refund/SKILL.md\",\"fr", "does not end with its name"),
            ("\"name\":\"refunds\"", "\"name\":\"Refunds\"", "does not end with its name"),
            (r#""name":"refunds""#, r#""name":"refunds","name":"x""#, "twice"),
            ("/a%20b.md", "/../a.md", "not in its directory"),
            ("/a%20b.md", "/%2e%2E/a.md", "not in its directory"),
            ("/a%20b.md", "/x%2f..%2fa.md", "not in its directory"),
            ("/a%20b.md", "//a.md", "not in its directory"),
            ("acme/refunds/a%20b.md", "acme/refunds2/a.md", "not in its directory"),
            ("skill://acme/refunds/a%20b.md", "file:///etc/passwd", "not in its directory"),
            ("/a%20b.md", "/SKILL.md", "listed twice"),
            (
                "a%20b.md\",\"digest\":\"sha256:",
                "a%20b.md\",\"digest\":\"sha1:",
                "no SHA-256 digest",
            ),
            (r#""size":1}"#, r#""size":-1}"#, "has no size"),
            (r#""size":1}"#, r#""size":1.5}"#, "has no size"),
            (r#""size":1}"#, &format!("{large}}}"), "more than 16 MiB"),
            (r#""resources""#, r#""files""#, "lack SKILL.md"),
            (r#","description":"Pays back.""#, "", "has no description"),
        ] {
            let refused = entry(|text| {
                assert!(text.contains(from), "{from}");
                text.replace(from, to)
            });
            let reason = refused.unwrap_err();
            assert!(reason.contains(wanted), "{from} as {to}: {reason}");
        }
        let dynamic = entry(|text| {
            let at = text.find("[").unwrap();
            format!("{}\"dynamic\"}}", &text[..at])
        });
        assert!(dynamic.unwrap().files.is_none());
    }

    #[test]
    fn what_is_read_is_what_was_listed_or_it_is_told() {
        let skill = entry(|text| text).unwrap();
        let main = "skill://acme/refunds/SKILL.md";
        skill.check(main, TEXT.as_bytes()).unwrap();
        let other = TEXT.replace("back", "BACK");
        assert!(skill.check(main, other.as_bytes()).unwrap_err().contains("size and digest"));
        assert!(skill.check("skill://acme/refunds/c.md", b"x").unwrap_err().contains("not among"));
        let claims = entry(|text| text.replace("Pays back.", "Pays all back.")).unwrap();
        assert!(claims.check(main, TEXT.as_bytes()).unwrap_err().contains("other fields"));
        assert!(skill.file("skill://acme/refunds/a b.md").is_some());
        assert_eq!(skill.file("a b.md").unwrap().uri, "skill://acme/refunds/a%20b.md");
    }

    #[test]
    fn a_skill_is_another_when_any_file_or_field_is() {
        let of = |skill: &Entry| digest(&definition_of(&skill.written).unwrap());
        let one = of(&entry(|text| text).unwrap());
        let spaced = entry(|text| text.replace("\"uri\":", " \"uri\" : ")).unwrap();
        assert_eq!(one, of(&spaced));
        for (from, to) in [(r#""size":1}"#, r#""size":2}"#), ("a%20b.md", "b.md")] {
            assert_ne!(one, of(&entry(|text| text.replace(from, to)).unwrap()));
        }
    }

    #[test]
    fn an_entry_is_passed_on_as_it_came_but_for_its_addresses() {
        let skill = entry(|text| text.replace("\"name\":", "\"v\":1.10,\"name\":")).unwrap();
        let public = skill.public("my server");
        assert!(public.as_str().contains(r#""frontmatter":{"v":1.10,"name":"refunds""#));
        assert_eq!(public.text_at(&["uri"]).unwrap(), "skill://my%20server/acme/refunds/SKILL.md");
        assert_eq!(public.as_str().matches("skill://my%20server/acme/refunds/").count(), 3);
    }
}
