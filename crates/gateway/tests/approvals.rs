//! How many ways of writing a dangerous call are seen, and how many ordinary calls are taken for one.
//!
//! Both sets were written before the judge; every third line of each was held back while it was made. docs/approvals.md
//! has the figures, and this test holds it to them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that meets a surprise is to fail, and one that measures says what it measured"
)]

use serde_json::{Value, json};
use weir_gateway::approval::{Call, Do, Kind, Rules, Verdict};
use weir_gateway::hints::Hints;
use weir_gateway::toolsets::Toolsets;

const DANGEROUS: &str = include_str!("approvals/dangerous.txt");
const EVASIVE: &str = include_str!("approvals/evasive.txt");
const WRAPPED: &str = include_str!("approvals/wrapped.txt");
const HARMLESS: &str = include_str!("approvals/harmless.txt");

/// What is filled into ordinary calls.
const FILLERS: [(&str, &[&str]); 9] = [
    (
        "<file>",
        &[
            "src/main.rs",
            "README.md",
            "a.txt",
            "notes/todo.md",
            "lib/util.py",
            "data.csv",
            "index.html",
            "Cargo.toml",
        ],
    ),
    (
        "<dir>",
        &["src", "docs", "build", "tests/data", "packages/core", "/tmp/work", "~/project", "."],
    ),
    (
        "<word>",
        &[
            "parser", "report", "cache", "drop", "remove", "user", "format", "delete", "force",
            "alpha",
        ],
    ),
    ("<n>", &["1", "3", "8", "20", "42", "100", "3000", "8080"]),
    ("<branch>", &["main", "fix/parser", "feature-force", "v2", "drop-old-api"]),
    ("<host>", &["example.com", "api.example.org", "build01", "10.0.0.7", "docs.example.net"]),
    ("<table>", &["users", "orders", "events", "audit_log", "sessions"]),
    ("<column>", &["id", "name", "created_at", "status", "total"]),
    ("<name>", &["anna", "bert", "dev", "web", "me"]),
];

/// Times that a line with places to fill is filled.
const TIMES: usize = 12;

fn judged(line: &str) -> Option<Vec<Kind>> {
    let line = line.replace('⏎', "\n");
    let (tool, arguments) = match line.split_at(1) {
        ("$", command) => ("run", json!({"command": command.trim_start()})),
        ("@", call) => {
            let (tool, arguments) = call.split_once(' ').unwrap();
            (
                tool,
                serde_json::from_str::<Value>(arguments)
                    .unwrap_or_else(|error| panic!("{line}: {error}")),
            )
        }
        _ => panic!("{line}"),
    };
    let (server, tool) = tool.split_once("__").unwrap_or(("any", tool));
    let arguments = arguments.to_string();
    let hints =
        Hints { read_only: false, destructive: true, idempotent: false, closed_world: false };
    let mut rules = Rules::default().read(&json!([]), &Toolsets::default()).unwrap();
    rules.dangerous = Do::Ask;
    match rules.judge(Call { server, tool, hints, arguments: &arguments }) {
        Verdict::Ask(reason) => Some(reason.kinds),
        _ => None,
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// How many of a share, and the share in tenths of a percent.
fn rate(part: usize, all: usize) -> String {
    format!("{part} of {all} ({:.1} %)", part as f64 * 100.0 / all as f64)
}

#[test]
fn dangerous_calls_are_seen_and_ordinary_ones_are_let_pass() {
    let mut seen = [[0; 2]; 2];
    for (at, line) in lines(DANGEROUS).enumerate() {
        let (kind, call) = line.split_once(' ').unwrap();
        let kind: Kind = serde_json::from_value(json!(kind)).unwrap();
        let held = usize::from(at % 3 == 2);
        seen[held][1] += 1;
        match judged(call) {
            Some(kinds) => {
                seen[held][0] += 1;
                if held == 0 && !kinds.contains(&kind) {
                    println!("another kind: {kinds:?} for {line}");
                }
            }
            None if held == 0 => println!("not seen: {line}"),
            None => {}
        }
    }
    let (mut past, mut all) = (0, 0);
    for line in lines(EVASIVE) {
        let (_, call) = line.split_once(' ').unwrap();
        let seen = judged(call).is_some();
        (past, all) = (past + usize::from(!seen), all + 1);
    }
    println!("evasive: {} seen", rate(all - past, all));
    let mut random = fastrand::Rng::with_seed(30);
    let mut alarms = [[0; 2]; 2];
    for (at, line) in lines(HARMLESS).enumerate() {
        let held = usize::from(at % 3 == 2);
        let times = if line.contains('<') { TIMES } else { 1 };
        let mut told = false;
        for _ in 0..times {
            let mut line = line.to_owned();
            for (place, values) in FILLERS {
                while line.contains(place) {
                    line = line.replacen(place, values[random.usize(..values.len())], 1);
                }
            }
            alarms[held][1] += 1;
            if let Some(kinds) = judged(&line) {
                alarms[held][0] += 1;
                if held == 0 && !std::mem::replace(&mut told, true) {
                    println!("false alarm: {kinds:?} for {line}");
                }
            }
        }
    }
    let [[a, b], [c, d]] = seen;
    println!("seen: {}; held back: {}", rate(a, b), rate(c, d));
    let [[e, f], [g, h]] = alarms;
    println!("false alarms: {}; held back: {}", rate(e, f), rate(g, h));
    // What docs/approvals.md says: neither may get worse, and a better figure is to be written there.
    assert_eq!([(a, b), (c, d)], [(277, 277), (138, 138)]);
    assert_eq!([(e, f), (g, h)], [(0, 2_536), (0, 1_322)]);
    assert_eq!((all - past, all), (27, 78));
}

fn rules(own: Value) -> Rules {
    let toolsets =
        Toolsets::read(&json!({"mails": ["mail__*"], "all": ["toolset:mails"]})).unwrap();
    Rules::default().read(&own, &toolsets).unwrap()
}

fn judge(rules: &Rules, tool: &str, arguments: Value) -> Verdict {
    let hints =
        Hints { read_only: false, destructive: true, idempotent: false, closed_world: true };
    let (server, tool) = tool.split_once("__").unwrap();
    rules.judge(Call { server, tool, hints, arguments: &arguments.to_string() })
}

fn print(verdict: Verdict) -> String {
    match verdict {
        Verdict::Ask(reason) | Verdict::Deny(reason) => reason.fingerprint,
        Verdict::Allow => panic!("it is allowed"),
    }
}

#[test]
fn the_first_rule_decides_and_only_one_that_names_the_danger_lets_it_pass() {
    let mut rules = rules(json!([
        {"tool": "box__*", "dangerous": ["deletion"], "do": "allow"},
        {"tool": "git__run", "args": {"command": "git *"}, "do": "allow"},
        {"toolset": "all", "do": "deny"},
        {"annotation": "open-world", "do": "deny"},
        {"annotation": "destructive", "tool": "x__*|y__*", "do": "ask"},
    ]));
    let does = |rules: &Rules, tool: &str, command: &str| match judge(
        rules,
        tool,
        json!({"command": command}),
    ) {
        Verdict::Allow => "allow",
        Verdict::Ask(_) => "ask",
        Verdict::Deny(_) => "deny",
    };
    assert_eq!(does(&rules, "z__run", "rm -rf /"), "allow", "nothing is switched on");
    rules.dangerous = Do::Ask;
    for (tool, command, expected) in [
        ("z__run", "ls", "allow"),
        ("z__run", "rm -rf x", "ask"),
        ("box__run", "rm -rf x", "allow"),
        ("box__run", "rm -rf x; git push -f", "ask"),
        ("git__run", "git status", "allow"),
        ("git__run", "git push -f", "ask"),
        ("mail__get", "ls", "deny"),
        ("mail__get", "rm -rf x", "deny"),
        ("x__run", "ls", "ask"),
        ("w__run", "ls", "allow"),
    ] {
        assert_eq!(does(&rules, tool, command), expected, "{tool} {command}");
    }
    // Denied whatever the rules allow.
    rules.dangerous = Do::Deny;
    assert_eq!(does(&rules, "x__run", "rm -rf x"), "deny");
}

#[test]
fn an_allowed_argument_is_allowed_whole_and_what_cannot_be_read_is_not() {
    let rules = rules(json!([
        {"args": {"command": "git *|ls"}, "do": "allow"},
        {"args": {"path": "/tmp/*"}, "do": "allow"},
        {"do": "ask"},
    ]));
    let allows = |arguments: Value| judge(&rules, "s__t", arguments) == Verdict::Allow;
    assert!(allows(json!({"command": "git log"})) && allows(json!({"command": "git log; ls"})));
    assert!(
        !allows(json!({"command": "git log; rm x"})) && !allows(json!({"command": "git $(rm x)"}))
    );
    assert!(allows(json!({"path": "/tmp/a b"})) && !allows(json!({"path": "/tmp/../etc/x"})));
    assert!(!allows(json!({})));
    let hints = Hints { read_only: true, destructive: false, idempotent: true, closed_world: true };
    let twice =
        Call { server: "s", tool: "t", hints, arguments: r#"{"command":"rm x","command":"ls"}"# };
    assert!(matches!(rules.judge(twice), Verdict::Ask(_)), "either may be read");
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    let deny = self::rules(json!([{"args": {"command": "rm*"}, "do": "deny"}]));
    assert!(matches!(deny.judge(Call { arguments: &deep, ..twice }), Verdict::Deny(_)));
}

#[test]
fn a_rule_about_a_command_sees_it_wherever_it_is_run_and_nowhere_else() {
    let rule = |does: &str| rules(json!([{"args": {"command": "rm *"}, "do": does}]));
    let (deny, ask) = (rule("deny"), rule("ask"));
    let mut wrong = Vec::new();
    for line in lines(WRAPPED) {
        let (expected, command) = line.split_once(' ').unwrap();
        let arguments = json!({"command": command.replace('⏎', "\n")});
        let denied = match judge(&deny, "s__run", arguments.clone()) {
            Verdict::Deny(_) => "+",
            Verdict::Ask(_) => "?",
            Verdict::Allow => "-",
        };
        let asked = matches!(judge(&ask, "s__run", arguments), Verdict::Ask(_));
        if denied != expected || asked != (expected != "-") {
            wrong.push(format!("{denied} for {line}"));
        }
    }
    assert!(lines(WRAPPED).count() > 200 && wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_rule_that_allows_a_command_allows_nothing_beside_it() {
    let rules = rules(json!([
        {"args": {"command": "git *|find *|sudo ls *|make > build.log"}, "do": "allow"},
        {"do": "ask"},
    ]));
    for (command, expected) in [
        ("git status", true),
        ("git log --format='%h > %s' -3", true),
        ("git commit -m 'a; b > c $(d)'", true),
        ("git commit -m \"a | b\"", true),
        ("git log 2>/dev/null", true),
        ("git status 2>&1", true),
        ("git add . && git commit -m x", true),
        ("git show $(git rev-parse HEAD)", true),
        ("git push origin \"$BRANCH\"", true),
        ("git -C sub status", true),
        ("find . -name '*.rs'", true),
        ("sudo ls -l", true),
        ("make > build.log", true),
        ("git log > /etc/cron.d/x", false),
        ("git log >> notes", false),
        ("git log >| notes", false),
        ("git log 2> notes", false),
        ("git log &> notes", false),
        ("git log 1>notes", false),
        ("git apply < patch", false),
        ("git log | tee notes", false),
        ("git log | sh", false),
        ("git log; rm x", false),
        ("git log && rm x", false),
        ("git log || rm x", false),
        ("git log & rm x", false),
        ("git log\nrm x", false),
        ("git log $(rm x)", false),
        ("git log `rm x`", false),
        ("git log \"$(rm x)\"", false),
        ("git log <(rm x)", false),
        ("git log $(cat x > y)", false),
        ("git status; GIT_PAGER='rm x' git log", false),
        ("GIT_PAGER='rm x' git log", false),
        ("git -c core.pager='rm x' log", false),
        ("git -c alias.a='!rm x' a", false),
        ("git submodule foreach 'rm x'", false),
        ("git rebase --exec 'rm x' main", false),
        ("git status; $X", false),
        ("sudo git status", false),
        ("sh -c 'git status'", false),
        ("./git status", false),
        ("/tmp/git status", false),
        ("gitx status", false),
        ("find . -exec rm {} \\;", false),
        ("find . -exec ls {} \\; -exec rm {} +", false),
        ("sudo ls -l; rm x", false),
        ("make > build.log; rm x", false),
    ] {
        let verdict = judge(&rules, "s__run", json!({"command": command}));
        assert_eq!(verdict == Verdict::Allow, expected, "{command}: {verdict:?}");
    }
}

#[test]
fn a_decision_for_longer_holds_for_the_same_command_and_names_and_for_no_other() {
    let mut dangerous = rules(json!([]));
    dangerous.dangerous = Do::Ask;
    let of = |tool: &str, arguments: Value| print(judge(&dangerous, tool, arguments));
    let first = of("s__run", json!({"command": "rm -rf build"}));
    assert_eq!(first, of("s__run", json!({"command": "rm -rf build"})));
    for other in [
        of("s__run", json!({"command": "rm -rf /"})),
        of("s__run", json!({"command": "rm -rf build", "cwd": "/"})),
        of("t__run", json!({"command": "rm -rf build"})),
        of("s__run", json!({"command": "rm -rf $(cat x)"})),
    ] {
        assert_ne!(first, other);
    }
    assert_ne!(
        of("s__run", json!({"command": "rm -rf $(cat x)"})),
        of("s__run", json!({"command": "rm -rf $(cat y)"})),
        "what is not known is not the same"
    );
    let mail =
        |to: &str, body: &str| of("s__send_email", json!({"to": to, "subject": "s", "body": body}));
    assert_eq!(mail("a@example.com", "x"), mail("a@example.com", "y"));
    assert_ne!(mail("a@example.com", "x"), mail("b@example.com", "x"));
    // By a rule: its arguments count letter for letter, others by name.
    let ruled = rules(json!([{"args": {"mode": "wipe*"}, "do": "ask"}]));
    let of =
        |mode: &str, text: &str| print(judge(&ruled, "s__t", json!({"mode": mode, "text": text})));
    assert!(of("wipe", "a") == of("wipe", "b") && of("wipe", "a") != of("wipe all", "a"));
    let unread = |arguments: &str| {
        let hints =
            Hints { read_only: false, destructive: true, idempotent: false, closed_world: false };
        print(ruled.judge(Call { server: "s", tool: "t", hints, arguments }))
    };
    assert!(unread("[[") != unread("[[[") && unread("[[") == unread("[["));
}

#[test]
fn no_arguments_take_long_to_judge() {
    let begun = std::time::Instant::now();
    for command in [
        "a=xxxxxxxx; ".to_owned() + &"a=$a$a$a; ".repeat(400) + "$a",
        "echo x | ".to_owned() + &"cat | ".repeat(9_000) + "sh",
        "sudo ".repeat(12_000),
        "sh -c '".to_owned() + &"rm -rf x; ".repeat(6_000) + "'",
        "$(".repeat(30_000),
        "python3 -c \"system('".to_owned() + &"sh -c 1 ".repeat(7_000) + "')\"",
        "{a,".repeat(20_000),
    ] {
        judged(&format!("$ {command}"));
    }
    judged(&format!("@t {}", json!({"a": vec!["x y"; 19_000]})));
    // Minutes, where one of them grows by more than its length. Here they take seconds without optimisation.
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
