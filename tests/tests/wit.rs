//! The contract's reference page is what the contract says.

use std::fs;
use std::path::Path;

use wit_bindgen_core::Files;
use wit_bindgen_core::wit_parser::Resolve;

#[test]
fn the_reference_page_is_current() {
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    let (package, _) = resolve.push_dir(&wit).expect("the contract parses");
    let world =
        resolve.select_world(&[package], Some("plugin")).expect("it has the world `plugin`");
    let mut files = Files::default();
    let mut generator = wit_bindgen_markdown::Opts::default().build();
    generator.generate(&mut resolve, world, &mut files).expect("a page can be made of it");
    let page = files
        .iter()
        .find_map(|(name, content)| name.ends_with(".md").then_some(content))
        .expect("the page is Markdown");
    let page = String::from_utf8(page.to_vec()).expect("the page is text");
    let page = page.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n";
    let file = wit.join("reference.md");
    if std::env::var_os("UPDATE_WIT_REFERENCE").is_some() {
        fs::write(&file, &page).expect("the page can be written");
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == page,
        "wit/reference.md is not current: run UPDATE_WIT_REFERENCE=1 cargo test --package weir-tests --test wit"
    );
}

#[test]
fn every_item_of_the_contract_says_what_it_is_and_since_when() {
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    let (package, _) = resolve.push_dir(&wit).expect("the contract parses");
    let mut silent = Vec::new();
    let mut silent_fields: Vec<String> = Vec::new();
    let mut timeless = Vec::new();
    for (name, &interface) in &resolve.packages[package].interfaces {
        let interface = &resolve.interfaces[interface];
        let mut item = |path: String, docs: &wit_bindgen_core::wit_parser::Docs, stability: &_| {
            if docs.contents.is_none() {
                silent.push(path.clone());
            }
            if matches!(stability, wit_bindgen_core::wit_parser::Stability::Unknown) {
                timeless.push(path);
            }
        };
        item(name.clone(), &interface.docs, &interface.stability);
        for (function, definition) in &interface.functions {
            if !function.starts_with("[constructor]") {
                item(format!("{name}.{function}"), &definition.docs, &definition.stability);
            }
        }
        for (ty, id) in &interface.types {
            let definition = &resolve.types[*id];
            use wit_bindgen_core::wit_parser::TypeDefKind;
            let imported = matches!(definition.kind, TypeDefKind::Type(_));
            if !imported {
                item(format!("{name}.{ty}"), &definition.docs, &definition.stability);
            }
            let undocumented: Vec<String> = match &definition.kind {
                TypeDefKind::Record(record) => record
                    .fields
                    .iter()
                    .filter(|f| f.docs.contents.is_none())
                    .map(|f| f.name.clone())
                    .collect(),
                TypeDefKind::Variant(variant) => variant
                    .cases
                    .iter()
                    .filter(|c| c.docs.contents.is_none())
                    .map(|c| c.name.clone())
                    .collect(),
                TypeDefKind::Enum(cases) => cases
                    .cases
                    .iter()
                    .filter(|c| c.docs.contents.is_none())
                    .map(|c| c.name.clone())
                    .collect(),
                _ => Vec::new(),
            };
            silent_fields
                .extend(undocumented.into_iter().map(|field| format!("{name}.{ty}.{field}")));
        }
    }
    silent.extend(silent_fields);
    assert!(silent.is_empty(), "without a word: {silent:#?}");
    assert!(timeless.is_empty(), "without @since: {timeless:#?}");
}
