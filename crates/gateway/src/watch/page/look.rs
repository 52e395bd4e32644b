//! How a page looks: its frame, tables and sizes. Names, results and answers are written by others: templates escape them, and
//! the whole page loses what would turn the direction of a text.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use weir_base::{date, unix_now};

const STYLE: &str = include_str!("style.css");
const AGAIN: &str = include_str!("again.js");

/// What a browser may do with the page: show it, ask for it again, and send its forms back.
pub(crate) fn policy(nonce: &str) -> String {
    format!("{}; frame-ancestors 'none'", rules(nonce))
}

/// As far as a page may say so itself.
fn rules(nonce: &str) -> String {
    format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; connect-src 'self'; form-action 'self'; \
         base-uri 'none'"
    )
}

/// A whole page. One that is `live` shows by itself what changes.
pub(super) fn framed(title: &str, nonce: &str, live: bool, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (title) }
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(rules(nonce));
                style nonce=(nonce) { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                @if live { script nonce=(nonce) { (PreEscaped(AGAIN)) } }
            }
        }
    };
    let plain = |sign: char| match sign {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\n' | '\t' => sign,
        sign if sign.is_control() => '\u{fffd}',
        sign => sign,
    };
    page.0.chars().map(plain).collect()
}

/// A cell of a table.
pub(super) enum Cell {
    Text(String),
    /// Of several words.
    Said(Markup),
    Number(String),
    /// A balance, of which a loss is seen.
    Net(i64),
}

/// A table; the first cell of a row names it. A head that begins with `#` stands over numbers.
pub(super) fn table(
    caption: &str,
    heads: &[&str],
    rows: impl IntoIterator<Item = (Markup, Vec<Cell>)>,
) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { (caption) }
                thead { tr {
                    @for head in heads {
                        @match head.strip_prefix('#') {
                            Some(head) => { th.n scope="col" { (head) } }
                            None => { th scope="col" { (head) } }
                        }
                    }
                } }
                tbody {
                    @for (name, cells) in rows {
                        tr {
                            th scope="row" { (name) }
                            @for cell in cells {
                                @match cell {
                                    Cell::Text(text) => { td { (text) } }
                                    Cell::Said(markup) => { td.say { (markup) } }
                                    Cell::Number(number) => { td.n { (number) } }
                                    Cell::Net(net) => { td.n.bad[net < 0] { (weir_base::group(net)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A time in UTC, to the minute.
pub(super) fn when(time: u64) -> String {
    let (year, month, day, seconds) = date(time);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", seconds / 3_600, seconds % 3_600 / 60)
}

/// The time of a day in UTC, to the second.
pub(super) fn moment(time: u64) -> String {
    let seconds = date(time).3;
    format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds % 3_600 / 60, seconds % 60)
}

/// The day and minute at which a page was made.
pub(super) fn made() -> Markup {
    html! { p.dim { "as of " (when(unix_now())) " UTC" } }
}
