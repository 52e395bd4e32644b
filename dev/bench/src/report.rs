//! The page: losses first. Everything is computed from the rows alone.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of tokens are small"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use crate::meter::{BASE, CACHED, WINDOW, cost};
use crate::stats::{Compared, Sum, compare, holm};
use crate::strategy::{CONTROL, Entry};

/// What is written.
pub(crate) struct Report {
    /// Markdown.
    pub(crate) page: String,
    /// Cost by size of result.
    pub(crate) results: String,
    /// Cost by number of tools.
    pub(crate) tools: String,
}

/// A cell that costs more than this many times doing nothing is a loss.
const LOSS: f64 = 1.02;

/// A row, as far as tables need it.
struct Row<'a> {
    strategy: &'a str,
    cluster: String,
    size: u64,
    group: &'a str,
    reader: &'a str,
    question: &'a str,
    outcome: &'a str,
    fired: bool,
    whole: u64,
    fixed: u64,
    new: u64,
    cached: u64,
    out: u64,
    turns: u64,
    wrong: u64,
    found: u64,
    wanted: u64,
    first: u64,
    shown: u64,
}

fn row(value: &Value) -> Row<'_> {
    let text = |name: &str| value[name].as_str().unwrap_or("");
    let number = |name: &str| value[name].as_u64().unwrap_or(0);
    let tools = text("part") == "tools";
    Row {
        strategy: text("strategy"),
        cluster: if tools {
            format!("{} {} {}", value["tools"], text("weight"), value["seed"])
        } else {
            text("kind").to_owned()
        },
        size: number(if tools { "tools" } else { "size" }),
        group: text(if tools { "weight" } else { "kind" }),
        reader: text(if tools { "chooser" } else { "reader" }),
        question: text("question"),
        outcome: text("outcome"),
        fired: value["fired"] == true,
        whole: number("whole"),
        fixed: number("static"),
        new: number("new"),
        cached: number("cached"),
        out: number("out"),
        turns: number("turns"),
        wrong: number("wrong_calls"),
        found: number("found"),
        wanted: number("right"),
        first: number("first"),
        shown: number("shown"),
    }
}

/// A conversation: so many requests for tools, in so many turns or more.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    requests: f64,
    turns: f64,
}

/// Conversations for which it is told where searching begins to pay. The second is what coding agents mostly do.
const SHAPES: [Shape; 4] = [
    Shape { name: "1 request", requests: 1.0, turns: 0.0 },
    Shape { name: "3 requests in 40 turns", requests: 3.0, turns: 40.0 },
    Shape { name: "10 requests", requests: 10.0, turns: 0.0 },
    Shape { name: "30 requests", requests: 30.0, turns: 0.0 },
];

#[allow(clippy::cast_precision_loss, reason = "counts of tokens are small")]
impl Row<'_> {
    fn cost(&self, cached: f64) -> f64 {
        cost(self.new as usize, self.cached as usize, self.out as usize, cached)
    }

    fn right(&self) -> bool {
        self.outcome == "right"
    }

    /// The definitions once, then so many requests like this one in one conversation, each of which
    /// sends all before it again, as do the turns for other things that stand evenly among them: as many as
    /// make `turns` in all.
    fn session(&self, Shape { requests, turns, .. }: Shape, cached: f64) -> f64 {
        let (fixed, one) = (self.fixed as f64, (self.new - self.fixed.min(self.new)) as f64);
        let said = one + self.out as f64;
        let other = (turns - self.turns as f64 * requests).max(0.0);
        let again = self.cached as f64 * requests
            + said * self.turns as f64 * requests * (requests - 1.0) / 2.0
            + other * (BASE as f64 + fixed + said * requests / 2.0);
        fixed + one * requests + cached * again + 5.0 * self.out as f64 * requests
    }
}

fn sum<'a>(rows: impl Iterator<Item = &'a Row<'a>>, cached: f64) -> Sum {
    rows.fold(Sum::default(), |total, row| Sum {
        cost: total.cost + row.cost(cached),
        right: total.right + f64::from(u8::from(row.right())),
    })
}

/// Sums of an arm and of the control by cluster.
fn pairs(arm: &[&Row<'_>], control: &[&Row<'_>], cached: f64) -> Vec<(Sum, Sum)> {
    let mut clusters: BTreeMap<&str, (Sum, Sum)> = BTreeMap::new();
    for (rows, of_arm) in [(arm, true), (control, false)] {
        for row in rows {
            let both = clusters.entry(&row.cluster).or_default();
            let place = if of_arm { &mut both.0 } else { &mut both.1 };
            place.cost += row.cost(cached);
            place.right += f64::from(u8::from(row.right()));
        }
    }
    clusters.into_values().collect()
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * share(part, of)) }
}

#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}

fn times(value: f64) -> String {
    if value.is_finite() { format!("{value:.2}") } else { "none right".to_owned() }
}

fn tokens(value: f64) -> String {
    if !value.is_finite() {
        return "none right".to_owned();
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn bytes(size: u64) -> String {
    if size >= 1_000_000 {
        format!("{} MB", size / 1_000_000)
    } else {
        format!("{} KB", size / 1_000)
    }
}

fn verdict(compared: &Compared, p: f64) -> &'static str {
    match (p < 0.05, compared.high < 1.0, compared.low > 1.0) {
        (true, true, _) => "cheaper",
        (true, _, true) => "**dearer**",
        _ if (compared.ratio - 1.0).abs() < 1e-9 => "the same",
        _ => "unresolved",
    }
}

/// Makes the page and its plots.
#[must_use]
pub(crate) fn report(
    rows: &[Value],
    entries: &[Entry],
    missing: &[(String, String)],
    quick: bool,
) -> Report {
    let of = |part: &str| -> Vec<Row<'_>> {
        rows.iter().filter(|value| value["part"] == part).map(row).collect()
    };
    let (results, tools) = (of("results"), of("tools"));
    let arms = |rows: &[Row<'_>]| -> Vec<String> {
        let ran: BTreeSet<&str> = rows.iter().map(|row| row.strategy).collect();
        entries
            .iter()
            .map(|entry| entry.name.clone())
            .filter(|name| ran.contains(name.as_str()))
            .collect()
    };
    let (result_arms, tool_arms) = (arms(&results), arms(&tools));
    let mut page = String::new();
    let form = if quick { " (the quick form)" } else { "" };
    let _ = writeln!(page, "# What saving context costs{form}\n");
    let _ = writeln!(
        page,
        "Made by `contextbench run{}` from {} rows. [README.md](README.md) says how to read it, and what it cannot show. Cost is in input tokens of
o200k_base: a new input token 1, an output token 5, a cached one 0.1 unless a column says otherwise. Each conversation
begins with {} cached tokens; the window has {}. A failure pays and scores 0.\n",
        if quick { " --quick" } else { "" },
        tokens(rows.len() as f64),
        tokens(BASE as f64),
        tokens(WINDOW as f64),
    );
    losses(&mut page, &results, &result_arms, &tools, &tool_arms, entries);
    let plot = results_part(&mut page, &results, &result_arms);
    let curve = tools_part(&mut page, &tools, &tool_arms);
    let _ =
        writeln!(page, "## What ran\n\n| strategy | version | what it does |\n| --- | --- | --- |");
    for entry in entries {
        let version = rows
            .iter()
            .find(|row| row["strategy"] == entry.name.as_str())
            .map(|row| row["version"].as_str().unwrap_or(""));
        let gone = missing
            .iter()
            .find(|(name, _)| *name == entry.name)
            .map(|(_, why)| format!("**not run**: {why}"));
        let _ = writeln!(
            page,
            "| {} | {} | {} |",
            entry.name,
            gone.as_deref().or(version).unwrap_or(""),
            entry.about
        );
    }
    Report { page, results: plot, tools: curve }
}

/// Cells of one arm that cost more than doing nothing.
fn lost<'a>(rows: &'a [Row<'a>], arm: &str, reader: &str) -> Vec<(String, f64, &'a Row<'a>)> {
    type Arms<'a> = (Vec<&'a Row<'a>>, Vec<&'a Row<'a>>);
    let mut cells: BTreeMap<(u64, &str), Arms<'_>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.reader == reader && row.question != "quote all") {
        let cell = cells.entry((row.size, row.group)).or_default();
        if row.strategy == arm {
            cell.0.push(row);
        } else if row.strategy == CONTROL {
            cell.1.push(row);
        }
    }
    let mut found = Vec::new();
    for ((size, group), (ours, control)) in cells {
        let (a, c) =
            (sum(ours.iter().copied(), 0.1).each(), sum(control.iter().copied(), 0.1).each());
        if let Some(first) = ours.first()
            && c.is_finite()
            && a > LOSS * c
        {
            found.push((format!("{group}, {size}"), a / c, *first));
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found
}

fn losses(
    page: &mut String,
    results: &[Row<'_>],
    arms: &[String],
    tools: &[Row<'_>],
    tool_arms: &[String],
    entries: &[Entry],
) {
    let _ = writeln!(page, "## Losses first\n");
    let _ = writeln!(
        page,
        "A cell is one kind of result in one size (or one catalogue size), all its questions together, the control question left out. It is lost where its
cost per right answer is above {LOSS} times that of doing nothing. The reader is the sensible one, or for tools the judging one.\n"
    );
    let _ = writeln!(
        page,
        "| strategy | cells lost | of | worst | where | why, and what avoids it |\n| --- | ---: | ---: | ---: | --- | --- |"
    );
    for (rows, arms, reader, unit) in
        [(results, arms, "sensible", "result"), (tools, tool_arms, "judging", "tools")]
    {
        for arm in arms.iter().filter(|arm| *arm != CONTROL) {
            let lost = lost(rows, arm, reader);
            let all: BTreeSet<(u64, &str)> =
                rows.iter().filter(|r| r.strategy == arm).map(|r| (r.size, r.group)).collect();
            let (worst, place) =
                lost.first().map_or((String::new(), String::new()), |(name, ratio, _)| {
                    (times(*ratio), name.clone())
                });
            let part = if unit == "tools" { unit } else { "results" };
            let entry = entries.iter().find(|entry| entry.name == *arm);
            let avoid = entry.and_then(|entry| entry.avoid.get(part)).filter(|_| !lost.is_empty());
            let _ = writeln!(
                page,
                "| {arm} ({unit}) | {} | {} | {worst} | {place} | {} |",
                lost.len(),
                all.len(),
                avoid.map_or("", String::as_str)
            );
        }
    }
    let _ = writeln!(
        page,
        "\nAt most ten of the worst cells of each way that `weir install` puts in (the hook alone in Claude Code, hook and gateway in other agents):\n\n| strategy | kind, bytes or tools | times doing nothing | whole, tokens | shown, tokens |\n| --- | --- | ---: | ---: | ---: |"
    );
    for (rows, reader) in [(results, "sensible"), (tools, "judging")] {
        for arm in ["weir hook", "weir gateway"] {
            for (name, ratio, row) in lost(rows, arm, reader).iter().take(10) {
                let shown = if row.fixed > 0 { row.fixed } else { row.shown };
                let _ = writeln!(
                    page,
                    "| {arm} | {name} | {} | {} | {} |",
                    times(*ratio),
                    tokens(row.whole as f64),
                    tokens(shown as f64)
                );
            }
        }
    }
    let _ = writeln!(
        page,
        "\nThe bias control, \"repeat the whole result\", where cutting must lose (results that fit the window, sensible reader):\n\n| strategy | times doing nothing | right |\n| --- | ---: | ---: |"
    );
    for arm in arms {
        let of = |name: &str| -> Vec<&Row<'_>> {
            results
                .iter()
                .filter(|r| {
                    r.strategy == name
                        && r.reader == "sensible"
                        && r.question == "quote all"
                        && fits(r)
                })
                .collect()
        };
        let (ours, control) = (of(arm), of(CONTROL));
        let ratio =
            sum(ours.iter().copied(), 0.1).each() / sum(control.iter().copied(), 0.1).each();
        let _ = writeln!(
            page,
            "| {arm} | {} | {} |",
            times(ratio),
            percent(ours.iter().filter(|r| r.right()).count(), ours.len())
        );
    }
    page.push('\n');
}

/// Whether a result fits a window whole: where it does not, doing nothing has no answer.
fn fits(row: &Row<'_>) -> bool {
    row.whole + (BASE as u64) + 1_000 < WINDOW as u64
}

fn results_part(page: &mut String, rows: &[Row<'_>], arms: &[String]) -> String {
    let pick = |arm: &str, reader: &str, small: bool| -> Vec<&Row<'_>> {
        rows.iter()
            .filter(|r| {
                r.strategy == arm
                    && r.reader == reader
                    && r.question != "quote all"
                    && fits(r) == small
            })
            .collect()
    };
    let kinds: BTreeSet<&str> = rows.iter().map(|row| row.group).collect();
    let _ = writeln!(
        page,
        "## Results\n\n{} kinds, sizes from 1 KB to {}, eight exact questions each; here without the control question.\n",
        kinds.len(),
        bytes(rows.iter().map(|r| r.size).max().unwrap_or(0))
    );
    let _ = writeln!(page, "Results that fit the window, sensible reader. The ratio is cost per right answer over that of `{CONTROL}`, with the interval of 95 % from a bootstrap over
kinds; p is from a permutation test within kinds, after Holm over this table.\n");
    let _ = writeln!(
        page,
        "| strategy | right | wrong, given as complete | ratio | interval | p | verdict | cached at 0 | cached at 1 | results changed |\n| --- | ---: | ---: | ---: | --- | ---: | --- | ---: | ---: | ---: |"
    );
    let control = pick(CONTROL, "sensible", true);
    let compared: Vec<[Compared; 3]> = arms
        .iter()
        .map(|arm| {
            CACHED.map(|price| compare(&pairs(&pick(arm, "sensible", true), &control, price), 7))
        })
        .collect();
    let adjusted = holm(&compared.iter().map(|three| three[1].p).collect::<Vec<_>>());
    for ((arm, three), p) in arms.iter().zip(&compared).zip(adjusted) {
        let ours = pick(arm, "sensible", true);
        let count = |outcome: &str| {
            percent(ours.iter().filter(|r| r.outcome == outcome).count(), ours.len())
        };
        let fired = percent(ours.iter().filter(|r| r.fired).count(), ours.len());
        let c = &three[1];
        let interval = format!("{}–{}", times(c.low), times(c.high));
        let _ = writeln!(
            page,
            "| {arm} | {} | {} | {} | {interval} | {p:.3} | {} | {} | {} | {fired} |",
            count("right"),
            count("wrong"),
            times(c.ratio),
            verdict(c, p),
            times(three[0].ratio),
            times(three[2].ratio)
        );
    }
    let _ = writeln!(
        page,
        "\nResults that fit no window: doing nothing answers nothing.\n\n| strategy | right | wrong, given as complete | cost per right answer |\n| --- | ---: | ---: | ---: |"
    );
    for arm in arms {
        let ours = pick(arm, "sensible", false);
        let count = |outcome: &str| {
            percent(ours.iter().filter(|r| r.outcome == outcome).count(), ours.len())
        };
        let _ = writeln!(
            page,
            "| {arm} | {} | {} | {} |",
            count("right"),
            count("wrong"),
            tokens(sum(ours.iter().copied(), 0.1).each())
        );
    }
    let sizes: BTreeSet<u64> = rows.iter().map(|row| row.size).collect();
    let _ = writeln!(
        page,
        "\nBy size: cost per right answer over that of `{CONTROL}`, where that has an answer (sensible reader); then the three readers' bounds at all sizes that fit.\n"
    );
    let _ = write!(page, "| strategy |");
    sizes.iter().for_each(|size| page.push_str(&format!(" {} |", bytes(*size))));
    let _ =
        writeln!(page, " least | sensible | dull |\n| --- |{}", " ---: |".repeat(sizes.len() + 3));
    let mut series = Vec::new();
    for arm in arms {
        let _ = write!(page, "| {arm} |");
        let mut points = Vec::new();
        for &size in &sizes {
            let at = |arm: &str| {
                let rows = pick(arm, "sensible", true);
                sum(rows.into_iter().filter(|r| r.size == size), 0.1).each()
            };
            let ratio = at(arm) / at(CONTROL);
            if ratio.is_finite() {
                points.push((size as f64, ratio));
            }
            let _ =
                write!(page, " {} |", if ratio.is_nan() { "–".to_owned() } else { times(ratio) });
        }
        for reader in ["least", "sensible", "dull"] {
            let few = |arm: &str| {
                sum(pick(arm, reader, true).into_iter().filter(|r| r.size < 300_000), 0.1).each()
            };
            let _ = write!(page, " {} |", times(few(arm) / few(CONTROL)));
        }
        page.push('\n');
        series.push((arm.clone(), points));
    }
    let _ = writeln!(
        page,
        "\n![Cost per right answer against size of result, over that of doing nothing](results.svg)\n\nBy question: right answers of the sensible reader, results that fit.\n"
    );
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.question) {
            names.push(row.question);
        }
    }
    let _ = writeln!(
        page,
        "| strategy | {} |\n| --- |{}",
        names.join(" | "),
        " ---: |".repeat(names.len())
    );
    for arm in arms {
        let _ = write!(page, "| {arm} |");
        for name in &names {
            let ours: Vec<_> = rows
                .iter()
                .filter(|r| {
                    r.strategy == arm && r.reader == "sensible" && r.question == *name && fits(r)
                })
                .collect();
            let _ = write!(
                page,
                " {} |",
                percent(ours.iter().filter(|r| r.right()).count(), ours.len())
            );
        }
        page.push('\n');
    }
    page.push('\n');
    plot("Cost per right answer, times doing nothing", "bytes of the result", &series)
}

fn tools_part(page: &mut String, rows: &[Row<'_>], arms: &[String]) -> String {
    let pick = |arm: &str, chooser: &str, size: u64, weight: &str| -> Vec<&Row<'_>> {
        rows.iter()
            .filter(|r| {
                r.strategy == arm
                    && r.reader == chooser
                    && (size == 0 || r.size == size)
                    && (weight.is_empty() || r.group == weight)
            })
            .collect()
    };
    let _ = writeln!(page, "## Tool search\n\nReal tools and requests of four public sets ([data/README.md](data/README.md)); Weir's ranking was developed on these sets, so recall on others will be lower. `{CONTROL}` shows
every definition and is given a model that always chooses well: the best case for doing nothing. Above some 1,300 tools it fits no window.\n");
    let _ = writeln!(
        page,
        "| strategy | tools shown, mean tokens | right tool shown | turns to the first right call | right, judging | right, trusting | wrong calls a request, trusting | calls where no tool is right, trusting |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for arm in arms {
        let (judging, trusting) = (pick(arm, "judging", 0, ""), pick(arm, "trusting", 0, ""));
        let mean = |rows: &[&Row<'_>], of: fn(&Row<'_>) -> u64| {
            share(rows.iter().map(|r| of(r) as usize).sum(), rows.len())
        };
        let wanted: usize = judging.iter().map(|r| r.wanted as usize).sum();
        let called: Vec<&Row<'_>> = judging.iter().copied().filter(|r| r.first > 0).collect();
        let none: Vec<&Row<'_>> = trusting.iter().copied().filter(|r| r.wanted == 0).collect();
        let right =
            |rows: &[&Row<'_>]| percent(rows.iter().filter(|r| r.right()).count(), rows.len());
        let _ = writeln!(
            page,
            "| {arm} | {} | {} | {:.2} | {} | {} | {:.2} | {} |",
            tokens(mean(&judging, |r| r.fixed)),
            percent(judging.iter().map(|r| r.found as usize).sum(), wanted),
            mean(&called, |r| r.first),
            right(&judging),
            right(&trusting),
            mean(&trusting, |r| r.wrong),
            percent(none.iter().filter(|r| r.wrong > 0).count(), none.len())
        );
    }
    let sizes: BTreeSet<u64> = rows.iter().map(|row| row.size).collect();
    let session = |rows: &[&Row<'_>], shape: Shape, cached: f64| Sum {
        cost: rows.iter().map(|r| r.session(shape, cached)).sum(),
        right: share(rows.iter().filter(|r| r.right()).count(), 1),
    };
    let mut series = Vec::new();
    for shape in [SHAPES[2], SHAPES[1]] {
        let _ = writeln!(
            page,
            "\nCost of a conversation of {} over that of `{CONTROL}`, by number of tools (mixed sizes, judging, all requests paid, per right one):\n",
            shape.name
        );
        let _ = write!(page, "| strategy |");
        sizes.iter().for_each(|size| page.push_str(&format!(" {} |", tokens(*size as f64))));
        let _ = writeln!(page, "\n| --- |{}", " ---: |".repeat(sizes.len()));
        series.clear();
        for arm in arms {
            let _ = write!(page, "| {arm} |");
            let mut points = Vec::new();
            for &size in &sizes {
                let at =
                    |arm: &str| session(&pick(arm, "judging", size, "mixed"), shape, 0.1).each();
                let ratio = at(arm) / at(CONTROL);
                if ratio.is_finite() && at(CONTROL).is_finite() {
                    points.push((size as f64, ratio));
                }
                let _ = write!(
                    page,
                    " {} |",
                    if at(CONTROL).is_finite() { times(ratio) } else { tokens(at(arm)) }
                );
            }
            page.push('\n');
            series.push((arm.clone(), points));
        }
    }
    let _ = writeln!(
        page,
        "\nWhere `{CONTROL}` fits no window the cell has the tokens per right request instead.\n\n![Cost against number of tools](tools.svg)\n\n### Where searching begins to pay\n\nTokens of all definitions at which a bridge costs as much per right request as showing them, from the crossing of the curves in each column: the threshold that `auto` should have.\n"
    );
    let _ = writeln!(
        page,
        "| strategy | tools | cached at | {} |\n| --- | --- | ---: |{}",
        SHAPES.map(|shape| shape.name).join(" | "),
        " ---: |".repeat(SHAPES.len())
    );
    for arm in arms.iter().filter(|arm| *arm == "weir bridge" || *arm == "plain BM25") {
        for weight in crate::tools::WEIGHTS {
            for price in CACHED {
                let _ = write!(page, "| {arm} | {weight} | {price} |");
                for shape in SHAPES {
                    let mut curve = Vec::new();
                    for &size in &sizes {
                        let control = pick(CONTROL, "judging", size, weight);
                        if control.is_empty() || control.iter().any(|r| r.outcome == "refused") {
                            continue;
                        }
                        let ratio = session(&pick(arm, "judging", size, weight), shape, price)
                            .each()
                            / session(&control, shape, price).each();
                        let direct =
                            share(control.iter().map(|r| r.whole as usize).sum(), control.len());
                        curve.push((direct, ratio));
                    }
                    let _ = write!(page, " {} |", crossing(&curve));
                }
                page.push('\n');
            }
        }
    }
    page.push('\n');
    plot(
        "Cost of three requests in forty turns, times showing all tools",
        "number of tools",
        &series,
    )
}

/// Where a curve falls through 1 for good, on a logarithmic axis.
fn crossing(curve: &[(f64, f64)]) -> String {
    match curve.iter().rposition(|&(_, ratio)| ratio > 1.0) {
        None => {
            curve.first().map_or("–".to_owned(), |first| format!("under {}", tokens(first.0)))
        }
        Some(at) if at + 1 == curve.len() => format!("over {}", tokens(curve[at].0)),
        Some(at) => {
            let ((x, a), (y, b)) = (curve[at], curve[at + 1]);
            tokens((x.ln() + (y.ln() - x.ln()) * (a - 1.0) / (a - b)).exp())
        }
    }
}

const COLOURS: [&str; 12] = [
    "#888888", "#d55e00", "#e69f00", "#cc79a7", "#009e73", "#8b6f47", "#7a4fa3", "#0072b2",
    "#56b4e9", "#003f7f", "#b22222", "#222222",
];

/// Lines over a logarithmic axis. The highest value sets the scale, up to 5; a line above that runs along the edge, and the picture says so.
fn plot(title: &str, axis: &str, series: &[(String, Vec<(f64, f64)>)]) -> String {
    let xs: Vec<f64> = series.iter().flat_map(|(_, points)| points.iter().map(|p| p.0)).collect();
    let (low, high) =
        xs.iter().fold((f64::MAX, 1.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    let x = |value: f64| 60.0 + 460.0 * (value / low).ln() / (high / low).ln().max(1e-9);
    let highest = series.iter().flat_map(|(_, points)| points).fold(1.0_f64, |top, p| top.max(p.1));
    let steps = (highest * 2.0).ceil().min(10.0) as u8;
    let top = f64::from(steps) * 0.5;
    let edge = if highest > top { " (what is above 5 is drawn at 5)" } else { "" };
    let y = |value: f64| 330.0 - 280.0 * value.min(top) / top;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 390\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"720\" height=\"390\" fill=\"white\"/>\n",
    );
    let _ = writeln!(
        svg,
        "<text x=\"60\" y=\"28\" font-size=\"15\">{title}{edge}</text>\n<text x=\"290\" y=\"380\" text-anchor=\"middle\">{axis}</text>"
    );
    for step in 0..=steps {
        let value = f64::from(step) * 0.5;
        let _ = writeln!(
            svg,
            "<line x1=\"60\" x2=\"520\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"{1}\"/><text x=\"52\" y=\"{2:.1}\" text-anchor=\"end\">{value:.1}</text>",
            y(value),
            if step == 2 { "#000" } else { "#ddd" },
            y(value) + 4.0
        );
    }
    let ticks: BTreeSet<u64> = xs.iter().map(|&x| x as u64).collect();
    for tick in ticks {
        let label = if axis.starts_with("bytes") { bytes(tick) } else { tokens(tick as f64) };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"350\" text-anchor=\"middle\" font-size=\"10\">{label}</text>",
            x(tick as f64)
        );
    }
    for (at, (name, points)) in series.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let dash = match (at / COLOURS.len(), at % 2) {
            (0, 0) => "",
            (0, _) => " stroke-dasharray=\"6 3\"",
            // A colour that another has as well.
            _ => " stroke-dasharray=\"2 3\"",
        };
        let path: Vec<String> =
            points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
            path.join(" ")
        );
        let line = 60 + at * 20;
        let _ = writeln!(
            svg,
            "<line x1=\"540\" x2=\"566\" y1=\"{line}\" y2=\"{line}\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/><text x=\"572\" y=\"{}\">{name}</text>",
            line + 4
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_lies_between_the_last_loss_and_the_first_gain() {
        assert_eq!(crossing(&[(100.0, 2.0), (1_000.0, 1.5), (10_000.0, 0.5)]), "3,162");
        assert_eq!(crossing(&[(100.0, 0.9)]), "under 100");
        assert_eq!(crossing(&[(100.0, 1.1)]), "over 100");
    }

    #[test]
    fn numbers_have_their_separators() {
        assert_eq!(
            (tokens(999.0), tokens(1_000.0), tokens(1_234_567.0)),
            ("999".into(), "1,000".into(), "1,234,567".into())
        );
    }
}
