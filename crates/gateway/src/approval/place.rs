//! Places that a program should not write to unasked: the system's, disks, files that run by themselves.

use super::kind::Kind;

/// Folders of the system, in small letters and with `/`.
const FOLDERS: [&str; 17] = [
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/boot",
    "/sys",
    "/proc",
    "/opt/homebrew",
    "/system",
    "/library",
    "/var/log",
    "/var/spool/cron",
    "/private/etc",
    "c:/windows",
    "c:/program files",
];

/// Ends of paths to files that decide who comes in, or that something runs without being asked.
const FILES: &str = "\
/.ssh/authorized_keys /.ssh/config /.ssh/rc /.bashrc /.bash_profile /.profile /.zshrc /.zprofile /.zshenv \
/.config/fish/config.fish /.gitconfig /.netrc /.pgpass /.npmrc /.xinitrc /.bash_login";

/// Folders of such files, wherever they are.
const WITHIN: [&str; 6] = [
    "/.git/hooks/",
    "/.config/systemd/",
    "/.config/autostart/",
    "/launchagents/",
    "/weir/approvals",
    "/start menu/programs/startup/",
];

/// Disks by the start of their names in `/dev`.
const DISKS: &str = "\
sd hd vd xvd nvme disk rdisk mmcblk mapper/ dm- md";

/// What a write to this path is, from a directory.
pub(super) fn of(path: &str, directory: &str) -> Option<Kind> {
    let path = whole(path, directory);
    if let Some(device) = path.strip_prefix("/dev/") {
        return DISKS.split(' ').any(|disk| device.starts_with(disk)).then_some(Kind::Formatting);
    }
    let is_in = |folder: &str| {
        path.strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest.starts_with(" ("))
    };
    let is_system = path == "/"
        || path == "c:"
        || FOLDERS.iter().any(|folder| is_in(folder))
            && !["/usr/local/src", "/usr/src"].iter().any(|folder| is_in(folder))
        || FILES.split(' ').any(|file| path.ends_with(file))
        || WITHIN.iter().any(|folder| path.contains(folder));
    is_system.then_some(Kind::System)
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
