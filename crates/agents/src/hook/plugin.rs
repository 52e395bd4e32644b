//! Plugins that run inside of a host, each over `weir hook HOST`: the files that an installer
//! writes, and what it merges into the host's configuration.

use serde_json::json;

use super::entry::{Entry, Merge, OwnFile, PATIENCE, entry};
use super::hosts::Host;

/// What a host needs, by command hooks or by a plugin; `None` for hosts that are told by hand. See [`entry`] and
/// [`plugin`].
#[must_use]
pub fn needs(host: Host, command: &[String], wrap: &[String], home: &str) -> Option<Entry> {
    entry(host, command).or_else(|| plugin(host, command, wrap, home))
}

const COMMON: &str = include_str!("plugins/common.js");

/// The plugin for a host; `None` for hosts with command hooks. `command` is the program and its
/// arguments, as in `["/usr/bin/weir", "hook", "pi"]`. `home` is the user's home. `wrap` are the
/// arguments with which the program answers before a call, as in `["hook", "cline", "--wrap"]`; empty
/// to leave commands as they are.
#[must_use]
pub fn plugin(host: Host, command: &[String], wrap: &[String], home: &str) -> Option<Entry> {
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
    let file = |path, text: &str| OwnFile { path, text: text.to_owned() };
    let one = |path, text: &str| Entry { files: vec![file(path, &script(text))], merge: None };
    let opencode = include_str!("plugins/opencode.js");
    Some(match host {
        Host::OpenCode => one(".config/opencode/plugin/weir.js", opencode),
        Host::Kilo => one(".config/kilo/plugin/weir.js", opencode),
        Host::Pi => one(".pi/agent/extensions/weir.ts", include_str!("plugins/pi.ts")),
        Host::Cline => one(".cline/plugins/weir.js", include_str!("plugins/cline.js")),
        Host::Amp => one(".config/amp/plugins/weir.ts", include_str!("plugins/amp.ts")),
        Host::OpenClaw => Entry {
            files: vec![
                file(".openclaw/weir/index.js", &script(include_str!("plugins/openclaw.js"))),
                file(
                    ".openclaw/weir/openclaw.plugin.json",
                    include_str!("plugins/openclaw.plugin.json"),
                ),
                file(".openclaw/weir/package.json", include_str!("plugins/openclaw.package.json")),
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
        Host::Hermes => Entry {
            files: vec![
                file(
                    ".hermes/plugins/weir/__init__.py",
                    &filled(include_str!("plugins/hermes.py")),
                ),
                file(".hermes/plugins/weir/plugin.yaml", include_str!("plugins/hermes.yaml")),
            ],
            merge: Some(Merge::of(
                ".hermes/config.yaml",
                vec!["plugins", "enabled"],
                "weir".into(),
            )),
        },
        _ => return None,
    })
}
