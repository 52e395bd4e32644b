//! `weir config`: show, validate, schema.

use serde_json::json;

use super::args::Config;
use super::context::{Context, sentence};
use super::trust::ComponentSettings;
use super::{Answer, Failure};

pub(crate) fn run(command: &Config, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    // The component answers; what is stored does not matter.
    let (weir, _scratch) = context.scratch()?;
    match command {
        Config::Schema => {
            console.line(schema(&weir.settings_schema()?))?;
            Ok(Answer::Yes)
        }
        Config::Show => {
            let configuration = context.configuration(&weir)?;
            let mut settings = configuration.parsed.settings.as_json().clone();
            configuration.component.show(&mut settings);
            if let Some(endpoint) = &configuration.embeddings {
                // Neither a password nor a query, which may hold a key.
                let shown = endpoint.url.split('?').next().unwrap_or_default();
                let shown = shown.rsplit_once('@').map_or(shown, |(_, host)| host);
                settings["embeddings"] = json!({"url": shown, "model": endpoint.model});
            }
            if console.json() {
                console.value(&json!({
                    "file": configuration.file, "store": context.store()?, "settings": settings,
                    "problems": configuration.parsed.problems,
                }))?;
                return Ok(Answer::Yes);
            }
            match &configuration.file {
                Some(file) => console.line(format_args!("# from {}", file.display()))?,
                None => console.line("# no configuration file: the defaults")?,
            }
            console.line(format_args!("# the store is {}", context.store()?.display()))?;
            let table = toml::to_string_pretty(&settings)
                .map_err(|error| Failure::usage(error.to_string(), "use --json"))?;
            console.line(table.trim_end())?;
            for problem in &configuration.parsed.problems {
                console.note(format_args!("warning: {}", sentence(problem)));
            }
            Ok(Answer::Yes)
        }
        Config::Validate { file } => {
            let configuration = match file {
                Some(file) => context.read_configuration(&weir, Some(file.clone()))?,
                None => context.configuration(&weir)?,
            };
            let problems = &configuration.parsed.problems;
            if console.json() {
                console.value(&json!({"file": configuration.file, "problems": problems}))?;
            } else {
                match &configuration.file {
                    None => console.line("no configuration file: the defaults hold")?,
                    Some(file) if problems.is_empty() => {
                        console.line(format_args!("{}: good", file.display()))?
                    }
                    Some(file) => {
                        for problem in problems {
                            console.line(format_args!(
                                "{}: {}",
                                file.display(),
                                sentence(problem)
                            ))?;
                        }
                    }
                }
            }
            Ok(if problems.is_empty() { Answer::Yes } else { Answer::No })
        }
    }
}

/// The component's schema, with what the host itself reads.
fn schema(of_component: &str) -> String {
    if let Ok(mut schema) = serde_json::from_str::<serde_json::Value>(of_component)
        && let Some(properties) = schema["properties"].as_object_mut()
    {
        let text = |description: &str| json!({"type": "string", "description": description});
        let endpoint = json!({
            "type": "object",
            "description": "An OpenAI-compatible endpoint that tool search asks beside its own ranking. Off unless given.",
            "properties": {
                "url": text("Its base address, such as http://localhost:11434/v1."),
                "model": text("The model's name, as the endpoint knows it."),
                "key_env": text("The environment variable that holds the key; none when left out."),
            },
            "required": ["url", "model"],
            "additionalProperties": false,
        });
        properties.insert("embeddings".into(), endpoint);
        properties.insert("tier".into(), super::tier::schema());
        for (name, setting) in ComponentSettings::schema() {
            properties.insert(name.into(), setting);
        }
        if let Ok(text) = serde_json::to_string_pretty(&schema) {
            return text;
        }
    }
    of_component.trim_end().to_owned()
}
