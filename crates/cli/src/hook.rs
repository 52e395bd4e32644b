//! `weir hook`: one event of an agent host in, its answer out.
//!
//! The exit code is 0, and nothing goes to standard error: some hosts show it to people, some take it
//! for an error of the tool. The last failure is kept in a file, for `weir doctor`.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use weir_agents::hook::entry::{Merge, OwnFile, PATIENCE, hook_line};
use weir_agents::hook::plugin::needs;
use weir_agents::hook::{Decision, Host, Resumed, Task, decide, file, wrap};
use weir_host::contract::Origin;

use super::args::Hook;
use super::context::{Context, own_program};
use super::excerpt::{Content, Wanted, excerpt, never_replaced_bytes, shell_reader, tool_reader};
use super::not_understood::NotUnderstood;
use super::numbers::unix_now;
use super::page::{page, shell_call};
use super::{Answer, Failure};

/// A larger event is not read: its host would have cut the result before.
const EVENT_BYTES: u64 = 128 * 1024 * 1024;

/// Where the last failure is kept, in the directory of states.
const FAILURE_FILE: &str = "hook-failure.txt";

pub(crate) fn run(arguments: &Hook, context: &Context<'_>) -> Result<Answer, Failure> {
    let Some(host) = Host::parse(&arguments.agent) else {
        // For a person only: a host that runs this keeps its result.
        if arguments.show || io::stdin().is_terminal() {
            let hosts: Vec<&str> = Host::all().map(|host| host.name()).collect();
            let near = super::install::near(&arguments.agent, &hosts);
            return Err(Failure::usage(
                format!("there is no hook for `{}`", arguments.agent),
                match near.as_slice() {
                    [] => format!("the hosts are {}", hosts.join(", ")),
                    near => format!("did you mean {}?", near.join(" or ")),
                },
            ));
        }
        return Ok(Answer::Yes);
    };
    if arguments.show {
        return show(host, &arguments.reader, context);
    }
    panic::set_hook(Box::new(|_| {}));
    let answering = give_up_in_time();
    let answered = panic::catch_unwind(AssertUnwindSafe(|| match arguments.wrap {
        true => wrapped(host, context),
        false => answer(host, &arguments.reader, context),
    }));
    let failure = match answered {
        Ok(Ok(Some(answer))) => {
            answering.store(true, Ordering::SeqCst);
            let mut out = io::stdout().lock();
            // A host that has gone away needs no answer.
            let _ = writeln!(out, "{answer}").and_then(|()| out.flush());
            return Ok(Answer::Yes);
        }
        Ok(Ok(None)) => return Ok(Answer::Yes),
        Ok(Err(failure)) => failure.to_string(),
        Err(_) => "the program failed; please report this".to_owned(),
    };
    keep(host, &failure, context);
    Ok(Answer::Yes)
}

/// Ends this process, as if it had nothing to say, before its host loses patience: some hosts take a hook
/// that is late for one that refuses. Not once it is told, with the flag, that
/// an answer is being written: half of one is worse than none.
fn give_up_in_time() -> Arc<AtomicBool> {
    let answering = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&answering);
    let end = move || {
        std::thread::sleep(PATIENCE);
        if !flag.load(Ordering::SeqCst) {
            std::process::exit(0);
        }
    };
    // Without a thread the host's own limit holds.
    let _ = std::thread::Builder::new().name("weir-patience".into()).spawn(end);
    answering
}

/// The answer to an event before a call.
fn wrapped(host: Host, context: &Context<'_>) -> Result<Option<String>, Failure> {
    let Some(event) = read_event()? else { return Ok(None) };
    let program = own_program()?;
    let mut run = vec![program.to_string_lossy().into_owned(), "run".into()];
    run.extend(["--host".into(), host.name().into()]);
    run.extend(context.installed().iter().map(|word| word.to_string_lossy().into_owned()));
    run.push("-c".into());
    Ok(wrap::answer(host, &event, &run))
}

/// One event from standard input; `None` for one that is too large.
fn read_event() -> Result<Option<Vec<u8>>, Failure> {
    let mut event = Vec::new();
    let mut input = io::stdin().lock();
    let failed = Failure::io("cannot read the event");
    let read = input.by_ref().take(EVENT_BYTES + 1).read_to_end(&mut event).map_err(&failed)?;
    if read as u64 > EVENT_BYTES {
        // To its end: a host that cannot write its event may take that for a failure.
        io::copy(&mut input, &mut io::sink()).map_err(&failed)?;
        return Ok(None);
    }
    Ok(Some(event))
}

fn answer(host: Host, reader: &str, context: &Context<'_>) -> Result<Option<String>, Failure> {
    let Some(event) = read_event()? else { return Ok(None) };
    let task = match decide(host, event) {
        Decision::Transform(task) => task,
        Decision::Resume(resumed) => return told(host, reader, &resumed, context),
        Decision::Leave(reason) => {
            NotUnderstood::note(host, reason, context);
            return Ok(None);
        }
    };
    let small = never_replaced_bytes(context.configuration_file().as_deref())
        .min(task.max_chars.map_or(u64::MAX, u64::from));
    if task.bytes() <= small {
        return Ok(None);
    }
    replaced(host, reader, *task, context)
}

/// What a model that goes on is told of what is stored; nothing where nothing is, or where it is not wanted.
fn told(
    host: Host,
    reader: &str,
    resumed: &Resumed,
    context: &Context<'_>,
) -> Result<Option<String>, Failure> {
    let Some((weir, values)) = context.weir_if_compiled()? else { return Ok(None) };
    if values.get("fetch.recall").and_then(Value::as_bool) == Some(false) {
        return Ok(None);
    }
    let directory = directory_of(resumed.directory.as_deref());
    let session = session_of(host, &directory, context)?;
    let reader = match reader {
        "shell" => shell_call(&context.shell_reader(&session, host.has_login_shell())),
        tool => format!(r#"{tool} {{"id":…,"pattern":…}}"#),
    };
    let page = page(&weir, &session, &reader, &directory)?;
    Ok(page.map(|page| resumed.answer(&page)))
}

/// Where the model works: the directory that the event names, or this process's own.
fn directory_of(named: Option<&Path>) -> PathBuf {
    let named = named.filter(|directory| directory.is_absolute()).map(Path::to_owned);
    named.unwrap_or_else(|| std::env::current_dir().unwrap_or_default())
}

fn session_of(host: Host, directory: &Path, context: &Context<'_>) -> Result<String, Failure> {
    if !host.has_project() {
        return context.client_session();
    }
    let named = context.named_session().map(str::to_owned);
    Ok(named.unwrap_or_else(|| context.host_session(host.name(), directory)))
}

fn replaced(
    host: Host,
    reader: &str,
    mut task: Task,
    context: &Context<'_>,
) -> Result<Option<String>, Failure> {
    let Some((weir, values)) = context.weir_if_compiled()? else { return Ok(None) };
    let session = session_of(host, &directory_of(task.directory.as_deref()), context)?;
    if reader != "shell" && !host.has_project() && context.named_session().is_none() {
        let hint = "give --session NAME here and to `weir serve`";
        return Err(Failure::usage("a tool cannot read a session of its own", hint));
    }
    let reader = match reader {
        "shell" => shell_reader(&context.shell_reader(&session, host.has_login_shell())),
        tool => tool_reader(tool),
    };
    let opened = match &task.file {
        Some(spilled) => {
            let what = format!("cannot read {}", spilled.path.display());
            Some(file::open(spilled).map_err(Failure::io(what))?)
        }
        None => None,
    };
    let passed_chars = passed_chars(host, &task);
    let wanted = Wanted {
        origin: Origin {
            toolset: task.toolset.clone(),
            arguments: task.arguments.clone(),
            reader,
            ..Origin::new(session, task.tool.clone())
        },
        content: match &opened {
            Some((file, _)) => Content::File(file),
            None => Content::Texts(std::mem::take(&mut task.texts)),
        },
        is_error: task.is_error,
        already_cut: task.already_cut,
        max_chars: task.max_chars,
        max_bytes: Some(host.answer_max_bytes()),
        passed_chars,
        cut_unstored: false,
    };
    let texts = excerpt(wanted, weir, values)?;
    Ok(texts.map(|texts| task.answer(&texts)))
}

/// Characters that a model would have seen of a result without Weir: what was cut before does not count as
/// saved.
fn passed_chars(host: Host, task: &Task) -> Option<u32> {
    let shown = || task.texts.iter().map(|text| text.chars().count()).sum::<usize>();
    let cut = task.already_cut || task.file.is_some();
    let shown = cut.then(shown).and_then(|chars| u32::try_from(chars).ok());
    match (shown, host.passes_chars(task.file.is_some())) {
        (Some(shown), Some(most)) => Some(shown.min(most)),
        (shown, most) => shown.or(most),
    }
}

/// Prints what an installer writes, for those who write it by hand.
fn show(host: Host, reader: &str, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let program = own_program()?;
    let mut command =
        vec![program.display().to_string(), "hook".to_owned(), host.name().to_owned()];
    if reader != "shell" {
        command.extend(["--reader".to_owned(), reader.to_owned()]);
    }
    let merged = |merge: &Merge| {
        let items = |items: &[(Vec<&'static str>, Value)]| -> Vec<Value> {
            items.iter().map(|(path, value)| json!({"path": path, "value": value})).collect()
        };
        json!({
            "file": merge.file, "append": items(&merge.append),
            "append_if_there": items(&merge.append_if_there), "set": items(&merge.set),
        })
    };
    let home = context.home()?.display().to_string();
    let needs = needs(host, &command, &[], &home);
    let file = |file: &OwnFile| json!({"file": file.path, "text": file.text});
    let files: Vec<Value> = needs.iter().flat_map(|needs| &needs.files).map(file).collect();
    let merge = needs.and_then(|needs| needs.merge).map(|merge| merged(&merge));
    console.value(&json!({"command": hook_line(&command), "files": files, "merge": merge}))?;
    Ok(Answer::Yes)
}

/// Keeps why a result stayed as it was although it should not have.
fn keep(host: Host, failure: &str, context: &Context<'_>) {
    let Ok(directory) = context.state_dir() else { return };
    let seconds = unix_now();
    let _ = std::fs::create_dir_all(&directory);
    let _ = std::fs::write(
        directory.join(FAILURE_FILE),
        format!("{seconds} {} {failure}\n", host.name()),
    );
}

/// When a hook last failed, in seconds since 1970, and how.
pub(crate) fn last_failure(context: &Context<'_>) -> Option<(u64, String)> {
    let text = std::fs::read_to_string(context.state_dir().ok()?.join(FAILURE_FILE)).ok()?;
    let (when, what) = text.trim_end().split_once(' ')?;
    Some((when.parse().ok()?, what.to_owned()))
}
