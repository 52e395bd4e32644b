//! JSON as the text that its strings stand for.

use std::borrow::Cow;

/// `json` with each escape replaced by its character.
pub(super) fn unescaped(json: &str) -> Cow<'_, str> {
    if !json.contains('\\') {
        return Cow::Borrowed(json);
    }
    let (mut text, mut rest) = (String::with_capacity(json.len()), json);
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let mut escaped = rest[at + 1..].chars();
        let c = escaped.next().unwrap_or('n');
        rest = escaped.as_str();
        text.push(match c {
            'n' | 'r' | 't' => '\n',
            'u' => unicode(&mut rest),
            other => other,
        });
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character of an escape, of which `rest` is what follows `\u`.
fn unicode(rest: &mut &str) -> char {
    let mut code = 0;
    for start in ["", "\\u"] {
        let Some(digits) = rest.strip_prefix(start).and_then(|after| after.get(..4)) else { break };
        let Ok(unit) = u32::from_str_radix(digits, 16) else { break };
        *rest = &rest[start.len() + 4..];
        code = match code {
            0 => unit,
            high => 0x1_0000 + ((high & 0x3ff) << 10 | unit & 0x3ff),
        };
        // The first of a pair; the second follows.
        if !(0xd800..0xdc00).contains(&code) {
            break;
        }
    }
    char::from_u32(code).filter(|c| *c > '\0').unwrap_or('?')
}
