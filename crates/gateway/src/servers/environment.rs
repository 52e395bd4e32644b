//! The environment of a server process: a short list of variables, and what its entry names.
//!
//! The gateway's own environment holds the tokens of every server (for `${VAR}` in their entries),
//! the gateway's token and the headers of its telemetry. A server gets none of them unless its entry
//! asks for them.

use std::ffi::{OsStr, OsString};

use crate::search::glob::glob_matches;

/// Which variables of the gateway's environment a server gets beside the usual ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inherit {
    /// Those of these names, which may be globs.
    Named(Vec<String>),
    /// All but the gateway's own.
    All,
}

impl Default for Inherit {
    fn default() -> Self {
        Inherit::Named(Vec::new())
    }
}

/// What programs need to find themselves, their user, their language and the system's certificates.
/// None of these holds a secret.
#[cfg(not(windows))]
const USUAL: [&str; 38] = [
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ADDRESS",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "NIX_SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "PATH",
    "REQUESTS_CA_BUNDLE",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
];
#[cfg(windows)]
const USUAL: [&str; 26] = [
    "ALLUSERSPROFILE",
    "APPDATA",
    "COMMONPROGRAMFILES",
    "COMPUTERNAME",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "NODE_EXTRA_CA_CERTS",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMW6432",
    "PUBLIC",
    "SSL_CERT_FILE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
];

/// Variables that are meant for the gateway itself. Only an entry that spells the whole name passes
/// one on.
const OWN: [&str; 2] = ["WEIR_*", "OTEL_*"];

impl Inherit {
    /// Whether a server gets the variable of this name.
    pub fn passes(&self, name: &str) -> bool {
        // Names of variables have no case on Windows.
        let name = if cfg!(windows) { name.to_ascii_uppercase() } else { name.to_owned() };
        let matches = |globs: &[&str]| globs.iter().any(|glob| glob_matches(glob, &name));
        match self {
            Inherit::Named(names) if names.contains(&name) => true,
            _ if matches(&OWN) => false,
            Inherit::All => true,
            Inherit::Named(names) => {
                matches(&USUAL) || names.iter().any(|glob| glob_matches(glob, &name))
            }
        }
    }

    /// What is passed on of these variables.
    pub fn of<K: AsRef<OsStr>, V>(
        &self,
        variables: impl IntoIterator<Item = (K, V)>,
    ) -> impl Iterator<Item = (K, V)> {
        variables
            .into_iter()
            .filter(|(name, _)| name.as_ref().to_str().is_some_and(|name| self.passes(name)))
    }

    /// What is passed on of our environment.
    pub fn now(&self) -> Vec<(OsString, OsString)> {
        self.of(std::env::vars_os()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(inherit: &Inherit) -> Vec<&'static str> {
        let all = [
            ("PATH", ""),
            ("HOME", ""),
            ("LC_ALL", ""),
            // Servers of ssh take any name that begins so.
            ("LC_SECRET", ""),
            ("GITHUB_TOKEN", ""),
            ("HTTPS_PROXY", ""),
            ("WEIR_TOKEN", ""),
            ("OTEL_EXPORTER_OTLP_HEADERS", ""),
        ];
        inherit.of(all).map(|(name, _)| name).collect()
    }

    #[test]
    #[cfg(not(windows))]
    fn a_server_gets_the_usual_variables_and_those_that_its_entry_names() {
        assert_eq!(passed(&Inherit::default()), ["PATH", "HOME", "LC_ALL"]);
        let named = Inherit::Named(vec!["HTTPS_*".into()]);
        assert_eq!(passed(&named), ["PATH", "HOME", "LC_ALL", "HTTPS_PROXY"]);
        assert_eq!(
            passed(&Inherit::All),
            ["PATH", "HOME", "LC_ALL", "LC_SECRET", "GITHUB_TOKEN", "HTTPS_PROXY"]
        );
    }

    #[test]
    #[cfg(not(windows))]
    fn the_gateways_own_variables_are_passed_on_only_by_their_whole_name() {
        let globs = Inherit::Named(vec!["*".into()]);
        assert!(!passed(&globs).contains(&"WEIR_TOKEN"));
        let named = Inherit::Named(vec!["WEIR_TOKEN".into()]);
        assert_eq!(passed(&named), ["PATH", "HOME", "LC_ALL", "WEIR_TOKEN"]);
    }
}
