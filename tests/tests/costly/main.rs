//! The worst that can be asked of a stored result: answered, or ended by a limit of the host and called too costly.
//!
//! `WEIR_HOSTILE=10000 cargo test --test costly` runs every program of the list and that many more;
//! without it, a sample of both. `WEIR_HOSTILE=2000..4000` runs a part of them.

#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::fmt::Write as _;
use std::ops::Range;
use std::time::Duration;

use serde_json::{Value, json};
use weir_host::contract::{DiffRequest, GrepRequest, QueryRequest, View};
use weir_host::{Class, Error, Limits, Weir};
use weir_tests::reading::{ask, query};
use weir_tests::{SESSION, Sandbox, engine, store};

const PROGRAMS: &str = include_str!("programs.txt");

/// Programs that work without end and give nothing.
const SILENT: &str = include_str!("silent.txt");

/// Which of the generated programs are run; none for the sample.
fn campaign() -> Option<Range<usize>> {
    let asked = std::env::var("WEIR_HOSTILE").ok()?;
    match asked.split_once("..") {
        Some((from, to)) => Some(from.parse().ok()?..to.parse().ok()?),
        None => Some(0..asked.parse().ok()?),
    }
}

/// Fifty rows, each as the programs expect one.
fn rows() -> String {
    let mut text = String::new();
    for n in 0..50 {
        let pad = "word ".repeat(80);
        writeln!(text, r#"{{"id":{n},"state":"done","pad":"{pad}","l":[1,2,3,{{"a":[1]}}]}}"#)
            .unwrap();
    }
    text
}

/// What a question came to, when it is an answer or a refusal: nothing broke.
fn outcome<T>(answer: Result<T, Error>) -> Result<Option<T>, String> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::Refused(failure)) => {
            let known = ["invalid", "too-costly", "too-large"].contains(&failure.code.as_str());
            match known && failure.message.len() < 3_000 {
                true => Ok(None),
                false => Err(format!("{failure:?}")),
            }
        }
        Err(other) => Err(format!("{other} {other:?}")),
    }
}

fn is_answered<T>(what: &str, answer: Result<T, Error>) -> Option<T> {
    outcome(answer).unwrap_or_else(|trap| panic!("{what}: {trap}"))
}

/// The library with so many hundredths of its fuel, and no deadline, which depends on what else the machine does.
fn with_fuel(sandbox: &Sandbox, hundredths: u64) -> Weir {
    let limits = move |class: Class, bytes| {
        let limits = class.limits(bytes);
        Limits {
            deadline: Duration::from_secs(600),
            fuel: limits.fuel / 100 * hundredths,
            ..limits
        }
    };
    Weir::builder().limits(limits).open_with(engine(), sandbox.store()).unwrap()
}

/// The library with less fuel than it has, so that a program without end is soon ended.
fn hasty(sandbox: &Sandbox) -> Weir {
    with_fuel(sandbox, 10)
}

/// Asks, and says what is wrong with the answer.
fn asked(weir: &Weir, id: &str, request: &QueryRequest) -> Result<(), String> {
    let answer = outcome(weir.query(SESSION, id, View::Text, request, None))?;
    match answer.is_none_or(|page| page.content.chars().count() <= 8_000) {
        true => Ok(()),
        false => Err("a long page".to_owned()),
    }
}

fn survives(weir: &Weir, id: &str, program: &str) {
    if let Err(wrong) = asked(weir, id, &QueryRequest::new(program)) {
        panic!("{program}: {wrong}");
    }
}

fn is_intact(weir: &Weir, id: &str) {
    let report = weir.doctor(false, |_| {}).unwrap();
    assert_eq!((report.corrupt, report.dead_references), (0, 0));
    assert!(weir.head(SESSION, id, View::Text, 1).is_ok());
}

#[test]
fn programs_that_never_end_or_grow_without_bound_are_called_too_costly() {
    let sandbox = Sandbox::new();
    let weir = hasty(&sandbox);
    let id = store(&weir, rows()).id;
    let step = if campaign().is_some() { 1 } else { 6 };
    for program in PROGRAMS.lines().filter(|line| !line.is_empty()).step_by(step) {
        survives(&weir, &id, program);
    }
    let told = ask(&weir, &json!({"id": id, "mode": "query", "query": "[range(1e9)]"}));
    assert!(
        told.is_error && told.text.contains("too costly") && told.text.contains("reduce"),
        "{told:?}"
    );
    is_intact(&weir, &id);
}

/// Also where nothing comes of it.
#[test]
fn programs_that_work_without_end_for_nothing_are_called_too_costly() {
    let sandbox = Sandbox::new();
    let weir = hasty(&sandbox);
    let id = store(&weir, rows()).id;
    let step = if campaign().is_some() { 1 } else { 4 };
    for program in SILENT.lines().step_by(step) {
        match weir.query(SESSION, &id, View::Text, &QueryRequest::new(program), None) {
            Err(Error::Refused(failure)) if failure.code == "too-costly" => {}
            other => panic!("{program}: {other:?}"),
        }
    }
    is_intact(&weir, &id);
}

/// No slice comes near to the fuel that it has, and nothing is lost between them.
#[test]
fn what_takes_long_on_each_of_many_rows_goes_on_and_ends_with_the_exact_sum() {
    let sandbox = Sandbox::new();
    let weir = with_fuel(&sandbox, 30);
    let rows: String = (0..10_000).map(|n| format!("{{\"id\":{n}}}\n")).collect();
    let id = store(&weir, rows).id;
    let program = ".id + ([range(60)] | map(. * 2) | add)";
    let request = QueryRequest { reduce: Some("sum".to_owned()), ..QueryRequest::new(program) };
    let mut page = weir.query(SESSION, &id, View::Text, &request, None).unwrap();
    while let Some(more) = page.more.take().filter(|_| !page.complete) {
        page = weir.query(SESSION, &id, View::Text, &request, Some(&more)).unwrap();
    }
    assert_eq!((page.content.as_str(), page.last_row), ("85395000\n", 10_000));
}

/// A generator of numbers that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        of[(self.0 >> 33) as usize % of.len()]
    }
}

/// What is made of little, and is much.
const MAKE: [&str; 24] = [
    ".",
    "[range(1e9)]",
    "[range(300000)]",
    "(\"x\" * 5000000)",
    "(\"ab,\" * 300000)",
    "[limit(50000; repeat(.))]",
    "[range(20000) | {a: ., b: \"\\(.)\"}]",
    "[range(20000) | {key: \"k\\(.)\", value: [.]}] | from_entries",
    "(\"é\" * 400000)",
    "[..]",
    "(tojson * 2000)",
    "(\"1\" * 3900 | tonumber)",
    "[limit(300; repeat(\"y\" * 20000))]",
    "[[range(500)] as $r | range(500) | $r]",
    "[range(20000) | \"0.\\(.)12345678901234567890\" | tonumber]",
    "[range(3000) | if . % 3 == 0 then nan else . end]",
    "[range(30) as $n | (\"7\" * 3900 | tonumber) + $n]",
    "[[range(300) | {(\"k\\(.)\"): .}] | add as $o | range(300) | $o + {n: .}]",
    "1e308",
    "(\"a\" * 4000)",
    "[range(200) | [limit(.; repeat(0))]]",
    "(reduce range(150) as $i (0; [.]))",
    "(reduce range(150) as $i (0; {a: .}))",
    "[limit(31; repeat(\"z\" * 1000000))]",
];

/// What is done with it.
const DO: [&str; 112] = [
    "tojson",
    "tostring",
    "sort",
    "unique",
    "length",
    "add",
    "reverse",
    "flatten",
    "keys",
    "to_entries",
    "explode",
    "implode",
    "ascii_downcase",
    "@base64",
    "@base64d",
    "@uri",
    "@html",
    "@sh",
    "@csv",
    "@tsv",
    "@json",
    "split(\"x\")",
    "split(\",\")",
    "join(\",\")",
    "test(\"(x+x+)+y\")",
    "[match(\"x\"; \"g\")]",
    "gsub(\"[a-z]\"; \"zz\")",
    "[scan(\".{0,40}q\")]",
    "map(tojson)",
    "map(. == 1)",
    "group_by(.)",
    "min",
    "max",
    "index(\"x\")",
    "contains(\"q\")",
    ". == .",
    ". < .",
    ".[1:]",
    ".[0] = 1",
    "del(.[0])",
    ". + .",
    ". - .",
    ". * .",
    "[., .]",
    "walk(.)",
    "[paths]",
    "@text",
    "indices(\"x\")",
    "indices([1, 2])",
    ". as $x | [.] | indices($x)",
    "[splits(\"x*\")]",
    "sub(\"$\"; \"x\")",
    "[capture(\"(?<a>.)\"; \"g\")]",
    "ascii",
    "@urid",
    "@htmld",
    "unique_by(length)",
    "group_by(type)",
    "sort_by(.a, .b)",
    ". as $x | map($x) | sort",
    ". as $x | [range(300)] | group_by($x)",
    ". as $x | [range(300)] | max_by($x)",
    ". as $x | [range(300)] | sort_by($x)",
    "min_by(.a)",
    "[limit(1000; .[]?)]",
    "first(.[]?)",
    "last(.[]?)",
    "[.[:-1], .[-1:]]",
    "getpath([\"a\", 0])",
    "[getpath(paths)] | length",
    "setpath([0]; 1)",
    "delpaths([[0], [1]])",
    "to_entries | from_entries",
    "with_entries(.value |= tostring)",
    "map_values(.)",
    "ltrimstr(\"x\")",
    ". as $x | \"x\" | ltrimstr($x)",
    ". as $x | \"x\" | startswith($x)",
    ". as $x | \"x\" | test($x)",
    ". as $x | \"x\" | . / $x",
    ". as $x | \"x\" | contains($x)",
    ". as $x | 0 | strftime($x)",
    ". as $x | \"x\" | strptime($x)",
    ". as $x | {a: 1} | has($x)",
    ". as $x | {a: 1}[$x]",
    ". as $x | [$x, $x] | .[[$x]]",
    ". as $x | [$x, $x] | bsearch($x)",
    ". as $x | [$x, $x] | index($x)",
    ". as $x | {} | .[\"\\($x)\"] += 1",
    ". as $x | {a: $x} * {a: $x}",
    ". as $x | try ($x | floor) catch length",
    "try error catch tostring",
    "floor",
    "round",
    "-.",
    ". % 7",
    ". % (. + 1)",
    ". * 3",
    ". / 3",
    "fabs",
    "todate",
    "tonumber",
    "trim",
    "transpose",
    "[combinations(2)] | length",
    "any(. == 1)",
    "all(. != nan)",
    "inside(.)",
    "IN(.[]?; .)",
    "INDEX(.)",
    "tojson | fromjson",
    "[.[]?] | (.[0], .[1]) |= 7",
];

/// How it is done again and again.
const AGAIN: [&str; 20] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t",
];

/// A program that makes much of little, again and again.
fn hostile(dice: &mut Dice) -> String {
    let (make, other) = (dice.roll(&MAKE), dice.roll(&MAKE));
    let (one, two) = (dice.roll(&DO), dice.roll(&DO));
    match dice.roll(&AGAIN) {
        "a" => format!("{make} | {one} | {two}"),
        "b" => format!("{make} as $m | [range(100000) | $m | {one}] | length"),
        "c" => format!("reduce range(100000) as $i ({make}; {one})"),
        "d" => format!("[limit(1000; repeat({make} | {one}))] | {two}"),
        "e" => format!("def f: {one} | f; {make} | f"),
        "f" => format!("try ({make} | {one}) catch ({other} | {two})"),
        "g" => format!("[{make}, {other}] | .. |= ({one})"),
        "h" => format!("{make} | until(false; {one})"),
        "k" => format!("def f: {one} as $x | f; {make} | f | empty"),
        "l" => format!("isempty({make} | repeat({one}) | {two} | empty)"),
        "m" => format!("def f: try error({one}) catch f; {make} | [f, {two}]"),
        "n" => format!("def f(g): f(g | {one}); {make} | f({two})"),
        "i" => format!("[foreach range(100000) as $i ({make}; {one}; {two} | length)] | add"),
        "o" => format!("{make} as $m | isempty(repeat($m | {one}) | empty)"),
        "p" => format!("{make} as $m | isempty(repeat(try ($m | {one}) catch .) | empty)"),
        "q" => format!("{make} as $m | isempty(repeat($m | {one} | {two}) | empty)"),
        "r" => format!("{make} as $m | reduce range(1e9) as $i ({other}; [$m, .] | {one} | {two})"),
        "s" => format!("{make} as $m | last(repeat($m | path({one}, {two})?))"),
        "t" => format!(
            "{make} as $m | {other} as $n | isempty(repeat($m == $n, $m > $n, [$n]) | empty)"
        ),
        _ => format!(
            "{make} as $m | {other} as $n | [range(10000) | ($m | {one}), ($n | {two})] | length"
        ),
    }
}

/// A question with it.
fn question(dice: &mut Dice) -> QueryRequest {
    const REDUCE: [&str; 12] = [
        "",
        "",
        "",
        "",
        "",
        "count",
        "max",
        "stats",
        "distinct",
        "top 5",
        "sort | length",
        "unique",
    ];
    let mut request = QueryRequest::new(hostile(dice));
    let reduce = dice.roll(&REDUCE);
    if !reduce.is_empty() {
        request.reduce = Some(reduce.to_owned());
        // Many results, not one: what is made of them is work too.
        request.program = format!("{} as $m | range(1e9) | $m", dice.roll(&MAKE));
        if dice.roll(&["one", "many"]) == "one" {
            request.by = Some(dice.roll(&DO).to_owned());
        }
    }
    request.as_table = dice.roll(&["", "", "table"]) == "table";
    request.whole = dice.roll(&["", "", "", "whole"]) == "whole";
    request
}

#[test]
fn generated_programs_are_answered_or_called_too_costly() {
    let sandbox = Sandbox::new();
    let weir = hasty(&sandbox);
    let id = store(&weir, rows()).id;
    let mut dice = Dice(7);
    let part = campaign().unwrap_or(0..24);
    let mut wrong = String::new();
    for number in 0..part.end {
        let request = question(&mut dice);
        if part.contains(&number)
            && let Err(trap) = asked(&weir, &id, &request)
        {
            writeln!(wrong, "{number}: {request:?}: {trap}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    is_intact(&weir, &id);
}

#[test]
fn results_that_are_hostile_themselves_are_answered() {
    let sandbox = Sandbox::new();
    let weir = hasty(&sandbox);
    let many = |count: usize| format!("[{}1]", "1,".repeat(count));
    let paths = |count: usize| -> String {
        let members: Vec<String> =
            (0..count).map(|n| format!("\"key {n}\":{{\"v{n}\":{n}}}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let texts = [
        ("two million ones", many(1_900_000)),
        ("a row of ones", format!("[{},{}]", many(900_000), many(10))),
        ("a number of a million digits", format!("[1,{},2]", "7".repeat(1_000_000))),
        ("many paths", paths(60_000)),
        ("rows of many paths", (0..40).map(|_| paths(2_000) + "\n").collect()),
        ("brackets", format!("[{}{}]", "[".repeat(900_000), "]".repeat(900_000))),
        ("a long string", json!({"items": ["x".repeat(1_900_000)]}).to_string()),
        ("one line", "word ".repeat(800_000)),
        ("an open quote", format!("a,b\n1,\"{}", "x\n".repeat(900_000))),
    ];
    let diff = DiffRequest { older: None, key: None, by_lines: false };
    let mut last: Option<String> = None;
    for (name, text) in texts {
        let id = store(&weir, text).id;
        for program in
            [".", "length", "[..] | length", "tojson", ".. |= .", "tostring | test(\"q(x+)+y\")"]
        {
            for whole in [false, true] {
                let asked = QueryRequest { whole, ..QueryRequest::new(program) };
                is_answered(name, weir.query(SESSION, &id, View::Text, &asked, None));
            }
            let reduced =
                QueryRequest { reduce: Some("distinct".into()), ..QueryRequest::new(program) };
            is_answered(name, weir.query(SESSION, &id, View::Text, &reduced, None));
        }
        is_answered(name, weir.outline(SESSION, &id, View::Text, None, None));
        is_answered(name, weir.search(SESSION, Some(&id), "word key 7 x", None, None));
        for key in [None, Some("id".to_owned())] {
            let asked =
                DiffRequest { older: last.clone().or(Some(id.clone())), key, ..diff.clone() };
            is_answered(name, weir.diff(SESSION, &id, &asked, None));
        }
        last = Some(id);
    }
    let id = last.unwrap();
    is_intact(&weir, &id);
}

/// What is long: a search of all, an outline, a comparison without a line in common.
#[test]
fn long_results_are_read_in_slices_that_stay_within_their_limits() {
    let sandbox = Sandbox::new();
    let weir = with_fuel(&sandbox, 100);
    let million = if campaign().is_some() { 1_000_000 } else { 100_000 };
    let lines = |from: usize| -> String {
        (from..from + million)
            .map(|n| format!("{n} a line that is like no other, {}\n", n * 7))
            .collect()
    };
    let (old, new) = (store(&weir, lines(0)).id, store(&weir, lines(10_000_000)).id);
    let asked = DiffRequest { older: Some(old.clone()), key: None, by_lines: false };
    let page = is_answered("diff", weir.diff(SESSION, &new, &asked, None)).unwrap();
    assert_eq!(page.same, 0);
    let found =
        is_answered("search", weir.search(SESSION, None, "like no other", None, None)).unwrap();
    assert!(!found.passages.is_empty());
    is_answered("outline", weir.outline(SESSION, &new, View::Text, None, None));
    is_intact(&weir, &old);
}

#[test]
fn patterns_that_cost_too_much_are_told_as_that() {
    let sandbox = Sandbox::new();
    let weir = with_fuel(&sandbox, 100);
    let letters: String = ('a'..='z').cycle().take(1_000).collect();
    let lines: String = (0..4_000).map(|_| format!("{letters}\n")).collect();
    let line = "x".repeat(4_000_000);
    for text in [lines, line] {
        let id = store(&weir, text).id;
        for pattern in [
            "(a?){100}a{100}",
            "(?:.|.|.|.){200}Q",
            "a{0,300}b{0,300}c{0,3}$X",
            "[a-z]{190}Q",
            "x{0,500}x{0,500}y",
        ] {
            let asked: GrepRequest = query(pattern);
            is_answered(pattern, weir.grep(SESSION, &id, View::Text, &asked, None));
            let arguments: Value = json!({"id": id, "mode": "grep", "pattern": pattern});
            let told = ask(&weir, &arguments);
            assert!(!told.is_error || told.text.contains("too costly"), "{pattern}: {}", told.text);
        }
        is_intact(&weir, &id);
    }
}

/// A function that waits for what it calls takes of the stack; one that does not, and a loop, take none.
#[test]
fn functions_that_call_themselves_as_deep_as_programs_do_are_answered() {
    let sandbox = Sandbox::new();
    let weir = hasty(&sandbox);
    let id = store(&weir, rows()).id;
    for (program, gives) in [
        ("def f: if . >= 30 then . else (. + 1 | f) + 1 end; 0 | f", "60"),
        ("def f: if . <= 1 then 1 else . * (. - 1 | f) end; 15 | f", "1307674368000"),
        ("def f: if . >= 1000 then . else . + 1 | f end; 0 | f", "1000"),
        ("0 | until(. >= 1000; . + 1)", "1000"),
        ("[limit(150; 1 | repeat(. + 1))] | length", "150"),
        ("[0 | while(. < 150; . + 1)] | length", "150"),
        ("[0 | recurse(if . < 150 then . + 1 else empty end)] | length", "151"),
    ] {
        let request = QueryRequest { whole: true, ..QueryRequest::new(program) };
        let page = is_answered(program, weir.query(SESSION, &id, View::Text, &request, None));
        assert_eq!(page.map(|page| page.content), Some(format!("{gives}\n")), "{program}");
    }
}
