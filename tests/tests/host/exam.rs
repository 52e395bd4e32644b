//! A reading exam: sixty questions over stored results of one to two megabytes, answered by a reader
//! that is a script. It sees what a model sees: the excerpt, the tool's answers, nothing else. Its
//! calls follow from the kind of question and the names in it.
//!
//! Held: at least 95 % exact, in at most three calls, at most 5 % of the tokens of the whole.

#![allow(clippy::print_stdout, reason = "the table is the answer of the exam")]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use weir_host::Weir;
use weir_host::contract::{FinishedResult, Origin, Part};
use weir_tests::reading::{ask, content};
use weir_tests::{SESSION, Sandbox, shown};

/// A generator of numbers that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, of: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % of
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len() as u64) as usize]
    }
}

/// A stored result, as the reader knows it.
struct Stored {
    id: String,
    excerpt: String,
    tokens: u64,
}

fn give(weir: &Weir, tool: &str, text: String) -> Stored {
    let tokens = weir.estimate_tokens(&text).unwrap();
    let arguments = Some(format!("{{\"of\": \"{tool}\"}}"));
    let origin = Origin { arguments, ..Origin::new(SESSION, tool) };
    let given = weir.transform(&FinishedResult::of(origin, vec![Part::Text(text)])).unwrap();
    assert!(given.replaced, "{tool}");
    Stored { id: given.handles[0].id.clone(), excerpt: shown(&given), tokens }
}

/// What a question is about, as whoever asks it would name it.
enum Kind {
    /// The field of the row that another field knows.
    Needle {
        know: &'static str,
        value: Value,
        want: &'static str,
    },
    /// The line of a text that holds a word.
    Line {
        word: String,
    },
    /// How many rows have this value.
    Count {
        field: &'static str,
        value: Value,
    },
    /// A field of the rows with this value and a number over a bound.
    Filter {
        field: &'static str,
        value: Value,
        over: (&'static str, u64),
        want: &'static str,
    },
    /// A field of the rows of a second result that rows of the first point to.
    Join {
        over: (&'static str, u64),
        link: &'static str,
        key: &'static str,
        want: &'static str,
    },
    /// A field of the last row of this value, or the last line of a text with this word.
    Last {
        field: &'static str,
        value: &'static str,
        want: &'static str,
    },
    LastLine {
        word: &'static str,
    },
    /// The keys of rows that a run added to those of the run before.
    Changed {
        key: &'static str,
    },
}

/// A reader at work: its calls and what they cost.
struct Reader<'a> {
    weir: &'a Weir,
    calls: u32,
    tokens: u64,
}

impl Reader<'_> {
    fn call(&mut self, arguments: Value) -> String {
        let answer = ask(self.weir, &arguments);
        self.calls += 1;
        self.tokens += self.weir.estimate_tokens(&answer.text).unwrap();
        self.tokens += self.weir.estimate_tokens(&arguments.to_string()).unwrap();
        answer.text
    }

    /// The path under which a field is found in a row: by the excerpt's header when it names it as a
    /// column, else by the outline.
    fn paths(&mut self, stored: &Stored, fields: &[&str]) -> Vec<String> {
        let outline = self.call(json!({"id": stored.id, "mode": "outline"}));
        let labels: Vec<&str> = content(&outline)
            .lines()
            .filter_map(|line| line.split_once(": ").map(|(l, _)| l))
            .collect();
        fields
            .iter()
            .map(|field| {
                let end = format!(".{field}");
                labels
                    .iter()
                    .find(|label| label.ends_with(&end))
                    .unwrap_or(&end.as_str())
                    .to_string()
            })
            .collect()
    }

    fn values(&mut self, arguments: Value) -> Vec<Value> {
        let answer = self.call(arguments);
        content(&answer)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or(Value::Null))
            .collect()
    }

    fn answer(&mut self, kind: &Kind, of: &[Stored]) -> Vec<Value> {
        let first = &of[0];
        let id = &first.id;
        match kind {
            Kind::Needle { know, value, want } => {
                let paths = self.paths(first, &[know, want]);
                self.values(json!({"id": id, "query": format!("select({} == {value}) | {}", paths[0], paths[1])}))
            }
            Kind::Line { word } => {
                let answer = self.call(json!({"id": id, "mode": "grep", "pattern": word, "literal": true}));
                content(&answer).lines().map(|line| line.split_once(": ").unwrap().1.into()).collect()
            }
            Kind::Count { field, value } => {
                let paths = self.paths(first, &[field]);
                self.values(json!({"id": id, "query": format!("select({} == {value})", paths[0]), "reduce": "count"}))
            }
            Kind::Filter { field, value, over, want } => {
                let paths = self.paths(first, &[field, over.0, want]);
                let query = format!("select({} == {value} and {} > {}) | {}", paths[0], paths[1], over.1, paths[2]);
                self.values(json!({"id": id, "query": query}))
            }
            Kind::Join { over, link, key, want } => {
                let links = self.values(json!({"id": id, "query": format!("select(.{} > {}) | .{link}", over.0, over.1)}));
                let query = format!("select(.{key} | IN({})) | .{want}", links.iter().map(Value::to_string).collect::<Vec<_>>().join(", "));
                self.values(json!({"id": of[1].id, "query": query}))
            }
            Kind::Last { field, value, want } => {
                let paths = self.paths(first, &[field, want]);
                self.values(json!({"id": id, "query": format!("select({} == \"{value}\") | {}", paths[0], paths[1]), "reduce": "last"}))
            }
            Kind::LastLine { word } => {
                self.values(json!({"id": id, "query": format!("select(contains(\"{word}\"))"), "reduce": "last"}))
            }
            Kind::Changed { key } => {
                let answer = self.call(json!({"id": of[1].id, "mode": "diff"}));
                let added = content(&answer).lines().filter_map(|line| line.strip_prefix("+ "));
                added.map(|row| serde_json::from_str::<Value>(row).unwrap()[*key].clone()).collect()
            }
        }
    }
}

struct Question {
    kind: &'static str,
    asks: Kind,
    right: Vec<Value>,
    of: usize,
}

/// Rows of one kind, and how they are written down.
struct Shape {
    name: &'static str,
    rows: Vec<Value>,
    write: fn(&[Value]) -> String,
}

fn document(rows: &[Value]) -> String {
    json!({"page": 1, "data": {"items": rows}, "meta": {"tags": ["a", "b"]}}).to_string()
}

fn array(rows: &[Value]) -> String {
    serde_json::to_string_pretty(rows).unwrap()
}

fn lines_of_json(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

fn csv(rows: &[Value]) -> String {
    let mut out = "id,state,owner,total,note\n".to_owned();
    for row in rows {
        let note = row["note"].as_str().unwrap();
        writeln!(
            out,
            "{},{},{},{},\"{note}\"",
            row["id"],
            row["state"].as_str().unwrap(),
            row["owner"].as_str().unwrap(),
            row["total"]
        )
        .unwrap();
    }
    out
}

/// Rows nested as in the answers of cluster tools.
fn nested(rows: &[Value]) -> String {
    let items: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "metadata": {"id": row["id"], "owner": row["owner"], "labels": {"app": "web", "note": row["note"]}},
                "status": {"state": row["state"], "total": row["total"], "conditions": [{"type": "Ready"}]},
            })
        })
        .collect();
    json!({"apiVersion": "v1", "items": items}).to_string()
}

fn rows(dice: &mut Dice, count: u64) -> Vec<Value> {
    (1..=count)
        .map(|id| {
            json!({
                "id": id,
                "state": dice.pick(&["open", "open", "paid", "paid", "failed", "closed"]),
                "owner": format!("user-{}", dice.roll(900)),
                "total": dice.roll(10_000),
                "note": format!("note {id}, with some words of its own: {}", "and more ".repeat(dice.roll(6) as usize)),
            })
        })
        .collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn a_reader_answers_sixty_questions_in_few_calls_and_few_tokens() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let mut dice = Dice(11);
    let shapes = [
        ("document", document as fn(&[Value]) -> String),
        ("array", array),
        ("lines of JSON", lines_of_json),
        ("CSV", csv),
        ("nested", nested),
    ]
    .map(|(name, write)| Shape { name, rows: rows(&mut dice, 11_000), write });
    let mut sets: Vec<Vec<Stored>> = Vec::new();
    let mut questions: Vec<Question> = Vec::new();
    for shape in &shapes {
        let of = sets.len();
        let all = &shape.rows;
        sets.push(vec![give(&weir, shape.name, (shape.write)(all))]);
        let mut add = |kind, asks, right| questions.push(Question { kind, asks, right, of });
        for n in [dice.roll(11_000), 10_999] {
            let row = &all[n as usize];
            let (value, right) = (row["id"].clone(), vec![row["owner"].clone()]);
            add("needle", Kind::Needle { know: "id", value, want: "owner" }, right);
        }
        for state in ["failed", "open"] {
            let right = all.iter().filter(|row| row["state"] == state).count();
            add("count", Kind::Count { field: "state", value: state.into() }, vec![right.into()]);
        }
        for (state, over) in [("failed", 9_900), ("paid", 9_950)] {
            let hit = |row: &&Value| row["state"] == state && number(&row["total"]) > over;
            let right = all.iter().filter(hit).map(|row| row["id"].clone()).collect();
            add(
                "filter",
                Kind::Filter {
                    field: "state",
                    value: state.into(),
                    over: ("total", over),
                    want: "id",
                },
                right,
            );
        }
        for state in ["failed", "closed"] {
            let last = all.iter().rfind(|row| row["state"] == state).unwrap();
            add(
                "last",
                Kind::Last { field: "state", value: state, want: "owner" },
                vec![last["owner"].clone()],
            );
        }
    }
    // Two results that belong together, five times.
    for n in 0..5 {
        let orders = rows(&mut dice, 11_000);
        let users: Vec<Value> = (0..900)
            .map(|user| json!({"name": format!("user-{user}"), "mail": format!("u{user}-{n}@example.org"), "bio": "words ".repeat(240)}))
            .collect();
        let write: fn(&[Value]) -> String = [document, array, lines_of_json, csv, document][n];
        let over = 9_985;
        let owners: Vec<&Value> = orders
            .iter()
            .filter(|row| number(&row["total"]) > over)
            .map(|row| &row["owner"])
            .collect();
        let right = users
            .iter()
            .filter(|user| owners.contains(&&user["name"]))
            .map(|user| user["mail"].clone())
            .collect();
        let stored = vec![
            give(&weir, &format!("orders-{n}"), write(&orders)),
            give(&weir, &format!("users-{n}"), lines_of_json(&users)),
        ];
        let asks = Kind::Join { over: ("total", over), link: "owner", key: "name", want: "mail" };
        questions.push(Question { kind: "join of two", asks, right, of: sets.len() });
        sets.push(stored);
    }
    // The same call twice, five times.
    for n in 0..5 {
        let older = rows(&mut dice, 9_000);
        let mut newer: Vec<Value> =
            older.iter().filter(|row| number(&row["id"]) % 1_000 != 7).cloned().collect();
        let added: Vec<Value> = (0..6).map(|k| json!(20_000 + k * 10 + n as u64)).collect();
        for id in &added {
            newer.push(
                json!({"id": id, "state": "new", "owner": "user-1", "total": 5, "note": "fresh"}),
            );
        }
        let write: fn(&[Value]) -> String = [document, array, lines_of_json, document, array][n];
        let tool = format!("run-{n}");
        let stored = vec![give(&weir, &tool, write(&older)), give(&weir, &tool, write(&newer))];
        questions.push(Question {
            kind: "change",
            asks: Kind::Changed { key: "id" },
            right: added,
            of: sets.len(),
        });
        sets.push(stored);
    }
    // Logs: a line that holds an id, and the last error.
    for n in 0..5u64 {
        let mut log = String::new();
        let (mut needle, mut last) = (String::new(), String::new());
        for line in 1..=20_000u64 {
            let level = if line % 3_989 == n {
                "ERROR"
            } else {
                dice.pick(&["INFO", "INFO", "DEBUG", "WARN"])
            };
            let text = format!(
                "2024-05-06T07:{:02}:{:02}Z {level} [worker-{}] request req-{n}{line:05} took {} ms",
                line / 60 % 60,
                line % 60,
                line % 9,
                dice.roll(900)
            );
            if level == "ERROR" {
                last.clone_from(&text);
            }
            if line == 12_000 + n {
                needle.clone_from(&text);
            }
            log.push_str(&text);
            log.push('\n');
        }
        let of = sets.len();
        let word = format!("req-{n}{:05}", 12_000 + n);
        questions.push(Question {
            kind: "needle",
            asks: Kind::Line { word },
            right: vec![needle.into()],
            of,
        });
        questions.push(Question {
            kind: "last",
            asks: Kind::LastLine { word: " ERROR " },
            right: vec![last.into()],
            of,
        });
        sets.push(vec![give(&weir, &format!("log-{n}"), log)]);
    }
    assert_eq!(questions.len(), 60);

    let mut table: BTreeMap<&str, (u32, u32, u32, f64)> = BTreeMap::new();
    let mut right = 0;
    for question in &questions {
        let of = &sets[question.of];
        let mut reader = Reader { weir: &weir, calls: 0, tokens: 0 };
        for stored in of {
            reader.tokens += weir.estimate_tokens(&stored.excerpt).unwrap();
        }
        let answer = reader.answer(&question.asks, of);
        let whole: u64 = of.iter().map(|stored| stored.tokens).sum();
        let share = reader.tokens as f64 / whole as f64;
        let good = answer == question.right && reader.calls <= 3 && share <= 0.05;
        right += u32::from(good);
        if !good {
            println!(
                "{}: {answer:?}, right {:?}, {} calls, {share:.3}",
                question.kind, question.right, reader.calls
            );
        }
        let row = table.entry(question.kind).or_default();
        *row = (row.0 + 1, row.1 + u32::from(good), row.2.max(reader.calls), row.3.max(share));
    }
    println!(
        "{:<12} {:>9} {:>6} {:>10} {:>16}",
        "kind", "questions", "right", "most calls", "most of tokens"
    );
    for (kind, (asked, right, calls, share)) in &table {
        println!("{kind:<12} {asked:>9} {right:>6} {calls:>10} {:>15.1}%", share * 100.0);
    }
    assert!(right >= 57, "{right} of 60");
}
