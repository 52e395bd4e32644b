//! Golden events of every host with a command hook, in `events/`: what it sends, and the one answer
//! that it takes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use weir_agents::hook::{Decision, Host, Task, decide};

/// What stands for the new text in an answer.
const EXCERPT: &str = "{EXCERPT}";

#[derive(Deserialize)]
struct Golden {
    host: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    event: Value,
    /// The texts that are too large or not.
    #[serde(default)]
    texts: Vec<String>,
    file: Option<String>,
    bytes: Option<u64>,
    #[serde(default)]
    cut: bool,
    toolset: Option<String>,
    answer: Option<Value>,
    /// Why the event is left alone, where it is.
    left: Option<String>,
}

fn goldens() -> Vec<(Host, Vec<Case>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/events");
    let mut files: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let golden = |file: &std::path::PathBuf| {
        let golden: Golden = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let host = Host::parse(&golden.host).unwrap();
        assert_eq!(file.file_stem().unwrap().to_str(), Some(host.name()));
        (host, golden.cases)
    };
    files.iter().map(golden).collect()
}

fn task(host: Host, case: &Case) -> Task {
    match decide(host, case.event.to_string().as_bytes()) {
        Decision::Transform(task) => *task,
        other => panic!("{host:?}, {}: {other:?}", case.case),
    }
}

#[test]
fn every_host_with_a_command_hook_has_golden_events() {
    let with_events: BTreeSet<Host> = goldens().iter().map(|(host, _)| *host).collect();
    let by_plugin = [
        Host::OpenCode,
        Host::Kilo,
        Host::Pi,
        Host::Cline,
        Host::OpenClaw,
        Host::Amp,
        Host::Hermes,
    ];
    for host in Host::all() {
        assert_eq!(with_events.contains(&host), !by_plugin.contains(&host), "{host:?}");
    }
}

#[test]
fn each_golden_event_gets_its_golden_answer() {
    for (host, cases) in goldens() {
        assert!(cases.iter().any(|case| case.answer.is_some()), "{host:?}");
        for case in cases {
            let event = case.event.to_string();
            if let Some(left) = &case.left {
                match decide(host, event.as_bytes()) {
                    Decision::Leave(reason) => {
                        assert_eq!(&format!("{reason:?}"), left, "{host:?}, {}", case.case);
                    }
                    other => panic!("{host:?}, {}: {other:?}", case.case),
                }
                continue;
            }
            let found = task(host, &case);
            assert_eq!(found.texts, case.texts, "{host:?}, {}", case.case);
            assert_eq!(found.toolset, case.toolset, "{host:?}, {}", case.case);
            assert_eq!(found.already_cut, case.cut, "{host:?}, {}", case.case);
            let file = found.file.as_ref().map(|file| file.path.to_str().unwrap().to_owned());
            assert_eq!(file, case.file, "{host:?}, {}", case.case);
            assert_eq!(found.file.as_ref().and_then(|file| file.bytes), case.bytes);
            let answer: Value = serde_json::from_str(&found.answer(&[EXCERPT.to_owned()])).unwrap();
            assert_eq!(Some(answer), case.answer, "{host:?}, {}", case.case);
        }
    }
}

#[test]
fn a_golden_event_is_answered_by_its_own_host_and_its_kin_alone() {
    // These take each other's events: they are made to.
    let kin = [Host::ClaudeCode, Host::Qoder, Host::CodeBuddy];
    for (host, cases) in goldens() {
        for case in cases.iter().filter(|case| case.answer.is_some()) {
            for other in Host::all() {
                if other == host || kin.contains(&other) && kin.contains(&host) {
                    continue;
                }
                let decided = decide(other, case.event.to_string().as_bytes());
                assert!(
                    matches!(decided, Decision::Leave(_)),
                    "{other:?} answers {host:?}, {}",
                    case.case
                );
            }
        }
    }
}

#[test]
fn a_golden_event_of_any_size_and_alphabet_keeps_its_text() {
    for (host, cases) in goldens() {
        for case in cases.iter().filter(|case| case.answer.is_some() && case.file.is_none()) {
            let [text] = &case.texts[..] else { continue };
            let long = "語 \u{1f600} \"\\\n".repeat(20_000);
            // Where the text is JSON inside of a string, too.
            let quoted = |text: &str| Value::from(text).to_string();
            let inside = |text: &str| quoted(quoted(text).trim_matches('"'));
            let (small, large) = (quoted(text), quoted(&long));
            let unchanged = case.event.to_string();
            let mut event =
                case.event.to_string().replace(small.trim_matches('"'), large.trim_matches('"'));
            if event == unchanged {
                event =
                    event.replace(inside(text).trim_matches('"'), inside(&long).trim_matches('"'));
            }
            let Decision::Transform(found) = decide(host, event.as_bytes()) else {
                panic!("{host:?}, {}: left alone", case.case)
            };
            assert!(found.texts.concat().contains(long.trim_end()), "{host:?}, {}", case.case);
        }
    }
}

/// A small generator of the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap()
    }
}

/// Puts something else in the place of one value, anywhere in the event.
fn changed(value: &mut Value, numbers: &mut Numbers) {
    let odd = [
        "null",
        "5",
        "[]",
        "{}",
        "\"\"",
        "true",
        "1e999",
        "[[{\"type\":\"text\"}]]",
        "\"\\ud83d\"",
    ];
    match value {
        Value::Object(members) if !members.is_empty() && numbers.below(4) > 0 => {
            let at = numbers.below(members.len());
            changed(members.values_mut().nth(at).unwrap(), numbers);
        }
        Value::Array(items) if !items.is_empty() && numbers.below(4) > 0 => {
            let at = numbers.below(items.len());
            changed(&mut items[at], numbers);
        }
        other => {
            let chosen = odd[numbers.below(odd.len())];
            *other = serde_json::from_str(chosen).unwrap_or_else(|_| Value::from(chosen));
        }
    }
}

#[test]
fn ten_thousand_events_that_are_not_quite_right_are_answered_by_json_or_not_at_all() {
    let cases: Vec<(Host, Value)> = goldens()
        .into_iter()
        .flat_map(|(host, cases)| cases.into_iter().map(move |case| (host, case.event)))
        .collect();
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for round in 0..10_000 {
        let (host, event) = &cases[round % cases.len()];
        let mut event = event.clone();
        for _ in 0..=numbers.below(3) {
            changed(&mut event, &mut numbers);
        }
        let text = event.to_string();
        if let Decision::Transform(task) = decide(*host, text.as_bytes()) {
            let answer = task.answer(&[EXCERPT.to_owned()]);
            assert!(
                serde_json::from_str::<Value>(&answer).is_ok_and(|a| a.is_object()),
                "{answer}"
            );
            assert!(!answer.contains('\n'), "{answer}");
        }
        // Cut off anywhere, it is no event.
        let end = (0..=numbers.below(text.len())).rev().find(|at| text.is_char_boundary(*at));
        let start = text.get(..end.unwrap_or(0)).unwrap();
        assert!(matches!(decide(*host, start.as_bytes()), Decision::Leave(_)), "{start}");
    }
}
