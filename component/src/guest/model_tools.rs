//! `model-tools`.

use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::model_tools as wit;
use crate::fetch::Reader;
use crate::fetch::tool;
use crate::spill::policy::READER;

impl wit::Guest for Component {
    fn definitions() -> Vec<wit::ToolJson> {
        let definition = tool::definition(READER);
        vec![wit::ToolJson {
            name: definition.name,
            description: definition.description,
            input_schema: definition.input_schema.to_string(),
            annotations: definition.annotations.to_string(),
        }]
    }

    fn invoke(session: String, name: String, arguments: String) -> wit::Answer {
        let fails = |text: String| wit::Answer { text, is_error: true, more: None };
        if name != READER {
            let name: String = name.chars().take(80).collect();
            return fails(format!("There is no tool {name:?} here. Call {READER:?}."));
        }
        with_settings(|settings| {
            let store = match open(settings) {
                Ok(store) => store,
                Err(error) => {
                    return fails(format!(
                        "Stored results cannot be read: {error}. Do not retry; call the tool that gave the result again."
                    ));
                }
            };
            let reader =
                Reader { store: &store, settings: &settings.fetch, session: &session, now: now() };
            let answer = tool::invoke(&reader, READER, &arguments);
            wit::Answer { text: answer.text, is_error: answer.is_error, more: answer.more }
        })
    }
}
