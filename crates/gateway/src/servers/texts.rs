//! Texts of a server's skills as they were seen: so that a person can be shown what has changed.
//!
//! Each is a file under its digest, for its owner alone. What is no text, or too long, is not kept: of that a person is told
//! sizes and digests.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use weir_base::{create_private_dir, hex, replace};

/// Bytes of one text, and of all of a server.
pub(crate) const MAX_TEXT: u64 = 64 << 10;
const MAX_ALL: u64 = 32 << 20;

/// The folder with the texts of one server.
#[derive(Debug)]
pub(crate) struct Texts(PathBuf);

impl Texts {
    pub(crate) fn in_folder(folder: PathBuf) -> Texts {
        Texts(folder)
    }

    /// The text with this digest, where it is kept.
    pub(crate) fn get(&self, digest: &str) -> Option<String> {
        let text = std::fs::read_to_string(self.0.join(name_of(digest)?)).ok()?;
        (digest_of(text.as_bytes()) == digest).then_some(text)
    }

    /// What is kept, with its size, by the digest.
    pub(crate) fn held(&self) -> BTreeMap<String, u64> {
        let files = self.0.read_dir().into_iter().flatten().flatten();
        let held = files.filter_map(|file| {
            let digest = format!("sha256:{}", file.file_name().into_string().ok()?);
            name_of(&digest)?;
            Some((digest, file.metadata().ok()?.len()))
        });
        held.collect()
    }

    /// Keeps these, as far as there is room beside what is held, and adds them to that. A text that cannot be written costs a
    /// difference later, nothing more.
    pub(crate) fn keep(&self, held: &mut BTreeMap<String, u64>, texts: Vec<(String, Vec<u8>)>) {
        let mut left = MAX_ALL.saturating_sub(held.values().sum());
        for (digest, bytes) in texts {
            let size = bytes.len() as u64;
            let is_text = std::str::from_utf8(&bytes).is_ok() && !bytes.contains(&0);
            let Some(name) = name_of(&digest).filter(|_| is_text && size <= MAX_TEXT.min(left))
            else {
                continue;
            };
            if held.contains_key(&digest) || digest_of(&bytes) != digest {
                continue;
            }
            let path = self.0.join(name);
            let written = create_private_dir(&self.0)
                .and_then(|()| replace(&path, |file| file.write_all(&bytes)));
            if written.is_ok() {
                left -= size;
                held.insert(digest, size);
            }
        }
    }

    /// Removes all but these.
    pub(crate) fn keep_only(&self, wanted: &BTreeSet<String>) {
        for digest in self.held().into_keys().filter(|digest| !wanted.contains(digest)) {
            let _ = name_of(&digest).map(|name| std::fs::remove_file(self.0.join(name)));
        }
    }
}

/// The name of the file for a digest; none for what is no digest.
fn name_of(digest: &str) -> Option<&str> {
    let digits = digest.strip_prefix("sha256:")?;
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    (digits.len() == 64 && digits.bytes().all(is_digit)).then_some(digits)
}

fn digest_of(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_within_bounds_for_their_owner_and_come_back_or_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let texts = Texts::in_folder(folder.path().join("s.texts"));
        let mut held = texts.held();
        let pair = |bytes: &[u8]| (digest_of(bytes), bytes.to_vec());
        let (good, binary) = (pair("größe\n".as_bytes()), pair(b"a\0b"));
        let long = pair(&vec![b'x'; MAX_TEXT as usize + 1]);
        let lie = (digest_of(b"another"), b"text".to_vec());
        let path = ("sha256:../../x".to_owned(), b"text".to_vec());
        texts.keep(&mut held, vec![good.clone(), binary.clone(), long.clone(), lie.clone(), path]);
        assert_eq!(held.keys().collect::<Vec<_>>(), [&good.0]);
        assert_eq!(texts.held(), held);
        assert_eq!(texts.get(&good.0).as_deref(), Some("größe\n"));
        for digest in [&binary.0, &long.0, &lie.0, "sha256:../../x", "x"] {
            assert_eq!(texts.get(digest), None, "{digest}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
            let file = texts.0.join(name_of(&good.0).unwrap());
            assert_eq!((mode(texts.0.clone()), mode(file)), (0o700, 0o600));
        }
        // What was changed on disk is not shown for what it was.
        std::fs::write(texts.0.join(name_of(&good.0).unwrap()), "other").unwrap();
        assert_eq!(texts.get(&good.0), None);
        let many = (0..700).map(|n| pair(format!("{n}{}", "y".repeat(60_000)).as_bytes()));
        texts.keep(&mut held, many.collect());
        let all: u64 = texts.held().values().sum();
        assert!(all <= MAX_ALL && all > MAX_ALL - MAX_TEXT, "{all}");
        texts.keep_only(&BTreeSet::from([good.0.clone()]));
        assert_eq!(texts.held().into_keys().collect::<Vec<_>>(), [good.0]);
    }
}
