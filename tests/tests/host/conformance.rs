//! `kits/conformance/conformance.json`, which every host passes: through the string interface as a host
//! with weak bindings calls it, and through the library.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};
use wasmtime::component::{Linker, Val};
use wasmtime::{Engine, Store};
use weir_host::contract::{
    BinaryPart, CaseMode, DiffRequest, FinishedResult, GrepRequest, LinkPart, Origin, Part,
    QueryRequest, Unit, View,
};
use weir_host::{Cache, ComponentSource, Error, Weir, compile};
use weir_tests::wasi::State;
use weir_tests::{Sandbox, cache};

const FILE: &str = include_str!("../../../kits/conformance/conformance.json");

// --- the file

/// Texts of the file, and what earlier answers of a scenario gave.
struct Known<'a> {
    texts: &'a BTreeMap<String, String>,
    kept: BTreeMap<String, Value>,
}

/// The large texts, which the file describes line by line.
fn texts(file: &Value) -> BTreeMap<String, String> {
    let described = file["texts"].as_object().expect("the file has texts");
    let text = |one: &Value| {
        let part = |name: &str| one[name].as_str().unwrap_or_default();
        let (first, last) = (one["first"].as_u64().expect("a number"), one["last"].as_u64());
        let mut text = part("before").to_owned();
        for n in first..=last.expect("a number") {
            let even = one["evenLine"].as_str().filter(|_| n % 2 == 0);
            let line = match one["but"][n.to_string()].as_str() {
                Some(line) => line.to_owned(),
                None => even.unwrap_or(part("line")).replace("{n}", &n.to_string()),
            };
            match one["between"].as_str() {
                Some(between) if n > first => write!(text, "{between}{line}"),
                Some(_) => write!(text, "{line}"),
                None => writeln!(text, "{line}"),
            }
            .expect("a string takes anything");
        }
        text + part("after")
    };
    described.iter().map(|(name, one)| (name.clone(), text(one))).collect()
}

impl Known<'_> {
    /// A value of the file with its texts and kept values in place.
    fn fill(&self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(members) => {
                if let Some(Value::String(name)) = members.get("$text") {
                    return self.texts[name].clone().into();
                }
                if let Some(Value::String(name)) = members.get("$json") {
                    return serde_json::from_str(&self.texts[name]).expect("the text is JSON");
                }
                if let Some(Value::String(name)) = members.get("$keep") {
                    return self.kept[name].clone();
                }
                members.iter().map(|(name, value)| (name.clone(), self.fill(value))).collect()
            }
            other => other.clone(),
        }
    }

    /// What is wrong with an answer.
    fn wrong(&self, wanted: &Value, got: &Value, place: &str) -> Option<String> {
        let say = || Some(format!("{place}: {} is not {wanted}", clip(got)));
        match wanted {
            Value::Object(members) => {
                if let Some((rule, wanted)) = members.iter().find(|(name, _)| name.starts_with('$'))
                {
                    return if self.holds(rule, wanted, got) { None } else { say() };
                }
                let Value::Object(given) = got else { return say() };
                members.iter().find_map(|(name, wanted)| {
                    let place = format!("{place}/{name}");
                    match (wanted.get("$absent").is_some(), given.get(name)) {
                        (true, None) => None,
                        (true, Some(_)) => Some(format!("{place} is there in {}", clip(got))),
                        (false, None) => Some(format!("{place} is missing in {}", clip(got))),
                        (false, Some(given)) => self.wrong(wanted, given, &place),
                    }
                })
            }
            Value::Array(items) => match got.as_array().filter(|got| got.len() == items.len()) {
                None => say(),
                Some(got) => {
                    let mut pairs = items.iter().zip(got).enumerate();
                    pairs.find_map(|(n, (wanted, got))| {
                        self.wrong(wanted, got, &format!("{place}/{n}"))
                    })
                }
            },
            _ if wanted == got => None,
            _ => say(),
        }
    }

    fn holds(&self, rule: &str, wanted: &Value, got: &Value) -> bool {
        let size = || got.as_str().map(|text| text.chars().count() as f64).or_else(|| got.as_f64());
        match (rule, wanted) {
            ("$is", Value::String(kind)) => match kind.as_str() {
                "string" => got.is_string(),
                "number" => got.is_number(),
                "boolean" => got.is_boolean(),
                "array" => got.is_array(),
                "object" => got.is_object(),
                other => panic!("no type {other}"),
            },
            ("$contains", Value::Array(parts)) => got.as_str().is_some_and(|text| {
                parts.iter().all(|part| text.contains(part.as_str().expect("a text")))
            }),
            ("$under", limit) => {
                size().is_some_and(|size| size < limit.as_f64().expect("a number"))
            }
            ("$above", limit) => {
                size().is_some_and(|size| size > limit.as_f64().expect("a number"))
            }
            ("$length-of", Value::String(name)) => {
                let text = &self.texts[name];
                *got == json!(text.chars().count()) || *got == json!(text.len())
            }
            ("$some", wanted) => got
                .as_array()
                .is_some_and(|items| items.iter().any(|got| self.wrong(wanted, got, "").is_none())),
            ("$value", wanted) => wanted == got,
            ("$text" | "$keep", name) => self.fill(&json!({ rule: name })) == *got,
            _ => panic!("no rule {rule}"),
        }
    }
}

fn clip(value: &Value) -> String {
    value.to_string().chars().take(300).collect()
}

/// Runs every scenario with what opens a host over a directory; `None` is no answer to compare.
fn run<H>(open: impl Fn(&Sandbox) -> H, answer: impl Fn(&mut H, &Value, &Value) -> Option<Value>) {
    let file: Value = serde_json::from_str(FILE).expect("the file is JSON");
    assert_eq!(file["format"], 1);
    let texts = texts(&file);
    let mut failures = Vec::new();
    let mut compared = 0;
    for scenario in file["scenarios"].as_array().expect("the file has scenarios") {
        let sandbox = Sandbox::new();
        let mut host = open(&sandbox);
        let mut known = Known { texts: &texts, kept: BTreeMap::new() };
        for (n, call) in scenario["calls"].as_array().expect("it has calls").iter().enumerate() {
            if call["fresh"] == true {
                host = open(&sandbox);
            }
            let Some(got) = answer(&mut host, call, &known.fill(&call["with"])) else { continue };
            compared += 1;
            let wrong = call.get("answer").and_then(|wanted| known.wrong(wanted, &got, ""));
            failures.extend(wrong.map(|wrong| {
                format!("{}, call {}: {wrong} in {}", scenario["name"], n + 1, clip(&got))
            }));
            for (name, pointer) in call["keep"].as_object().into_iter().flatten() {
                let kept = got.pointer(pointer.as_str().expect("a pointer"));
                known.kept.insert(name.clone(), kept.cloned().unwrap_or_default());
            }
        }
    }
    assert!(compared > 150, "only {compared} calls were compared");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

// --- the string interface, in a plain wasmtime

/// An instance of which only names and values are known, as in a host without generated bindings; and
/// the library over the same store, for what an answer of strings stands on.
struct Strings {
    store: Store<State>,
    instance: wasmtime::component::Instance,
    weir: Weir,
}

impl Strings {
    fn open(sandbox: &Sandbox) -> Strings {
        let weir = sandbox.weir();
        let engine = Engine::default();
        let component =
            compile(&engine, &ComponentSource::Embedded, &Cache::In(cache())).expect("it compiles");
        let mut linker = Linker::<State>::new(&engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
        let state = State::with_directory(&sandbox.store(), "/store");
        let mut store = Store::new(&engine, state);
        let instance = linker.instantiate(&mut store, &component).expect("it starts");
        Strings { store, instance, weir }
    }

    fn call(&mut self, name: &str, arguments: &[Value]) -> Value {
        let json = self.instance.get_export_index(&mut self.store, None, "weir:plugin/json@0.3.0");
        let index = self.instance.get_export_index(&mut self.store, json.as_ref(), name);
        let index = index.unwrap_or_else(|| panic!("there is no {name}"));
        let function = self.instance.get_func(&mut self.store, index).expect("it is a function");
        let value = |argument: &Value| match argument {
            Value::String(text) => Val::String(text.clone()),
            Value::Number(n) => {
                Val::U32(n.as_u64().and_then(|n| n.try_into().ok()).expect("a u32"))
            }
            Value::Bool(flag) => Val::Bool(*flag),
            other => Val::String(other.to_string()),
        };
        let arguments: Vec<Val> = arguments.iter().map(value).collect();
        let mut answer = [Val::Bool(false)];
        function.call(&mut self.store, &arguments, &mut answer).expect("it does not trap");
        let [Val::String(answer)] = answer else { panic!("{name} answers no text") };
        serde_json::from_str(&answer).expect("every answer is JSON")
    }
}

#[test]
fn the_string_interface_and_the_library_pass_the_conformance_file() {
    run(Strings::open, |host, call, with| match call["call"].as_str() {
        Some(name) => Some(host.call(name, with.as_array().expect("arguments are a list"))),
        // What later calls need is kept of typed answers as well.
        None => typed(&host.weir, call, with),
    });
}

// --- the library

/// A record as JSON: names in camel case, without what is unset.
fn record(record: impl Serialize) -> Value {
    camel(serde_json::to_value(record).expect("records are JSON"))
}

fn camel(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(camel).collect(),
        Value::Object(members) => {
            if members.len() == 1
                && let Some(part) =
                    ["Text", "Binary", "Pointer"].iter().find_map(|case| members.get(*case))
            {
                return camel(part.clone());
            }
            let members = members.into_iter().filter(|(_, value)| !value.is_null());
            let named = members.map(|(name, value)| {
                let value = match (name.as_str(), value) {
                    // The cases of an enum.
                    ("unit" | "encoding", Value::String(word)) => word.to_lowercase().into(),
                    (_, value) => camel(value),
                };
                let mut words = name.split('_');
                let first = words.next().unwrap_or_default().to_owned();
                let name =
                    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..]);
                (name, value)
            });
            named.collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

fn answered(answer: Result<impl Serialize, Error>) -> Value {
    match answer {
        Ok(answer) => record(answer),
        Err(Error::Refused(failure)) => json!({ "error": record(&*failure) }),
        Err(other) => panic!("{other}"),
    }
}

fn part(part: &Value) -> Part {
    let text = |name: &str| part[name].as_str().map(str::to_owned);
    match part {
        Value::String(text) => Part::Text(text.clone()),
        _ => match text("uri") {
            Some(uri) => Part::Pointer(LinkPart {
                uri,
                name: text("name").unwrap_or_default(),
                media_type: text("mediaType"),
            }),
            None => Part::Binary(BinaryPart {
                media_type: text("mediaType").unwrap_or_default(),
                data: text("data").unwrap_or_default(),
            }),
        },
    }
}

/// A typed call through the library.
fn typed(weir: &Weir, call: &Value, with: &Value) -> Option<Value> {
    let name = call["typed"].as_str()?;
    let maybe = |name: &str| with[name].as_str().map(str::to_owned);
    let text = |name: &str| maybe(name).unwrap_or_default();
    let number = |name: &str| with[name].as_u64();
    let flag = |name: &str| with[name] == true;
    let small = |name: &str| number(name).map(|n| u32::try_from(n).expect("a u32"));
    let (session, id) = (text("session"), text("id"));
    let view = match text("view").as_str() {
        "raw" => View::Raw,
        _ => View::Text,
    };
    Some(match name {
        "info.describe-component" => answered(weir.info()),
        "settings.parse" => answered(weir.parse_settings(&with["settings"].to_string())),
        "settings.estimate-tokens" => answered(weir.estimate_tokens(&text("text"))),
        "result-transform.threshold" => {
            let origin = Origin::new(session, text("tool"));
            answered(weir.threshold(&origin, small("maxChars")))
        }
        "result-transform.transform" => {
            let parts = match &with["content"] {
                Value::Array(parts) => parts.iter().map(part).collect(),
                text => vec![part(text)],
            };
            let origin = Origin::new(session, text("tool"));
            answered(weir.transform(&FinishedResult::of(origin, parts)))
        }
        "reading.stat" => answered(weir.stat(&session, &id)),
        "reading.read" => {
            let unit = match text("unit").as_str() {
                "bytes" => Unit::Bytes,
                "chars" => Unit::Chars,
                _ => Unit::Lines,
            };
            let start = with["start"].as_i64().unwrap_or(1);
            answered(weir.read(&session, &id, view, unit, start, number("count"), None))
        }
        "reading.read-end" => {
            answered(weir.tail(&session, &id, view, small("lines").expect("it is given"), None))
        }
        "reading.read-all" => answered(weir.read_all(&session, &id, view, None)),
        "reading.grep" => answered(weir.grep(
            &session,
            &id,
            view,
            &GrepRequest {
                regex: flag("regex"),
                case_mode: match text("caseMode").as_str() {
                    "sensitive" => CaseMode::Sensitive,
                    "insensitive" => CaseMode::Insensitive,
                    _ => CaseMode::Smart,
                },
                word: flag("word"),
                invert: flag("invert"),
                count_only: flag("countOnly"),
                before: small("before").unwrap_or(0),
                after: small("after").unwrap_or(0),
                max_matches: small("maxMatches"),
                start: number("start").unwrap_or(0),
                ..GrepRequest::new(text("pattern"))
            },
            None,
        )),
        "reading.query" => answered(weir.query(
            &session,
            &id,
            view,
            &QueryRequest {
                path: maybe("path"),
                by: maybe("by"),
                reduce: maybe("reduce"),
                whole: flag("whole"),
                max_results: number("maxResults"),
                ..QueryRequest::new(text("program"))
            },
            None,
        )),
        "reading.outline" => answered(weir.outline(&session, &id, view, None, None)),
        "reading.search" => {
            let id = maybe("id");
            let most = number("maxPassages");
            answered(weir.search(&session, id.as_deref(), &text("words"), most, None))
        }
        "reading.diff" => answered(weir.diff(
            &session,
            &id,
            &DiffRequest { older: maybe("older"), key: maybe("key"), by_lines: flag("byLines") },
            None,
        )),
        "reading.list-blobs" => {
            answered(weir.list_blobs(&session, small("maxEntries").unwrap_or(200), None))
        }
        "maintenance.status" => answered(weir.status()),
        "maintenance.sweep" => answered(weir.sweep(|_| {})),
        "maintenance.check" => answered(weir.doctor(false, |_| {})),
        "maintenance.pin" => answered(weir.pin(&session, &id, flag("pinned"))),
        "maintenance.forget" => answered(weir.forget(&session, &id)),
        other => panic!("the library has no {other}"),
    })
}
