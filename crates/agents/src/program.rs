//! Whether a word of a command line is this program.

/// Systems and processors that people have in the name of a program they have downloaded.
const BUILDS: [&str; 9] =
    ["x86", "aarch64", "arm64", "amd64", "linux", "macos", "darwin", "windows", "musl"];

/// Whether a word runs Weir: by any path, by the name of its packages, or under a name with a version or a
/// processor in it.
#[must_use]
pub fn is_weir(word: &str) -> bool {
    let word = word.trim().trim_matches(['\'', '"']);
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let Some(rest) = name.strip_prefix("weir") else { return false };
    // A package of npm or PyPI with its version.
    let rest = rest.split(['@', '=']).next().unwrap_or_default();
    let Some(kind) = rest.strip_prefix(['-', '_']) else { return rest.is_empty() };
    let version = kind.strip_prefix('v').unwrap_or(kind);
    kind == "cli"
        || version.starts_with(|c: char| c.is_ascii_digit())
        || BUILDS.iter().any(|build| kind.starts_with(build))
}

#[cfg(test)]
mod tests {
    use super::is_weir;

    #[test]
    fn the_names_under_which_the_program_is_installed_are_known() {
        for word in [
            "weir",
            "/usr/bin/weir",
            "'/home/a b/weir'",
            r"C:\bin\weir.exe",
            "weir-cli",
            "weir-cli@0.3.0",
            "weir-cli==0.3.0",
            "./weir-0.3.0",
            "weir-v0.3.0",
            "weir-x86_64-unknown-linux-musl",
            "weir_linux_amd64",
        ] {
            assert!(is_weir(word), "{word}");
        }
        for word in
            ["", "weird", "weir-mcp", "weirdo-1", "npx", "my-weir", "weir/server", "weir-cli-x"]
        {
            assert!(!is_weir(word), "{word}");
        }
    }
}
