//! `weir transform`: a tool result in; what the model would be shown, out.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use weir_host::contract::{Origin, Part, Transformed};

use super::args::Transform;
use super::console::{Console, progress, sized};
use super::context::{Context, scratch_directory};
use super::interrupt::interruptible;
use super::json;
use super::numbers::{group, size};
use super::{Answer, Failure};

pub(crate) fn run(args: &Transform, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    checked(args)?;
    // Removed when this returns.
    let scratch = args.show.then(scratch_directory).transpose()?;
    let weir = match &scratch {
        Some(scratch) => context.weir_at(&scratch.path().join("store"))?,
        None => context.weir_for_result()?,
    };
    let origin = Origin {
        session: context.session().to_owned(),
        tool: args.tool.clone(),
        toolset: args.toolset.clone(),
        arguments: args.arguments.clone(),
        reader: None,
        purpose: args.purpose.clone(),
    };
    let mut reader = open(args.file.as_deref())?;
    if weir.threshold(&origin, None)?.is_none() {
        // Never to be replaced: it goes through untouched, whatever its size.
        if console.json() {
            let mut bytes = Vec::new();
            let failed = Failure::io("cannot read the result");
            reader.read_to_end(&mut bytes).map_err(failed)?;
            let mut whole = json::whole(bytes);
            whole["reason"] = "excluded".into();
            whole["store_failure"] = Value::Null;
            console.value(&whole)?;
            return Ok(Answer::Yes);
        }
        console.flush_all()?;
        io::copy(&mut reader, &mut &*console).map_err(Failure::output)?;
        console.flush_all()?;
        return Ok(Answer::Yes);
    }
    let bar = progress("taking in");
    let file = args.file.as_deref().and_then(|file| file.metadata().ok());
    sized(&bar, file.filter(|file| file.is_file()).map(|file| file.len()));
    let outcome = weir.transform_reader(&origin, bar.wrap_read(interruptible(reader)), args.error);
    let taken = bar.position();
    bar.finish_and_clear();
    show(outcome?, taken, console)?;
    if args.show {
        console.note("note: nothing was stored (--show)");
    }
    Ok(Answer::Yes)
}

/// What stands beside the result is what a host would say of it.
fn checked(args: &Transform) -> Result<(), Failure> {
    if args.tool.trim().is_empty() {
        return Err(Failure::usage(
            "the name of the tool is empty",
            "leave --tool out, or name it",
        ));
    }
    if let Some(arguments) = &args.arguments
        && let Err(error) =
            serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(arguments)
    {
        return Err(Failure::usage(
            format!("--arguments is not a JSON object: {error}"),
            r#"write, for example, --arguments '{"path": "src"}'"#,
        ));
    }
    Ok(())
}

fn open(file: Option<&Path>) -> Result<Box<dyn Read + Send>, Failure> {
    match file {
        None => Ok(Box::new(io::stdin())),
        Some(path) if path.as_os_str() == "-" => Ok(Box::new(io::stdin())),
        Some(path) if path.is_dir() => {
            Err(Failure::reading(path, io::ErrorKind::IsADirectory.into()))
        }
        Some(path) => File::open(path)
            .map(|file| Box::new(file) as Box<dyn Read + Send>)
            .map_err(|source| Failure::reading(path, source)),
    }
}

fn show(transformed: Transformed, taken: u64, console: &Console) -> Result<(), Failure> {
    if !transformed.replaced {
        let why = (transformed.reason.as_str(), transformed.store_failure.as_deref());
        transformed.parts.iter().try_for_each(|part| show_whole(part, why, console))?;
        if let Some(why) = &transformed.store_failure {
            console.note(format_args!(
                "note: the result is shown whole, as it could not be stored: {why}"
            ));
        } else if !console.json() && io::stderr().is_terminal() {
            console.note("note: small enough: the model sees it as it is, and nothing is stored");
        }
        return Ok(());
    }
    if console.json() {
        return console.value(&json::replacement(&transformed));
    }
    for part in &transformed.parts {
        if let Part::Text(text) = part {
            console.line(text)?;
        }
    }
    let read_on = transformed
        .handles
        .first()
        .map_or_else(String::new, |handle| format!("; read on with `weir fetch {}`", handle.id));
    console.note(format_args!("{}{read_on}", saved(&transformed, taken)));
    Ok(())
}

/// A result that was left as it is, as it came: base64 is only how it travels. With why, and why it could not be
/// stored.
fn show_whole(
    part: &Part,
    (reason, store_failure): (&str, Option<&str>),
    console: &Console,
) -> Result<(), Failure> {
    let told = |name: &str, content: &str| json!({"replaced": false, "reason": reason, name: content, "store_failure": store_failure});
    match part {
        Part::Text(text) if console.json() => console.value(&told("text", text))?,
        Part::Binary(binary) if console.json() => console.value(&told("base64", &binary.data))?,
        Part::Text(text) => console.bytes(text.as_bytes())?,
        Part::Binary(binary) => match BASE64_STANDARD.decode(&binary.data) {
            Ok(bytes) => console.bytes(&bytes)?,
            Err(_) => console.line(&binary.data)?,
        },
        Part::Pointer(link) => console.line(&link.uri)?,
    }
    console.flush_all()
}

/// What a replacement saved, in a line.
pub(crate) fn saved(replacement: &Transformed, taken: u64) -> String {
    let failed = replacement
        .store_failure
        .as_ref()
        .map_or_else(String::new, |why| format!("; it could not be stored: {why}"));
    format!(
        "{} in: about {} tokens, of which the model sees {}{failed}",
        size(taken),
        group(replacement.estimated_tokens_before),
        group(replacement.estimated_tokens_after),
    )
}
