//! Recall against k, a line a ranker, as an SVG.
//!
//! The card is white whatever the page behind it; lines differ in color and in dashes. Nothing of
//! the sets but numbers stands in it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Fallible;
use crate::ranker::Ranker;
use crate::score::RECALL_DEPTH;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 480.0;

/// The lines' area: where R@k is 1 and 0, and half a step outside the first k and the last.
const TOP: f64 = 100.0;
const BOTTOM: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 784.0;

/// What is drawn.
pub(crate) struct Plot {
    /// R@1, R@2 and so on by each ranker, the mean over the sets.
    pub(crate) recall: Vec<(Ranker, [f64; RECALL_DEPTH])>,
    /// How many sets.
    pub(crate) sets: usize,
    /// How many queries they have together.
    pub(crate) queries: usize,
}

/// Refuses a file that the plot cannot be written to, before the work.
pub(crate) fn check(file: &Path) -> Fallible<()> {
    if file.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("svg")) {
        let file = file.display();
        return Err(format!("the plot is an SVG: give {file} a name that ends in .svg").into());
    }
    match file.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        Some(directory) if !directory.is_dir() => {
            Err(format!("there is no directory {} for the plot", directory.display()).into())
        }
        _ => Ok(()),
    }
}

/// Writes the plot.
pub(crate) fn write(file: &Path, plot: &Plot) -> Fallible<()> {
    fs::write(file, svg(plot)).map_err(|e| format!("cannot write {}: {e}", file.display()).into())
}

fn svg(plot: &Plot) -> String {
    let lines: String = plot.recall.iter().map(|(ranker, recall)| line(*ranker, recall)).collect();
    let queries = group(plot.queries);
    let (sets, s) = (plot.sets, if plot.sets == 1 { "" } else { "s" });
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="system-ui, sans-serif" font-size="13" fill="#1f2328">
<title>Recall of tool search against k, by ranker</title>
<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fff"/>
<text x="{LEFT}" y="28" font-size="17" font-weight="600">Recall of tool search</text>
<text x="{LEFT}" y="49" fill="#59636e">R@k: relevant tools among the first k / min(k, relevant tools); mean over {sets} set{s}, {queries} queries</text>
{axes}<g fill="none" stroke-width="2">
{lines}</g>
{legend}</svg>
"##,
        axes = axes(),
        legend = legend(plot),
    )
}

fn axes() -> String {
    let mut out = String::new();
    for tenth in 0..=10 {
        let recall = f64::from(tenth) / 10.0;
        let y = y(recall);
        let stroke = if tenth == 0 { "#59636e" } else { "#d8dee4" };
        let _ = writeln!(
            out,
            r#"<path d="M{LEFT} {y}H{RIGHT}" stroke="{stroke}"/><text class="y" x="{}" y="{y}" dy=".35em" text-anchor="end">{recall:.1}</text>"#,
            LEFT - 8.0,
        );
    }
    for k in 1..=RECALL_DEPTH {
        let (x, y) = (x(k), BOTTOM + 19.0);
        let _ = writeln!(out, r#"<text class="x" x="{x}" y="{y}" text-anchor="middle">{k}</text>"#);
    }
    let (x, y) = (f64::midpoint(LEFT, RIGHT), f64::midpoint(TOP, BOTTOM));
    let _ = writeln!(
        out,
        r#"<text x="{x}" y="{}" text-anchor="middle">k: how many of the ranked tools are looked at</text>"#,
        BOTTOM + 44.0,
    );
    let _ = writeln!(
        out,
        r#"<text transform="translate(22 {y}) rotate(-90)" text-anchor="middle">recall, R@k</text>"#
    );
    out
}

fn line(ranker: Ranker, recall: &[f64; RECALL_DEPTH]) -> String {
    let (id, Look { color, dashes, .. }) = (ranker.name(), look(ranker));
    let points: Vec<(f64, f64)> =
        recall.iter().enumerate().map(|(at, recall)| (x(at + 1), y(*recall))).collect();
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
    let path = path.join(" ");
    let mut out = format!(
        r#"<g id="{id}" stroke="{color}"><polyline points="{path}" stroke-dasharray="{dashes}"/>"#
    );
    for (x, y) in points {
        let _ =
            write!(out, r#"<circle cx="{x:.2}" cy="{y:.2}" r="3" fill="{color}" stroke="none"/>"#);
    }
    out + "</g>\n"
}

fn legend(plot: &Plot) -> String {
    let mut out = String::new();
    for (at, (ranker, _)) in plot.recall.iter().enumerate() {
        let Look { name, color, dashes, .. } = look(*ranker);
        let x = LEFT + 240.0 * at as f64;
        let _ = writeln!(
            out,
            r#"<path d="M{x} 76h32" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/><circle cx="{}" cy="76" r="3" fill="{color}"/><text x="{}" y="76" dy=".35em">{name}</text>"#,
            x + 16.0,
            x + 40.0,
        );
    }
    out
}

/// How a ranker is drawn.
struct Look {
    name: &'static str,
    color: &'static str,
    dashes: &'static str,
}

fn look(ranker: Ranker) -> Look {
    let (name, color, dashes) = match ranker {
        Ranker::Plain => ("plain BM25", "#6e7781", "2 4"),
        Ranker::Bm25f => ("BM25F", "#bf4b00", "8 4"),
        Ranker::Fused => ("fused: BM25F and meaning", "#0969da", "none"),
    };
    Look { name, color, dashes }
}

fn x(k: usize) -> f64 {
    LEFT + (RIGHT - LEFT) * (k as f64 - 0.5) / RECALL_DEPTH as f64
}

fn y(recall: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * recall
}

/// A count as people write it: 3,507.
fn group(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
