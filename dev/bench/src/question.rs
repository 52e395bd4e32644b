//! Eight exact questions about any text, found in the text itself.
//!
//! A *key* is what the question names, an *answer* a word that stands nowhere else in the text. Whoever has
//! seen the answer can give it; nobody can guess it. So a reader needs no parser for what a strategy
//! shows, and the same rule holds for all of them.

use std::collections::HashMap;

use crate::dice::Dice;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub(crate) enum Ask {
    /// What stands beside this key?
    Beside { key: String, answer: String },
    /// What stands beside each of two keys that lie far apart?
    Both { keys: [String; 2], answers: [String; 2] },
    /// How often does this word occur?
    Count { word: String, count: usize },
    /// What stands beside a key that the text does not have?
    Absent { key: String },
    /// Quote the whole (a bias control: cutting must lose). The samples lie all over the text.
    Quote { samples: Vec<String> },
}

/// A question, and where its answer lies.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The name in the tables.
    pub(crate) name: &'static str,
    /// What is asked.
    pub(crate) ask: Ask,
    /// The line of the (first) answer, from 1.
    pub(crate) line: usize,
    /// Lines around a match that hold its record.
    pub(crate) context: usize,
}

impl Question {
    /// The question in words, for a model and for the meter.
    #[must_use]
    pub(crate) fn words(&self) -> String {
        match &self.ask {
            Ask::Beside { key, answer } => format!(
                "In the record that names `{key}` there is one word of {} characters beginning with `{}`. Which is it? Answer with the word alone, or `absent`.",
                answer.chars().count(),
                &answer[..1]
            ),
            Ask::Both { keys, answers } => format!(
                "In the records that name `{}` and `{}` there is one word each of {} and {} characters, beginning with `{}` and `{}`. Which are they? Answer with both, parted by a blank, or `absent`.",
                keys[0],
                keys[1],
                answers[0].chars().count(),
                answers[1].chars().count(),
                &answers[0][..1],
                &answers[1][..1]
            ),
            Ask::Count { word, .. } => format!(
                "How often does `{word}` occur in the result? Answer with the number alone."
            ),
            Ask::Absent { key } => format!(
                "What stands beside `{key}`? Answer with the word alone, or `absent` if the result does not name it."
            ),
            Ask::Quote { .. } => "Repeat the whole result, unchanged.".to_owned(),
        }
    }
}

impl Question {
    /// The words of the right answer; none where it is the whole text.
    #[must_use]
    pub(crate) fn answer(&self) -> Option<Vec<String>> {
        Some(match &self.ask {
            Ask::Beside { answer, .. } => vec![answer.clone()],
            Ask::Both { answers, .. } => answers.to_vec(),
            Ask::Count { count, .. } => vec![count.to_string()],
            Ask::Absent { .. } => vec!["absent".to_owned()],
            Ask::Quote { .. } => return None,
        })
    }
}

struct Word {
    at: usize,
    end: usize,
}

/// Words of letters, digits and `_`, five bytes or longer, ASCII alone.
fn words(text: &str) -> Vec<Word> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        if !word(bytes[at]) {
            at += 1;
            continue;
        }
        let end = bytes[at..].iter().position(|&b| !word(b)).map_or(bytes.len(), |n| at + n);
        if (5..=40).contains(&(end - at)) && text.as_bytes()[at..end].is_ascii() {
            found.push(Word { at, end });
        }
        at = end;
    }
    found
}

/// The questions of one text, always in the same order; fewer where a text is too small or too plain.
#[must_use]
pub(crate) fn about(text: &str, record: usize, dice: &mut Dice) -> Vec<Question> {
    let words = words(text);
    let mut often: HashMap<&str, usize> = HashMap::new();
    for word in &words {
        *often.entry(&text[word.at..word.end]).or_default() += 1;
    }
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |at: usize| starts.partition_point(|&start| start <= at);
    let lonely = |word: &Word| {
        let it = &text[word.at..word.end];
        often[it] == 1 && text.match_indices(it).nth(1).is_none()
    };
    // A key and an answer between two shares of the text: in one record, and within 300 bytes.
    let mut pair = |from: usize, to: usize| -> Option<(String, String, usize)> {
        let inside: Vec<usize> = (0..words.len())
            .filter(|&n| (text.len() * from / 100..=text.len() * to / 100).contains(&words[n].at))
            .collect();
        for _ in 0..300 {
            let n = *inside.get(dice.below(inside.len()))?;
            let key = &words[n];
            if !lonely(key) {
                continue;
            }
            let answer = words[n + 1..].iter().take(24).find(|word| {
                word.at - key.end < 300
                    // Inside of a string, this ends a line.
                    && !text[key.end..word.at].contains("\\n") && line(word.at) - line(key.at) <= record && lonely(word)
            });
            if let Some(answer) = answer {
                let of = |w: &Word| text[w.at..w.end].to_owned();
                return Some((of(key), of(answer), line(answer.at)));
            }
        }
        None
    };
    let mut questions = Vec::new();
    let mut add = |name, ask, line| questions.push(Question { name, ask, line, context: record });
    for (name, from, to) in
        [("first", 0, 4), ("middle", 45, 55), ("deep", 60, 92), ("last", 96, 100)]
    {
        // In a small text a share of it holds no whole record.
        let found = pair(from, to).or_else(|| pair(from.saturating_sub(25), (to + 25).min(100)));
        if let Some((key, answer, line)) = found {
            add(name, Ask::Beside { key, answer }, line);
        }
    }
    if let (Some(one), Some(two)) = (pair(15, 42), pair(58, 90)) {
        add("two places", Ask::Both { keys: [one.0, two.0], answers: [one.1, two.1] }, one.2);
    }
    let lower = text.to_ascii_lowercase();
    let most = often.values().copied().max().unwrap_or(0);
    let mut counted: Vec<(&str, usize)> = often
        .iter()
        .filter(|(word, n)| {
            **n >= 3
                && **n <= 5000
                && **n >= most.min(12)
                && word.bytes().all(|b| b.is_ascii_alphabetic())
        })
        .map(|(word, n)| (*word, *n))
        .collect();
    counted.sort_unstable();
    dice.shuffle(&mut counted);
    let whole = |word: &str, n: usize| lower.matches(&word.to_ascii_lowercase()).count() == n;
    // Lines that match and matches are the same number, unless the text is one line.
    let once_a_line = |word: &str| {
        starts.len() < 4 || text.lines().all(|line| line.matches(word).nth(1).is_none())
    };
    if let Some((word, count)) =
        counted.iter().take(60).find(|(word, n)| whole(word, *n) && once_a_line(word))
    {
        add("count", Ask::Count { word: (*word).to_owned(), count: *count }, 1);
    }
    add("not there", Ask::Absent { key: format!("k{}q", dice.hex(9)) }, 1);
    let samples = (0..40)
        .filter_map(|n| words.get((words.len().saturating_sub(1)) * n / 39))
        .map(|word| text[word.at..word.end].to_owned())
        .chain(words.last().map(|word| text[word.at..word.end].to_owned()))
        .collect();
    add("quote all", Ask::Quote { samples }, 1);
    questions
}
