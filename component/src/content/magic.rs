//! First bytes that name a format.

/// First bytes that name a format.
const MAGICS: [(&[u8], &str); 30] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM\x00\x00", "image/bmp"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\x00asm", "application/wasm"),
    (b"\x7fELF", "application/x-elf"),
    (b"MZ\x90\x00", "application/vnd.microsoft.portable-executable"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"OggS", "audio/ogg"),
    (b"ID3\x03", "audio/mpeg"),
    (b"ID3\x04", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
];

/// The media type that the first bytes give away, for formats that are no text.
pub(crate) fn sniff(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("text/plain; charset=utf-16");
    }
    match head {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            return Some("image/webp");
        }
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => {
            return Some("audio/wav");
        }
        [0, 0, 0, _, b'f', b't', b'y', b'p', ..] => return Some("video/mp4"),
        _ => {}
    }
    let by_magic =
        MAGICS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, media)| media);
    match by_magic {
        // Three letters are a word as well: what follows them must be no text.
        Some("application/x-bzip2") if head.get(4..10).is_none_or(|b| b != b"1AY&SY") => None,
        Some("application/vnd.apache.parquet") if !head.iter().take(64).any(|&b| b == 0) => None,
        Some("audio/ogg" | "audio/flac" | "font/woff" | "font/woff2")
            if !head.iter().take(64).any(|&b| b == 0) =>
        {
            None
        }
        other => other,
    }
}
