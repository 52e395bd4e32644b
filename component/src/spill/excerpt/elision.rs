//! Finds where a tool says that its answer is not all there is.

use serde_json::Value;

use crate::content::json::{Range, Shape, Tree};
use crate::content::kind::Kind;
use crate::content::show::one_line;
use crate::content::template::Level;
use crate::source::{ReadError, Source};

/// Bytes at each end of a text in which such a remark is looked for, and lines at its ends in which numbers and
/// members count.
const END_BYTES: u64 = 2_048;
const END_LINES: usize = 8;

/// Characters of it that are quoted.
const QUOTE_CHARS: usize = 160;

/// Bytes of a line that says so.
const LINE_BYTES: usize = 400;

/// Remarks in small letters, wherever they stand in a line.
const REMARKS: &str = "(truncated|[truncated|<truncated|…truncated|...truncated|content truncated|response truncated|\
    output truncated|results truncated|output was truncated|content was truncated|results were truncated|\
    response was truncated|output is truncated|results are truncated|result set truncated|response clipped|\
    output clipped|has more lines|has more rows|has more results|more results available|omitted for brevity|more ranges|more pages|\
    more available|not all results|partial results|results are incomplete|output limit reached|result set was limited|\
    too many results,|too many results.|too many results;|too many results to|log exceeded limit of|log length has exceeded|\
    exceeded the maximum log length|output exceeds the size limit|there are more results|type \"it\" for more|--more--|-- more  --";

/// What pages and programs say to people too: it is of the answer where it says with which number or argument.
const CALLS: &str = "to see more|to show more results|to see the rest|to get the rest|to get more content|to get more results|for more results|\
    to read more|to read on|continue reading from";
const ARGUMENTS: &str = "offset cursor limit token parameter argument index range";

/// Keys in small letters without signs, whose value says that there is more unless it is null, false, zero or empty.
const KEYS: &str = "hasmore hasmoreitems hasmorepages hasmoreresults hasnext hasnextpage nextcursor nextpage nextpagetoken \
    nexttoken nextlink nexturl nexturi nexthref nextrange nextoffset nextstart nextstartindex nextindex \
    nextmarker nextposition nextrecordsurl odatanextlink lastevaluatedkey truncated istruncated wastruncated \
    outputtruncated resultstruncated incompleteresults incomplete isincomplete partial ispartial morepages \
    moreavailable moreresults moreresultsavailable nextpagecursor hydranext timedout continuationtoken nextcontinuationtoken resumptiontoken exceededtransferlimit moretopicsurl";

/// Those of them that are yes or no, or say so in a sentence: another text is something that is called so.
const FLAGS: &str = "truncated istruncated wastruncated outputtruncated resultstruncated incompleteresults incomplete isincomplete \
    partial ispartial timedout";

/// Those of them that may be the name of a state.
const STATES: &str = "incomplete isincomplete partial ispartial";

/// Keys whose number says how many are left.
const LEFT: &str =
    "remaining remainingcount remainingitems remainingitemcount remainingrows remaininglines";

/// Keys whose number is how many there are, which may be more than the rows that came. The first are also the names
/// of other sums.
const TOTALS: &str = "totalcount totalresults totalitems totalrecords totalrows totalhits totalelements totalentries \
    totalmatches rowsbeforelimitatleast estimatedtotalhits odatacount recordstotal hydratotalitems numfound numresults resultcount rowcount fulltotal nbhits numbermatched";
const BARE_TOTALS: &str = "total count found totalsize";

/// Those of them that count rows, and lists that are of none: of a table's columns, of what is wrong with some.
const OF_ROWS: &str = "totalrecords totalrows totalelements totalentries recordstotal rowcount";
const NOT_ROWS: &str = "columns fields schema duplicates issues errors warnings problems violations anomalies outliers buckets";

/// Keys that say that an answer comes in pages, beside how many these are.
const PAGING: &str = "perpage pagesize limit size offset";

/// Keys of rows whose sum a total beside them is.
const PARTS: [&[u8]; 7] =
    [b"votes\"", b"count\"", b"qty\"", b"quantity\"", b"unitPrice\"", b"unit_price\"", b"amount\""];

/// Keys that say which page it is, and of how many.
const PAGE: [&str; 5] = ["page", "currentpage", "pagenumber", "pageno", "pageindex"];
const PAGES: [&str; 8] = [
    "totalpages",
    "pagecount",
    "numpages",
    "pages",
    "lastpage",
    "maxpage",
    "pagestotal",
    "nbpages",
];

/// Keys whose text may say so.
const TEXTS: [&str; 6] = ["warning", "warnings", "notice", "note", "message", "hint"];

/// Members beside a total that say of what it is the sum: money, tests, votes, bytes.
const SUMMED: [&str; 18] = [
    "unit",
    "units",
    "subtotal",
    "tax",
    "vat",
    "currency",
    "amount",
    "price",
    "passed",
    "succeeded",
    "skipped",
    "votes",
    "upvotes",
    "totalvotes",
    "unique",
    "distinct",
    "totalbytes",
    "totalfiles",
];

/// Objects that speak of the whole of a list that stands beside them.
const ABOUT: &str = "meta metadata pagination paging page pages pageinfo paginginfo info summary stats hits links header \
    result results response data list cursor search query count counts total totals totalcount searchmetadata pagingmetadata responsemetadata \
    collection resultinfo";

/// Numbers that are as many as the rows where these are all that fit: the total is of others too.
const FITTING: [&str; 4] = ["recordsfiltered", "filteredcount", "changedrows", "matchedcount"];

/// So many times the rows, a total is a sum of other things.
const OUT_OF_PROPORTION: u64 = 100_000;

/// Members beside what remains that say that it is not of the rows.
const SPENT: [&str; 7] =
    ["budget", "spent", "used", "allocated", "allowance", "balance", "capacity"];

/// Words for what a result has many of.
const NOUNS: &str = "lines rows items results entries records matches pages characters chars bytes files messages commits \
    documents hits objects elements tokens line row item result page columns cells treffer ergebnisse zeilen \
    registros resultados filas lignes";

/// Words of a line that says how much of it is shown.
const SHOWING: &str = "showing shows shown displaying displayed reading returned returning listing viewing mostrando affichage angezeigt";

/// Words of a line that tells of work, not of a part.
const WORK: &str = "processed processing uploaded downloaded downloading passed failed attempt attempts retry retries step \
    epoch imported inserted updated deleted migrated tests progress";

/// What was done to lines that are not there.
const GONE: &str = "omitted hidden truncated elided cut not skipped left suppressed";

/// Words before a remark that speaks of another text: of a manual, of what was changed in a program, of what may be.
const ELSEWHERE: &str = "manual documentation docs changelog bug bugs fix fixes fixed fixing prevents avoids when may might";

/// Whether a word is one of those in a list. Compiled once, as the others here that are asked in many places.
#[inline(never)]
fn is_listed(list: &str, word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && list.split(' ').any(|known| known == word)
}

/// What the ends of a text say of it.
pub(super) fn in_text(source: &dyn Source, kind: Kind) -> Result<Option<String>, ReadError> {
    let tail = source.read_range(source.len().saturating_sub(END_BYTES), source.len())?;
    let tail = String::from_utf8_lossy(&tail);
    // Not from within a line.
    let tail = match tail.split_once('\n') {
        Some((_, whole)) if source.len() > END_BYTES => whole,
        _ => &*tail,
    };
    // In JSON a member says so; in code all sorts of sentences stand.
    if matches!(kind, Kind::Json | Kind::Code) {
        // A comment speaks of the program.
        let is_comment =
            |line: &str| line.trim_start().starts_with(['#', '/', '*', '-', ';', '%', '"']);
        let line = tail.lines().rev().find(|line| {
            let is_own = kind == Kind::Json || !is_comment(line);
            line.len() <= LINE_BYTES && is_own && remarks(line)
        });
        return Ok(line.map(|line| one_line(line, QUOTE_CHARS)));
    }
    let head = source.read_range(0, END_BYTES)?;
    let head = String::from_utf8_lossy(&head);
    let filled = |text: &'_ str| -> Vec<String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    let (mut first, last) = (filled(&head), filled(tail));
    first.truncate(END_LINES);
    let commas = |line: &str| line.bytes().filter(|byte| *byte == b',').count();
    let row = match kind {
        Kind::Csv => first.first().map_or(0, |names| commas(names)),
        _ => 0,
    };
    let is_content = |lines: &[String], at: usize| {
        // Pytest shortens what an assertion says; a row may say anything.
        lines[at].starts_with("E  ")
            || row > 0 && commas(&lines[at]) == row
            || at > 0 && lines[at - 1].starts_with("at ")
            || is_listed_item(lines, at)
    };
    let says = |lines: &[String], at: usize| {
        !is_content(lines, at) && is_notice(&lines[at], &|all| has_last_page(source, all))
    };
    let near = last.len().saturating_sub(END_LINES);
    let mut quoted = Vec::new();
    let start = (0..first.len()).find(|&at| says(&first, at));
    if let Some(start) = start {
        let end = (start..first.len()).rfind(|&at| says(&first, at)).unwrap_or(start);
        // What follows right after it is the content.
        quoted.extend(first[start..=end.min(start + 2)].iter().cloned());
    }
    let end = (0..last.len()).find(|&at| match at < near {
        true => last[at].len() <= LINE_BYTES && !is_content(&last, at) && remarks(&last[at]),
        false => says(&last, at),
    });
    if let Some(end) = end {
        quoted.extend(last[end..].iter().take(3).cloned());
    }
    if quoted.is_empty() && matches!(kind, Kind::Text | Kind::Log) {
        quoted.extend(in_middle(source)?);
    }
    quoted.dedup();
    Ok((!quoted.is_empty()).then(|| one_line(&quoted.join(" "), QUOTE_CHARS)))
}

/// Bytes at the end of a text in which its last page is looked for.
const PAGE_BYTES: u64 = 32 << 10;

/// Whether a text has its last page of so many: then it is whole, and what says so is the head or foot of a page.
fn has_last_page(source: &dyn Source, all: u64) -> bool {
    let end = source.read_range(source.len().saturating_sub(PAGE_BYTES), source.len());
    let end = end.unwrap_or_default();
    let has = |last: String| memchr::memmem::find(&end, last.as_bytes()).is_some();
    has(format!("{all} of {all}")) || has(format!("{all}/{all}"))
}

/// Bytes of a text in whose middle a remark is looked for: a longer one was cut by nobody.
const CUT_BYTES: u64 = 256 << 10;

/// Lines with such a word that are looked at: of a text with more it is a word like others.
const MOST_LINES: usize = 32;

/// Words of a line that stands for what was left out: `[... omitted 12 of 345 lines ...]`.
const LEFT_OUT: [&str; 4] = ["omitted", "truncated", "elided", "hidden"];

/// What a line in the middle says of what it stands for.
fn in_middle(source: &dyn Source) -> Result<Option<String>, ReadError> {
    if source.len() > CUT_BYTES {
        return Ok(None);
    }
    let all = source.read_range(0, source.len())?;
    for word in LEFT_OUT {
        let mut from = 0;
        for _ in 0..MOST_LINES {
            let Some(at) = memchr::memmem::find(&all[from..], word.as_bytes()) else { break };
            from += at + word.len();
            let start = memchr::memrchr(b'\n', &all[..from]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &all[from..]).map_or(all.len(), |end| from + end);
            if end - start <= QUOTE_CHARS
                && let Ok(line) = std::str::from_utf8(all[start..end].trim_ascii())
                && stands_for(line)
            {
                return Ok(Some(line.to_owned()));
            }
        }
    }
    Ok(None)
}

/// Whether a line with such a word says how much is not there.
fn stands_for(line: &str) -> bool {
    let words = words(&line.to_ascii_lowercase());
    let counts = |at| number(&words, at).is_some_and(|count| count > 0) && is_noun(&words, at + 1);
    let closes = match line.as_bytes() {
        [b'[', .., b']'] | [b'<', .., b'>'] | [b'(', .., b')'] => true,
        // One sign alone begins an item of a list.
        _ => {
            line.starts_with('…')
                || ["..", "--", "**", "=="].iter().any(|sign| line.starts_with(sign))
        }
    };
    closes && (0..words.len()).any(counts)
}

/// Whether a line is one of a list, of changes or of flags: both beside it begin with the same sign, or with digests.
fn is_listed_item(lines: &[String], at: usize) -> bool {
    let sign = |line: &String| {
        let word = line.split(' ').next()?;
        let is_digest = word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        match word {
            "*" | "-" | "+" | "•" => word.chars().next(),
            _ if word.starts_with("--") && word.len() > 3 => Some('o'),
            _ => is_digest.then_some('#'),
        }
    };
    let own = sign(&lines[at]);
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    let mut beside = beside.filter_map(|other| lines.get(other));
    own.is_some() && beside.all(|other| sign(other) == own)
}

/// An element or attribute of XML that may say that there is more than its document has.
pub(super) struct Element {
    quote: String,
    // How many there are by its word; else it says that there are more.
    total: Option<u64>,
}

impl Element {
    /// The attribute `key` of an element, or with no key its text: `<IsTruncated>true</IsTruncated>`, a link to the next.
    pub(super) fn of(name: &[u8], key: &[u8], value: &[u8]) -> Option<Element> {
        let value = std::str::from_utf8(value).ok()?;
        let own = if key.is_empty() { name } else { key };
        let own = own.rsplit(|byte| *byte == b':').next()?;
        let plain = plain(std::str::from_utf8(own).ok()?);
        let total = value.parse().ok().filter(|_| is_listed(TOTALS, &plain));
        let is_link = key == b"rel" && value == "next";
        let is_key = is_listed(KEYS, &plain) && says_more(value);
        let name = String::from_utf8_lossy(name);
        let quote = match String::from_utf8_lossy(key) {
            key if key.is_empty() => format!("<{name}>{value}</{name}>"),
            key => format!("<{name} {key}=\"{value}\">"),
        };
        (total.is_some() || is_link || is_key).then_some(Element { quote, total })
    }
}

/// What the elements of a document say that has no more than so many of one kind.
pub(super) fn in_elements(all: impl Iterator<Item = Element>, most: u64) -> Option<String> {
    let says = |one: &Element| one.total.is_none_or(|total| total > most);
    let quotes: Vec<String> = all.filter(says).take(2).map(|one| one.quote).collect();
    (!quotes.is_empty()).then(|| one_line(&quotes.join(" "), QUOTE_CHARS))
}

fn remarks(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let is_said = |at| !words(&line[..at]).iter().any(|word| is_listed(ELSEWHERE, word));
    let words = words(&line);
    // To look for a remark costs more than to see that a short line has none.
    let is_whole =
        |end: usize| !line[end..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let is_there = |remark: &str| {
        line.contains(remark)
            && line.find(remark).is_some_and(|at| is_said(at) && is_whole(at + remark.len()))
    };
    let is_how = |word: &String| word.as_bytes()[0].is_ascii_digit() || is_listed(ARGUMENTS, word);
    REMARKS.split('|').any(is_there)
        || CALLS.split('|').any(is_there) && words.iter().any(is_how)
        || counts_more(&words) && !words.iter().any(|word| is_listed(WORK, word))
}

/// Whether a line says that there is more: `Showing 1-50 of 200`, `… 12 more`, `next_page: 2`.
fn is_notice(line: &str, is_whole: &dyn Fn(u64) -> bool) -> bool {
    if line.len() > LINE_BYTES {
        return false;
    }
    if remarks(line) {
        return true;
    }
    // What has a level is a line of a log.
    if Level::of(line.as_bytes()).is_some_and(|(level, _)| level > Level::Warn) {
        return false;
    }
    let lower = line.to_ascii_lowercase();
    let words = words(&lower);
    let member = lower.split_once([':', '=']).is_some_and(|(key, value)| {
        // Headers of their own begin with it.
        let (key, value) = (plain(key.strip_prefix("x-").unwrap_or(key)), value.trim());
        let counts = is_listed(STATES, &key) && value.parse::<u64>().is_ok();
        // `next page: chapter 2` is a sentence.
        let is_sentence = value.split_once(' ').is_some_and(|(first, rest)| {
            first.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric)
        });
        is_listed(KEYS, &key) && says_more(value) && !counts && !is_sentence
    });
    let is_link = (lower.starts_with("link:") || lower.contains(" link: <"))
        && lower.contains("rel=\"next\"")
        // What the command line of AWS writes as text.
        || lower.starts_with("nexttoken\t");
    // Pandas says how large a frame is where it does not print all of it.
    let is_frame = line.starts_with('[')
        && matches!(&words[..], [_, rows, x, _, columns] if rows == "rows" && x == "x" && columns == "columns");
    (member
        || is_link
        || is_frame
        || shows_some(&words, is_whole)
        || is_left(&words)
        || is_limited(&words))
        && !words.iter().any(|word| is_listed(WORK, word))
}

/// A key in small letters without signs.
#[inline(never)]
fn plain(key: &str) -> String {
    let letters = key.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Whether the value of a flag says that there is more.
#[inline(never)]
fn says_more(value: &str) -> bool {
    let value = value.trim_matches(|c: char| c == '"' || c == '\'' || c == ',' || c == '`').trim();
    !matches!(
        value,
        "" | "false" | "null" | "none" | "no" | "0" | "-1" | "[]" | "{}" | "undefined" | "n/a"
    )
}

/// The words and numbers of a line; thousands are put together, and signs that join numbers are words.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = line.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
        let is_thousand = matches!(c, ',' | '_' | '\'' | '’')
            && word.bytes().all(|byte| byte.is_ascii_digit())
            && !word.is_empty()
            && (1..=3).all(|next| is_digit(at + next))
            && !is_digit(at + 4);
        if is_thousand {
            continue;
        }
        if c.is_alphanumeric() {
            // `1000lines` is a number and a word.
            let turns = |word: &str| {
                word.ends_with(|last: char| last.is_ascii_digit() != c.is_ascii_digit())
            };
            if !word.is_empty() && turns(&word) {
                words.push(std::mem::take(&mut word));
            }
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if matches!(c, '-' | '–' | '/' | '+' | '…') {
            words.push(if c == '–' { "-".to_owned() } else { c.to_string() });
        }
        if c == '.' && chars.get(at + 1..at + 3) == Some(&['.', '.']) {
            words.push("…".to_owned());
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Whether a word stands between a number and what it counts: `300 most recent commits`.
fn is_kind(word: &str) -> bool {
    is_listed("most recent matching latest first newest total", word)
}

#[inline(never)]
fn number(words: &[String], at: usize) -> Option<u64> {
    words.get(at)?.parse().ok()
}

#[inline(never)]
fn is_noun(words: &[String], at: usize) -> bool {
    words.get(at).is_some_and(|word| is_listed(NOUNS, word))
}

/// `Showing 1-600 of 6200`, `page 1/11`, `lines 1 to 1000 (of 8000)`, `50 lines of 8001`.
fn shows_some(words: &[String], is_whole: &dyn Fn(u64) -> bool) -> bool {
    (0..words.len()).any(|at| {
        let Some(to) = number(words, at) else { return false };
        let kinds = words[at + 1..].iter().take(3).take_while(|word| is_kind(word)).count();
        let noun = at + 1 + kinds;
        let of = noun + usize::from(is_noun(words, noun));
        let is_of = |word: &String| matches!(word.as_str(), "of" | "/" | "von" | "sur" | "de");
        if !words.get(of).is_some_and(is_of) {
            return false;
        }
        let skipped = words[of + 1..].iter().take(3).take_while(|word| {
            matches!(word.as_str(), "about" | "the" | "total" | "approximately" | "over" | "a")
        });
        let total = of + 1 + skipped.count();
        let Some(all) = number(words, total) else { return false };
        // `Only 5 of 20 rows`, not `Only 2 of 5 nodes are ready`.
        let is_alone = words.iter().any(|word| word == "only" || word == "results")
            && (words.len() == total + 1 || is_noun(words, total + 1));
        let before = &words[..at];
        let from = match before {
            [.., _, sign]
                if matches!(sign.as_str(), "-" | "to" | "through" | "bis" | "a" | "à") =>
            {
                number(words, at - 2).filter(|from| *from <= to)
            }
            _ => None,
        };
        let has_noun = || words.iter().any(|word| is_listed(NOUNS, word) && word != "page");
        // Not `we turned to page 3 of 9`.
        let is_page = before.last().is_some_and(|word| is_listed("page pages seite pagina", word))
            && (at < 3 || has_noun());
        // Not `figure 3 of 9 shows it`.
        let shows = |(place, word): (usize, &String)| {
            is_listed(SHOWING, word) && (word != "shows" || place < at)
        };
        let is_said = is_page
            || is_alone
            || words.iter().enumerate().any(shows)
            || from.is_some() && before.iter().any(|word| is_listed(NOUNS, word));
        let is_part = to < all || from.is_some_and(|from| from > 1 && from <= to);
        is_said && is_part && !(is_page && is_whole(all))
    })
}

/// `… 12 more`, `and 40 more rows`, `5 more items`.
fn counts_more(words: &[String]) -> bool {
    (1..words.len()).any(|at| {
        let Some(count) = number(words, at - 1).filter(|_| words[at] == "more") else {
            return false;
        };
        let leads = |word: &String| matches!(word.as_str(), "…" | "and" | "+" | "plus");
        let is_alone = at + 1 == words.len() && at > 1 && words[..at - 1].iter().all(leads);
        // `3 more items were sold`, not `3 more items were omitted`.
        let is_past = words.get(at + 2).is_some_and(|word| word == "was" || word == "were")
            && !words.get(at + 3).is_some_and(|word| is_listed(GONE, word));
        count > 0 && (is_noun(words, at + 1) && !is_past || is_alone)
    }) || matches!(words, [first, .., count, others]
        if others == "others" && first == "…" && count.parse::<u64>().is_ok())
}

/// `7000 remaining` of lines that are named, `45 items hidden`, `120 rows not shown`.
fn is_left(words: &[String]) -> bool {
    (0..words.len()).any(|at| {
        if number(words, at).is_none_or(|count| count == 0) {
            return false;
        }
        let noun = is_noun(words, at + 1);
        let next = words.get(at + 1 + usize::from(noun)).map_or("", String::as_str);
        let shown = words.get(at + 2 + usize::from(noun)).is_some_and(|word| word == "shown");
        let is_spent = |word: &String| SPENT.contains(&word.as_str()) || word == "tokens";
        let is_hidden = matches!(next, "omitted" | "hidden" | "truncated" | "elided")
            || next == "remaining" && !words.iter().any(is_spent)
            || next == "not" && shown;
        is_hidden && words.iter().any(|word| is_listed(NOUNS, word))
    })
}

/// `Showing the first 100 results`, `results limited to 747 rows`.
fn is_limited(words: &[String]) -> bool {
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let counts = |at: usize| number(words, at).is_some() && is_noun(words, at + 1);
    // `Maximum of 300 results reached`.
    if has(&["reached"]) && has(&["maximum", "max", "limit"]) && (0..words.len()).any(counts) {
        return true;
    }
    // `5000 rows (900 shown)`.
    if let [_, _, _, shown] = words
        && (shown == "shown" && is_noun(words, 1) && number(words, 2).is_some())
    {
        return number(words, 2) < number(words, 0);
    }
    (1..words.len()).any(|at| {
        let is_count = number(words, at).is_some_and(|count| count > 0) && is_noun(words, at + 1);
        let first = matches!(words[at - 1].as_str(), "first" | "last" | "top");
        // `Showing the first 420 (sorted by date)`.
        if let [before @ .., said, the, first] = &words[..at]
            && (the == "the" && is_listed(SHOWING, said) && first == "first")
            && before.len() < 8
            && number(words, at).is_some_and(|count| count > 1)
        {
            return true;
        }
        // `resulted in 4312 documents. Returning 120 documents`, `9120 lines; showing lines 1-900`.
        let is_fewer = |returned: usize| {
            let noun = returned + 1 + usize::from(is_noun(words, returned + 1));
            let to =
                if words.get(noun + 1).is_some_and(|sign| sign == "-") { noun + 2 } else { noun };
            number(words, to).is_some_and(|few| number(words, at) > Some(few))
        };
        let returned = words.iter().position(|word| word == "returning" || word == "showing");
        if is_count && returned.is_some_and(|returned| returned > at && is_fewer(returned)) {
            return true;
        }
        let is_to = matches!(words[at - 1].as_str(), "to" | "at" | "after");
        let limit = is_to && has(&["limited", "truncated", "capped", "cut"]);
        // `Results limited to 150.`
        let of_results = |at: usize| (0..at).any(|before| is_noun(words, before));
        if limit && number(words, at).is_some_and(|count| count > 0) && of_results(at) {
            return true;
        }
        is_count
            && (first && has(&["showing", "only", "displaying", "returning", "limited"]) || limit)
    })
}

/// How deep the members stand that are looked at: `data.repository.issues.pageInfo.hasNextPage`.
const DEPTH: usize = 5;

/// A quote that says that there is more, and the name and the number of a total.
pub(super) type Said = (Option<String>, Option<(String, u64)>);

/// A member of the objects around the rows of a document.
struct Member {
    key: String,
    within: String,
    // The object that it is of, and whether the rows are in that, too.
    of: Range,
    is_around: bool,
    shape: Shape,
    value: String,
    shown: String,
}

/// What the members around the rows of a document say of it, and how many rows there are by their word.
pub(super) fn in_members(source: &dyn Source, tree: &Tree) -> Result<Said, ReadError> {
    let around = Around::of(source, tree)?;
    let says = |one: &&Member| around.says(one);
    let said: Vec<&str> = around.all.iter().filter(says).map(|one| one.shown.as_str()).collect();
    // A count alone is often of the page.
    let is_total = |one: &&Member| {
        around.rows.is_some() && around.is_total(one) && one.key != "count" && !around.is_sum(one)
    };
    let total = around.all.iter().filter(is_total).filter_map(|one| {
        let name = one.shown.split_once(':').map_or(one.key.as_str(), |(name, _)| name);
        Some((name.trim_matches('"').to_owned(), one.number()?))
    });
    Ok((
        (!said.is_empty()).then(|| one_line(&said.join(", "), QUOTE_CHARS)),
        total.max_by_key(|(_, all)| *all),
    ))
}

/// The members around the rows of a document, and what is known of these.
struct Around {
    all: Vec<Member>,
    /// How many rows there are here, where there are rows.
    rows: Option<u64>,
    /// Whether a bare total may be the sum of something else.
    is_of_parts: bool,
    is_paged: bool,
    /// Whether the rows are of a list that no count is of.
    is_of_others: bool,
    is_filtered: bool,
}

/// Whether a key is one of a total.
fn sums(key: &str) -> bool {
    is_listed(BARE_TOTALS, key) || is_listed(TOTALS, key)
}

impl Around {
    fn of(source: &dyn Source, tree: &Tree) -> Result<Around, ReadError> {
        let mut all = Vec::new();
        gather(source, tree, 0, "", DEPTH, &mut all)?;
        let rows = tree.rows().map(|index| &tree.nodes[index]);
        // In what objects the rows are.
        if let Some((start, end)) = rows.map(|rows| rows.range) {
            for one in &mut all {
                one.is_around = one.of.0 <= start && end <= one.of.1;
            }
        }
        // Lists within the first row, or each option with its votes, each item with its amount: the total is of these.
        let first = rows.and_then(|rows| rows.head.first()).map(|&item| &tree.nodes[item]);
        let is_part = |&part: &usize| {
            let part = &tree.nodes[part];
            let is_counted = |(from, to)| {
                let key = source.read_range(from, to).unwrap_or_default();
                PARTS.iter().any(|part| key.ends_with(part))
            };
            part.shape == Shape::Array && part.children > 1 || part.key.is_some_and(is_counted)
        };
        let is_of_parts = first.is_some_and(|it| it.head.iter().chain(&it.tail).any(is_part))
            || all.iter().any(|one| SUMMED.contains(&one.key.as_str()));
        let key = rows.and_then(|rows| rows.key);
        let key = key.map(|(from, to)| source.read_range(from, to)).transpose()?;
        let key = key.unwrap_or_default();
        let is_of_others = is_listed(NOT_ROWS, &plain(&String::from_utf8_lossy(&key)));
        let rows = rows.map(|rows| rows.children);
        let is_filtered = rows.is_some_and(|rows| {
            let is_all = |one: &Member| one.number() == Some(rows);
            all.iter().any(|one| FITTING.contains(&one.key.as_str()) && is_all(one))
        });
        let is_paged = are_paged(&all);
        Ok(Around { all, rows, is_of_parts, is_paged, is_of_others, is_filtered })
    }

    /// Whether a total is out of all proportion: one of bytes, or of people.
    fn is_size(&self, one: &Member) -> bool {
        let times = if one.key == "totalsize" { 1_000 } else { OUT_OF_PROPORTION };
        let most = self.rows.map_or(0, |rows| rows.max(1).saturating_mul(times));
        one.number().is_some_and(|size| size > most)
    }

    fn is_sum(&self, one: &Member) -> bool {
        self.is_of_parts && is_listed(BARE_TOTALS, &one.key)
    }

    fn is_total(&self, one: &Member) -> bool {
        let is_other = self.is_of_others && (one.key == "value" || is_listed(OF_ROWS, &one.key));
        let is_named = sums(&one.key) || one.key == "value" && sums(&one.within);
        one.is_about() && !is_other && is_named && !self.is_size(one) && !self.is_filtered
    }

    /// Whether a member says that there is more.
    fn says(&self, one: &Member) -> bool {
        let key = one.key.as_str();
        let is_yes = || {
            let text = one.value.trim_matches('"').to_ascii_lowercase();
            matches!(&*text, "true" | "yes" | "1") || text.contains(' ')
        };
        match self.rows {
            _ if one.shape == Shape::String && is_listed(FLAGS, key) && !is_yes() => false,
            // A number of what is not done yet, or in part, is a count of the rows' states.
            _ if is_listed(STATES, key) => {
                one.number().is_none_or(|n| n == 1) && says_more(&one.value)
            }
            _ if is_listed(KEYS, key) => says_more(&one.value),
            _ if TEXTS.contains(&key) => {
                let value = one.value.trim_start_matches('[');
                value.starts_with('"') && is_notice(value.trim_matches('"'), &|_| false)
            }
            // Of MediaWiki, whose rows may be members of an object.
            _ if key == "continue" && one.shape == Shape::Object => says_more(&one.value),
            None => false,
            Some(rows) => match key {
                "next" => one.is_link(),
                "more" => one.value == "true",
                // `"link": [{"relation": "next", "url": "…"}]`.
                "link" | "links" if one.shape == Shape::Array => {
                    one.value.contains("\"rel") && one.value.contains("\"next\"")
                }
                "continue" => one.shape == Shape::String && says_more(&one.value),
                "offset" => one.is_place(),
                "after" => {
                    // The cursors of a page are of its last one too.
                    let within = ["data", "paging", "pagination", "page"];
                    within.contains(&one.within.as_str())
                        && one.shape == Shape::String
                        && says_more(&one.value)
                }
                "islast" | "islastpage" => one.value == "false",
                _ if is_listed(LEFT, key) => self.is_left(one),
                _ if PAGE.contains(&key) || PAGES.contains(&key) => {
                    self.is_paged && one.is_about() && one.number().is_some()
                }
                _ => {
                    let is_more = || one.number().is_some_and(|total| total > rows);
                    self.is_total(one) && !self.is_sum(one) && is_more()
                }
            },
        }
    }

    /// Whether a number of what remains is of the rows: not of an allowance.
    fn is_left(&self, one: &Member) -> bool {
        let is_allowance = ["rate", "limit", "quota"].iter().any(|of| one.within.contains(of))
            || self.all.iter().any(|other| SPENT.contains(&other.key.as_str()));
        !is_allowance && one.number().is_some_and(|left| left > 0)
    }
}

/// Whether members say that this is a page of several.
fn are_paged(all: &[Member]) -> bool {
    let number = |names: &[&str]| {
        let mut named = all.iter().filter(|one| names.contains(&one.key.as_str()));
        named.find_map(Member::number)
    };
    match (number(&PAGE), number(&PAGES)) {
        (Some(page), Some(pages)) => pages > 1 && page <= pages,
        // Of a document they are its pages.
        (None, Some(pages)) => {
            let is_paging = |one: &Member| sums(&one.key) || is_listed(PAGING, &one.key);
            pages > 1 && all.iter().any(is_paging)
        }
        _ => false,
    }
}

impl Member {
    /// Whether it is around the rows, or in an object that speaks of the whole of them.
    fn is_about(&self) -> bool {
        self.is_around || is_listed(ABOUT, &self.within)
    }

    /// Whether `offset` says where the next page begins: a number is where this one does, and `+02:00` is of a clock.
    fn is_place(&self) -> bool {
        self.is_about()
            && self.shape == Shape::String
            && self.number().is_none()
            && !self.value.starts_with("\"+")
            && !self.value.starts_with("\"-")
    }

    /// Whether `next` leads to a page: not a date, nor the next of something else.
    fn is_link(&self) -> bool {
        let text = self.value.trim_matches('"');
        let is_date = text.len() >= 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
        let leads = ["href", "url", "page", "cursor", "link", "after", "offset", "token"];
        match self.shape {
            Shape::Array => false,
            Shape::Object => leads.iter().any(|word| text.contains(word)),
            // A title has blanks, and a step is a word.
            _ => {
                let is_word = text.len() > 3 && text.bytes().all(|byte| byte.is_ascii_lowercase());
                says_more(&self.value) && !is_date && !is_word && !text.contains(' ')
            }
        }
    }

    fn number(&self) -> Option<u64> {
        self.value.parse().ok()
    }
}

/// The members of an object and of those in it.
fn gather(
    source: &dyn Source,
    tree: &Tree,
    index: usize,
    within: &str,
    depth: usize,
    all: &mut Vec<Member>,
) -> Result<(), ReadError> {
    const KEY_BYTES: u64 = 40;
    let node = &tree.nodes[index];
    if node.shape != Shape::Object || depth == 0 || all.len() > 200 {
        return Ok(());
    }
    for &child in node.head.iter().chain(&node.tail) {
        let child_node = &tree.nodes[child];
        let Some((from, to)) = child_node.key.filter(|key| key.1 - key.0 <= KEY_BYTES) else {
            continue;
        };
        let name = String::from_utf8_lossy(&source.read_range(from, to)?).into_owned();
        let key = plain(&name);
        let (start, end) = child_node.range;
        let most = (4 * QUOTE_CHARS) as u64;
        let bytes = source.read_range(start, end.min(start + most))?;
        let value = match serde_json::from_slice::<Value>(&bytes) {
            // A number may come as a text.
            Ok(Value::String(text)) if text.parse::<u64>().is_ok() => text,
            _ => String::from_utf8_lossy(&bytes).into_owned(),
        };
        let shown = format!("{name}: {value}");
        let shape = child_node.shape;
        gather(source, tree, child, &key, depth - 1, all)?;
        let (within, of) = (within.to_owned(), node.range);
        all.push(Member { key, within, of, is_around: false, shape, value, shown });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        in_text(&text.as_bytes(), Kind::Text).unwrap()
    }

    #[test]
    fn the_ends_of_a_text_say_that_it_is_a_part() {
        let body = "a line of the report about the harbor\n".repeat(200);
        for notice in [
            "Showing lines 1-1000 of 8000",
            "Type \"it\" for more",
            "--More--",
            "[Reading 1000 lines from start (total: 8,000 lines, 7,000 remaining)]",
            "Showing 21-40 of 62 (Page 2 of 4)",
            "page 1 of 12",
            "Search results - page 2 of 9",
            "12 more lines were omitted",
            "x-next-page: 2",
            "To show more results, use --page-token=CAoQAA",
            "Found 4,120 issues. Showing the first 420 (sorted by date).",
            "Results 1 to 10 of about 5,000",
            "Displaying first 100 results",
            "… 45 more",
            "... and 1,200 more rows",
            "+37 more lines",
            "[truncated]",
            "Content truncated. Call with start_index=5000",
            "<error>Content truncated. Call the tool with a start_index of 5000.</error>",
            "Only showing till line number 439 of 8001 total lines",
            "[WARNING] 45 items hidden",
            "Next page: 2",
            "next_cursor: abc",
            "has_more=true",
            "Results limited to 747 rows due to the size limit.",
            "Output truncated at 30000 characters",
            "There are more ranges.",
            "-- More results available; use --starting-token eyJ --",
            "... and 57 others",
            "(Results are truncated. Consider using a more specific path or pattern.)",
            "Maximum of 300 results reached. Refine your search.",
            "Only 5 of 20 rows",
            "Results: 50 of 1,200",
            "Too many results, narrow your search.",
            "Pass the cursor to see more.",
            "(File has more lines. Use 'offset' parameter to read beyond line 400)",
            "<response clipped><NOTE>Due to the max output limit, only part is shown.</NOTE>",
            "(showing 300 most recent commits of 9,120)",
            "The query resulted in 4312 documents. Returning 120 documents as configured",
            "link: <https://x.y/z?page=2>; rel=\"next\"",
            "Job's log exceeded limit of 4194304 bytes.",
            "The log length has exceeded the limit of 4 MB (this usually means a loop).",
            "Output exceeds the size limit. Open the full output data in a text editor",
            "[50000 rows x 3 columns]",
            "5000 rows (900 shown)",
            "(File has 9120 lines; showing lines 1-900. Use offset to read further.)",
            "NEXTTOKEN\teyJNZXh0VG9rZW4i",
            "Treffer 1-400 von 5120",
            "Seite 1 von 13",
            "Mostrando 1 a 900 de 5120 registros",
            "Affichage de 1 à 900 sur 5120",
        ] {
            let (head, tail) = (format!("{notice}\n{body}"), format!("{body}\n{notice}\n"));
            assert!(text(&tail).is_some(), "{notice}");
            if !notice.starts_with(['+', '…']) {
                assert!(text(&head).is_some(), "{notice}");
            }
            // In the middle it is content.
            assert_eq!(text(&format!("{body}{body}{notice}\n{body}{body}")), None, "{notice}");
        }
    }

    #[test]
    fn what_only_sounds_like_it_does_not() {
        let body = "a line of the report about the harbor\n".repeat(200);
        for line in [
            "Processed rows 1-600 of 6200",
            "50 of 100 tests passed",
            "3 more retries remaining",
            "Showing 8000 of 8000 lines",
            "page 12 of 12",
            "next_cursor: null",
            "has_more: false",
            "0 lines remaining",
            "2 of 3 replicas are ready",
            "one or more rows",
            "\tat java.base/x\n\t... 23 more",
            "the first argument of each call",
            "2026-11-03 10:00:00 INFO reading items 880 to 900 of 9000",
            "10:00:00 [info] 1200 messages remaining in queue",
            "See the manual to read more.",
            "When output is truncated, use --full.",
            "test \"shows ... and 299 more items\" passed in 2093 ms",
            "reviewed by Ann, Ben and 57 others",
            "Limit of 5 retries reached",
            "Memory exceeded limit of 512 MB",
            "900 rows (900 shown)",
            "El 3 de 9 es mejor",
            "Fixed a bug where the output was truncated for long names.",
            "Subscribe to read more",
            "print(\"Run with -v to see more\")",
            "Only 2 of 5 nodes are ready",
            "Results: 187/190 checks ok",
            "tokens used: 1,200, 48,800 remaining",
            "[Result \"1/2-1/2\"]",
            "Score 7/10, only just",
            "Too many results were wrong",
            "split(truncated_text)",
            "E         ...Full output truncated (2 lines hidden), use '-vv' to show",
            "incomplete: 3",
            "We turned to page 3 of 9 in the book.",
            "3 more items were sold.",
            "Next page: Chapter 2",
            "has_more = true if the list goes on",
            "Figure 3 of 9 shows it.",
        ] {
            assert_eq!(text(&format!("{body}{line}\n")), None, "{line}");
        }
        let changes: String = (0..90).map(|n| format!("{n:07x} say what was cut\n")).collect();
        let change = "1234567 the notice says: output truncated\n";
        assert_eq!(text(&format!("{change}{changes}{change}")), None);
        assert!(text(&format!("{changes}output truncated\n")).is_some());
        // The head of the first page of a whole document.
        for [first, last] in [["Page 1 of 3", "Page 3 of 3"], ["page 1/3", "page 3/3"]] {
            assert_eq!(text(&format!("{first}\n{body}{last}\n{body}")), None);
        }
        let trace = "Caused by: x\n\tat java.base/x\n\t... 23 more\n";
        assert_eq!(text(&format!("{body}{trace}{}", "INFO next\n".repeat(20))), None);
    }

    #[test]
    fn a_comment_in_source_speaks_of_the_program() {
        let code = |line: &str| {
            let text = format!("{}{line}\n", "    return x[:10]\n".repeat(90));
            in_text(&text.as_bytes(), Kind::Code).unwrap()
        };
        assert_eq!(code("# output is truncated to 10 lines"), None);
        assert!(code("[output truncated]").is_some());
    }

    #[test]
    fn a_line_in_the_middle_says_what_it_stands_for() {
        let around = |line: &str| {
            format!("{}{line}\n{}", "Words of it.\n".repeat(300), "More of it.\n".repeat(300))
        };
        for line in [
            "[... omitted 345 of 1200 lines ...]",
            "[... 12,000 characters omitted ...]",
            "... [245 lines truncated] ...",
            "…420 tokens truncated…",
            "<1,024 bytes elided>",
        ] {
            assert_eq!(text(&around(line)).as_deref(), Some(line), "{line}");
        }
        for line in [
            "* Over 30 characters are truncated",
            "It omitted 3 lines.",
            "[hidden]",
            "- 3 hidden layers",
        ] {
            assert_eq!(text(&around(line)), None, "{line}");
        }
    }

    #[test]
    fn elements_say_that_there_are_more() {
        let said = |all: &[(&str, &str, &str)]| {
            let of = |&(name, key, value): &(&str, &str, &str)| {
                Element::of(name.as_bytes(), key.as_bytes(), value.as_bytes())
            };
            in_elements(all.iter().filter_map(of), 100)
        };
        for (name, key, value, quote) in [
            ("IsTruncated", "", "true", "<IsTruncated>true</IsTruncated>"),
            ("os:totalResults", "", "4821", "<os:totalResults>4821</os:totalResults>"),
            ("link", "rel", "next", "<link rel=\"next\">"),
            ("resumptionToken", "", "abc", "<resumptionToken>abc</resumptionToken>"),
            ("list", "total-count", "101", "<list total-count=\"101\">"),
        ] {
            assert_eq!(said(&[(name, key, value)]).as_deref(), Some(quote));
        }
        let whole =
            [("IsTruncated", "", "false"), ("totalResults", "", "100"), ("a", "rel", "self")];
        assert_eq!(said(&whole), None);
    }

    #[test]
    fn members_around_the_rows_say_that_they_are_a_part() {
        use crate::content::json::TreeLimits;
        let said = |json: &str| {
            let limits = TreeLimits { head_items: 3, tail_items: 2, nodes: 500 };
            let tree = Tree::read(&json.as_bytes(), 0, limits).unwrap();
            in_members(&json.as_bytes(), &tree).unwrap().0
        };
        let rows = r#"[{"id":1,"labels":"a"},{"id":2,"labels":"b"}]"#;
        for (members, quote) in [
            (r#""total":5000"#, r#""total": 5000"#),
            (r#""totalCount":"5000""#, r#""totalCount": 5000"#),
            (r#""count":9"#, r#""count": 9"#),
            (r#""hits":{"total":{"value":90}}"#, r#""value": 90"#),
            (r#""has_more":true"#, r#""has_more": true"#),
            (r#""meta":{"next_offset":600}"#, r#""next_offset": 600"#),
            (r#""links":{"next":"/x?page=2"}"#, r#""next": "/x?page=2""#),
            (r#""next":"abc""#, r#""next": "abc""#),
            (r#""next":"dXNlcjo5""#, r#""next": "dXNlcjo5""#),
            (r#""page":1,"total_pages":11"#, r#""page": 1, "total_pages": 11"#),
            (r#""total":62,"remaining":60"#, r#""total": 62, "remaining": 60"#),
            (r#""metadata":{"continue":"xyz"}"#, r#""continue": "xyz""#),
            (r#""@odata.nextLink":"u""#, r#""@odata.nextLink": "u""#),
            (r#""isLast":false"#, r#""isLast": false"#),
            (r#""link":[{"relation":"next"}]"#, r#""link": [{"relation":"next"}]"#),
            (r#""data":{"a":{"b":{"pageInfo":{"hasNextPage":true}}}}"#, r#""hasNextPage": true"#),
            (r#""nbHits":48211,"nbPages":50"#, r#""nbHits": 48211, "nbPages": 50"#),
            (r#""exceededTransferLimit":true"#, r#""exceededTransferLimit": true"#),
            (r#""continue":{"sroffset":10}"#, r#""continue": {"sroffset":10}"#),
            (r#""offset":"itrA/recB""#, r#""offset": "itrA/recB""#),
            (r#""paging":{"after":"t3_a"}"#, r#""after": "t3_a""#),
            (r#""meta":{"page":{"after":"eyJ"}}"#, r#""after": "eyJ""#),
            (r#""estimatedTotalHits":5000"#, r#""estimatedTotalHits": 5000"#),
            (r#""@odata.count":2500"#, r#""@odata.count": 2500"#),
            (r#""more":true,"total":null"#, r#""more": true"#),
            (
                r#""warnings":["Result set truncated at 150 rows"]"#,
                r#""warnings": ["Result set truncated at 150 rows"]"#,
            ),
            (
                r#""message":"Results limited to 150. Refine your query.""#,
                r#""message": "Results limited to 150. Refine your query.""#,
            ),
            (
                r#""warning":"Results limited to 2 rows.""#,
                r#""warning": "Results limited to 2 rows.""#,
            ),
        ] {
            for json in
                [format!("{{{members},\"rows\":{rows}}}"), format!("{{\"rows\":{rows},{members}}}")]
            {
                assert_eq!(said(&json).as_deref(), Some(quote), "{json}");
            }
        }
        for members in [
            r#""total":2"#,
            r#""total":120,"currency":"EUR""#,
            r#""rate_limit":{"remaining":4999}"#,
            r#""has_more":false,"next":null"#,
            r#""page":1,"pages":1"#,
            r#""message":"done""#,
            r#""total":9000,"passed":8998,"failed":2"#,
            r#""totalSize":9812341234"#,
            r#""totalSize":60,"totalFiles":2"#,
            r#""total":48211,"unique":2"#,
            r#""incomplete":72,"complete":4"#,
            r#""budget":20000,"remaining":18800"#,
            r#""offset":40"#,
            r#""after":"2026-11-01""#,
            r#""document":{"word_count":81234,"count":81234}"#,
            r#""total_rows":5000,"changed_rows":2"#,
            r#""recordsTotal":5000,"recordsFiltered":2"#,
            r#""user":{"followers":{"total_count":52000}}"#,
            r#""next":"2026-11-04T00:00:00Z""#,
            r#""next":{"title":"Film","start":"20:15"}"#,
            r#""country":"DE","total":83000000"#,
            r#""progress":{"completed":2,"total":1000}"#,
            r#""warehouse":{"total":98000}"#,
            r#""pages":12"#,
            r#""page_count":12,"title":"A book""#,
            r#""total":5000,"unit":"kg""#,
            r#""next":"Chapter two""#,
            r#""offset":"+02:00""#,
            r#""paging":{"cursors":{"before":"a","after":"b"}}"#,
            r#""links":[{"rel":"self"}]"#,
            r#""message":"Only 3 of 5 shards answered""#,
        ] {
            assert_eq!(said(&format!("{{\"rows\":{rows},{members}}}")), None, "{members}");
        }
        let pages = r#"{"continue":{"gapcontinue":"x"},"query":{"pages":{"1":{"id":1}}}}"#;
        assert_eq!(said(pages).as_deref(), Some(r#""continue": {"gapcontinue":"x"}"#));
        assert_eq!(said(r#"{"rowCount":900,"columns":[{"name":"a"},{"name":"b"}]}"#), None);
        let buckets =
            r#"{"hits":{"total":{"value":900},"hits":[]},"of":{"buckets":[{"k":1},{"k":2}]}}"#;
        assert_eq!(said(buckets), None);
        assert_eq!(said(r#"{"total":812,"options":[{"count":1},{"count":2}]}"#), None);
        assert_eq!(said(r#"{"layout":{"offset":"20%"},"rows":[1,2,3]}"#), None);
        assert_eq!(said(r#"{"totalElements":900,"issues":[{"name":"a"},{"name":"b"}]}"#), None);
        assert_eq!(said(r#"{"invoice":{"total":812,"lines":[{"qty":1},{"qty":2}]}}"#), None);
        // A member of a row speaks of that row.
        assert_eq!(said(r#"[{"truncated":true,"total":90},{"truncated":false}]"#), None);
        assert_eq!(said(r#"{"partial":"2cb2c8ffbaae031b","mails":[{"id":1}]}"#), None);
        assert!(said(r#"{"truncated":"yes","mails":[{"id":1}]}"#).is_some());
        assert_eq!(said(r#"{"total":9,"groups":[{"rows":[1,2,3]},{"rows":[4]}]}"#), None);
    }
}
