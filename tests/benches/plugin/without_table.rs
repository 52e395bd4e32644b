//! What the embedding table, four of the component's six megabytes, costs those who search no tools.

use weir_host::contract::{Unit, View};
use weir_host::{Cache, ComponentSource, Engine};
use weir_tests::{SESSION, component_without_table, text_result};

use crate::Options;
use crate::corpus::Corpus;
use crate::side::Wasm;
use crate::table::note_row;
use crate::timer::{Time, best_of_both, once};

const RUNS: u32 = 300;

pub(crate) fn run(options: &Options) {
    let source = ComponentSource::Bytes(component_without_table());
    let engine = Engine::new(&source, &Cache::Off).expect("the component compiles");
    let (with, without) = (Wasm::new(options), Wasm::of(engine, options));

    let small = text_result("x".repeat(100));
    let transform = |side: &Wasm| {
        let (time, outcome) = once(|| side.weir.transform(&small));
        assert!(matches!(outcome, Ok(t) if !t.replaced));
        time
    };
    compare("transform, small", "100 B", RUNS, || (transform(&with), transform(&without)));

    let corpus = Corpus::log(1_000_000);
    let ids = [&with, &without].map(|side| side.transform(&corpus.text).1.id);
    assert_eq!(ids[0], ids[1]);
    compare("transform text", "1 MB", RUNS / 10, || {
        (with.transform(&corpus.text).0, without.transform(&corpus.text).0)
    });
    let expected = corpus.lines(5_000, 20);
    let range = |side: &Wasm| {
        let (time, page) = once(|| {
            side.weir.read(SESSION, &ids[0], View::Text, Unit::Lines, 5_000, Some(20), None)
        });
        assert_eq!(page.expect("the lines are there").content, expected);
        time
    };
    compare("range, 20 lines", "1 MB", RUNS, || (range(&with), range(&without)));
}

/// Prints both times; the one with the table may be a tenth more, which is noise here.
fn compare(what: &str, size: &str, runs: u32, mut both: impl FnMut() -> (Time, Time)) {
    let (with, without) = best_of_both(runs, |_| both());
    let [with, without] = [with, without].map(|time| time.cpu.as_secs_f64() * 1e3);
    let found = format!("{with:.3} / {without:.3}");
    let what = format!("table in / out: {what}");
    note_row(&what, size, &found, "<= 1.1 x", with <= 1.1 * without);
}
