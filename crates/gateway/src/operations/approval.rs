//! Whether a call may be made: by the rules of the file of servers and the list of dangerous kinds.
//!
//! A pure function of rules, tool and arguments. The first rule that fits decides. What `dangerous` says holds beside it, and
//! the stricter of the two counts: only a rule that names the kinds itself lets a dangerous call pass.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::search::glob::{glob_matches, is_among};
use crate::search::toolsets::Toolsets;
use crate::servers::hints::Hints;

mod arguments;
mod code;
mod command;
mod danger;
pub mod desk;
mod kind;
mod place;
mod shell;
mod table;

use arguments::Text;
use command::{Command, UNKNOWN, UNSEEN};
use danger::Found;
pub use kind::Kind;

/// What is done with a call, from the least strict on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Do {
    /// It is made.
    #[default]
    Allow,
    /// A person is asked first.
    Ask,
    /// It is not made.
    Deny,
}

/// What a tool says of itself, as far as its server is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Annotation {
    ReadOnly,
    Destructive,
    OpenWorld,
}

/// A rule. It fits a call that has all that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    toolset: Option<String>,
    tool: Option<String>,
    annotation: Option<Annotation>,
    args: Option<BTreeMap<String, String>>,
    dangerous: Option<Vec<Kind>>,
    #[serde(rename = "do")]
    does: Do,
    /// The tools of the set that it names.
    #[serde(skip)]
    of_set: Vec<String>,
}

/// All rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// What is done with a dangerous call.
    pub dangerous: Do,
}

/// A call that is judged.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The server's name.
    pub server: &'a str,
    /// Its own name of the tool.
    pub tool: &'a str,
    /// What the tool says of itself.
    pub hints: Hints,
    /// The arguments, as JSON.
    pub arguments: &'a str,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is made.
    Allow,
    /// A person is asked.
    Ask(Reason),
    /// It is not made.
    Deny(Reason),
}

/// Why a call is not simply made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// In words, as what follows "because".
    pub text: String,
    /// The kinds of danger in it.
    pub kinds: Vec<Kind>,
    /// What a person approves who approves it for longer: the tool, why it was asked for, the names of its arguments, and
    /// letter for letter the arguments that were the reason.
    pub fingerprint: String,
}

impl Rules {
    /// The same with what `approvals` says.
    ///
    /// # Errors
    /// As a sentence, where a rule cannot be read or names a set of tools that is not there.
    pub fn read(&self, rules: &serde_json::Value, toolsets: &Toolsets) -> Result<Rules, String> {
        let list = rules.as_array().ok_or("it is not a list of rules")?;
        let read = |(at, rule): (usize, &serde_json::Value)| {
            let number = at + 1;
            let mut rule =
                Rule::deserialize(rule).map_err(|error| format!("rule {number}: {error}"))?;
            if let Some(name) = &rule.toolset {
                rule.of_set =
                    toolsets.tools(name).map_err(|why| format!("rule {number}: {why}"))?;
            }
            Ok::<_, String>(rule)
        };
        let rules = list.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Rules { rules, dangerous: self.dangerous })
    }

    /// Whether any call could be kept from being made.
    pub fn are_none(&self) -> bool {
        self.dangerous == Do::Allow && self.rules.iter().all(|rule| rule.does == Do::Allow)
    }

    /// What becomes of a call.
    pub fn judge(&self, call: Call<'_>) -> Verdict {
        if self.are_none() {
            return Verdict::Allow;
        }
        let (texts, unread) = match arguments::texts(call.arguments) {
            Ok(texts) => (texts, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let looks =
            self.dangerous > Do::Allow || self.rules.iter().any(|rule| rule.dangerous.is_some());
        let name = format!("{}__{}", call.server, call.tool);
        let found = match looks {
            true => danger::of_call(call.server, call.tool, call.hints.read_only, &texts),
            false => Vec::new(),
        };
        let commands = texts.iter().map(|_| OnceCell::new()).collect();
        let judged = Judged { name, call, texts, commands, unread, found };
        let rules = self.rules.iter().enumerate();
        let fits = |wanted| rules.clone().find(|(_, rule)| judged.fits(rule) == Some(wanted));
        let (first, may) = (fits(true), fits(false));
        let dangerous = if judged.found.is_empty() && judged.unread.is_none() {
            Do::Allow
        } else {
            self.dangerous
        };
        // A rule that denies what may be a command of its kind, which nobody can read: somebody is asked.
        let may = may.filter(|(at, _)| first.is_none_or(|(other, _)| at < &other));
        let (does, by) = match first {
            Some((at, rule)) if rule.dangerous.is_some() || rule.does >= dangerous => {
                (rule.does, Some((at, rule)))
            }
            _ => (dangerous, None),
        };
        let (does, by) = if may.is_some() && does < Do::Ask { (Do::Ask, may) } else { (does, by) };
        match does {
            Do::Allow => Verdict::Allow,
            Do::Ask => Verdict::Ask(judged.reason(by)),
            Do::Deny => Verdict::Deny(judged.reason(by)),
        }
    }
}

/// Whether a text fits one of several globs.
fn any_fits(globs: &str, text: &str) -> bool {
    globs.split('|').any(|glob| glob_matches(glob.trim(), text))
}

/// Whether a command may fit, by what of it can be read: as far as that goes, it is what a glob begins with.
fn may_fit(globs: &str, command: &Command) -> bool {
    let [_, line] = command.lines();
    let Some((read, _)) = line.split_once([UNKNOWN, UNSEEN]) else { return false };
    globs.split('|').any(|glob| {
        let starts = glob.trim().split(['*', '?']).next().unwrap_or_default();
        !starts.is_empty() && (starts.starts_with(read) || read.starts_with(starts))
            || read.is_empty()
    })
}

/// A call with what is in it.
struct Judged<'a> {
    name: String,
    call: Call<'a>,
    texts: Vec<Text>,
    /// The commands in each of them, once they are asked for.
    commands: Vec<OnceCell<Vec<Command>>>,
    /// Why the arguments could not be read.
    unread: Option<String>,
    found: Vec<Found>,
}

impl Judged<'_> {
    /// Whether a rule fits: `Some(false)` where only somebody who can read the call could say.
    fn fits(&self, rule: &Rule) -> Option<bool> {
        let Hints { read_only, destructive, closed_world, .. } = self.call.hints;
        let tool = |globs: &str| any_fits(globs, &self.name);
        let fits = (rule.toolset.is_none() || rule.of_set.iter().any(|glob| tool(glob)))
            && rule.tool.as_deref().is_none_or(tool)
            && match rule.annotation {
                None => true,
                Some(Annotation::ReadOnly) => read_only,
                Some(Annotation::Destructive) => destructive,
                Some(Annotation::OpenWorld) => !closed_world,
            }
            && match &rule.dangerous {
                None => true,
                // To let pass, it has to name all that is in the call; else one is enough.
                Some(kinds) if rule.does == Do::Allow => {
                    !self.found.is_empty()
                        && self.found.iter().all(|found| kinds.contains(&found.kind))
                }
                Some(kinds) => self.found.iter().any(|found| kinds.contains(&found.kind)),
            };
        let mut sure = true;
        for (path, globs) in rule.args.iter().flatten().filter(|_| fits) {
            let (matching, is_sure) = self.matching(path, globs, rule.does);
            sure &= is_sure;
            if matching.is_empty() {
                return None;
            }
        }
        fits.then_some(sure)
    }

    /// The commands in a text. Nobody runs what people read.
    fn commands(&self, at: usize) -> &[Command] {
        self.commands[at].get_or_init(|| match &self.texts[at] {
            text if is_among(danger::PROSE, &text.key()) => Vec::new(),
            text => shell::read(text.text.trim()),
        })
    }

    /// The arguments at a path that fit one of the globs, and whether that is sure. What cannot be read fits all that keeps a call
    /// from being made; a command that cannot be read may fit.
    fn matching(&self, path: &str, globs: &str, does: Do) -> (Vec<&Text>, bool) {
        static UNREAD: Text = Text { path: String::new(), text: String::new(), joined: false };
        if self.unread.is_some() && does > Do::Allow {
            return (vec![&UNREAD], true);
        }
        let all: Vec<usize> =
            (0..self.texts.len()).filter(|at| glob_matches(path, &self.texts[*at].path)).collect();
        let chosen = |fits: &dyn Fn(usize) -> bool| -> Vec<&Text> {
            all.iter().filter(|at| fits(**at)).map(|at| &self.texts[*at]).collect()
        };
        if does == Do::Allow {
            // All of them: of a list none may be something else.
            let allowed = chosen(&|at| self.allows(at, globs));
            return (if allowed.len() == all.len() { allowed } else { Vec::new() }, true);
        }
        let fits = chosen(&|at| {
            let lines = self.commands(at).iter().flat_map(Command::lines);
            any_fits(globs, self.texts[at].text.trim())
                || lines.into_iter().any(|line| any_fits(globs, &line))
        });
        if !fits.is_empty() {
            return (fits, true);
        }
        (
            chosen(&|at| self.commands(at).iter().any(|command| may_fit(globs, command))),
            does == Do::Ask,
        )
    }

    /// Whether a rule that allows names all of a text: the whole, each command that is not run by one that is there to run others, and
    /// what is set, read and written beside a command.
    fn allows(&self, at: usize, globs: &str) -> bool {
        let whole = self.texts[at].text.trim();
        if globs.trim() == "*" {
            return true;
        }
        let fitting: Vec<&str> =
            globs.split('|').map(str::trim).filter(|glob| glob_matches(glob, whole)).collect();
        let names = |sign: char| fitting.iter().any(|glob| glob.contains(sign));
        let own: Vec<&Command> =
            self.commands(at).iter().filter(|command| !command.within).collect();
        let is_plain = |target: &String| {
            ["/dev/null", "/dev/stdout", "/dev/stderr", "NUL"].contains(&target.as_str())
        };
        !fitting.is_empty()
            && !whole.split(['/', '\\']).any(|part| part == "..")
            && !self.commands(at).iter().any(Command::is_unreadable)
            && own.iter().all(|command| {
                (names('>') || command.targets.iter().all(is_plain))
                    && (names('<') || !command.reads)
                    && (own.len() < 2 || any_fits(globs, &command.whole()))
            })
    }

    fn reason(&self, by: Option<(usize, &Rule)>) -> Reason {
        let mut seen: Vec<(&str, &str)> = Vec::new();
        let mut kinds: Vec<Kind> = self.found.iter().map(|found| found.kind).collect();
        kinds.dedup();
        let mut rule = String::new();
        if let Some((_, of)) = by {
            rule = serde_json::to_string(of).unwrap_or_default();
            for (path, globs) in of.args.iter().flatten() {
                let texts = self.matching(path, globs, of.does).0.into_iter();
                seen.extend(texts.map(|text| (text.path.as_str(), text.text.as_str())));
            }
        }
        for found in &self.found {
            let texts = self.texts.iter().filter(|text| text.path == found.path);
            seen.extend(texts.map(|text| (text.path.as_str(), text.text.as_str())));
        }
        let is_command = |text: &&Text| {
            let key = text.key();
            ["command", "cmd", "script", "code", "sql", "argv", "args", "shell"]
                .iter()
                .any(|name| key.contains(name))
        };
        seen.extend(
            self.texts
                .iter()
                .filter(is_command)
                .map(|text| (text.path.as_str(), text.text.as_str())),
        );
        seen.sort_unstable();
        seen.dedup();
        let mut names: Vec<&str> = self.texts.iter().map(|text| text.path.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        // What cannot be taken apart is approved as it is, and as nothing else.
        let whole = self.unread.as_ref().map_or("", |_| self.call.arguments);
        let shape = serde_json::to_vec(&(&self.name, &rule, &kinds, names, seen, whole))
            .unwrap_or_default();
        let danger: Vec<String> = self
            .found
            .iter()
            .map(|found| format!("{} ({})", found.kind.words(), found.what))
            .collect();
        let text = match (by, danger.is_empty(), &self.unread) {
            (_, false, _) => format!("it {}", danger.join(", and ")),
            (_, _, Some(why)) => why.clone(),
            (Some((at, rule)), ..) if self.fits(rule) == Some(false) => {
                format!(
                    "a command in it cannot be read, and rule {} of weir.approvals may be about it",
                    at + 1
                )
            }
            (Some((at, _)), ..) => format!("rule {} of weir.approvals says so", at + 1),
            (None, ..) => String::new(),
        };
        let text = weir_base::clip(&text, 600);
        Reason { text, kinds, fingerprint: weir_base::hex(&Sha256::digest(shape)) }
    }
}
