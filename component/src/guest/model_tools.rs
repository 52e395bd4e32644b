//! `model-tools`.

use super::convert::record;
use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::model_tools as wit;
use crate::abi::exports::weir::plugin::types::ModelTool;
use crate::fetch::{Answer, Reader, tool};
use crate::spill::policy::READER;

record!(Answer => wit::ToolAnswer { text, is_error, more });

impl wit::Guest for Component {
    fn result_tools() -> Vec<ModelTool> {
        let definition = tool::definition(READER);
        vec![ModelTool {
            name: definition.name,
            description: definition.description.to_owned(),
            input_schema: definition.input_schema.to_owned(),
            annotations: definition.annotations.to_owned(),
        }]
    }

    fn invoke(session: String, name: String, arguments: String) -> wit::ToolAnswer {
        use super::convert::Convert as _;
        let fails = |text: String| wit::ToolAnswer { text, is_error: true, more: None };
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
            let reader = Reader::new(&store, &settings.fetch, &session, now());
            tool::invoke(&reader, READER, &arguments).convert()
        })
    }
}
