//! Plugins that run inside of a host, each over `weir hook HOST`: the files that an installer
//! writes, and what it merges into the host's configuration.

use serde_json::{Value, json};

use super::entry::{Merge, PATIENCE};
use super::hosts::Host;

/// A file of a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginFile {
    /// Where it goes, below the user's home.
    pub path: &'static str,
    /// What it holds.
    pub text: String,
}

/// A host's plugin.
#[derive(Debug, Clone, PartialEq)]
pub struct Plugin {
    /// Its files. All of them are Weir's own: undoing removes them.
    pub files: Vec<PluginFile>,
    /// What the host must be told of it.
    pub merge: Option<Merge>,
}

const COMMON: &str = include_str!("plugins/common.js");

/// The plugin for a host; `None` for hosts with command hooks. `command` is the program and its
/// arguments, as in `["/usr/bin/weir", "hook", "pi"]`. `home` is the user's home. `wrap` are the
/// arguments with which the program answers before a call, as in `["hook", "cline", "--wrap"]`; empty
/// to leave commands as they are.
#[must_use]
pub fn plugin(host: Host, command: &[String], wrap: &[String], home: &str) -> Option<Plugin> {
    let (program, arguments) = command.split_first()?;
    let (program, arguments) = (json!(program).to_string(), json!(arguments).to_string());
    let wrap = json!(wrap).to_string();
    // The hook itself gives up before. Cline ends the whole run when a plugin takes longer than 3 seconds.
    let patience = if host == Host::Cline { 2 } else { PATIENCE.as_secs() + 4 }.to_string();
    let filled = |text: &str| {
        text.replace("__WEIR__", &program)
            .replace("__ARGUMENTS__", &arguments)
            .replace("__WRAP__", &wrap)
            .replace("__PATIENCE__", &patience)
    };
    let script = |text: &str| filled(&format!("{COMMON}{text}"));
    let one = |path, text: &str| Plugin {
        files: vec![PluginFile { path, text: script(text) }],
        merge: None,
    };
    let opencode = include_str!("plugins/opencode.js");
    Some(match host {
        Host::OpenCode => one(".config/opencode/plugin/weir.js", opencode),
        Host::Kilo => one(".config/kilo/plugin/weir.js", opencode),
        Host::Pi => one(".pi/agent/extensions/weir.ts", include_str!("plugins/pi.ts")),
        Host::Cline => one(".cline/plugins/weir.js", include_str!("plugins/cline.js")),
        Host::Amp => one(".config/amp/plugins/weir.ts", include_str!("plugins/amp.ts")),
        Host::OpenClaw => Plugin {
            files: vec![
                PluginFile {
                    path: ".openclaw/weir/index.js",
                    text: script(include_str!("plugins/openclaw.js")),
                },
                PluginFile {
                    path: ".openclaw/weir/openclaw.plugin.json",
                    text: include_str!("plugins/openclaw.plugin.json").to_owned(),
                },
                PluginFile {
                    path: ".openclaw/weir/package.json",
                    text: include_str!("plugins/openclaw.package.json").to_owned(),
                },
            ],
            merge: Some(Merge {
                file: ".openclaw/openclaw.json",
                append: vec![(
                    vec!["plugins", "load", "paths"],
                    json!(format!("{home}/.openclaw/weir")),
                )],
                // A list that is there allows nothing else; a new one would forbid all others.
                append_if_there: vec![(vec!["plugins", "allow"], json!("weir"))],
                set: vec![(vec!["plugins", "entries", "weir"], json!({"enabled": true}))],
            }),
        },
        Host::Hermes => Plugin {
            files: vec![
                PluginFile {
                    path: ".hermes/plugins/weir/__init__.py",
                    text: filled(include_str!("plugins/hermes.py")),
                },
                PluginFile {
                    path: ".hermes/plugins/weir/plugin.yaml",
                    text: include_str!("plugins/hermes.yaml").to_owned(),
                },
            ],
            merge: Some(Merge {
                file: ".hermes/config.yaml",
                append: vec![(vec!["plugins", "enabled"], Value::from("weir"))],
                append_if_there: Vec::new(),
                set: Vec::new(),
            }),
        },
        _ => return None,
    })
}
