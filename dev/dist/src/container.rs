//! The file that container engines build an image from.

use std::collections::BTreeSet;
use std::path::Path;

use crate::archive::read_tar_gz;
use crate::binary::Binary;
use crate::{Dist, Result, read, read_text};

pub(crate) const NAME: &str = "Containerfile";

pub(crate) fn make(dist: &Dist, binaries: &[Binary]) -> Result<()> {
    // An image is for one processor: that of the machine which made the release.
    let here = binaries.iter().find(|binary| binary.platform.is_here());
    let Some(binary) = here else { return Ok(()) };
    let text = dist.source.template("dev/dist/Containerfile", binary.platform.target)?;
    dist.put(NAME, text.as_bytes())?;
    lint(&dist.out)
}

/// Follows each path of the file: those that come from the release have to be in it, and the program that
/// is started has to be one that was copied.
pub(crate) fn lint(directory: &Path) -> Result<()> {
    let text = read_text(&directory.join(NAME))?;
    let mut unpacked = BTreeSet::new();
    let mut copied = BTreeSet::new();
    let mut entry = None;
    for line in text.replace("\\\n", " ").lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let from = words.iter().any(|word| word.starts_with("--from="));
        words.retain(|word| !word.starts_with("--"));
        match words.as_slice() {
            ["ADD", archive, place] => {
                for name in read_tar_gz(&read(&directory.join(archive))?)?.into_keys() {
                    unpacked.insert(format!("{place}{name}"));
                }
            }
            ["ADD", ..] => return Err(format!("{NAME}: one archive a line: {line}")),
            ["COPY", sources @ .., to] => {
                for source in sources {
                    let of_release = source.starts_with("/release/");
                    if of_release && !unpacked.contains(*source)
                        || !from && !directory.join(source).is_file()
                    {
                        return Err(format!("{NAME} copies {source}, which the release lacks"));
                    }
                }
                copied.insert((*to).to_owned());
            }
            ["ENTRYPOINT", program] => {
                entry = Some(program.trim_matches(['[', ']', '"']).to_owned())
            }
            _ => {}
        }
    }
    match entry {
        Some(entry) if copied.contains(&entry) => Ok(()),
        entry => Err(format!("{NAME} starts {entry:?}, which it does not copy")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Entries, Entry, tar_gz};
    use crate::source::workspace;

    #[test]
    fn every_path_of_the_containerfile_is_in_the_release() {
        let source = workspace();
        let target = "x86_64-unknown-linux-musl";
        let text = source.template("dev/dist/Containerfile", target).expect("it is there");
        let folder = std::env::temp_dir().join(format!("weir-container-{}", std::process::id()));
        crate::fresh(&folder).expect("a folder");
        let stem = crate::binary::stem(&source.version, target);
        let mut entries = Entries::new();
        for name in ["weir", "LICENSE", "NOTICE", "THIRD-PARTY.txt"] {
            entries.insert(format!("{stem}/{name}"), Entry::file(name));
        }
        let pack = |entries: &Entries| {
            let archive = tar_gz(entries, 0).expect("an archive");
            crate::write(&folder.join(format!("{stem}.tar.gz")), &archive).expect("written");
        };
        crate::write(&folder.join(NAME), text.as_bytes()).expect("written");
        assert!(lint(&folder).is_err(), "the archive is missing");
        pack(&entries);
        assert_eq!(lint(&folder), Ok(()));
        let other = text.replace("[\"/usr/bin/weir\"]", "[\"/usr/bin/other\"]");
        crate::write(&folder.join(NAME), other.as_bytes()).expect("written");
        assert!(lint(&folder).is_err(), "another program is started");
        crate::write(&folder.join(NAME), text.as_bytes()).expect("written");
        entries.remove(&format!("{stem}/NOTICE"));
        pack(&entries);
        assert!(lint(&folder).is_err(), "a file of the archive is missing");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
