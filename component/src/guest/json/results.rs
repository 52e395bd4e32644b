//! What the string interface has of results.

use std::cell::RefCell;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Answer, Slots, print, read, text_result, value, with};
use crate::abi::exports::weir::plugin::maintenance::Guest as _;
use crate::abi::exports::weir::plugin::model_tools::Guest as _;
use crate::abi::exports::weir::plugin::result_transform::{GuestIntake as _, Transformed};
use crate::abi::exports::weir::plugin::settings::Guest as _;
use crate::abi::exports::weir::plugin::types::{Failure, Origin, Part};
use crate::content::mcp::{McpResult, members};
use crate::guest::Component;
use crate::guest::convert::Convert;
use crate::guest::transform::{self, GuestIntake};
use crate::spill::check_session;
use crate::spill::result::{FinishedResult, Outcome};

thread_local! {
    static INTAKES: RefCell<Slots<GuestIntake>> = const { RefCell::new(Slots::new("no-intake")) };
}

pub(super) fn configure(settings: String) -> Answer {
    let problems = Component::configure(settings);
    Ok(json!({ "problems": value(problems) }).to_string())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with session and tool")]
struct Call<'a> {
    session: String,
    tool: String,
    server: Option<String>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    reader: Option<String>,
    purpose: Option<String>,
    #[serde(alias = "max_chars")]
    max_chars: Option<u32>,
    #[serde(default, alias = "already_cut")]
    already_cut: bool,
}

impl Call<'_> {
    fn origin(&self) -> Origin {
        // Arguments may also come as the text of an object.
        let arguments = self
            .arguments
            .map(|raw| serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned()));
        Origin {
            session: self.session.clone(),
            tool: self.tool.clone(),
            toolset: self.server.clone(),
            arguments,
            reader: self.reader.clone(),
            purpose: self.purpose.clone(),
        }
    }
}

/// The fields of a call.
const FIELDS: [&str; 10] = [
    "session",
    "tool",
    "server",
    "arguments",
    "reader",
    "purpose",
    "maxChars",
    "max_chars",
    "alreadyCut",
    "already_cut",
];

/// What is said of fields of a call that have another name: they are passed over.
fn slips(call: &str) -> Vec<Value> {
    let members = members(call).unwrap_or_default();
    let slips = members.into_keys().filter(|name| !FIELDS.contains(&name.as_str()));
    let message = "there is no such field: session, tool, server, arguments, reader, purpose, \
                   maxChars, alreadyCut";
    slips.map(|key| json!({ "key": key, "message": message })).collect()
}

pub(super) fn transform(call: String, tool_result: String) -> Answer {
    let slips = slips(&call);
    let call: Call<'_> = read("call", &call)?;
    let result = McpResult::read(&tool_result);
    let (parts, are_all) = result.parts();
    let finished = FinishedResult {
        origin: call.origin().convert(),
        parts,
        raw: (!are_all).then(|| tool_result.clone()),
        is_error: result.is_error(),
        waits_for_input: result.waits(),
        max_chars: call.max_chars,
        already_cut: call.already_cut,
    };
    let outcome = transform::outcome(&finished)?;
    Ok(match &outcome {
        Outcome::Unchanged { .. } => answered(outcome.convert(), &result.whole(), &[], slips),
        Outcome::Replaced(replacement) => {
            let (shown, blocks) = result.rebuilt(&replacement.shown, &finished.parts);
            answered(outcome.convert(), &shown, &blocks, slips)
        }
    })
}

/// What became of a result, with the result to show and, where it was replaced, for each of its blocks
/// the index of the one that it is.
fn answered(
    transformed: Transformed,
    shown: &str,
    blocks: &[Option<usize>],
    slips: Vec<Value>,
) -> String {
    let is_replaced = transformed.replaced;
    let mut about = value(Transformed { parts: Vec::new(), ..transformed });
    if let Value::Object(fields) = &mut about {
        fields.remove("parts");
        if !slips.is_empty() {
            fields.insert("problems".to_owned(), slips.into());
        }
        if is_replaced {
            let block = |from: &Option<usize>| match from {
                Some(at) => json!({ "replaced": false, "from": at }),
                None => json!({ "replaced": true }),
            };
            fields.insert("blocks".to_owned(), blocks.iter().map(block).collect());
        }
    }
    with(&about, "result", shown)
}

pub(super) fn result_tools() -> Answer {
    let tools = Component::result_tools().into_iter().map(super::mcp_tool).collect::<Vec<_>>();
    Ok(format!("{{\"tools\":[{}]}}", tools.join(",")))
}

pub(super) fn invoke(session: String, name: String, arguments: String) -> Answer {
    let answer = Component::invoke(session, name, arguments);
    let mut result = text_result(&answer.text, answer.is_error);
    if let (Some(more), Value::Object(members)) = (answer.more, &mut result) {
        members.insert("more".to_owned(), more.into());
    }
    Ok(result.to_string())
}

pub(super) fn open_intake(call: String) -> Answer {
    let slips = slips(&call);
    let call: Call<'_> = read("call", &call)?;
    // A constructor cannot refuse, so an intake itself says it only when it is finished.
    check_session(&call.session)?;
    let intake = GuestIntake::new(call.origin(), call.max_chars);
    let number = INTAKES.with_borrow_mut(|intakes| intakes.add(intake));
    Ok(match slips.is_empty() {
        true => json!({ "intake": number }),
        false => json!({ "intake": number, "problems": slips }),
    }
    .to_string())
}

pub(super) fn write_intake(intake: u32, chunk: String) -> Answer {
    INTAKES.with_borrow(|intakes| {
        intakes.get(intake)?.write(chunk);
        Ok::<_, Failure>(())
    })?;
    Ok("{}".to_owned())
}

pub(super) fn finish_intake(intake: u32, is_error: bool) -> Answer {
    let intake = INTAKES.with_borrow_mut(|intakes| intakes.take(intake))?;
    let transformed = intake.finished(is_error)?;
    // An intake gives one part, and of strings it is text.
    let text = match &transformed.parts[..] {
        [Part::Text(text)] => text.as_str(),
        _ => "",
    };
    let shown = text_result(text, is_error).to_string();
    Ok(answered(transformed, &shown, &[None], Vec::new()))
}

pub(super) fn drop_intake(intake: u32) -> Answer {
    INTAKES.with_borrow_mut(|intakes| intakes.take(intake))?;
    Ok("{}".to_owned())
}

pub(super) fn pin(session: String, id: String, pinned: bool) -> Answer {
    Component::pin(session, id, pinned)?;
    Ok("{}".to_owned())
}

pub(super) fn forget(session: String, id: String) -> Answer {
    Ok(print(Component::forget(session, id)?))
}

pub(super) fn status() -> Answer {
    Ok(print(Component::status()?))
}

pub(super) fn sweep(max_entries: u32, more: String) -> Answer {
    Ok(print(Component::sweep(max_entries, given(more))?))
}

pub(super) fn check(repair: bool, max_bytes: u32, more: String) -> Answer {
    Ok(print(Component::check(repair, max_bytes.into(), given(more))?))
}

/// A text, unless it is empty.
fn given(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
