//! The table, printed line by line as figures come in.

use std::time::Duration;

use crate::timer::Time;

/// What a figure is held against.
pub(crate) struct Target {
    /// As it is printed.
    label: String,
    /// The most it may be.
    most: Duration,
}

/// A target in milliseconds.
pub(crate) fn at_most(millis: f64) -> Option<Target> {
    let label = match millis {
        m if m < 1.0 => format!("<= {:.0} us", m * 1_000.0),
        m if m < 1_000.0 => format!("<= {m:.0} ms"),
        m => format!("<= {:.1} s", m / 1_000.0),
    };
    Some(Target { label, most: Duration::from_secs_f64(millis / 1_000.0) })
}

/// A target in terms of another figure.
pub(crate) fn times(factor: f64, of: Time, what: &str) -> Option<Target> {
    Some(Target { label: format!("<= {factor} x {what}"), most: of.cpu.mul_f64(factor) })
}

/// Prints the head.
pub(crate) fn head() {
    println!(
        "| {:<34} | {:>7} | {:>9} | {:>9} | {:>6} | {:>10} | {:<16} | {:<8} |",
        "what", "size", "native", "wasm", "ratio", "wasm clock", "target", "met"
    );
    println!(
        "|{:-<36}|{:-<8}:|{:-<10}:|{:-<10}:|{:-<7}:|{:-<11}:|{:-<18}|{:-<10}|",
        "", "", "", "", "", "", "", ""
    );
}

/// Prints a line for something that is done natively and in wasm.
pub(crate) fn row(what: &str, size: &str, (native, wasm): (Time, Time), target: Option<Target>) {
    line(what, size, Some(native), wasm, target);
}

/// Prints a line for something that only a host does.
pub(crate) fn host_row(what: &str, size: &str, time: Time, target: Option<Target>) {
    line(what, size, None, time, target);
}

/// Prints a line for something that is not a time.
pub(crate) fn note_row(what: &str, size: &str, found: &str, target: &str, met: bool) {
    print(what, size, ["", found, "", ""], target, if met { "yes" } else { "NO" });
}

fn line(what: &str, size: &str, native: Option<Time>, wasm: Time, target: Option<Target>) {
    let ratio = native.map(|native| wasm.cpu.as_secs_f64() / native.cpu.as_secs_f64().max(1e-9));
    let met = target.as_ref().map_or("", |target| match target.most {
        most if wasm.cpu.max(wasm.wall) <= most => "yes",
        most if wasm.cpu <= most => "cpu only",
        _ => "NO",
    });
    let columns = [
        &native.map_or_else(String::new, |native| millis(native.cpu)),
        &millis(wasm.cpu),
        &ratio.map_or_else(String::new, |ratio| format!("{ratio:.1}")),
        &millis(wasm.wall),
    ];
    print(what, size, columns.map(String::as_str), target.as_ref().map_or("", |t| &t.label), met);
}

fn print(what: &str, size: &str, columns: [&str; 4], target: &str, met: &str) {
    let [native, wasm, ratio, wall] = columns;
    println!(
        "| {what:<34} | {size:>7} | {native:>9} | {wasm:>9} | {ratio:>6} | {wall:>10} | {target:<16} | {met:<8} |"
    );
}

/// Three figures are enough.
fn millis(time: Duration) -> String {
    match time.as_secs_f64() * 1_000.0 {
        m if m >= 100.0 => format!("{m:.0}"),
        m if m >= 10.0 => format!("{m:.1}"),
        m if m >= 1.0 => format!("{m:.2}"),
        m => format!("{m:.3}"),
    }
}
