//! `weir ui`: opens the page of a gateway that runs.

use std::path::PathBuf;

use serde_json::json;
use weir_gateway::running;

use super::gateway::state;
use super::login::{has_browser, open_browser};
use super::{Answer, Context, Failure};

pub(crate) fn run(state_dir: Option<&PathBuf>, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let running = running::list(&state(state_dir, context)?);
    let newest =
        running.iter().filter(|gateway| gateway.page.is_some()).max_by_key(|it| it.started);
    let Some(page) = newest.and_then(|gateway| gateway.page.as_ref()) else {
        console.note(
            "no gateway with a page runs: `weir serve --http 127.0.0.1:8080 --ui` starts one",
        );
        return Ok(Answer::No);
    };
    let opens = has_browser();
    if opens {
        open_browser(page);
    }
    console.told(&json!({"page": page, "opened": opens}), page)?;
    Ok(Answer::Yes)
}
