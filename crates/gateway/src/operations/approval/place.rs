//! Places that a program should not write to unasked: the system's, disks, files that run by themselves.

use super::kind::Kind;
use super::table::kinds;

/// What a write to this path is, from a directory.
pub(super) fn of(path: &str, directory: &str) -> Option<Kind> {
    let path = whole(path, directory);
    let sources = ["/usr/local/src/", "/usr/src/"];
    kinds("@path", &path).next().filter(|_| !sources.iter().any(|folder| path.starts_with(folder)))
}

/// The path without detours, in small letters and with `/`. One that leaves its folder upwards is taken from the root.
fn whole(path: &str, directory: &str) -> String {
    let path = path.trim().strip_prefix("file://").unwrap_or(path.trim());
    let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy().replace('\\', "/");
    let is_whole = path.starts_with(['/', '~']) || path.get(1..2) == Some(":");
    let path = if is_whole { path } else { format!("{directory}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/").to_lowercase();
    match joined.starts_with('~') || joined.get(1..2) == Some(":") {
        true => joined,
        // Relative to where nobody knows, unless it leads out of there.
        false if is_whole || path.contains("..") || directory.starts_with('/') => {
            format!("/{joined}")
        }
        false => format!("./{joined}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_without_its_detours() {
        for (path, kind) in [
            ("/etc/hosts", Some(Kind::System)),
            ("/tmp/../etc//./hosts", Some(Kind::System)),
            ("file:///etc/h%6fsts", Some(Kind::System)),
            ("../../../etc/passwd", Some(Kind::System)),
            ("C:\\Windows\\x", Some(Kind::System)),
            ("~/.ssh/authorized_keys", Some(Kind::System)),
            (".git/hooks/pre-commit", Some(Kind::System)),
            ("/", Some(Kind::System)),
            ("/dev/sda", Some(Kind::Formatting)),
            ("/dev/null", None),
            ("/etcetera/x", None),
            ("etc/x", None),
            ("src/usr/bin", None),
            ("/home/me/x", None),
        ] {
            assert_eq!(of(path, ""), kind, "{path}");
        }
        assert_eq!(of("hosts", "/etc"), Some(Kind::System));
    }
}
