//! Archives whose bytes depend on nothing but their content: sorted, one owner, one time.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::read::GzDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, GzBuilder};
use tar::EntryType;

use weir_base::date;

use crate::Result;

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) bytes: Vec<u8>,
    pub(crate) executable: bool,
    /// Of a folder in a tar archive, whose name ends with a slash: its mode and whose it is.
    folder: Option<(u32, u64)>,
}

impl Entry {
    pub(crate) fn file(bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { bytes: bytes.into(), executable: false, folder: None }
    }

    pub(crate) fn program(bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { bytes: bytes.into(), executable: true, folder: None }
    }

    pub(crate) fn folder(mode: u32, owner: u64) -> Entry {
        Entry { bytes: Vec::new(), executable: false, folder: Some((mode, owner)) }
    }

    fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// The files of an archive by their paths, which have slashes on every system.
pub(crate) type Entries = BTreeMap<String, Entry>;

/// A tar archive, compressed with gzip.
pub(crate) fn tar_gz(entries: &Entries, time: u64) -> Result<Vec<u8>> {
    tar_gz_of(&tar(entries, time)?)
}

/// The same of a tar archive that is there.
pub(crate) fn tar_gz_of(tar: &[u8]) -> Result<Vec<u8>> {
    let mut packed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let written = packed.write_all(tar).and_then(|()| packed.finish());
    written.map_err(|error| format!("cannot make an archive: {error}"))
}

/// A tar archive.
pub(crate) fn tar(entries: &Entries, time: u64) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| format!("cannot make an archive: {error}");
    let mut tar = tar::Builder::new(Vec::new());
    for (name, entry) in entries {
        let (mode, owner) = entry.folder.unwrap_or((entry.mode(), 0));
        let kind = if entry.folder.is_some() { EntryType::Directory } else { EntryType::Regular };
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(mode);
        header.set_mtime(time);
        header.set_uid(owner);
        header.set_gid(owner);
        header.set_entry_type(kind);
        tar.append_data(&mut header, name, entry.bytes.as_slice()).map_err(failed)?;
    }
    tar.into_inner().map_err(failed)
}

/// What is compressed with gzip.
pub(crate) fn unpacked(packed: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = GzDecoder::new(packed).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|error| format!("cannot read an archive: {error}"))
}

/// The files of a tar archive, compressed with gzip.
pub(crate) fn read_tar_gz(bytes: &[u8]) -> Result<Entries> {
    read_tar(&unpacked(bytes)?)
}

/// The files of a tar archive.
pub(crate) fn read_tar(bytes: &[u8]) -> Result<Entries> {
    let failed = |error: std::io::Error| format!("cannot read an archive: {error}");
    let mut tar = tar::Archive::new(bytes);
    let mut entries = Entries::new();
    for entry in tar.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        if entry.header().entry_type() != EntryType::Regular {
            continue;
        }
        let name = entry.path().map_err(failed)?.to_string_lossy().into_owned();
        let executable = entry.header().mode().map_err(failed)? & 0o100 != 0;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(failed)?;
        entries.insert(name, Entry { executable, ..Entry::file(bytes) });
    }
    Ok(entries)
}

/// A ZIP archive, as wheels are. Crates that write one bring many others along.
pub(crate) fn zip(entries: &Entries, time: u64) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| format!("cannot make an archive: {error}");
    let (mut archive, mut list) = (Vec::new(), Vec::new());
    for (name, entry) in entries {
        let start = small(archive.len())?;
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
        deflate.write_all(&entry.bytes).map_err(failed)?;
        let packed = deflate.finish().map_err(failed)?;
        // What the entry and the list at the end both say of a file.
        let mut about = vec![20, 0];
        // Names are in UTF-8; contents are deflated.
        about.extend([0, 8, 8, 0]);
        about.extend(dos_time(time));
        about.extend(crc32fast::hash(&entry.bytes).to_le_bytes());
        about.extend(small(packed.len())?);
        about.extend(small(entry.bytes.len())?);
        about.extend((name.len() as u16).to_le_bytes());
        about.extend([0, 0]);
        archive.extend(b"PK\x03\x04");
        archive.extend(&about);
        archive.extend(name.as_bytes());
        archive.extend(packed);
        list.extend(b"PK\x01\x02");
        // Made on a Unix, by version 2.0: modes are those of a Unix.
        list.extend([20, 3]);
        list.extend(about);
        list.extend([0; 6]);
        list.extend(((0o100_000 | entry.mode()) << 16).to_le_bytes());
        list.extend(start);
        list.extend(name.as_bytes());
    }
    let count = u16::try_from(entries.len()).map_err(|_| "too many files".to_owned())?;
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend(count.to_le_bytes());
    end.extend(count.to_le_bytes());
    end.extend(small(list.len())?);
    end.extend(small(archive.len())?);
    end.extend([0, 0]);
    archive.extend(list);
    archive.extend(end);
    Ok(archive)
}

/// A length or a place in an archive that has no extensions for large ones.
fn small(number: usize) -> Result<[u8; 4]> {
    u32::try_from(number)
        .map(u32::to_le_bytes)
        .map_err(|_| "a ZIP archive is larger than 4 GiB".to_owned())
}

/// A time in two halves: the time of the day in steps of two seconds, and the day.
fn dos_time(time: u64) -> [u8; 4] {
    let (year, month, day, seconds) = date(time);
    let clock = (seconds / 3600) << 11 | (seconds / 60 % 60) << 5 | (seconds % 60 / 2);
    let calendar = year.saturating_sub(1980) << 9 | u64::from(month) << 5 | u64::from(day);
    ((calendar as u32) << 16 | clock as u32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Entries {
        let long = format!("{}/weir.1", "a".repeat(120));
        Entries::from([
            ("b/weir".to_owned(), Entry::program(vec![7; 100_000])),
            ("a.txt".to_owned(), Entry::file("text")),
            (long, Entry::file("")),
        ])
    }

    #[test]
    fn an_archive_is_read_as_it_was_written_and_has_no_time_or_owner_of_its_own() {
        let bytes = tar_gz(&entries(), 1_700_000_000).expect("it is written");
        assert_eq!(read_tar_gz(&bytes).expect("it is read"), entries());
        // The header of gzip: no name, no time.
        assert_eq!(bytes[..8], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
        let mut tar = tar::Archive::new(GzDecoder::new(bytes.as_slice()));
        for entry in tar.entries().expect("it has entries") {
            let header = entry.expect("it is whole").header().clone();
            assert_eq!(header.mtime().expect("a time"), 1_700_000_000);
            assert_eq!((header.uid().expect("an owner"), header.gid().expect("a group")), (0, 0));
        }
        assert_eq!(bytes, tar_gz(&entries(), 1_700_000_000).expect("it is written again"));
    }

    /// `cargo xtask dist --check` has pip read what is written here.
    #[test]
    fn a_zip_lists_each_file_with_its_mode_and_the_time_it_is_given() {
        let bytes = zip(&entries(), 1_700_000_001).expect("it is written");
        let end = &bytes[bytes.len() - 22..];
        let number = |at: &[u8]| u32::from_le_bytes(at[..4].try_into().expect("four bytes"));
        assert_eq!((&end[..4], end[10]), (&b"PK\x05\x06"[..], 3));
        let list = &bytes[number(&end[16..]) as usize..];
        assert_eq!(&list[46..51], b"a.txt");
        // 2023-11-14 22:13:20.
        assert_eq!(number(&list[12..]), (43 << 9 | 11 << 5 | 14) << 16 | 22 << 11 | 13 << 5 | 10);
        assert_eq!(number(&list[16..]), crc32fast::hash(b"text"));
        assert_eq!(number(&list[38..]) >> 16, 0o100_644);
        let place = list.windows(6).rposition(|name| name == b"b/weir").expect("it is listed");
        let item = &list[place - 46..];
        assert_eq!(number(&item[38..]) >> 16, 0o100_755);
        let file = &bytes[number(&item[42..]) as usize..];
        let packed = &file[36..36 + number(&item[20..]) as usize];
        let mut content = Vec::new();
        let mut inflate = flate2::read::DeflateDecoder::new(packed);
        inflate.read_to_end(&mut content).expect("it is deflated");
        assert_eq!(content, vec![7; 100_000]);
    }
}
