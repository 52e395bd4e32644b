//! What docs/settings.md says is what the component says.

use std::fs;
use std::path::Path;

use serde_json::Value;
use weir_tests::Sandbox;

#[test]
fn the_page_of_settings_lists_every_setting_with_its_default() {
    let schema: Value =
        serde_json::from_str(&Sandbox::new().weir().settings_schema().expect("there is a schema"))
            .expect("the schema is JSON");
    let mut table = String::from("| setting | default | what it does |\n| --- | --- | --- |\n");
    for (name, object) in schema["properties"].as_object().expect("it has tables") {
        for (key, property) in object["properties"].as_object().expect("a table has keys") {
            if property["type"] == "array" {
                continue;
            }
            let default = property["default"].to_string().replace('"', "");
            let doc = property["description"].as_str().expect("a setting is described");
            table += &format!("| `{name}.{key}` | {default} | {doc} |\n");
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/settings.md");
    let page = fs::read_to_string(&file).expect("there is a page of settings");
    let (before, rest) =
        page.split_once("<!-- settings -->\n").expect("it has a place for settings");
    let (kept, after) = rest.split_once("<!-- /settings -->").expect("the place ends");
    if std::env::var_os("UPDATE_SETTINGS").is_some() {
        let page = format!("{before}<!-- settings -->\n{table}<!-- /settings -->{after}");
        fs::write(&file, page).expect("the page can be written");
    } else {
        assert!(kept == table, "run UPDATE_SETTINGS=1 cargo test --package weir-tests --test docs");
    }
}
