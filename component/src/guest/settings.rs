//! `settings`.

use super::Component;
use super::convert::{Convert as _, record};
use crate::abi::exports::weir::plugin::settings as wit;
use crate::settings::{parse, print, schema};
use crate::spill::measure::Measurer;

record!(parse::Problem => wit::Problem { key, message, used });

impl wit::Guest for Component {
    fn configure(json: String) -> Vec<wit::Problem> {
        let (settings, problems) = parse::parse(&json);
        super::store::configure(settings);
        problems.convert()
    }

    fn parse(json: String) -> wit::Parsed {
        let (settings, problems) = parse::parse(&json);
        wit::Parsed { json: print::print(&settings), problems: problems.convert() }
    }

    fn schema() -> String {
        schema::schema()
    }

    fn estimate_tokens(text: String) -> u64 {
        Measurer::of(text.as_bytes()).estimated_tokens
    }
}
