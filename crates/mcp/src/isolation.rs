//! Server processes that see only the files and the network that their entry names: bubblewrap on
//! Linux, or a container of Docker or Podman.
//!
//! What is asked for and is not there is an error: a server is never started with less.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a server process may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolation {
    /// What holds it.
    pub with: With,
    /// Files and folders that it may read.
    pub read: Vec<PathBuf>,
    /// Files and folders that it may also write.
    pub write: Vec<PathBuf>,
    /// Whether it has a network.
    pub network: bool,
}

/// What holds a server process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum With {
    /// `bwrap`: the system's programs, and the files that are named.
    Bubblewrap,
    /// A container of this program (`docker` or `podman`) and this image.
    Container(String, String),
}

/// What is to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// The program.
    pub command: &'a str,
    /// Its arguments.
    pub args: &'a [String],
    /// The variables that its entry sets.
    pub env: &'a BTreeMap<String, String>,
    /// Where it runs.
    pub cwd: Option<&'a Path>,
}

/// Folders of the system that programs need, where they are there. None of a user's.
const SYSTEM: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc",
    "/opt",
    "/nix/store",
    "/run/systemd/resolve",
];

impl Isolation {
    /// The program and the arguments that start it isolated. `find` looks for a program; `home` is the
    /// user's.
    ///
    /// # Errors
    /// When what is asked for is not there: with what to do.
    pub fn wrap(
        &self,
        wanted: &Wanted<'_>,
        home: Option<&Path>,
        find: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Result<(String, Vec<String>), String> {
        for path in self.read.iter().chain(&self.write) {
            if !path.is_absolute() {
                return Err(format!(
                    "isolation names {}, which is not a whole path",
                    path.display()
                ));
            }
            if !path.exists() {
                return Err(format!("isolation names {}, which is not there", path.display()));
            }
        }
        if let Some(cwd) = wanted.cwd
            && !self.shows(cwd)
        {
            return Err(format!(
                "it is to run in {}, which isolation names neither in read nor in write",
                cwd.display()
            ));
        }
        match &self.with {
            With::Bubblewrap => self.bubblewrap(wanted, home, find),
            With::Container(program, image) => self.container(program, image, wanted, find),
        }
    }

    fn shows(&self, path: &Path) -> bool {
        self.read.iter().chain(&self.write).any(|shown| path.starts_with(shown))
    }

    fn bubblewrap(
        &self,
        wanted: &Wanted<'_>,
        home: Option<&Path>,
        find: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Result<(String, Vec<String>), String> {
        let bwrap = find("bwrap").ok_or(
            "isolation needs bubblewrap (the program bwrap, Linux only), which is not there; install it, or name \
             \"with\": \"docker\" or \"podman\" and an image",
        )?;
        let program = find(wanted.command)
            .ok_or_else(|| format!("the program {} is not there", wanted.command))?;
        let system = SYSTEM.iter().any(|folder| program.starts_with(folder));
        if !system && !self.shows(&program) {
            return Err(format!(
                "its program {} cannot be seen from within its isolation; name its folder in read",
                program.display()
            ));
        }
        let mut args = Args::default();
        args.add(["--die-with-parent", "--new-session", "--unshare-all"]);
        if self.network {
            args.add(["--share-net"]);
        }
        for folder in SYSTEM {
            args.add(["--ro-bind-try", folder, folder]);
        }
        args.add(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]);
        if let Some(home) = home.and_then(Path::to_str) {
            // Programs write there; what they write is gone with them.
            args.add(["--tmpfs", home]);
        }
        for (kind, paths) in [("--ro-bind", &self.read), ("--bind", &self.write)] {
            for path in paths {
                let path = path_text(path)?;
                args.add([kind, path, path]);
            }
        }
        let inside = wanted.cwd.or(self.write.first().map(PathBuf::as_path));
        args.add(["--chdir", inside.map_or(Ok("/tmp"), path_text)?, "--", path_text(&program)?]);
        args.0.extend_from_slice(wanted.args);
        Ok((path_text(&bwrap)?.to_owned(), args.0))
    }

    fn container(
        &self,
        program: &str,
        image: &str,
        wanted: &Wanted<'_>,
        find: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Result<(String, Vec<String>), String> {
        let found = find(program)
            .ok_or_else(|| format!("isolation needs {program}, which is not there; install it"))?;
        let mut args = Args::default();
        args.add(["run", "--rm", "--interactive", "--init", "--read-only", "--tmpfs", "/tmp"]);
        args.add(["--cap-drop", "ALL", "--security-opt", "no-new-privileges"]);
        args.add(["--network", if self.network { "bridge" } else { "none" }]);
        for (paths, rights) in [(&self.read, ",readonly"), (&self.write, "")] {
            for path in paths {
                let path = path_text(path)?;
                // A comma would begin another option.
                if path.contains([',', '"']) {
                    return Err(format!("isolation cannot name {path} for a container"));
                }
                args.add(["--mount", &format!("type=bind,source={path},target={path}{rights}")]);
            }
        }
        // By name only: values are not for the list of processes.
        for name in wanted.env.keys() {
            args.add(["--env", name]);
        }
        if let Some(cwd) = wanted.cwd {
            args.add(["--workdir", path_text(cwd)?]);
        }
        #[cfg(unix)]
        if program == "docker" && !self.write.is_empty() {
            // So that what it writes is the user's. Podman maps users by itself.
            let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
            args.add(["--user", &format!("{}:{}", user.as_raw(), group.as_raw())]);
        }
        args.add([image, wanted.command]);
        args.0.extend_from_slice(wanted.args);
        Ok((path_text(&found)?.to_owned(), args.0))
    }
}

#[derive(Default)]
struct Args(Vec<String>);

impl Args {
    fn add<const N: usize>(&mut self, words: [&str; N]) {
        self.0.extend(words.map(str::to_owned));
    }
}

fn path_text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("isolation cannot name {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn isolation(with: With) -> Isolation {
        Isolation { with, read: vec!["/etc".into()], write: vec!["/tmp".into()], network: false }
    }

    fn wrapped(isolation: &Isolation, there: &[&str]) -> Result<String, String> {
        let env = BTreeMap::from([("TOKEN".to_owned(), "canary-value".to_owned())]);
        let args = ["--flag".to_owned()];
        let wanted = Wanted { command: "server", args: &args, env: &env, cwd: None };
        let find = |name: &str| there.contains(&name).then(|| Path::new("/usr/bin").join(name));
        let (program, args) = isolation.wrap(&wanted, Some(Path::new("/home/me")), &find)?;
        Ok(format!("{program} {}", args.join(" ")))
    }

    #[test]
    fn files_and_network_are_those_that_are_named() {
        let mut one = isolation(With::Bubblewrap);
        let line = wrapped(&one, &["bwrap", "server"]).unwrap();
        assert!(line.starts_with(
            "/usr/bin/bwrap --die-with-parent --new-session --unshare-all --ro-bind-try /usr"
        ));
        assert!(line.ends_with(
            "--tmpfs /home/me --ro-bind /etc /etc --bind /tmp /tmp --chdir /tmp -- /usr/bin/server --flag"
        ), "{line}");
        assert!(!line.contains("--share-net"));
        one.network = true;
        assert!(wrapped(&one, &["bwrap", "server"]).unwrap().contains("--share-net"));

        let container = isolation(With::Container("podman".into(), "image:1".into()));
        let line = wrapped(&container, &["podman"]).unwrap();
        for part in [
            "--network none",
            "--mount type=bind,source=/etc,target=/etc,readonly",
            "--mount type=bind,source=/tmp,target=/tmp ",
            "--env TOKEN ",
            "--cap-drop ALL",
        ] {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(line.ends_with("image:1 server --flag") && !line.contains("canary"), "{line}");
    }

    #[test]
    fn what_is_not_there_is_said_and_nothing_is_started_with_less() {
        let one = isolation(With::Bubblewrap);
        assert!(wrapped(&one, &["server"]).unwrap_err().contains("bwrap"));
        let container = isolation(With::Container("docker".into(), "image".into()));
        assert!(wrapped(&container, &["bwrap", "server"]).unwrap_err().contains("docker"));
        let mut odd = isolation(With::Bubblewrap);
        odd.read = vec!["/no/such/folder".into()];
        assert!(wrapped(&odd, &["bwrap", "server"]).unwrap_err().contains("/no/such/folder"));
        odd.read = vec!["relative".into()];
        assert!(wrapped(&odd, &["bwrap", "server"]).unwrap_err().contains("whole path"));
    }

    #[test]
    fn a_program_in_a_folder_that_is_not_shown_is_named() {
        let one = Isolation { read: Vec::new(), write: Vec::new(), ..isolation(With::Bubblewrap) };
        let find = |name: &str| match name {
            "bwrap" => Some(PathBuf::from("/usr/bin/bwrap")),
            name => Some(Path::new("/home/me/.nvm/bin").join(name)),
        };
        let env = BTreeMap::new();
        let mut wanted = Wanted { command: "node", args: &[], env: &env, cwd: None };
        let error = one.wrap(&wanted, None, &find).unwrap_err();
        assert!(error.contains("/home/me/.nvm/bin/node"), "{error}");
        wanted.cwd = Some(Path::new("/home/me/project"));
        assert!(one.wrap(&wanted, None, &find).unwrap_err().contains("/home/me/project"));
    }
}
