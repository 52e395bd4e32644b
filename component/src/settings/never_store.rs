//! Rules for calls whose results are never stored: what they say, and those that are built in.
//!
//! Like the lines of a `.gitignore`: of the rules that match one path (or tool, or argument), the
//! last one counts, and `!` in front makes an exception.
//!
//! ```text
//! .env                 a path whose last part is this, in any case
//! .ssh/id_*            a path whose last two parts are these
//! **/secrets/**        a whole path
//! tool:vault_*         a tool, or `toolset/tool`
//! argument:scope=*pii* an argument of this name
//! command:pass show    a command of this program with these words in this order
//! command:env $        a command of this program with nothing but options
//! !.env.example        not this one
//! ```

/// What a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A path in the arguments.
    Path,
    /// The tool's name.
    Tool,
    /// The argument of this name.
    Argument(&'a str),
    /// A command in the arguments.
    Command,
}

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeverStore<'a> {
    /// What it looks at.
    pub subject: Subject<'a>,
    /// What it looks for: `*` is any text, `?` any character.
    pub glob: &'a str,
    /// It makes an exception.
    pub is_exception: bool,
}

impl<'a> NeverStore<'a> {
    /// Reads a rule.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &'a str) -> Result<NeverStore<'a>, &'static str> {
        let text = text.trim();
        let (is_exception, text) = match text.strip_prefix('!') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        let (subject, glob) = if let Some(glob) = text.strip_prefix("tool:") {
            (Subject::Tool, glob)
        } else if let Some(rest) = text.strip_prefix("argument:") {
            let (name, glob) = rest.split_once('=').ok_or("write argument:NAME=PATTERN")?;
            if name.trim().is_empty() {
                return Err("write argument:NAME=PATTERN");
            }
            (Subject::Argument(name.trim()), glob)
        } else if let Some(words) = text.strip_prefix("command:") {
            (Subject::Command, words)
        } else {
            (Subject::Path, text.strip_prefix("path:").unwrap_or(text))
        };
        match glob.trim() {
            "" => Err("the pattern is empty"),
            glob => Ok(NeverStore { subject, glob, is_exception }),
        }
    }
}

/// The rules that hold before those of the settings: files that are there to keep a secret, tools and commands that give one.
pub fn built_in<'a>() -> impl Iterator<Item = &'a str> {
    let lines = include_str!("never_store.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_that_is_built_in_can_be_read() {
        for rule in built_in() {
            assert!(NeverStore::parse(rule).is_ok(), "{rule}");
        }
    }

    #[test]
    fn a_rule_says_what_it_looks_at() {
        let rule = |subject, glob, is_exception| Ok(NeverStore { subject, glob, is_exception });
        assert_eq!(NeverStore::parse(" *.pem "), rule(Subject::Path, "*.pem", false));
        assert_eq!(NeverStore::parse("! path:a.pem"), rule(Subject::Path, "a.pem", true));
        assert_eq!(NeverStore::parse("tool:vault/*"), rule(Subject::Tool, "vault/*", false));
        let argument = rule(Subject::Argument("scope"), "a=b", false);
        assert_eq!(NeverStore::parse("argument:scope=a=b"), argument);
        for bad in ["", "!", "tool:", "argument:scope", "argument:=x", "argument:x="] {
            assert!(NeverStore::parse(bad).is_err(), "{bad}");
        }
    }
}
