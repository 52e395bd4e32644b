//! Several gateways that have their state in common: logins, approvals, limits; each with a state directory of its own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{PATIENCE, SERVER, server};
use crate::endpoint::Endpoint;
use crate::oauth::{Misdeed, World};
use crate::people::{KEY, browse, code, header};
use crate::replicas::{configured, within};

/// What several gateways have in common, and their file of servers.
struct Team {
    tier: tempfile::TempDir,
    file: PathBuf,
}

/// One of them.
struct Member {
    sandbox: Sandbox,
    endpoint: Option<Endpoint>,
}

impl Team {
    fn new(servers: Value, own: Value) -> Team {
        let tier = tempfile::tempdir().unwrap();
        let file = tier.path().join("servers.json");
        let mut own = own;
        own["key"] = KEY.into();
        own["tokens"] = json!({"anna": {"token": "tok-anna-1"}, "bert": {"token": "tok-bert-1"}});
        own["listWait"] = PATIENCE.as_secs().into();
        std::fs::write(&file, json!({"mcpServers": servers, "weir": own}).to_string()).unwrap();
        Team { tier, file }
    }

    fn place(&self) -> PathBuf {
        self.tier.path().join("tier")
    }

    fn member(&self, address: &str) -> Member {
        let sandbox = configured(&format!("{:?}", self.place()));
        let mut member = Member { sandbox, endpoint: None };
        let mut command = member.command(&["serve", "--http", address, "--mode", "passthrough"]);
        command.args(["--servers", self.file.to_str().unwrap()]);
        member.endpoint = Some(Endpoint::launch(command));
        member
    }

    fn two(&self) -> [Member; 2] {
        [self.member("127.0.0.1:0"), self.member("127.0.0.1:0")]
    }
}

impl Member {
    fn state(&self) -> PathBuf {
        self.sandbox.path().join("http-state")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.sandbox.command(words);
        command.env("WEIR_STATE", self.state());
        command
    }

    fn run(&self, words: &[&str], file: &Path) -> Value {
        let mut command = self.command(words);
        let output = command.env("WEIR_SERVERS", file).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    fn ask(&self, who: &str, method: &str, params: Value) -> Value {
        let auth = format!("Bearer tok-{who}-1");
        let endpoint = self.endpoint.as_ref().unwrap();
        endpoint.modern(method, params, &[("Authorization", &auth)]).1
    }

    fn call(&self, who: &str, tool: &str) -> String {
        self.ask(who, "tools/call", json!({"name": tool, "arguments": {}}))["result"].to_string()
    }

    fn lists(&self, tool: &str) -> bool {
        self.ask("anna", "tools/list", json!({}))
            .to_string()
            .contains(&format!("\"name\":\"{tool}\""))
    }
}

#[test]
fn who_logged_in_at_one_gateway_is_logged_in_at_all_and_a_token_is_renewed_once() {
    let world = World::new(Misdeed::None);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}");
    let mine = json!({"mine": {"url": world.url(), "weir": {"identity": "person"}}});
    let team = Team::new(mine, json!({"url": url}));
    let (one, two) = (team.member(&free.to_string()), team.member("127.0.0.1:0"));
    // The gateway that asks for a login is another than the one at whose page it is made.
    let mut text = String::new();
    within("nobody is asked to log in", || {
        text = two.call("anna", "mine__read");
        text.contains("/login/")
    });
    let address = text[text.find(&url).unwrap()..].split(' ').next().unwrap();
    world.lasts(0);
    let begun = browse(address, "POST", "", "token=tok-anna-1");
    let cookie = header(&begun, "set-cookie").split(';').next().unwrap().to_owned();
    let back = header(&browse(&header(&begun, "location"), "GET", "", ""), "location");
    assert_eq!(code(&browse(&back, "GET", &cookie, "")), 200);
    // It has ended already: of two who need another at the same time, one asks for it.
    world.lasts(3_600);
    within("the login is not known at the other", || two.state().join("logins").is_dir());
    let done = |member: &Member| {
        within("she is not logged in", || member.call("anna", "mine__read").contains("done with"));
    };
    std::thread::scope(|scope| {
        for member in [&one, &two] {
            scope.spawn(move || done(member));
        }
    });
    assert_eq!(world.refreshes(), 1);
    assert!(two.call("bert", "mine__read").contains("/login/"));
    // One that is killed takes nothing with it, and one that is new knows all.
    let mut one = one;
    let endpoint = one.endpoint.as_mut().unwrap();
    endpoint.child.kill().unwrap();
    endpoint.child.wait().unwrap();
    let three = team.member("127.0.0.1:0");
    done(&three);
    // While the others cannot be reached, what is known counts.
    let away = team.tier.path().join("away");
    std::fs::rename(team.place(), &away).unwrap();
    std::fs::write(team.place(), "").unwrap();
    done(&two);
    std::fs::remove_file(team.place()).unwrap();
    std::fs::rename(&away, team.place()).unwrap();
    done(&three);
    assert_eq!(world.refreshes(), 1);
    // Taken back at one, by the command, beside the gateway there.
    let out = ["logout", "mine", "--person", "anna"];
    assert!(three.command(&out).env("WEIR_SERVERS", &team.file).output().unwrap().status.success());
    within("she is still logged in", || two.call("anna", "mine__read").contains("/login/"));
}

#[test]
fn what_is_approved_at_one_gateway_is_approved_at_all() {
    let strict = json!({"command": SERVER, "weir": {"approve": true}});
    let rules =
        json!({"approvals": [{"tool": "s__pid", "do": "ask"}], "approvalWait": PATIENCE.as_secs()});
    let team = Team::new(json!({"s": strict}), rules);
    let [one, two] = team.two();
    assert!(one.lists("echo") && two.lists("echo"));
    // What is there when a server is first seen is that for whoever comes later: its list is known before it runs.
    within("what is known of the server is not told", || {
        two.run(&["servers", "--json"], &team.file)[0]["tools"]
            .as_array()
            .is_some_and(|all| all.len() > 20)
    });
    for member in [&one, &two] {
        member.call("anna", "s__add_tool");
        within("a new tool is not noticed", || {
            member.run(&["servers", "--json"], &team.file)[0]["waiting"] == json!(["late"])
        });
        assert!(!member.lists("late"));
    }
    one.run(&["tools", "approve", "s", "late"], &team.file);
    for member in [&one, &two] {
        within("what was approved is not offered", || member.lists("late"));
    }
    // A call that waits at one is answered at the other; for good, so that nobody is asked again anywhere.
    std::thread::scope(|scope| {
        let called = scope.spawn(|| one.call("anna", "s__pid"));
        let mut id = String::new();
        within("the question is not known at the other", || {
            let waiting = two.run(&["approve", "--json"], &team.file);
            id = waiting[0]["id"].as_str().unwrap_or_default().to_owned();
            !id.is_empty()
        });
        two.run(&["approve", &id, "--always", "--json"], &team.file);
        let answer = called.join().unwrap();
        assert!(!answer.contains("was not run"), "{answer}");
    });
    within("what holds for good is not known", || {
        two.run(&["approve", "--list", "--json"], &team.file)
            .as_array()
            .is_some_and(|all| all.len() == 1)
    });
    let answer = two.call("anna", "s__pid");
    assert!(!answer.contains("was not run") && !answer.contains("isError\":true"), "{answer}");
    let three = team.member("127.0.0.1:0");
    assert!(three.lists("echo"));
    let known = three.run(&["servers", "--json"], &team.file);
    assert_eq!(known[0]["waiting"].as_array().map_or(0, Vec::len), 0, "{known}");
}

#[test]
fn a_limit_holds_over_all_gateways() {
    let team = Team::new(json!({"s": server(&[])}), json!({"limits": {"callsPerMinute": 30}}));
    let members = team.two();
    let made = |member: &Member, who: &str| !member.call(who, "s__echo").contains("over the limit");
    assert!(members.iter().all(|member| made(member, "bert")));
    // Ten calls a second, in turn, as balancers send them.
    let (start, mut let_through) = (Instant::now(), 0);
    for n in 0..80_u32 {
        let due = start + Duration::from_millis(100) * n;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let_through += u32::from(made(&members[n as usize % 2], "anna"));
    }
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    let allowed = 30.0 + 30.0 * minutes;
    // What was let through in the seconds until each knew of the other, and no more.
    assert!((30.0..allowed + 30.0).contains(&f64::from(let_through)), "{let_through} of {allowed}");
    assert!(members.iter().all(|member| !made(member, "anna") && made(member, "bert")));
}
