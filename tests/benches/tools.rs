//! What tool search costs in wasmtime, beside the same code compiled natively.
//!
//! ```text
//! cargo bench -p weir-tests --bench tools               everything, some minutes
//! cargo bench -p weir-tests --bench tools -- --quick    up to 16,000 tools
//! ```
//!
//! Answers are compared: native and wasm must give the same.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[expect(dead_code, reason = "the other bench uses all of it")]
#[path = "plugin/table.rs"]
mod table;
#[path = "plugin/timer.rs"]
mod timer;

use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use weir_component::search::bridge::invoke::{Reply, invoke};
use weir_component::search::catalog::tools::Catalog as NativeCatalog;
use weir_component::search::catalog::{build, definition as native};
use weir_host::contract::{Conversation, ToolDefinition};
use weir_host::{Catalog, Class, ComponentSource, Error, Limits, TrapReason, Weir};
use weir_tests::engine;
use weir_tests::tools::{fixture, read_set, searched, snapshot};

use table::{at_most, host_row, note_row, row};
use timer::{Time, best, best_of_both, once};

const NOTES: &str = "\
Tools: 639 real ones (fixtures of the component), repeated under other servers with a made word in
each name and two in each description, so that the vocabulary grows with the catalog.
Queries: 160 of the fixtures' judged ones, 40 of them with a typo in each long word. `query` names 10 tools
for one query a call; `search` is answered with signatures, as for a model. Both count what crosses the boundary. Times are the best of two or more, in milliseconds of the thread's CPU;
a p95 is over queries.
Not shown: other hosts, other catalogs, a model's time.";

/// Memory that the component may have, in bytes; 0 for the usual.
static MEMORY: AtomicUsize = AtomicUsize::new(0);

fn limits(class: Class, bytes: u64) -> Limits {
    let limits = class.limits(bytes);
    match MEMORY.load(Ordering::Relaxed) {
        0 => limits,
        memory_bytes => Limits { memory_bytes, ..limits },
    }
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let directory = TempDir::new().expect("a directory for a store can be made");
    let weir = Weir::builder()
        .limits(limits)
        .open_with(engine(), directory.path().join("store"))
        .expect("the store can be made");
    println!("{NOTES}\n");
    table::head();
    let sizes: &[usize] = match quick {
        true => &[20, 226, 1_000, 2_000, 5_000, 16_000],
        false => &[20, 226, 1_000, 2_000, 5_000, 16_000, 50_000],
    };
    for &count in sizes {
        measure(count, &weir);
    }
    for count in [1_000, 5_000, 16_000] {
        first_search(count, &weir);
    }
    memory(5_000, &weir);
    let size = ComponentSource::Embedded.bytes().map_or(0, |bytes| bytes.len());
    let found = format!("{:.2} MB", size as f64 / 1e6);
    note_row("component, with the table", "", &found, "<= 9 MB", size <= 9_000_000);
}

/// Build, query and search at one size.
fn measure(count: usize, weir: &Weir) {
    let size = count.to_string();
    let tools = tools(count);
    let mut made = None;
    let times = best_of_both(if count > 5_000 { 2 } else { 5 }, |_| {
        let given = tools.iter().map(of_native).collect();
        let given = native::Snapshot { tools: given, servers: vec![] };
        let (native_time, native) = once(|| build::build(given, Default::default()));
        let given = snapshot(tools.clone());
        let (wasm_time, wasm) = once(|| weir.catalog(given));
        made = Some((native.expect("it builds"), wasm.expect("it builds")));
        (native_time, wasm_time)
    });
    let Some((native, wasm)) = made else { return };
    assert_eq!(wasm.digest().expect("no trap"), native.digest().hex());
    let (build, query, search) = match count {
        2_000 => (None, at_most(0.5), None),
        1_000 => (at_most(70.0), None, None),
        5_000 => (at_most(350.0), None, at_most(2.0)),
        16_000 => (at_most(1_200.0), None, None),
        50_000 => (None, at_most(3.0), None),
        _ => (None, None, None),
    };
    row("build", &size, times, build);
    let queries = queries();
    let brief = serde_json::json!({"limit": 10, "detail": "brief"});
    row("query p95", &size, times_of(&brief, &queries, &native, &wasm), query);
    row("search p95", &size, times_of(&serde_json::json!({}), &queries, &native, &wasm), search);
}

/// Of searches with these arguments beside the query.
fn times_of(
    with: &serde_json::Value,
    queries: &[String],
    native: &NativeCatalog,
    wasm: &Catalog,
) -> (Time, Time) {
    let nothing = Conversation::default();
    percentile(queries, |query| {
        let mut arguments = with.clone();
        arguments["queries"] = vec![query.as_str()].into();
        let arguments = arguments.to_string();
        best_of_both(2, |_| {
            let (native_time, expected) =
                once(|| invoke(native, "tool_search", &arguments, &Default::default()));
            let (wasm_time, found) = once(|| wasm.invoke("tool_search", &arguments, &nothing));
            let Reply::Answer(expected) = expected else { panic!("{expected:?}") };
            assert_eq!(found.expect("no trap").text, Some(expected.text));
            (native_time, wasm_time)
        })
    })
}

/// The 95th percentile over queries, of each side for itself.
fn percentile(queries: &[String], time: impl FnMut(&String) -> (Time, Time)) -> (Time, Time) {
    let (native, wasm): (Vec<Time>, Vec<Time>) = queries.iter().map(time).unzip();
    let at_95 = |times: Vec<Time>| {
        let of = |figure: fn(&Time) -> std::time::Duration| {
            let mut figures: Vec<_> = times.iter().map(figure).collect();
            figures.sort_unstable();
            figures[figures.len() * 95 / 100]
        };
        Time { cpu: of(|time| time.cpu), wall: of(|time| time.wall) }
    };
    (at_95(native), at_95(wasm))
}

/// The first search of a catalog, which makes the rest of the index.
fn first_search(count: usize, weir: &Weir) {
    let tools = tools(count);
    let time = best(3, |_| {
        let built = weir.catalog(snapshot(tools.clone())).expect("it builds");
        once(|| searched(&built, "create a page").expect("it is answered")).0
    });
    host_row("first search", &count.to_string(), time, None);
}

/// The least memory in which a catalog can be opened, searched and assembled.
fn memory(count: usize, weir: &Weir) {
    let tools = tools(count);
    let fits = |mib: usize| {
        MEMORY.store(mib << 20, Ordering::Relaxed);
        let done = weir.catalog(snapshot(tools.clone())).and_then(|catalog| {
            searched(&catalog, "create a page")?;
            catalog.assemble(None, 200_000)
        });
        MEMORY.store(0, Ordering::Relaxed);
        match done {
            Ok(_) => true,
            Err(Error::Trap { reason: TrapReason::OutOfMemory, .. }) => false,
            Err(error) => panic!("{error}"),
        }
    };
    let (mut low, mut high) = (4, 256);
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        *(if fits(middle) { &mut high } else { &mut low }) = middle;
    }
    let (what, found) = ("memory: built and searched", format!("{high} MiB"));
    note_row(what, &count.to_string(), &found, "<= 32 MiB", high <= 32);
}

fn of_native(tool: &ToolDefinition) -> native::ToolDefinition {
    native::ToolDefinition {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone(),
        server: tool.server.clone(),
        ..Default::default()
    }
}

fn tools(count: usize) -> Vec<ToolDefinition> {
    let real: Vec<ToolDefinition> =
        ["classes", "opsmix"].iter().flat_map(|set| read_set(&fixture(set)).tools).collect();
    let tool = |at: usize| {
        let (copy, real) = (at / real.len(), &real[at % real.len()]);
        if copy == 0 {
            return real.clone();
        }
        ToolDefinition {
            name: format!("{}_{}", real.name, word(at)),
            description: format!("{} For {} {}.", real.description, word(at * 7), word(at * 13)),
            server: format!("{}{copy}", real.server),
            ..real.clone()
        }
    };
    (0..count).map(tool).collect()
}

/// One of 8,000 words that can be pronounced.
fn word(number: usize) -> String {
    const PARTS: [&str; 20] = [
        "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu",
        "va", "we", "xi", "yo", "zu",
    ];
    let part = |power: u32| PARTS[number / 20usize.pow(power) % 20];
    format!("{}{}{}", part(0), part(1), part(2))
}

fn queries() -> Vec<String> {
    let sets = ["classes", "opsmix"].map(|set| read_set(&fixture(set)).queries);
    let texts: Vec<String> = sets.into_iter().flatten().map(|query| query.text).collect();
    // The third and fourth letters of each long word in the other's place.
    let misspelled = |text: &String| {
        let swap = |word: &str| match word.len() > 5 && word.is_ascii() {
            true => format!("{}{}{}{}", &word[..2], &word[3..4], &word[2..3], &word[4..]),
            false => word.to_owned(),
        };
        text.split(' ').map(swap).collect::<Vec<_>>().join(" ")
    };
    let plain = texts.iter().step_by(3).take(120).cloned();
    plain.chain(texts.iter().skip(1).step_by(9).take(40).map(misspelled)).collect()
}
