//! The gateway's entry in the configuration files of clients, put in and taken out again.
//!
//! A file keeps every byte that is not ours: comments, order, spacing. Before it is changed a copy
//! is kept beside it, and taking the entry out again gives the file back as it was. Where others have
//! changed the file since, only our entry is taken out.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::config::strip_comments;
use super::json::{self, Json, quote};
use super::known::create_private_dir;

/// The name of our entry.
const ENTRY: &str = "weir";

/// How a client writes its servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// JSON, with comments allowed, under this key.
    Json(&'static str),
    /// A table of TOML.
    Toml,
    /// A mapping of YAML.
    Yaml,
}

/// A client that we know the file of.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    name: &'static str,
    shape: Shape,
    linux: &'static str,
    macos: Option<&'static str>,
    /// Further members of the entry.
    extra: &'static str,
    /// Whether the client searches tools itself: then it is given all of them.
    searches: bool,
}

const TARGETS: [Target; 11] = [
    Target {
        name: "claude-desktop",
        shape: Shape::Json("mcpServers"),
        linux: ".config/Claude/claude_desktop_config.json",
        macos: Some("Library/Application Support/Claude/claude_desktop_config.json"),
        extra: "",
        searches: false,
    },
    Target {
        name: "claude-code",
        shape: Shape::Json("mcpServers"),
        linux: ".claude.json",
        macos: None,
        extra: r#","type":"stdio""#,
        searches: true,
    },
    Target {
        name: "cursor",
        shape: Shape::Json("mcpServers"),
        linux: ".cursor/mcp.json",
        macos: None,
        extra: "",
        searches: false,
    },
    Target {
        name: "vscode",
        shape: Shape::Json("servers"),
        linux: ".config/Code/User/mcp.json",
        macos: Some("Library/Application Support/Code/User/mcp.json"),
        extra: r#","type":"stdio""#,
        searches: false,
    },
    Target {
        name: "windsurf",
        shape: Shape::Json("mcpServers"),
        linux: ".codeium/windsurf/mcp_config.json",
        macos: None,
        extra: "",
        searches: false,
    },
    Target {
        name: "gemini",
        shape: Shape::Json("mcpServers"),
        linux: ".gemini/settings.json",
        macos: None,
        extra: "",
        searches: false,
    },
    Target {
        name: "codex",
        shape: Shape::Toml,
        linux: ".codex/config.toml",
        macos: None,
        extra: "",
        searches: true,
    },
    Target {
        name: "copilot",
        shape: Shape::Json("mcpServers"),
        linux: ".copilot/mcp-config.json",
        macos: None,
        extra: r#","type":"local","tools":["*"],"deferTools":"never""#,
        searches: true,
    },
    Target {
        name: "zed",
        shape: Shape::Json("context_servers"),
        linux: ".config/zed/settings.json",
        macos: None,
        extra: "",
        searches: false,
    },
    Target {
        name: "opencode",
        shape: Shape::Json("mcp"),
        linux: ".config/opencode/opencode.json",
        macos: None,
        extra: "",
        searches: false,
    },
    Target {
        name: "hermes",
        shape: Shape::Yaml,
        linux: ".hermes/config.yaml",
        macos: None,
        extra: "",
        searches: false,
    },
];

/// Why an entry could not be put in or taken out. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// Reading or writing failed.
    #[error("cannot change {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is an entry of our name already.
    #[error("{} has an entry `{ENTRY}` already", path.display())]
    There {
        /// The file.
        path: PathBuf,
    },
    /// The file is not what the client writes.
    #[error("{} cannot be understood: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is the matter with it.
        reason: String,
    },
    /// Nothing of ours is in it.
    #[error("{} has no entry `{ENTRY}`", path.display())]
    NotThere {
        /// The file.
        path: PathBuf,
    },
    /// It was changed since, in a form that we do not take apart.
    #[error("{} was changed since; take the entry `{ENTRY}` out by hand, the file as it was is {}", path.display(), backup.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The copy.
        backup: PathBuf,
    },
}

/// A change, before it is made.
#[derive(Debug)]
pub struct Plan {
    /// The file.
    pub path: PathBuf,
    /// What it holds now; `None` when it is not there.
    pub before: Option<String>,
    /// What it will hold.
    pub after: String,
}

/// The client of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

impl Target {
    /// Where the client has its file.
    pub fn usual_path(&self, home: &Path) -> PathBuf {
        match self.macos {
            Some(path) if cfg!(target_os = "macos") => home.join(path),
            _ => home.join(self.linux),
        }
    }

    /// The change that puts the entry in. `command` is our program.
    ///
    /// # Errors
    /// When the file cannot be read or understood, or has an entry of ours.
    pub fn plan(&self, path: &Path, command: &str) -> Result<Plan, InstallError> {
        let before = read(path)?;
        let text = before.clone().unwrap_or_default();
        let args: Vec<&str> =
            if self.searches { vec!["serve", "--mode", "passthrough"] } else { vec!["serve"] };
        let there = || InstallError::There { path: path.to_owned() };
        let unreadable =
            |reason: String| InstallError::Unreadable { path: path.to_owned(), reason };
        let after = match self.shape {
            Shape::Json(key) => {
                let entry = if key == "mcp" {
                    let words: Vec<&str> = std::iter::once(command).chain(args).collect();
                    format!(r#"{{"type":"local","command":{},"enabled":true}}"#, Json::of(&words))
                } else {
                    format!(
                        r#"{{"command":{},"args":{}{}}}"#,
                        quote(command),
                        Json::of(&args),
                        self.extra
                    )
                };
                insert_json(&text, key, &entry).map_err(|reason| match reason {
                    Some(reason) => unreadable(reason),
                    None => there(),
                })?
            }
            Shape::Toml => {
                let table: toml::Table =
                    text.parse().map_err(|error: toml::de::Error| unreadable(error.to_string()))?;
                if table.get("mcp_servers").and_then(|servers| servers.get(ENTRY)).is_some() {
                    return Err(there());
                }
                let gap = match text.as_str() {
                    "" => "",
                    text if text.ends_with('\n') => "\n",
                    _ => "\n\n",
                };
                // JSON's strings and lists of strings are TOML's as well.
                format!(
                    "{text}{gap}[mcp_servers.{ENTRY}]\ncommand = {}\nargs = {}\n",
                    quote(command),
                    Json::of(&args)
                )
            }
            Shape::Yaml => {
                let value: serde_json::Value = match text.trim() {
                    "" => serde_json::json!({}),
                    _ => serde_saphyr::from_str(&text)
                        .map_err(|error| unreadable(error.to_string()))?,
                };
                match value.get("mcp_servers") {
                    Some(servers) if servers.get(ENTRY).is_some() => return Err(there()),
                    Some(servers) if !servers.is_object() && !servers.is_null() => {
                        return Err(unreadable("mcp_servers is not a mapping".into()));
                    }
                    _ => {}
                }
                insert_yaml(&text, command, &args).map_err(unreadable)?
            }
        };
        Ok(Plan { path: path.to_owned(), before, after })
    }

    /// Makes the change, keeping a copy of what was there and a note of what was written in `notes`.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn carry_out(&self, plan: &Plan, notes: &Path) -> Result<(), InstallError> {
        if let Some(before) = &plan.before {
            write(&backup_of(&plan.path), before)?;
        }
        write(&plan.path, &plan.after)?;
        let note = serde_json::json!({"file": plan.path, "existed": plan.before.is_some(), "wrote": digest(&plan.after)});
        let io = |source| InstallError::Io { path: notes.to_owned(), source };
        create_private_dir(notes).map_err(io)?;
        write(&self.note(notes, &plan.path), &note.to_string())
    }

    fn note(&self, notes: &Path, path: &Path) -> PathBuf {
        notes.join(format!("{}-{}.json", self.name, &digest(&path.display().to_string())[..12]))
    }

    /// Takes the entry out again.
    ///
    /// # Errors
    /// When there is none, or it cannot be told from what others wrote.
    pub fn undo(&self, path: &Path, notes: &Path) -> Result<(), InstallError> {
        let not_there = || InstallError::NotThere { path: path.to_owned() };
        let now = read(path)?.ok_or_else(not_there)?;
        let note_path = self.note(notes, path);
        let note: serde_json::Value = read(&note_path)
            .ok()
            .flatten()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let backup = backup_of(path);
        if note["wrote"].as_str() == Some(&digest(&now)) {
            let io = |source| InstallError::Io { path: path.to_owned(), source };
            match note["existed"].as_bool() {
                Some(true) => {
                    let before = read(&backup)?.ok_or_else(not_there)?;
                    write(path, &before)?;
                    std::fs::remove_file(&backup).map_err(io)?;
                }
                _ => std::fs::remove_file(path).map_err(io)?,
            }
            let _ = std::fs::remove_file(&note_path);
            return Ok(());
        }
        match self.shape {
            Shape::Json(key) => {
                let plain = strip_comments(&now);
                if json::find(&plain, &[key, ENTRY]).is_none() {
                    return Err(not_there());
                }
                // With the comments blanked out the places are the same.
                let kept = json::remove(&plain, &[key, ENTRY]).ok_or_else(not_there)?;
                let cut_from = plain.bytes().zip(kept.bytes()).take_while(|(a, b)| a == b).count();
                let cut_len = plain.len() - kept.len();
                let mut after = now;
                after.replace_range(cut_from..cut_from + cut_len, "");
                write(path, &after)?;
                let _ = std::fs::remove_file(&note_path);
                Ok(())
            }
            _ => Err(InstallError::Changed { path: path.to_owned(), backup }),
        }
    }
}

fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".before-weir");
    name.into()
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path) -> Result<Option<String>, InstallError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(InstallError::Io { path: path.to_owned(), source }),
    }
}

/// Writes a file so that it is the old one or the new one at any time, with the old one's mode.
fn write(path: &Path, text: &str) -> Result<(), InstallError> {
    let io = |source| InstallError::Io { path: path.to_owned(), source };
    // Through a link to the file that it points to, which is the one to change.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let dir = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir).map_err(io)?;
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(io)?;
    io::Write::write_all(&mut file, text.as_bytes()).map_err(io)?;
    file.as_file().sync_all().map_err(io)?;
    if let Ok(old) = std::fs::metadata(&path) {
        std::fs::set_permissions(file.path(), old.permissions()).map_err(io)?;
    }
    file.persist(&path).map_err(|error| io(error.error))?;
    Ok(())
}

/// The text with the entry in it. `None` as error when there is one already.
fn insert_json(text: &str, key: &str, entry: &str) -> Result<String, Option<String>> {
    if text.trim().is_empty() {
        return Ok(format!("{{\n  {}: {{\n    {}: {entry}\n  }}\n}}\n", quote(key), quote(ENTRY)));
    }
    let plain = strip_comments(text);
    let value: serde_json::Value =
        serde_json::from_str(&plain).map_err(|error| Some(error.to_string()))?;
    if !value.is_object() || value.get(key).is_some_and(|servers| !servers.is_object()) {
        return Err(Some(format!("`{key}` is not an object")));
    }
    if value.get(key).is_some_and(|servers| servers.get(ENTRY).is_some()) {
        return Err(None);
    }
    let (object, member) = match json::find(&plain, &[key]) {
        Some(span) => (span, format!("{}: {entry}", quote(ENTRY))),
        None => {
            let whole = json::find(&plain, &[]).ok_or(None)?;
            (whole, format!("{}: {{{}: {entry}}}", quote(key), quote(ENTRY)))
        }
    };
    // In front: what follows the last member may be a comment or a comma that is one too many.
    let open = object.start + 1;
    let is_empty = plain[open..object.end - 1].trim().is_empty();
    let line_end = if plain[open..].starts_with('\n') { "\n  " } else { "" };
    let comma = if is_empty { "" } else { "," };
    Ok(format!("{}{line_end}{member}{comma}{}", &text[..open], &text[open..]))
}

fn insert_yaml(text: &str, command: &str, args: &[&str]) -> Result<String, String> {
    let entry = |indent: &str| {
        format!(
            "{indent}{ENTRY}:\n{indent}  command: {}\n{indent}  args: {}\n",
            quote(command),
            Json::of(args)
        )
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let bare = line.split('#').next().unwrap_or("").trim_end();
        if bare == "mcp_servers:" {
            let next = text[end..]
                .lines()
                .find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            let indent: String = next
                .map(|line| line.chars().take_while(|c| *c == ' ').collect())
                .filter(|i: &String| !i.is_empty())
                .unwrap_or_else(|| "  ".into());
            let gap = if line.ends_with('\n') { "" } else { "\n" };
            return Ok(format!("{}{gap}{}{}", &text[..end], entry(&indent), &text[end..]));
        }
        if line.starts_with("mcp_servers") {
            return Err(
                "mcp_servers is written in one line; write it as a block, or add the entry by hand"
                    .into(),
            );
        }
        at = end;
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{text}{gap}mcp_servers:\n{}", entry("  ")))
}

#[cfg(test)]
mod tests {
    use super::super::config;
    use super::super::spec::Reach;
    use super::*;

    fn installed(name: &str, file: &str, before: Option<&str>) {
        let dir = tempfile::tempdir().unwrap();
        let (path, notes) = (dir.path().join(file), dir.path().join("notes"));
        if let Some(before) = before {
            std::fs::write(&path, before).unwrap();
        }
        let target = target(name).unwrap();
        let plan = target.plan(&path, "/opt/we ir").unwrap();
        target.carry_out(&plan, &notes).unwrap();
        let now = std::fs::read_to_string(&path).unwrap();
        let config =
            config::parse(&path, &now, &|_| None).unwrap_or_else(|error| panic!("{error}\n{now}"));
        let ours = config
            .servers
            .iter()
            .find(|spec| spec.name == ENTRY)
            .unwrap_or_else(|| panic!("{now}"));
        let Reach::Stdio { command, args, .. } = &ours.reach else { panic!("{ours:?}") };
        assert_eq!((command.as_str(), args[0].as_str()), ("/opt/we ir", "serve"));
        assert!(matches!(target.plan(&path, "x"), Err(InstallError::There { .. })));
        target.undo(&path, &notes).unwrap();
        assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), before, "{name}");
        assert!(!backup_of(&path).exists());
    }

    #[test]
    fn every_client_s_file_comes_back_byte_for_byte() {
        let json = "{\n  // mine\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // b\n  },\n  \"z\": 1.10,\n}";
        for name in ["claude-desktop", "claude-code", "cursor", "windsurf", "gemini", "copilot"] {
            for before in [
                None,
                Some(""),
                Some("{}"),
                Some("{\"mcpServers\":{}}"),
                Some("{\"q\": [1]}\n"),
                Some(json),
            ] {
                installed(name, "f.json", before);
            }
        }
        installed("vscode", "mcp.json", Some("{ \"servers\": {}, \"inputs\": [] }"));
        installed("zed", "settings.json", Some("// Zed\n{\n  \"theme\": \"x\" /* y */\n}\n"));
        installed(
            "opencode",
            "opencode.json",
            Some("{\"mcp\": {\"a\": {\"type\": \"local\", \"command\": [\"x\"]}}}"),
        );
        for before in
            [None, Some("model = \"x\"\n\n[mcp_servers.a]\ncommand = \"y\""), Some("# c\n")]
        {
            installed("codex", "config.toml", before);
        }
        for before in [
            None,
            Some("model: x"),
            Some("mcp_servers:\n    a:\n        command: y\n# end\n"),
            Some("mcp_servers: # none\nb: 1\n"),
        ] {
            installed("hermes", "config.yaml", before);
        }
    }

    #[test]
    fn what_others_changed_since_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f.json");
        let before = "{\"mcpServers\": {\"a\": {\"command\": \"x\"} /* é */}}";
        std::fs::write(&path, before).unwrap();
        let target = target("cursor").unwrap();
        target.carry_out(&target.plan(&path, "weir").unwrap(), dir.path()).unwrap();
        let changed = std::fs::read_to_string(&path).unwrap().replace("\"x\"", "\"y\"");
        std::fs::write(&path, changed).unwrap();
        target.undo(&path, dir.path()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before.replace("\"x\"", "\"y\""));
        assert!(matches!(target.undo(&path, dir.path()), Err(InstallError::NotThere { .. })));
    }

    #[test]
    fn broken_files_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        for (name, file, text) in [
            ("cursor", "a.json", "{"),
            ("cursor", "b.json", "{\"mcpServers\": []}"),
            ("codex", "c.toml", "= 1"),
            ("hermes", "d.yaml", "mcp_servers: {a: {command: x}}"),
        ] {
            let path = dir.path().join(file);
            std::fs::write(&path, text).unwrap();
            assert!(
                matches!(
                    target(name).unwrap().plan(&path, "weir"),
                    Err(InstallError::Unreadable { .. })
                ),
                "{text}"
            );
        }
    }
}
