//! Comparisons of two texts that are no diff by lines: beside each other, as `diff -y` writes, or word by word.

/// Lines that are looked at, and how many with a change of words make a comparison.
const LINES: usize = 400;
const CHANGES: usize = 3;

/// What the lines of a text are, if most stand twice beside each other, or some have words that were changed.
pub(crate) fn have_sides(lines: &[&[u8]]) -> bool {
    let lines = &lines[..lines.len().min(LINES)];
    let count = |is: fn(&[u8]) -> bool| lines.iter().filter(|line| is(line)).count();
    let twice = count(is_twice);
    (lines.len() >= 8 && twice * 2 > lines.len()) || count(has_changed_words) >= CHANGES
}

/// Whether a line of a comparison has a change.
pub(crate) fn is_changed(line: &[u8]) -> bool {
    let mark = |word: &[u8]| matches!(word, [b'|' | b'<' | b'>']);
    let may = memchr::memchr3(b'|', b'<', b'>', line).is_some();
    may && words(line).any(mark) && !is_twice(line) || has_changed_words(line)
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether the second half of a line is the first once more.
fn is_twice(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = words(line).collect();
    let (left, right) = words.split_at(words.len() / 2);
    !left.is_empty() && left == right
}

/// Whether words are marked as `wdiff` and `git diff --word-diff` do: `[-old-]`, `{+new+}`.
fn has_changed_words(line: &[u8]) -> bool {
    if memchr::memchr2(b'[', b'{', line).is_none() {
        return false;
    }
    let is_marked = |open: &[u8], close: &[u8]| {
        let at = memchr::memmem::find(line, open);
        at.is_some_and(|at| memchr::memmem::find(&line[at + 2..], close).is_some())
    };
    is_marked(b"[-", b"-]") || is_marked(b"{+", b"+}")
}

#[cfg(test)]
mod tests {
    use super::{have_sides, is_changed};

    #[test]
    fn comparisons_are_told_from_code() {
        let row = |n: usize| match n % 9 {
            0 => format!("let a{n} = 1;\t\t\t\t|\tlet a{n} = 2;"),
            4 => format!("\t\t\t\t\t>\tlet b{n} = 2;"),
            _ => format!("let c{n} = f(x);\t\t\t\tlet c{n} = f(x);"),
        };
        let rows: Vec<String> = (0..90).map(row).collect();
        let lines: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
        assert!(have_sides(&lines));
        assert_eq!(lines.iter().filter(|line| is_changed(line)).count(), 20);
        let source =
            [&b"int a = b | c;"[..], b"if (a < b) {", b"x[-1] = y[i-1];", b"a a"].repeat(9);
        assert!(!have_sides(&source));
        let words = [&b"the [-old-] {+new+} one"[..], b"all is well", b"and {+more+}"].repeat(9);
        assert!(have_sides(&words));
        assert_eq!(words.iter().filter(|line| is_changed(line)).count(), 18);
    }
}
