//! Whether a call may be made: by the rules of the file of servers and the list of dangerous kinds.
//!
//! A pure function of rules, tool and arguments. The first rule that fits decides. What `dangerous` says holds beside it, and
//! the stricter of the two counts: only a rule that names the kinds itself lets a dangerous call pass.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::glob::glob_matches;
use crate::hints::Hints;
use crate::toolsets::Toolsets;

mod arguments;
mod code;
mod danger;
pub mod desk;
mod kind;
mod place;
mod shell;
mod sql;

use arguments::Text;
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
        let judged = Judged { name, call, texts, unread, found };
        let first = self.rules.iter().enumerate().find(|(_, rule)| judged.fits(rule));
        let dangerous = if judged.found.is_empty() && judged.unread.is_none() {
            Do::Allow
        } else {
            self.dangerous
        };
        let (does, by) = match first {
            Some((at, rule)) if rule.dangerous.is_some() || rule.does >= dangerous => {
                (rule.does, Some((at, rule)))
            }
            _ => (dangerous, None),
        };
        match does {
            Do::Allow => Verdict::Allow,
            Do::Ask => Verdict::Ask(judged.reason(by)),
            Do::Deny => Verdict::Deny(judged.reason(by)),
        }
    }
}

/// A call with what is in it.
struct Judged<'a> {
    name: String,
    call: Call<'a>,
    texts: Vec<Text>,
    /// Why the arguments could not be read.
    unread: Option<String>,
    found: Vec<Found>,
}

impl Judged<'_> {
    fn fits(&self, rule: &Rule) -> bool {
        let Hints { read_only, destructive, closed_world, .. } = self.call.hints;
        let tool = |globs: &str| globs.split('|').any(|glob| glob_matches(glob.trim(), &self.name));
        (rule.toolset.is_none() || rule.of_set.iter().any(|glob| tool(glob)))
            && rule.tool.as_deref().is_none_or(tool)
            && match rule.annotation {
                None => true,
                Some(Annotation::ReadOnly) => read_only,
                Some(Annotation::Destructive) => destructive,
                Some(Annotation::OpenWorld) => !closed_world,
            }
            && rule
                .args
                .iter()
                .flatten()
                .all(|(path, globs)| !self.matching(path, globs, rule.does).is_empty())
            && match &rule.dangerous {
                None => true,
                // To let pass, it has to name all that is in the call; else one is enough.
                Some(kinds) if rule.does == Do::Allow => {
                    !self.found.is_empty()
                        && self.found.iter().all(|found| kinds.contains(&found.kind))
                }
                Some(kinds) => self.found.iter().any(|found| kinds.contains(&found.kind)),
            }
    }

    /// The arguments at a path that fit one of the globs. What cannot be read fits all that keeps a call from being made.
    fn matching(&self, path: &str, globs: &str, does: Do) -> Vec<&Text> {
        static UNREAD: Text = Text { path: String::new(), text: String::new(), joined: false };
        if self.unread.is_some() && does > Do::Allow {
            return vec![&UNREAD];
        }
        let fits = |text: &str| globs.split('|').any(|glob| glob_matches(glob.trim(), text));
        let at_path = self.texts.iter().filter(|text| glob_matches(path, &text.path));
        let matches = |text: &&Text| {
            let whole = text.text.trim();
            let commands = shell::read(whole);
            let mut lines = commands.iter().map(|command| command.words.join(" "));
            match does {
                // A command line has to fit whole, and so has each of its commands; a path that climbs fits nothing.
                Do::Allow => {
                    fits(whole)
                        && (commands.len() < 2 || lines.all(|line| fits(&line)))
                        && !whole.split(['/', '\\']).any(|part| part == "..")
                }
                _ => fits(whole) || lines.any(|line| fits(&line)),
            }
        };
        match does {
            // All of them: of a list none may be something else.
            Do::Allow => {
                let all: Vec<&Text> = at_path.collect();
                if all.iter().all(matches) { all } else { Vec::new() }
            }
            _ => at_path.filter(matches).collect(),
        }
    }

    fn reason(&self, by: Option<(usize, &Rule)>) -> Reason {
        let mut seen: Vec<(&str, &str)> = Vec::new();
        let mut kinds: Vec<Kind> = self.found.iter().map(|found| found.kind).collect();
        kinds.dedup();
        let mut rule = String::new();
        if let Some((_, of)) = by {
            rule = serde_json::to_string(of).unwrap_or_default();
            for (path, globs) in of.args.iter().flatten() {
                let texts = self.matching(path, globs, of.does).into_iter();
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
            (Some((at, _)), ..) => format!("rule {} of weir.approvals says so", at + 1),
            (None, ..) => String::new(),
        };
        let text = weir_base::clip(&text, 600);
        Reason { text, kinds, fingerprint: weir_base::hex(&Sha256::digest(shape)) }
    }
}
