//! What was saved and lost: by server and tool, client, kind of result and day.

use maud::{Markup, html};
use weir_base::group;

use super::look::{Cell, framed, made, table};
use crate::watch::ledger::{Balance, Counts, ToolCounts};

/// Days in the picture and its table.
const DAYS: usize = 60;

const BALANCE: [&str; 5] =
    ["#kept out", "#repeats", "#read back", "#definitions and searches", "#net"];

/// The counts as a page of their own, to keep or print; `sentence` is what they come to, in words.
pub fn of_counts(counts: &Counts, sentence: &str) -> String {
    let body = html! {
        header { h1 { "Weir: what it saved" } (made()) }
        main { (saved(counts, sentence, true)) }
    };
    framed("Weir: what it saved", "0", false, &body)
}

fn heads(first: &'static str) -> Vec<&'static str> {
    [first].into_iter().chain(BALANCE).collect()
}

fn balance(name: &str, of: &Balance) -> (Markup, Vec<Cell>) {
    let parts = [of.kept_out, -of.repeats, -of.read_back, of.definitions - of.searched];
    let parts = parts.map(|part| Cell::Number(group(part)));
    (html! { (name) }, parts.into_iter().chain([Cell::Net(of.net())]).collect())
}

fn tool(name: Markup, of: &ToolCounts) -> (Markup, Vec<Cell>) {
    let mean = of.millis / of.calls.max(1);
    let counts = [of.calls, of.errors + of.failures, of.replaced, mean, of.slowest_millis];
    let counts = counts.map(|count| Cell::Number(group(count)));
    let tokens = [of.tokens.kept_out, -of.tokens.repeats, -of.tokens.read_back];
    let tokens = tokens.map(|part| Cell::Number(group(part)));
    (name, counts.into_iter().chain(tokens).chain([Cell::Net(of.tokens.net())]).collect())
}

/// The balance as a part of a page; its tables are folded unless they are `open`.
pub(super) fn saved(counts: &Counts, sentence: &str, open: bool) -> Markup {
    let tool_heads = [
        "tool",
        "#calls",
        "#failed",
        "#replaced",
        "#mean ms",
        "#slowest ms",
        "#kept out",
        "#repeats",
        "#read back",
        "#net",
    ];
    let rows = counts.servers.iter().flat_map(|(server, tools)| {
        let whole = tool(html! { (server) }, &counts.server(server));
        let each = tools.iter().map(|(name, of)| tool(html! { span.sub { (name) } }, of));
        std::iter::once(whole).chain(each)
    });
    let days: Vec<_> = counts.days.iter().skip(counts.days.len().saturating_sub(DAYS)).collect();
    let parts =
        [("client", "By client", &counts.clients), ("kind", "By kind of result", &counts.kinds)];
    html! {
        p.big.bad[counts.balance.net() < 0].good[counts.balance.net() >= 0] { (sentence) }
        p.dim { "Estimated tokens, each counted once: kept out, less what the provider's cache would have saved of repeats, less what was read back, and definitions and searches, which cost or save." }
        @if !days.is_empty() {
            (bars(&days))
            details #by-day open[open] {
                summary { "By day" }
                (table("Tokens by day", &heads("day"), days.iter().rev().map(|(day, of)| balance(day, of))))
            }
        }
        details #by-tool open[open] {
            summary { "By server and tool" }
            (table("Calls and tokens by server and tool", &tool_heads, rows))
        }
        @for (id, title, all) in parts {
            @if !all.is_empty() {
                details id={ "by-" (id) } open[open] {
                    summary { (title) }
                    (table(title, &heads(id), all.iter().map(|(name, of)| balance(name, of))))
                }
            }
        }
    }
}

/// Gains and losses of each day, as bars with their scale.
fn bars(days: &[(&String, &Balance)]) -> Markup {
    let most = days.iter().map(|(_, of)| of.net().unsigned_abs()).max().unwrap_or(0).max(1);
    let (step, ends) = (540 / days.len().max(20), [days.first(), days.last()]);
    let bar = |(at, (day, of)): (usize, &(&String, &Balance))| {
        let high = of.net().unsigned_abs() as f64 * 58.0 / most as f64;
        let (class, top) = if of.net() < 0 { ("bad", 60.0) } else { ("good", 60.0 - high) };
        html! {
            rect class=(class) x=(60 + at * step) y=(format!("{top:.1}")) width=(step.max(2) - 1) height=(format!("{high:.1}")) {
                title { (day) ": " (group(of.net())) }
            }
        }
    };
    html! {
        svg viewBox="0 0 610 140" role="img" aria-label="tokens saved and lost by day; the table below has the figures" {
            @for one in days.iter().enumerate() { (bar(one)) }
            line x1="60" y1="60" x2="600" y2="60" {}
            text x="0" y="10" { "+" (group(most)) }
            text x="0" y="64" { "0" }
            @if days.iter().any(|(_, of)| of.net() < 0) { text x="0" y="118" { "-" (group(most)) } }
            @for (at, day) in ends.into_iter().flatten().enumerate() {
                @if at == 0 || days.len() > 6 {
                    text x=(60 + at * (days.len() - 1) * step) y="135" { (day.0) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup_and_none_turns_what_follows() {
        let hostile = "<script>a</script>\"&\u{202e}\u{7}\n";
        let mut counts = Counts::default();
        counts.row(hostile, hostile).calls += 1;
        let owner = crate::watch::ledger::Owner { client: hostile, tool: None, kind: hostile };
        counts.enter(owner, 0, &Balance { read_back: 5, ..Balance::default() });
        let page = of_counts(&counts, hostile);
        assert!(!page.contains("<script") && page.contains("&lt;script"), "{page}");
        assert!(!page.contains(['\u{202e}', '\u{7}']) && page.contains("\u{fffd}"), "{page}");
        assert!(page.contains("1970-01-01") && page.contains("<td class=\"n bad\">-5"), "{page}");
    }
}
