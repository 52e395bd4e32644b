//! The setting `tier`: where gateways share results. It is read here, as the component has no network.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use toml::{Table, Value};
use weir_host::contract::Problem;
use weir_tier::{Settings, Tier};

use super::failure::Failure;

/// The name of the setting.
const KEY: &str = "tier";

/// Takes the setting out of a configuration.
pub(crate) fn take(table: &mut Table) -> Result<Option<Settings>, String> {
    let wrong = |why: &str| {
        format!("must be an address like \"s3://bucket/prefix\", or a table with it as `url`{why}")
    };
    match table.remove(KEY) {
        None => Ok(None),
        Some(Value::String(url)) => Ok(Some(Settings::at(&url))),
        Some(Value::Table(table)) => table
            .try_into()
            .map(Some)
            .map_err(|error: toml::de::Error| wrong(&format!(": {}", error.message()))),
        Some(_) => Err(wrong("")),
    }
}

/// What is wrong with the setting, for `weir config`.
pub(crate) fn problem(message: String) -> Problem {
    Problem {
        key: KEY.to_owned(),
        message,
        used: Some("no tier; `weir serve` does not start".to_owned()),
    }
}

/// The JSON Schema of the setting.
pub(crate) fn schema() -> serde_json::Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "description": "Where gateways share results and state: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, or a directory that all machines mount. Off unless given.",
        "anyOf": [{"type": "string"}, {
            "type": "object",
            "properties": {
                "url": text("s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, or the absolute path of a directory."),
                "endpoint": text("The address of a server other than the cloud's own."),
                "region": text("The bucket's region; default: AWS_REGION."),
                "ca": text("A PEM file with certificate authorities that are believed as well."),
                "durability": {"enum": ["bucket", "disk"], "default": "bucket", "description":
                    "When a handle is given out: when its result is in the bucket, or on disk and uploaded after that."},
            },
            "required": ["url"], "additionalProperties": false,
        }],
    })
}

/// The tier that a configuration names, for a store.
pub(crate) fn open(file: Option<&Path>, store: &Path) -> Result<Option<Arc<Tier>>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let text = std::fs::read_to_string(file).map_err(|source| Failure::reading(file, source))?;
    // A file that is not TOML is reported when the other settings are read.
    let mut table = toml::from_str(&text).unwrap_or_default();
    let wrong = |message: String| {
        Failure::usage(
            format!("{}: `{KEY}` {message}", file.display()),
            "docs/team.md has examples; without the setting results stay on this machine",
        )
    };
    let Some(settings) = take(&mut table).map_err(wrong)? else { return Ok(None) };
    let tier = Tier::open(&settings, store).map_err(|error| wrong(error.to_string()))?;
    Ok(Some(Arc::new(tier)))
}
