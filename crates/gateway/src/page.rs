//! What was saved and lost, as a page: a file of `weir stats`, or `/ui` of a gateway that runs.
//!
//! It needs no other file and no script. Names, results and answers are written by others: the one way for a text into
//! a page escapes it, and markup is known when this is compiled.

use std::fmt::Display;

use super::approval::desk::Question;
use super::gateway::Gateway;
use super::identity::Profile;
use super::ledger::{Balance, Counts, ToolCounts};
use super::session::Session;
use super::stats::Recent;
use super::upstream::State;
use weir_base::{group, unix_now};

/// What a browser may do with the page: show it, and ask for it again with other words.
pub(crate) fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// Days in the picture and its table.
const DAYS: usize = 60;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1c2024;--dim:#5b646d;--line:#d8dde2;--paper:#fff;--good:#1a7f4b;--bad:#c0362c}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--dim:#9aa4ad;--line:#363d44;--paper:#15181b;--good:#4cc38a;--bad:#ff8b7e}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:70rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .4rem}p{margin:.3rem 0}
.dim{color:var(--dim)}.bad{color:var(--bad)}.good{color:var(--good)}.big{font-size:1.25rem;font-weight:600}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;unicode-bidi:isolate;white-space:nowrap}
td.say,td:first-child{white-space:normal;min-width:9rem;max-width:24rem}th{color:var(--dim);font-weight:500}.n{text-align:right}.sub{padding-left:1.6rem}
pre{overflow:auto;max-height:24rem;padding:.6rem;border:1px solid var(--line);border-radius:4px;font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
input,button{font:inherit;padding:.3rem .6rem;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:4px}
input{width:min(24rem,65%)}svg{width:100%;height:8rem}rect.good{fill:var(--good)}rect.bad{fill:var(--bad)}line{stroke:var(--dim)}
@media print{form{display:none}pre{max-height:none}.wide{overflow:visible}}
";

/// A page as it is written.
#[derive(Debug, Default)]
struct Html(String);

impl Html {
    /// Markup, which is ours.
    fn markup(&mut self, ours: &'static str) -> &mut Html {
        self.0.push_str(ours);
        self
    }

    /// A text of whoever: nothing in it is markup, nor does it turn the direction of what follows.
    fn text(&mut self, theirs: impl Display) -> &mut Html {
        for sign in theirs.to_string().chars() {
            match sign {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(sign),
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.push('\u{fffd}'),
                sign if sign.is_control() => self.0.push('\u{fffd}'),
                sign => self.0.push(sign),
            }
        }
        self
    }

    fn table(&mut self, heads: &[&'static str], rows: impl IntoIterator<Item = Vec<Cell>>) {
        self.markup("<div class=wide><table><thead><tr>");
        for (at, head) in heads.iter().enumerate() {
            let is_number =
                at > 0 && !["LAST", "STATE", "ANSWER WITH", "WHY", "ARGUMENTS"].contains(head);
            self.markup(if is_number { "<th class=n>" } else { "<th>" }).text(head);
        }
        self.markup("</thead><tbody>");
        for row in rows {
            self.markup("<tr>");
            for cell in row {
                match cell {
                    Cell::Name(name) => self.markup("<td>").text(name),
                    Cell::Within(name) => self.markup("<td class=sub>").text(name),
                    Cell::Said(text) => self.markup("<td class=say>").text(text),
                    Cell::Number(number) => self.markup("<td class=n>").text(group(number)),
                    Cell::Net(net) => {
                        let class = if net < 0 { "<td class=\"n bad\">" } else { "<td class=n>" };
                        self.markup(class).text(group(net))
                    }
                };
            }
        }
        self.markup("</tbody></table></div>");
    }

    /// Gains and losses of each day, as bars.
    fn bars(&mut self, days: &[(&String, &Balance)]) {
        let most = days.iter().map(|(_, of)| of.net().unsigned_abs()).max().unwrap_or(0).max(1);
        self.markup("<svg viewBox=\"0 0 600 120\" preserveAspectRatio=none role=img aria-label=\"tokens saved and lost by day\">");
        for (at, (day, of)) in days.iter().enumerate() {
            let high = of.net().unsigned_abs() as f64 * 58.0 / most as f64;
            let (class, top) = if of.net() < 0 { ("bad", 60.0) } else { ("good", 60.0 - high) };
            let (left, width) = (at * 600 / days.len().max(20), 540 / days.len().max(20));
            self.markup("<rect class=").text(class).markup(" x=").text(left).markup(" y=");
            self.text(format_args!("{top:.1}")).markup(" width=").text(width).markup(" height=");
            self.text(format_args!("{high:.1}")).markup("><title>").text(day).markup(": ");
            self.text(group(of.net())).markup("</title></rect>");
        }
        self.markup("<line x1=0 y1=60 x2=600 y2=60></line></svg>");
    }
}

/// What stands in a table.
enum Cell {
    Name(String),
    Within(String),
    Said(String),
    Number(u64),
    Net(i64),
}

const BALANCE: [&str; 5] = ["KEPT OUT", "REPEATS", "READ BACK", "DEFINITIONS", "NET"];

fn balance(first: Cell, of: &Balance) -> Vec<Cell> {
    let charged = -of.searched;
    let numbers = [of.kept_out, -of.repeats, -of.read_back, of.definitions + charged, of.net()];
    [first].into_iter().chain(numbers.map(Cell::Net)).collect()
}

fn tool(first: Cell, of: &ToolCounts) -> Vec<Cell> {
    let mean = of.millis / of.calls.max(1);
    let counts = [of.calls, of.errors + of.failures, of.replaced, mean, of.slowest_millis];
    let tokens = [of.tokens.kept_out, -of.tokens.repeats, -of.tokens.read_back, of.tokens.net()];
    [first].into_iter().chain(counts.map(Cell::Number)).chain(tokens.map(Cell::Net)).collect()
}

/// What a page of a gateway that runs has beside the counts.
#[derive(Debug, Default)]
struct Live {
    servers: Vec<(String, String, u64, u64)>,
    waiting: Vec<Question>,
    recent: Vec<Recent>,
    asked: String,
    answer: Option<String>,
}

/// The counts as a page; `sentence` is what they come to, in words.
pub fn of_counts(counts: &Counts, sentence: &str) -> String {
    written(counts, sentence, "0", None)
}

fn written(counts: &Counts, sentence: &str, nonce: &str, live: Option<&Live>) -> String {
    let mut page = Html::default();
    page.markup("<!doctype html><html lang=en><head><meta charset=utf-8><title>Weir</title><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'nonce-")
        .text(nonce)
        .markup("'; form-action 'self'; base-uri 'none'\"><style nonce=\"")
        .text(nonce)
        .markup("\">")
        .markup(STYLE)
        .markup("</style></head><body><h1>Weir</h1><p class=\"big ")
        .text(if counts.balance.net() < 0 { "bad" } else { "good" })
        .markup("\">")
        .text(sentence)
        .markup("</p><p class=dim>Estimated tokens, each counted once. Kept out, less what the provider's cache would have saved of repeats, less what was read back, and definitions and searches, which cost or save.</p>");
    if let Some(live) = live {
        page.markup("<h2>Search for tools</h2><form action=/ui><input name=q maxlength=500 aria-label=query value=\"")
            .text(&live.asked)
            .markup("\"> <button>Search</button></form>");
        if let Some(answer) = &live.answer {
            page.markup("<pre>").text(answer).markup("</pre>");
        }
        if !live.waiting.is_empty() {
            page.markup("<h2>Waiting for you</h2>");
            let rows = live.waiting.iter().map(|asked| {
                let command = format!("weir approve {}", asked.id);
                let said = [command, asked.why.clone(), asked.arguments.clone()].map(Cell::Said);
                [Cell::Name(asked.tool.clone())].into_iter().chain(said).collect()
            });
            page.table(&["CALL", "ANSWER WITH", "WHY", "ARGUMENTS"], rows);
        }
        page.markup("<h2>Servers</h2>");
        let servers = live.servers.iter().map(|(name, state, starts, tools)| {
            let numbers = [Cell::Number(*tools), Cell::Number(*starts)];
            let said = [Cell::Name(name.clone()), Cell::Said(state.clone())];
            said.into_iter().chain(numbers).collect()
        });
        page.table(&["SERVER", "STATE", "TOOLS", "STARTS"], servers);
    }
    page.markup("<h2>By server and tool</h2>");
    let heads =
        ["", "CALLS", "FAILED", "REPLACED", "MEAN MS", "SLOWEST MS"].into_iter().chain(BALANCE);
    let heads: Vec<_> = heads.filter(|head| *head != "DEFINITIONS").collect();
    let rows = counts.servers.iter().flat_map(|(server, tools)| {
        let row = tool(Cell::Name(server.clone()), &counts.server(server));
        [row]
            .into_iter()
            .chain(tools.iter().map(|(name, counts)| tool(Cell::Within(name.clone()), counts)))
    });
    page.table(&heads, rows);
    let from = counts.days.len().saturating_sub(DAYS);
    let days: Vec<_> = counts.days.iter().skip(from).collect();
    let parts = [("By client", &counts.clients), ("By kind of result", &counts.kinds)];
    let heads: Vec<_> = [""].into_iter().chain(BALANCE).collect();
    for (title, all) in parts.into_iter().filter(|(_, all)| !all.is_empty()) {
        page.markup("<h2>").markup(title).markup("</h2>");
        page.table(&heads, all.iter().map(|(name, of)| balance(Cell::Name(name.clone()), of)));
    }
    if !days.is_empty() {
        page.markup("<h2>By day</h2>").bars(&days);
        let newest = days.iter().rev();
        page.table(&heads, newest.map(|(day, of)| balance(Cell::Name((*day).clone()), of)));
    }
    for result in live.iter().flat_map(|live| &live.recent) {
        page.markup("<h2>Result of ").text(&result.server).markup("/").text(&result.tool);
        page.markup("</h2><p class=dim>").text(unix_now().saturating_sub(result.time));
        page.markup(" s ago, for ").text(if result.client.is_empty() {
            "a client"
        } else {
            &result.client
        });
        page.markup("; kept out: ").text(group(result.kept_out)).markup("</p><pre>");
        page.text(&result.shown).markup("</pre>");
    }
    page.markup("</body></html>\n");
    page.0
}

/// The page of a gateway for a client that asks for it, with the answer to what it searches for.
pub(crate) async fn of_gateway(
    gateway: &Gateway,
    session: &Session,
    asked: String,
    nonce: &str,
) -> String {
    let profile: &Profile = &session.who.profile;
    let mut counts = gateway.operations.stats.all_counts();
    if !profile.is_open() {
        // Of the rest it may not know.
        for (server, tools) in &mut counts.servers {
            tools.retain(|tool, _| profile.admits_tool(server, tool));
        }
        counts.servers.retain(|_, tools| !tools.is_empty());
        let mut balance = Balance::default();
        counts.servers.values().flat_map(|tools| tools.values()).for_each(|row| {
            balance.add(&row.tokens);
        });
        counts =
            Counts { since: counts.since, servers: counts.servers, balance, ..Counts::default() };
    }
    let upstreams = gateway.servers.all();
    let admitted = upstreams.iter().filter(|upstream| profile.admits_server(upstream.name()));
    let catalog = gateway.servers.catalog_for(session);
    let servers = admitted.map(|upstream| {
        let state = match upstream.state() {
            State::Configured => "not seen yet".to_owned(),
            State::Known => "stopped; starts with the next call".to_owned(),
            State::Starting => "starting".to_owned(),
            State::Ready => "ready".to_owned(),
            State::NeedsLogin(_) => "needs login".to_owned(),
            State::Failed(why) => format!("failed: {}", weir_base::without_command(&why)),
        };
        let left_out: Vec<String> = upstream
            .known()
            .iter()
            .flat_map(|it| it.left_out.values().flatten().cloned())
            .collect();
        let state = match left_out.is_empty() {
            true => state,
            false => format!("{state}; left out: {}", left_out.join(", ")),
        };
        let tools = catalog.callable();
        let tools = tools.filter(|tool| tool.upstream.name() == upstream.name()).count();
        (upstream.name().to_owned(), state, upstream.starts().into(), tools as u64)
    });
    let (desk, name) = (gateway.desk(), profile.name.clone());
    let waiting = tokio::task::spawn_blocking(move || {
        let mut waiting = desk.waiting();
        waiting.retain(|question| question.subject == name);
        waiting
    });
    let waiting = waiting.await;
    let live = Live {
        servers: servers.collect(),
        waiting: waiting.unwrap_or_default(),
        recent: gateway.operations.stats.recent(&profile.name),
        answer: match asked.trim().is_empty() {
            true => None,
            false => Some(gateway.search.answer(&gateway.servers, session, &asked).await),
        },
        asked,
    };
    written(&counts, &counts.balance.in_words(), nonce, Some(&live))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        let hostile = "<script>a</script>\"'&\u{202e}\u{7}\n";
        let mut page = Html::default();
        page.text(hostile);
        assert_eq!(page.0, "&lt;script&gt;a&lt;/script&gt;&quot;&#39;&amp;\u{fffd}\u{fffd}\n");
        let mut counts = Counts::default();
        counts.row(hostile, hostile).calls += 1;
        let owner = super::super::ledger::Owner { client: hostile, tool: None, kind: hostile };
        counts.enter(owner, 0, &Balance { read_back: 5, ..Balance::default() });
        let page = of_counts(&counts, hostile);
        assert!(!page.contains("<script") && page.contains("&lt;script"), "{page}");
        assert!(page.contains("1970-01-01") && page.contains("<td class=\"n bad\">-5"), "{page}");
    }
}
