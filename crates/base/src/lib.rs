//! What several crates need and the standard library lacks. It is no library for others.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};

pub mod private;

/// A mutex that stays open when a thread panics with it: what it guards is whole between any two statements.
#[derive(Debug, Default)]
pub struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    /// With this in it.
    pub const fn new(value: T) -> Mutex<T> {
        Mutex(std::sync::Mutex::new(value))
    }

    /// Waits for its turn.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes as lower-case hexadecimal digits, two a byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of texts one after the other, which no others have: each stands behind its length.
pub fn digest_of<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.as_ref().len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// A name of 128 bits that nobody can guess.
///
/// # Errors
/// When the system has no random numbers.
pub fn unguessable() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

/// What stands before a command in a message for people.
pub const RUN: &str = "; run: ";

/// A reason as clients are told it. Commands are for people at a shell: a model would run them.
pub fn without_command(text: &str) -> String {
    match text.split_once(RUN) {
        Some((why, _)) => format!("{why}; the user has to mend that"),
        None => text.to_owned(),
    }
}

/// A text in at most so many characters; `…` stands for what was cut.
pub fn clip(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max_chars.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A number with its thousands apart.
pub fn group(number: impl std::fmt::Display) -> String {
    let text = number.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", &text[..]), |digits| ("-", digits));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}")
}

/// Bytes in a unit that leaves three digits or so.
pub fn size(bytes: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    units.iter().find(|(_, worth)| bytes >= *worth).map_or_else(
        || format!("{bytes} B"),
        |(unit, worth)| format!("{:.1} {unit}", bytes as f64 / *worth as f64),
    )
}

/// Seconds since 1970.
pub fn unix_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The day of a time since 1970 in UTC, and the seconds of that day.
pub fn date(time: u64) -> (u64, u8, u8, u64) {
    // Days are counted from the first of March of the year 0, so that leap days end their years.
    let days = time / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * shifted + 2) / 5 + 1) as u8;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u8;
    (era * 400 + year_of_era + u64::from(month <= 2), month, day, time % 86_400)
}

/// Makes a folder, with its parents, that only its owner can read.
///
/// # Errors
/// When it cannot be made.
pub fn create_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Replaces a file with what is written: others see the old one or the new one, whole. Its folder is there.
/// Its mode is 0600 unless `write` sets another.
///
/// # Errors
/// When it cannot be written; then the old one is there as before.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    write(file.as_file_mut())?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!(["0", "999", "1,000", "-12,345"], [0, 999, 1_000, -12_345].map(group)[..]);
    }

    #[test]
    fn a_text_is_clipped_within_its_bound() {
        for (text, max, shown) in
            [("größe", 5, "größe"), ("größen", 5, "größ…"), ("ab", 1, "…"), ("", 0, "")]
        {
            assert_eq!(clip(text, max), shown);
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1, 0));
        assert_eq!(date(951_782_399), (2000, 2, 28, 86_399));
        assert_eq!(date(951_782_400), (2000, 2, 29, 0));
        assert_eq!(date(4_107_542_400), (2100, 3, 1, 0));
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        replace(&path, |file| file.write_all(b"old")).unwrap();
        let failed = replace(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more room"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more room");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
