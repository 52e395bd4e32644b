//! What the command says of itself: help in groups, completions, manual pages, refused arguments.

use std::io::IsTerminal as _;
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap_complete::Shell;
use clap_complete::env::Shells;
use serde_json::json;

use super::args::Arguments;
use super::console::Console;
use super::report;
use super::{Answer, Failure};

/// Commands by what they are for, in the order of their help.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Your agents", &["try", "install", "uninstall", "import", "hook", "run", "demo"]),
    ("Stored results", &["transform", "fetch", "list", "pin", "unpin", "forget", "share"]),
    (
        "MCP gateway",
        &[
            "serve",
            #[cfg(feature = "extmcp")]
            "extmcp",
            "serve-builtin",
            "memory",
            "servers",
            "login",
            "logout",
            "secret",
            "token",
            "approve",
            "ui",
            "tools",
            "search",
            "call",
            "stats",
        ],
    ),
    (
        "Upkeep",
        &[
            "status",
            "sweep",
            "store",
            "doctor",
            "config",
            "component",
            "inspect",
            "completions",
            "man",
        ],
    ),
];

const EXAMPLES: &str = "\
Examples:
  weir install                              put Weir into the agents of this machine
  cargo test 2>&1 | weir transform          what a model would see of a result
  weir fetch 18d7 --grep error              read back from a stored result
  weir run -- make                          a command whose large output is excerpted";

/// The command line, with its help in groups.
pub(crate) fn command() -> clap::Command {
    let command = Arguments::command();
    let listed = groups(&command);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}\n{EXAMPLES}\n\nGlobal options:\n{{options}}{{after-help}}"
    );
    command.help_template(StyledStr::from(template))
}

fn groups(command: &clap::Command) -> String {
    let width = command.get_subcommands().map(|sub| sub.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, names) in GROUPS {
        text.push_str(&format!("{title}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            // The rest stands in the command's own help.
            let about = about.split(';').next().unwrap_or_default();
            text.push_str(&format!("  {name:width$}  {about}\n"));
        }
        text.push('\n');
    }
    text.pop();
    text
}

/// Says why arguments are refused: help goes to standard output, errors are JSON where that was asked
/// for.
pub(crate) fn refused(mut error: clap::Error) -> ExitCode {
    only_near(&mut error);
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    let as_json = std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json");
    if as_json && !is_help {
        let text = error.render().to_string();
        // The names of what is missing stand in lines of their own.
        let lines: Vec<&str> =
            text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let line = lines.join(" ");
        let hint = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
        report::tell_json("usage", line.trim_start_matches("error: "), hint);
        return ExitCode::from(2);
    }
    // Nobody who reads it is no failure.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Takes out suggestions that are not like what was written: what is near to clap may be `inspect` for
/// `nope`.
fn only_near(error: &mut clap::Error) {
    use clap::error::{ContextKind as Kind, ContextValue as Value};
    let pairs = [
        (Kind::InvalidSubcommand, Kind::SuggestedSubcommand),
        (Kind::InvalidArg, Kind::SuggestedArg),
        (Kind::InvalidValue, Kind::SuggestedValue),
    ];
    for (written, suggested) in pairs {
        let Some(Value::String(written)) = error.get(written).cloned() else { continue };
        let kept = match error.remove(suggested) {
            Some(Value::String(name)) if is_near(&written, &name) => Value::String(name),
            Some(Value::Strings(mut names)) => {
                names.retain(|name| is_near(&written, name));
                Value::Strings(names)
            }
            _ => continue,
        };
        if kept != Value::Strings(Vec::new()) {
            error.insert(suggested, kept);
        } else if matches!(error.get(Kind::Suggested), Some(Value::StyledStrs(tips)) if tips.is_empty())
        {
            // An empty line would stand for them.
            error.remove(Kind::Suggested);
        }
    }
}

/// Whether a name may be what somebody meant: a slip in every third letter at most, or a start of it.
pub(crate) fn is_near(written: &str, name: &str) -> bool {
    let [written, name] = [written, name].map(|text| text.trim_start_matches('-').to_lowercase());
    let slips = written.chars().count().max(name.chars().count()) / 3;
    let is_start = written.chars().count() >= 3 && name.starts_with(&written);
    is_start || strsim::damerau_levenshtein(&written, &name) <= slips
}

/// Prints the script by which a shell asks this program what may come next.
pub(crate) fn completions(shell: Shell, console: &Console) -> Result<Answer, Failure> {
    let program = std::env::current_exe()
        .ok()
        .and_then(|program| Some(program.to_str()?.to_owned()))
        .unwrap_or_else(|| "weir".to_owned());
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let name = shell.to_string();
    let completer = shells.completer(&name).ok_or_else(|| {
        Failure::usage(
            format!("no completions for {name}"),
            "the shells are bash, elvish, fish, powershell, zsh",
        )
    })?;
    completer
        .write_registration("COMPLETE", "weir", "weir", &program, &mut script)
        .map_err(Failure::output)?;
    if console.json() {
        let script = String::from_utf8_lossy(&script);
        console.value(&json!({"shell": name, "script": script}))?;
    } else {
        console.bytes(&script)?;
    }
    Ok(Answer::Yes)
}

/// Writes a page for each command.
pub(crate) fn manual(directory: &Path, console: &Console) -> Result<Answer, Failure> {
    let failed = Failure::io(format!("cannot write pages into {}", directory.display()));
    std::fs::create_dir_all(directory).map_err(&failed)?;
    clap_mangen::generate_to(Arguments::command().disable_help_subcommand(true), directory)
        .map_err(&failed)?;
    let first = directory.join("weir.1");
    if console.json() {
        console.value(&json!({"directory": directory, "first": first}))?;
    } else if std::io::stdout().is_terminal() {
        console.line(format_args!("man -l {}", first.display()))?;
    }
    Ok(Answer::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_stands_in_one_group_of_the_help() {
        let command = Arguments::command();
        let visible: BTreeSet<&str> = command
            .get_subcommands()
            .filter(|sub| !sub.is_hide_set())
            .map(clap::Command::get_name)
            .collect();
        let listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(listed.len(), visible.len());
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), visible);
    }

    #[test]
    fn only_names_near_to_what_was_written_are_suggested() {
        let said = |words: &[&str]| {
            let mut error = command().try_get_matches_from(words).expect_err("it is refused");
            only_near(&mut error);
            error.render().to_string()
        };
        assert!(!said(&["weir", "nope"]).contains("similar"), "{}", said(&["weir", "nope"]));
        assert!(said(&["weir", "fecth"]).contains("'fetch'"));
        assert!(said(&["weir", "serv"]).contains("'serve'"));
        assert!(said(&["weir", "stat"]).contains("'status'"));
        assert!(said(&["weir", "list", "--limt", "3"]).contains("'--limit'"));
        assert!(!said(&["weir", "list", "--nonsense"]).contains("similar"));
        assert!(said(&["weir", "install", "--mode", "bridg"]).contains("'bridge'"));
        assert!(is_near("instal", "install") && !is_near("nope", "inspect"));
    }

    #[test]
    fn help_fits_a_terminal_and_names_the_global_options_last() {
        let mut root = command().term_width(80);
        root.build();
        let help = root.render_help().to_string();
        assert!(help.contains("Your agents:\n  try"), "{help}");
        assert!(help.find("Global options:") < help.find("--store"), "{help}");
        for line in groups(&Arguments::command()).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        for name in ["fetch", "install", "serve"] {
            let sub = root.find_subcommand_mut(name).expect("it is there");
            let help = sub.clone().bin_name(format!("weir {name}")).render_help().to_string();
            assert!(
                help.find("Options:").is_some_and(|own| help.find("Global options:") > Some(own)),
                "{help}"
            );
        }
        root.debug_assert();
    }
}
