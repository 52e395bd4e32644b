//! The excerpt of a text: outline, first lines, lines of interest, last lines.

use super::counters;
use super::failures;
use super::listing::{self, Listing};
use super::rare;
use super::{Excerpt, ExcerptRequest, Gap, Outline, SMALLEST_CHARS, Unit, first_lines_gap, unseen};
use crate::content::defang::defanged;
use crate::content::kind::Kind;
use crate::content::numbers::{counted, thousands};
use crate::content::scan::{Span, each_line, first_lines, last_lines};
use crate::content::show::{OF_BASE64, shown_prefix, shown_suffix, span, width};
use crate::content::template::{SHAPE_BYTES, Shapes, mask};
use crate::limits::CLASSIFY_BYTES;
use crate::settings::TransformSettings;
use crate::sort::sort_by_key;
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::anchor::{Hit, Hits, Kept, Levels, Words, scan, scan_levels};
use crate::spill::manner::Manner;
use crate::spill::purpose::{Fit, KEEP, Purpose, Ranking, is_ranked};
use crate::spill::severity::Severity;

/// Characters set aside for the three lines that say which lines follow.
const TITLES_CHARS: usize = 150;

/// Characters of them that are for how many lines tell what.
const WORDS_CHARS: usize = 38;

/// Lines shown from either end when the tool failed; what fits decides.
const ERROR_LINES: u32 = 400;

/// Where more than one of so many lines holds a word, the word alone says nothing.
const OFTEN: u64 = 4;

/// Elements of XML whose name alone is rare: of more, none says anything.
const MOST_NAMES: usize = 6;

/// Lines of interest kept from either end of the scan, to choose from.
const CANDIDATES: usize = 64;

/// Characters in which a cut line can still say how much was cut.
const LEAST_LINE_CHARS: usize = 40;

pub(super) fn excerpt(
    source: &dyn Source,
    request: &ExcerptRequest<'_>,
    outline: Outline,
) -> Result<Excerpt, ReadError> {
    let budget = request.budget_chars;
    let total = request.measure.lines;
    if budget < SMALLEST_CHARS || total == 0 {
        return Ok(Excerpt {
            text: unseen(request),
            detail: outline.detail,
            shown: "nothing of it".to_owned(),
            gap: first_lines_gap(request),
            query: outline.query,
            ..Excerpt::default()
        });
    }
    let mut out = String::new();
    let is_outlined = outline.is_parted || outline.list.all > 0;
    if !request.is_error {
        push_outline(&mut out, &outline, budget / 3);
    }
    let room = budget.saturating_sub(width(&out) + TITLES_CHARS);
    let words = words(request);
    let are_looked_for = words.is_some() || !outline.odd.is_empty();
    let for_anchors = if are_looked_for { budget / 5 } else { 0 };

    let sides = Sides::new(source, request)?;
    let mut layout = sides.lay_out(source, room.saturating_sub(for_anchors), request)?;
    let mut anchors = Anchors::default();
    let mut why = Vec::new();
    if are_looked_for {
        let known = (outline.odd, outline.shapes);
        let found = Found::between(source, request, (&sides, &layout), words, known)?;
        if found.is_empty() {
            layout = sides.lay_out(source, room, request)?;
        } else {
            anchors = Anchors::choose(source, &found, request, for_anchors)?;
            why = std::mem::take(&mut anchors.beside);
        }
        if found.has_reasons(request) {
            failing(source, request, &sides, &mut layout, (&mut anchors, &found), &mut why)?;
        }
    }

    let fitting = fitting(source, request, &sides, &mut layout, (&anchors, &why))?;

    let beside = beside_words(anchors.lines > 0, why.len(), fitting.len());
    push_parts(&mut out, total, &layout, &anchors, &[&why, &fitting], &beside);
    let not_shown = layout.gap_lines(total);
    let gap = if not_shown > 0 {
        Some(Gap { unit: Unit::Lines, start: layout.head.len() as u64 + 1, count: not_shown })
    } else if layout.cut > 0 {
        Some(Gap { unit: Unit::Bytes, start: 0, count: request.measure.bytes })
    } else {
        None
    };
    Ok(Excerpt {
        text: out,
        detail: outline.detail,
        shown: shown_words(total, &layout, &anchors) + &beside,
        elided: outline.elided,
        gap,
        pattern: anchors.word,
        query: outline.query,
        is_outlined,
        ..Excerpt::default()
    })
}

/// What stands out between the first and the last lines.
#[derive(Default)]
struct Found {
    hits: Hits,
    levels: Option<Levels>,
    rare: Vec<Hit>,
    // Findings of rare kinds, and where each is.
    odd: Vec<Hit>,
    places: Vec<Hit>,
}

impl Found {
    /// Looks for it, with the rows and elements that the outline calls odd, and the shapes of lines that it saw.
    fn between(
        source: &dyn Source,
        request: &ExcerptRequest<'_>,
        (sides, layout): (&Sides, &Layout),
        words: Option<Words>,
        (named, shapes): (Vec<Hit>, Option<Shapes>),
    ) -> Result<Found, ReadError> {
        let mut found = Found::default();
        if layout.gap_lines(request.measure.lines) == 0 {
            return Ok(found);
        }
        let gap = sides.gap(layout, source.len());
        let first = layout.head.len() as u64 + 1;
        if matches!(request.kind, Kind::Log | Kind::Ndjson | Kind::Text) {
            found.levels = Levels::of(&source.read_range(0, CLASSIFY_BYTES as u64)?);
        }
        found.hits = match (words, found.levels) {
            (None, _) => Hits::default(),
            (Some(words), Some(levels)) => {
                let said = shapes.as_ref().map_or(&[][..], Shapes::said);
                scan_levels(source, &words, gap, CANDIDATES, (levels, said))?
            }
            (Some(words), None) => {
                let manner = manner(source, request, &words, gap)?;
                let words = words.in_manner(manner);
                let hits = scan(source, &words, gap, first, CANDIDATES)?;
                // A log in which most lines tell of a fault and none by a mark.
                match hits.lines == 0 && manner == Manner::Often && request.kind == Kind::Log {
                    true => {
                        let words = words.in_manner(Manner::Reports);
                        scan(source, &words, gap, first, CANDIDATES)?
                    }
                    false => hits,
                }
            }
        };
        found.rare = match request.kind {
            Kind::Ndjson | Kind::Xml | Kind::Csv | Kind::Tsv => named,
            kind => {
                let outside = request.measure.lines - layout.gap_lines(request.measure.lines);
                let known = shapes.as_ref().and_then(Shapes::all);
                rare::lines(source, kind, gap, known.map(|shapes| (shapes, outside)))?
            }
        };
        if found.rare.is_empty()
            && found.levels.is_none()
            && matches!(request.kind, Kind::Text | Kind::Yaml | Kind::Log)
        {
            found.rare = counters::lines(source)?;
            if found.rare.is_empty() {
                found.rare = rare::marked(source)?;
            }
        }
        found.rare.retain(|hit| gap.0 <= hit.line_start && hit.line_start < gap.1);
        // A name that is met once is one of many in a document of names.
        let names = found.rare.iter().filter(|hit| !hit.is_sure).count();
        if request.kind == Kind::Xml && names > MOST_NAMES {
            found.rare.retain(|hit| hit.is_sure);
        }
        (found.odd, found.places) = rare::findings(source, gap)?;
        if found.odd.is_empty() && request.kind == Kind::Text {
            (found.odd, found.places) = rare::told(source, gap)?;
        }
        Ok(found)
    }

    /// How many lines stand out that tell of no fault, and in words what there is.
    fn words(&self, source: &dyn Source, kind: Kind) -> Result<(u64, String), ReadError> {
        let Found { hits, odd, rare, .. } = self;
        let [refused, failed] = &hits.statuses;
        let mut words: Vec<String> = Vec::new();
        for (severity, kept) in Severity::ALL.into_iter().zip(&hits.by).rev() {
            words.extend(told(source, severity.as_str(), kept)?);
            if severity == Severity::Error && failed.lines > 0 {
                words.push(format!("{} with status 5xx", counted(failed.lines, "line")));
            }
        }
        if refused.lines > 0 {
            words.push(format!("{} with status 4xx", counted(refused.lines, "line")));
        }
        let is_odd = |line: u64| odd.iter().any(|hit| hit.line == line);
        let rest = rare.iter().filter(|hit| !is_odd(hit.line));
        let seen: Vec<&Hit> = odd.iter().chain(rest).filter(|hit| !hits.holds(hit.line)).collect();
        let noun = |hit: &Hit| match kind {
            Kind::Ndjson if !hit.is_sure => "malformed line",
            Kind::Ndjson | Kind::Csv | Kind::Tsv => "odd row",
            Kind::Xml => "odd element",
            _ => "unusual line",
        };
        for name in ["malformed line", "odd row", "odd element", "unusual line"] {
            let count = seen.iter().filter(|hit| noun(hit) == name).count() as u64;
            // Of a value that is rare, the first row stands for all.
            words.extend((count > 0).then(|| match name {
                "malformed line" => counted(count, name),
                _ => format!("the first {name}s"),
            }));
        }
        Ok((seen.len() as u64, words.join(", ")))
    }

    fn is_empty(&self) -> bool {
        self.hits.lines == 0 && self.rare.is_empty() && self.odd.is_empty()
    }

    /// Whether lines may say why something failed: those of a word or two say no reason, and where most lines tell of a
    /// fault, none is news. All that costs little in a short text.
    fn has_reasons(&self, request: &ExcerptRequest<'_>) -> bool {
        let (lines, bytes) = (request.measure.lines, request.measure.bytes);
        let is_news = bytes < SHORT_BYTES || (bytes >= 16 * lines && self.hits.lines * 2 < lines);
        self.levels.is_none() && is_news && request.kind != Kind::Ndjson
    }
}

/// Adds the first lines, what is shown of those between, with a title that counts them, and the last.
fn push_parts(
    out: &mut String,
    total: u64,
    layout: &Layout,
    anchors: &Anchors,
    others: &[&[(u64, String)]],
    beside: &str,
) {
    let (head, tail) = (layout.head.len() as u64, layout.tail.len() as u64);
    if head > 0 {
        let title = match (head, total) {
            (_, 1) => "the only line".to_owned(),
            _ => format!("{} of {}", lines(1, head), thousands(total)),
        };
        push_lines(out, &title, &layout.head);
    }
    let mut title = String::new();
    if layout.gap_lines(total) > 0 {
        title = format!("{} not shown", lines(head + 1, total - tail));
    }
    if anchors.lines > 0 {
        title.push_str(&format!("; among them {}: {} here", anchors.words, anchors.shown.len()));
    }
    title.push_str(beside);
    let mut all: Vec<&(u64, String)> = anchors.shown.iter().collect();
    others.iter().for_each(|lines| all.extend(*lines));
    sort_by_key(&mut all, |&(line, _)| *line);
    if !title.is_empty() {
        let shown: Vec<String> = all.into_iter().map(|(_, text)| text.clone()).collect();
        push_lines(out, &title, &shown);
    }
    if tail > 0 {
        push_lines(out, &lines(total - tail + 1, total), &layout.tail);
    }
    out.pop();
}

/// How much is shown, for the head of the excerpt.
fn shown_words(total: u64, layout: &Layout, anchors: &Anchors) -> String {
    let (head, tail) = (layout.head.len() as u64, layout.tail.len() as u64);
    let mut shown = match (head, tail, layout.gap_lines(total)) {
        (1, 0, 0) if layout.cut > 0 => "the start and the end of its only line".to_owned(),
        (_, _, 0) => format!("all {} lines", thousands(total)),
        (_, 0, _) => format!("first {} of {} lines", thousands(head), thousands(total)),
        (0, _, _) => format!("last {} of {} lines", thousands(tail), thousands(total)),
        _ => format!(
            "first {} and last {} of {} lines",
            thousands(head),
            thousands(tail),
            thousands(total)
        ),
    };
    if layout.cut > 0 && total > 1 {
        shown.push_str(", long ones cut in the middle");
    }
    if anchors.lines > 0 {
        shown.push_str(&format!(
            "; {} of {} telling lines between ({})",
            anchors.shown.len(),
            thousands(anchors.lines),
            anchors.words
        ));
    }
    shown
}

fn lines(first: u64, last: u64) -> String {
    if first == last {
        format!("line {}", thousands(first))
    } else {
        format!("lines {}-{}", thousands(first), thousands(last))
    }
}

fn push_lines(out: &mut String, title: &str, lines: &[String]) {
    out.push_str("--- ");
    out.push_str(title);
    out.push_str(" ---\n");
    for line in lines {
        out.push_str(line);
        out.push('\n');
    }
}

/// Adds what fits of an outline, and says how much does not.
fn push_outline(out: &mut String, outline: &Outline, budget: usize) {
    let mut left = budget;
    let mut push = |line: &str, keep: usize| {
        let fits = width(line) + 1 + keep <= left;
        if fits {
            left -= width(line) + 1;
            out.push_str(line);
            out.push('\n');
        }
        fits
    };
    for line in &outline.lines {
        push(line, 0);
    }
    let list = &outline.list;
    let more = |shown: u64| format!("… {} more {} …", thousands(list.all - shown), list.title);
    let for_more = width(&more(0)) + 1;
    let title = format!("--- {} {} ---", thousands(list.all), list.named());
    if list.all == 0 || !push(&title, for_more) {
        return;
    }
    let fits = list.lines.iter().take_while(|line| push(line, for_more)).count() as u64;
    if fits < list.all {
        push(&more(fits), 0);
    }
}

/// The lines that may be shown from either end.
struct Sides {
    head: Vec<Span>,
    tail: Vec<Span>,
}

/// The lines that are.
struct Layout {
    head: Vec<String>,
    tail: Vec<String>,
    // Lines shown in part.
    cut: usize,
}

impl Layout {
    fn gap_lines(&self, total: u64) -> u64 {
        total.saturating_sub((self.head.len() + self.tail.len()) as u64)
    }
}

impl Sides {
    fn new(source: &dyn Source, request: &ExcerptRequest<'_>) -> Result<Sides, ReadError> {
        let settings = request.settings;
        let total = request.measure.lines;
        let (mut head, mut tail) = if request.is_error {
            (ERROR_LINES, ERROR_LINES)
        } else {
            (settings.head_lines, settings.tail_lines)
        };
        // No line can take less than its line feed.
        let most = u32::try_from(request.budget_chars).unwrap_or(u32::MAX);
        head = head.min(most);
        tail = tail.min(most);
        if total <= u64::from(head) + u64::from(tail) {
            let total = total as u32;
            tail = tail.min(total * 2 / 5).max(total.saturating_sub(head));
            head = total - tail;
        }
        Ok(Sides {
            head: first_lines(source, head as usize)?,
            tail: last_lines(source, tail as usize)?,
        })
    }

    /// The bytes between what `layout` shows of the two sides.
    fn gap(&self, layout: &Layout, len: u64) -> (u64, u64) {
        let start = match self.head.get(layout.head.len()) {
            Some(next) => next.start,
            None => self.head.last().map_or(0, |last| last.end + 1),
        };
        let first_shown = self.tail.len() - layout.tail.len();
        let end = self.tail.get(first_shown).map_or(len, |first| first.start);
        (start, end)
    }

    fn lay_out(
        &self,
        source: &dyn Source,
        room: usize,
        request: &ExcerptRequest<'_>,
    ) -> Result<Layout, ReadError> {
        let all = self.head.len() + self.tail.len();
        let line_max =
            (request.settings.line_max_chars as usize).max(room / all.max(1)).max(LEAST_LINE_CHARS);
        let for_head = match (self.head.len(), self.tail.len()) {
            (_, 0) => room,
            _ if request.is_error => room / 2,
            _ => room * 3 / 5,
        };
        let total_chars = (request.measure.lines == 1).then_some(request.measure.chars);
        let mut cut = 0;
        let mut fill = |spans: &mut dyn Iterator<Item = &Span>, room: usize| {
            let mut lines: Vec<String> = Vec::new();
            let mut left = room;
            for line in spans {
                let most = line_max.min(left.saturating_sub(1));
                let end = without_return(source, *line)?;
                let text = span(source, line.start, end, most, total_chars)?;
                // A cut that the room forces, not the line's own length, is for a first line only.
                let is_encoded = text.contains(OF_BASE64);
                let is_cut = is_encoded || (text.contains("…[+") && end - line.start > most as u64);
                let is_left_out = text == "…" || (text.is_empty() && end > line.start);
                let forced = is_left_out || (is_cut && !is_encoded && most < line_max);
                if left == 0 || (forced && (!lines.is_empty() || most < LEAST_LINE_CHARS)) {
                    break;
                }
                cut += usize::from(is_cut);
                left -= width(&text) + 1;
                lines.push(text);
            }
            Ok::<_, ReadError>((lines, left))
        };
        let (head, left) = fill(&mut self.head.iter(), for_head)?;
        let (mut tail, _) = fill(&mut self.tail.iter().rev(), room - for_head + left)?;
        tail.reverse();
        Ok(Layout { head, tail, cut })
    }
}

/// Where a line ends when the carriage return of a CRLF is no part of it.
fn without_return(source: &dyn Source, line: Span) -> Result<u64, ReadError> {
    let returns = line.end > line.start && source.read_range(line.end - 1, line.end)? == b"\r";
    Ok(line.end - u64::from(returns))
}

/// The lines of interest that are shown.
#[derive(Default)]
struct Anchors {
    // How many there are, shown or not.
    lines: u64,
    shown: Vec<(u64, String)>,
    // Lines that tell the same once more: an exception below the line that reports it.
    beside: Vec<(u64, String)>,
    // How many of what severity, for a title.
    words: String,
    // A regular expression that finds them.
    word: Option<String>,
}

impl Anchors {
    fn choose(
        source: &dyn Source,
        found: &Found,
        request: &ExcerptRequest<'_>,
        budget: usize,
    ) -> Result<Anchors, ReadError> {
        let Found { hits, odd, rare, .. } = found;
        let most = request.settings.anchor_lines as usize;
        let line_max = (request.settings.line_max_chars as usize).min(budget / 2);
        // The gravest first; of each severity first and last in turn, as the last error tells as
        // much as the first. What is only rare comes before warnings, a finding of a rare kind before all.
        let mut order: Vec<&Hit> = odd.iter().collect();
        let [refused, failed] = &hits.statuses;
        for (severity, kept) in Severity::ALL.into_iter().zip(&hits.by).rev() {
            if severity == Severity::Warning {
                in_turn(failed, &mut order);
                // One that tells is in turn, and counted, as that.
                order.extend(rare.iter().filter(|hit| !hits.holds(hit.line)));
            }
            in_turn(kept, &mut order);
        }
        in_turn(refused, &mut order);
        let mut shapes: Vec<Vec<u8>> = Vec::new();
        let mut chosen: Vec<(bool, (u64, String))> = Vec::new();
        let mut repeats: Vec<(bool, (u64, String))> = Vec::new();
        let (seen, words) = found.words(source, request.kind)?;
        let mut left = budget.saturating_sub(width(&words).saturating_sub(WORDS_CHARS));
        for hit in order {
            if chosen.iter().chain(&repeats).any(|(_, (line, _))| *line == hit.line) {
                continue;
            }
            let text = window(source, hit, line_max)?;
            let shape = mask(text.as_bytes(), &mut [0; SHAPE_BYTES]).to_vec();
            let text = format!("{}: {text}", hit.line);
            if shapes.contains(&shape) {
                repeats.push((hit.is_told, (hit.line, text)));
                continue;
            }
            if chosen.len() < most && width(&text) < left && cost(&text) <= left {
                left -= cost(&text);
                chosen.push((hit.is_told, (hit.line, text)));
            }
            shapes.push(shape);
        }
        for (is_told, (line, text)) in repeats {
            if chosen.len() < most && width(&text) < left && cost(&text) <= left {
                left -= cost(&text);
                chosen.push((is_told, (line, text)));
            }
        }
        sort_by_key(&mut chosen, |&(_, (line, _))| line);
        let (beside, shown): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|(told, _)| *told);
        let word = pattern(source, hits, found.levels.is_some())?;
        let texts = |lines: Vec<(bool, (u64, String))>| lines.into_iter().map(|(_, line)| line);
        Ok(Anchors {
            lines: hits.lines + seen,
            shown: texts(shown).collect(),
            beside: texts(beside).collect(),
            words,
            word,
        })
    }
}

/// Adds lines to others, first and last in turn.
fn in_turn<'h>(kept: &'h Kept, order: &mut Vec<&'h Hit>) {
    let all: Vec<&Hit> = kept.first.iter().chain(&kept.last).collect();
    let (mut front, mut back) = (0, all.len());
    while front < back {
        order.push(all[front]);
        front += 1;
        if front < back {
            back -= 1;
            order.push(all[back]);
        }
    }
}

/// How many lines tell of a fault. What lines say of themselves by a level is a count of that; a word alone may be
/// meant or not, or be one of several lines of a failure: then the lines are counted that have such words.
fn told(source: &dyn Source, noun: &str, kept: &Kept) -> Result<Option<String>, ReadError> {
    // What others have told of already is no line more.
    if kept.first.is_empty() || kept.lines == 0 {
        return Ok(None);
    }
    if kept.first.iter().filter(|hit| hit.is_sure).count() * 2 > kept.first.len() {
        return Ok(Some(counted(kept.lines, noun)));
    }
    let lines = counted(kept.lines, "line");
    let words = words_of(source, kept)?;
    Ok(Some(format!("{lines} with words such as \"{}\"", words[0])))
}

/// The words that such lines have, in small letters: the one of most lines first.
fn words_of(source: &dyn Source, kept: &Kept) -> Result<Vec<String>, ReadError> {
    let mut words: Vec<(usize, String)> = Vec::new();
    for hit in kept.first.iter().chain(&kept.last) {
        let word = source.read_range(hit.word_start, hit.word_end)?;
        let word = String::from_utf8_lossy(&word).to_lowercase();
        let known = words.iter().position(|(_, known)| *known == word);
        let mut at = known.unwrap_or(words.len());
        if known.is_none() {
            words.push((0, word));
        }
        words[at].0 += 1;
        while at > 0 && words[at - 1].0 < words[at].0 {
            words.swap(at - 1, at);
            at -= 1;
        }
    }
    Ok(words.into_iter().map(|(_, word)| word).collect())
}

/// Words that are looked for at once.
const PATTERN_WORDS: usize = 5;

/// What finds the lines that failed, or those that warn where none did: a level as it is written, words in any case. A
/// letter is found by what stands around it, as in `E/Wifi` and `812 E Wifi`.
fn pattern(
    source: &dyn Source,
    hits: &Hits,
    is_levelled: bool,
) -> Result<Option<String>, ReadError> {
    let kept = hits.by.iter().rev().filter(|kept| !kept.first.is_empty());
    let Some(hit) = kept.clone().next().and_then(|kept| kept.first.first()) else {
        return Ok(None);
    };
    let from = hit.word_start.saturating_sub(1).max(hit.line_start);
    let text = source.read_range(from, hit.word_end + 1)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let word = source.read_range(hit.word_start, hit.word_end)?;
    let word = String::from_utf8_lossy(&word);
    match (word.len(), text.as_bytes()) {
        (1, [b' ', _, b' ']) => return Ok(Some(text)),
        (1, [_, b'/' | b' ']) => return Ok(Some(format!("^{text}"))),
        (1, _) => return Ok(None),
        _ if is_levelled => return Ok(Some(regex_lite::escape(&word))),
        _ => {}
    }
    let mut words: Vec<String> = Vec::new();
    for kept in kept.take_while(|kept| hit.severity == kept.first[0].severity || !is_mild(kept)) {
        let new = words_of(source, kept)?;
        words.extend(new.into_iter().take(PATTERN_WORDS - words.len().min(PATTERN_WORDS)));
    }
    let found = |word: &String| words.iter().any(|other| other != word && word.contains(&**other));
    let least = words.iter().filter(|word| !found(word)).map(|word| regex_lite::escape(word));
    Ok(Some(least.collect::<Vec<_>>().join("|")))
}

/// Whether such lines only warn.
fn is_mild(kept: &Kept) -> bool {
    kept.first.first().is_some_and(|hit| hit.severity == Severity::Warning)
}

/// What a title and [`Excerpt::shown`] say of lines beside the telling ones, if some are told.
fn beside_words(is_told: bool, why: usize, fitting: usize) -> String {
    let words = |lines: usize, what: &str| match lines {
        0 => String::new(),
        _ => format!("; {} {what}", counted(lines as u64, "line")),
    };
    words(why, if is_told { "beside them" } else { "that stand out" })
        + &words(fitting, "for the purpose")
}

/// Lines of the head that stay, whatever fits a purpose; of more, a quarter.
const HEAD_STAYS: usize = 3;

/// Characters set aside for numbers that get longer when lines of the head are left out.
const NUMBERS_CHARS: usize = 16;

/// What the last lines of a head take, which may go for better ones.
struct Spare {
    // Lines that stay: the first, and up to the last that tells of a fault.
    stays: usize,
    // Characters of each line of the head.
    costs: Vec<usize>,
    // Characters of those that may go, less what it takes to say what is there instead.
    room: usize,
}

fn cost(text: &str) -> usize {
    width(&defanged(text.to_owned())) + 1
}

impl Spare {
    fn of(
        source: &dyn Source,
        request: &ExcerptRequest<'_>,
        sides: &Sides,
        layout: &Layout,
        said: &str,
    ) -> Result<Spare, ReadError> {
        let costs: Vec<usize> = layout.head.iter().map(|line| cost(line)).collect();
        let mut spare = Spare { stays: costs.len(), costs, room: 0 };
        if layout.gap_lines(request.measure.lines) == 0 || layout.head.is_empty() {
            return Ok(spare);
        }
        let mut stays = layout.head.len().min(HEAD_STAYS.max(layout.head.len() / 4));
        let shown_to = sides.head[layout.head.len() - 1].end;
        if let Some(words) = words_in_any(request.settings) {
            let manner = manner(source, request, &words, sides.gap(layout, source.len()))?;
            let told = scan(source, &words.in_manner(manner), (0, shown_to), 1, CANDIDATES)?;
            let last = told.by.iter().flat_map(|kept| kept.first.iter().chain(&kept.last));
            let last = last.map(|hit| hit.line as usize).max().unwrap_or(0);
            stays = stays.max(last.min(layout.head.len()));
        }
        spare.stays = stays;
        let room = spare.costs[stays..].iter().sum::<usize>();
        spare.room = room.saturating_sub(2 * (width(said) + 1) + NUMBERS_CHARS);
        Ok(spare)
    }

    /// Takes as many lines from the head as `taken` characters and the words for them need.
    fn take(&self, layout: &mut Layout, taken: usize) {
        let all = self.costs[self.stays..].iter().sum::<usize>();
        let mut needed = all - self.room + taken;
        while needed > 0 && layout.head.len() > self.stays {
            layout.head.pop();
            needed = needed.saturating_sub(self.costs[layout.head.len()]);
        }
    }
}

/// Bytes of a text that is short.
const SHORT_BYTES: u64 = 256 << 10;

/// The lines that say why something failed, and the `places` of findings, in the room of the last lines of the head,
/// which go. Those that tell of a fault themselves are put among the anchors.
fn failing(
    source: &dyn Source,
    request: &ExcerptRequest<'_>,
    sides: &Sides,
    layout: &mut Layout,
    (anchors, found): (&mut Anchors, &Found),
    why: &mut Vec<(u64, String)>,
) -> Result<(), ReadError> {
    let spare = Spare::of(source, request, sides, layout, &beside_words(false, 100, 0))?;
    if spare.room == 0 {
        return Ok(());
    }
    let mut left = spare.room;
    let most = (request.settings.line_max_chars as usize).min(left / 2);
    let failures =
        failures::of(source, &found.hits, sides.gap(layout, source.len()), request.kind)?;
    for hit in found.places.iter().chain(failures.iter().flatten()) {
        if anchors.shown.iter().chain(&*why).any(|(line, _)| *line == hit.line) {
            continue;
        }
        let text = format!("{}: {}", hit.line, window(source, hit, most)?);
        if cost(&text) <= left {
            left -= cost(&text);
            let shown = if found.hits.counts(hit.line) { &mut anchors.shown } else { &mut *why };
            shown.push((hit.line, text));
        }
    }
    if left < spare.room {
        spare.take(layout, spare.room - left);
    }
    Ok(())
}

/// The lines between head and tail that fit the purpose, in the room of the last lines of the head, which go. No
/// line goes that tells of a fault, and none of the tail.
fn fitting(
    source: &dyn Source,
    request: &ExcerptRequest<'_>,
    sides: &Sides,
    layout: &mut Layout,
    (anchors, why): (&Anchors, &[(u64, String)]),
) -> Result<Vec<(u64, String)>, ReadError> {
    let mut chosen: Vec<(u64, String)> = Vec::new();
    let Some(purpose) = request.purpose.filter(|_| !request.is_error) else { return Ok(chosen) };
    let spare = Spare::of(source, request, sides, layout, &beside_words(false, 0, 100))?;
    let mut left = spare.room;
    if left == 0 {
        return Ok(chosen);
    }
    let most = (request.settings.line_max_chars as usize).min(left / 2);
    let gap = sides.gap(layout, source.len());
    let shown_head = layout.head.len() as u64;
    for (fit, word) in rank(source, purpose, gap)? {
        if anchors.shown.iter().chain(why).any(|(line, _)| *line == fit.number) {
            continue;
        }
        let whole = fit.end - fit.start <= most as u64;
        let hit = Hit::odd(fit.number, fit.start, if whole { fit.start } else { fit.start + word });
        let text = format!("{}: {}", fit.number, window(source, &hit, most)?);
        if cost(&text) <= left && fit.number > shown_head {
            left -= cost(&text);
            chosen.push((fit.number, text));
        }
    }
    if !chosen.is_empty() {
        spare.take(layout, spare.room - left);
    }
    Ok(chosen)
}

/// The lines in `start..end` that fit a purpose, best first, each with where in it the first word is.
fn rank(
    source: &dyn Source,
    purpose: &Purpose,
    (start, end): (u64, u64),
) -> Result<Vec<(Fit, u64)>, ReadError> {
    let mut ranking = Ranking::new(purpose);
    // What stands above a line: of less indent, or a heading.
    let mut above: Vec<(usize, u32)> = Vec::new();
    let len = source.len();
    each_line(source, KEEP, |line| {
        if !is_ranked(line.start, len) {
            return;
        }
        let text = line.prefix.strip_suffix(b"\r").unwrap_or(line.prefix);
        let own = purpose.mask(text);
        let inside = text.trim_ascii_start();
        let Some(first) = inside.first() else { return };
        let is_heading = matches!(first, b'#' | b'[')
            || [&b"diff "[..], b"@@ ", b"=== "].iter().any(|mark| inside.starts_with(mark));
        let indent = if is_heading { 0 } else { text.len() - inside.len() + 1 };
        while above.last().is_some_and(|(other, _)| *other >= indent) {
            above.pop();
        }
        let outer = above.iter().fold(0, |mask, (_, other)| mask | other);
        if above.len() < ABOVE_MOST {
            above.push((indent, own));
        }
        if start <= line.start && line.start < end {
            ranking.push(own, outer, Fit { number: line.number, start: line.start, end: line.end });
        }
    })?;
    let mut found = Vec::new();
    for fit in ranking.best() {
        let text = source.read_range(fit.start, fit.end.min(fit.start + KEEP as u64))?;
        let word = text.split_inclusive(|byte| !byte.is_ascii_alphanumeric()).try_fold(
            0_u64,
            |at, word| {
                if purpose.mask(word) > 0 { Err(at) } else { Ok(at + word.len() as u64) }
            },
        );
        found.push((fit, word.err().unwrap_or(0)));
    }
    Ok(found)
}

/// Lines that are above another, at most.
const ABOVE_MOST: usize = 32;

/// The words of interest of a content. Its own text is of no interest where it is a document or code, unless the user
/// has asked for words.
pub(super) fn words(request: &ExcerptRequest<'_>) -> Option<Words> {
    let is_output = matches!(
        request.kind,
        Kind::Text
            | Kind::Yaml
            | Kind::Sql
            | Kind::Log
            | Kind::Ndjson
            | Kind::Json
            | Kind::Csv
            | Kind::Tsv
    );
    let is_asked = is_output || request.is_error || !are_usual(request.settings);
    is_asked.then(|| words_in_any(request.settings)).flatten()
}

/// The words of interest, whatever the content is.
pub(super) fn words_in_any(settings: &TransformSettings) -> Option<Words> {
    let words = &settings.anchor_words;
    let is_some = settings.anchor_lines > 0 && !words.is_empty();
    is_some.then(|| Words::telling(words, are_usual(settings))).flatten()
}

fn are_usual(settings: &TransformSettings) -> bool {
    settings.anchor_words == TransformSettings::default().anchor_words
}

/// How the words are used in a text, from samples of it: judging each of them twice would cost too much.
fn manner(
    source: &dyn Source,
    request: &ExcerptRequest<'_>,
    words: &Words,
    (start, end): (u64, u64),
) -> Result<Manner, ReadError> {
    let is_text = matches!(request.kind, Kind::Text | Kind::Yaml | Kind::Sql);
    let are_lines = is_text || matches!(request.kind, Kind::Log | Kind::Csv | Kind::Tsv);
    if !are_lines || request.is_error || !are_usual(request.settings) {
        return Ok(Manner::Reports);
    }
    if is_text {
        let sample = source.read_range(0, CLASSIFY_BYTES as u64)?;
        let lines = sample.split(|byte| *byte == b'\n');
        let sample: Vec<&[u8]> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
        if matches!(listing::recognise(&sample), Some(Listing::Matches | Listing::Findings)) {
            return Ok(Manner::Matches);
        }
        let manner = Manner::of(&sample);
        if manner != Manner::Reports {
            return Ok(manner);
        }
    }
    // At the start, in the middle and at the end, or all of it.
    let most = CLASSIFY_BYTES as u64;
    let last = start.max(end.saturating_sub(most));
    let (mut hits, mut lines) = (0, 0);
    for from in (start..=last).step_by(((last - start) / 2).max(1) as usize) {
        let to = end.min(from + most);
        hits += scan(source, words, (from, to), 1, 0)?.lines;
        lines += count_newlines(&source.read_range(from, to)?);
    }
    Ok(if hits > lines / OFTEN { Manner::Often } else { Manner::Reports })
}

/// A line, or the part of it around the word that was found.
fn window(source: &dyn Source, hit: &Hit, max_chars: usize) -> Result<String, ReadError> {
    let before = (max_chars / 3) as u64;
    let from = hit.line_start.max(hit.word_start.saturating_sub(4 * before));
    let lead = source.read_range(from, hit.word_start)?;
    let rest = source.read_range(hit.word_start, hit.word_start + 4 * max_chars as u64)?;
    let newline = memchr::memchr(b'\n', &rest);
    let is_end = newline.is_some() || hit.word_start + rest.len() as u64 >= source.len();
    let line = &rest[..newline.unwrap_or(rest.len())];
    let line = line.strip_suffix(b"\r").unwrap_or(line);

    let (mut lead_text, lead_len) = shown_suffix(&lead, before.saturating_sub(1) as usize);
    if from > hit.line_start || lead_len < lead.len() {
        lead_text.insert(0, '…');
    }
    let room = max_chars.saturating_sub(width(&lead_text) + 1);
    let (text, shown) = shown_prefix(line, room);
    let cut = if shown < line.len() || !is_end { "…" } else { "" };
    Ok(format!("{lead_text}{text}{cut}"))
}
