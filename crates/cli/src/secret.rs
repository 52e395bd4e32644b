//! `weir secret`: values that configurations name as `secret:NAME`.

use std::io::{IsTerminal as _, Read as _};

use serde_json::json;
use weir_gateway::secrets::{SecretFile, of_person};

use super::args::Secret;
use super::console::Console;
use super::{Answer, Context, Failure};

/// Bytes of a secret.
const MAX_BYTES: u64 = 64 * 1024;

pub(crate) fn run(command: &Secret, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let file = context.secrets()?;
    match command {
        Secret::Set { name, person: None } => set(&file, name, console),
        Secret::Set { name, person: Some(who) } => set(&file, &of_person(name, who), console),
        Secret::List => {
            let names = file.names().map_err(Failure::plain)?;
            if console.json() {
                console.value(&json!(names))?;
            } else {
                for name in &names {
                    console.line(name)?;
                }
                if names.is_empty() {
                    console.note("there are no secrets");
                }
            }
            Ok(Answer::Yes)
        }
        Secret::Rm { name } => {
            let had = file.remove(name).map_err(Failure::plain)?;
            let what = if had { "removed" } else { "there is no secret" };
            console.told(&json!({"name": name, "removed": had}), format_args!("{what} {name}"))?;
            Ok(if had { Answer::Yes } else { Answer::No })
        }
    }
}

fn set(file: &SecretFile, name: &str, console: &Console) -> Result<Answer, Failure> {
    let value = if std::io::stdin().is_terminal() {
        console.note(format_args!(
            "Type or paste the value of {name}, then press Enter. It is not shown."
        ));
        typed()?
    } else {
        let mut text = String::new();
        std::io::stdin()
            .take(MAX_BYTES)
            .read_to_string(&mut text)
            .map_err(Failure::io("cannot read the value"))?;
        text
    };
    // The end of the line is the pipe's or the keyboard's.
    let value = value.trim_end_matches(['\n', '\r']);
    if value.is_empty() {
        return Err(Failure::usage(
            "the value is empty",
            format!("give it on standard input: weir secret set {name} < FILE"),
        ));
    }
    let replaced = file.set(name, value).map_err(Failure::plain)?;
    let what = if replaced { "replaced" } else { "set" };
    console.told(
        &json!({"name": name, "replaced": replaced}),
        format_args!("{what} {name}; write \"secret:{name}\" where it is needed"),
    )?;
    Ok(Answer::Yes)
}

/// A line from the terminal that is not shown there.
fn typed() -> Result<String, Failure> {
    let failed = Failure::io("cannot read the value");
    #[cfg(unix)]
    let _quiet = Quiet::new();
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(failed)?;
    Ok(line)
}

/// A terminal that does not show what is typed, until this is dropped.
#[cfg(unix)]
struct Quiet(Option<rustix::termios::Termios>);

#[cfg(unix)]
impl Quiet {
    fn new() -> Quiet {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let Ok(before) = tcgetattr(std::io::stdin()) else { return Quiet(None) };
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, &quiet);
        Quiet(Some(before))
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.0 {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}
