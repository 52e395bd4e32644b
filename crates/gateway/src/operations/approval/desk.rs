//! Calls that wait for a person, and what people decided for longer: small files in the state directory, for their owner
//! alone. `weir approve` reads and answers them; no gateway need be spoken to.
//!
//! ```text
//! approvals/ID.json     a call that waits    written by its gateway, removed when it waits no more
//! approvals/ID.answer   what a person says   written by the command, read by the gateway
//! approvals.json        what holds for good  replaced whole, under a lock
//! ```

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use weir_base::{private, unguessable, unix_now};
use weir_text::hidden::one_line;

/// How often it is looked whether somebody has answered.
const LOOK: Duration = Duration::from_millis(250);

/// Decisions that are kept.
const MAX_KEPT: usize = 10_000;

/// Characters of arguments that a person is shown.
const SHOWN_CHARS: usize = 1_500;

/// What a person says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// This call may be made.
    Once,
    /// And calls like it, in this session.
    Session,
    /// And calls like it, by this subject.
    Always,
    /// It may not.
    No,
}

impl Answer {
    /// As it is written in files and forms.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Once => "once",
            Answer::Session => "session",
            Answer::Always => "always",
            Answer::No => "no",
        }
    }
}

/// A call that a person is asked about, or a decision about calls like it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// By which people name it.
    pub id: String,
    /// Whose call it is: the name of a token, or a person; empty without one.
    pub subject: String,
    /// What the client calls itself.
    pub client: String,
    /// The tool as `SERVER__TOOL`.
    pub tool: String,
    /// The arguments, clipped, without signs that a terminal would act on.
    pub arguments: String,
    /// Why it is asked.
    pub why: String,
    /// What calls like it have in common.
    pub fingerprint: String,
    /// Since when, in seconds since 1970.
    pub since: u64,
    /// Until when it waits; 0 for what is kept.
    pub until: u64,
}

/// A text on one line without control signs, and not of any length.
pub fn shown(text: &str) -> String {
    let plain = one_line(text);
    let count = plain.chars().count();
    match count > SHOWN_CHARS {
        true => format!(
            "{} ({} characters more)",
            weir_base::clip(&plain, SHOWN_CHARS),
            count - SHOWN_CHARS
        ),
        false => plain,
    }
}

/// The files of one state directory.
#[derive(Debug, Clone)]
pub struct Desk {
    folder: PathBuf,
    kept: PathBuf,
}

/// A question for as long as it waits.
struct Waiting<'a>(&'a Desk, &'a str);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        for end in ["json", "answer"] {
            let _ = std::fs::remove_file(self.0.file(self.1, end));
        }
    }
}

impl Desk {
    /// The desk of a state directory.
    pub fn new(state_dir: &Path) -> Desk {
        Desk { folder: state_dir.join("approvals"), kept: state_dir.join("approvals.json") }
    }

    /// A name that no other question has.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn id() -> Result<String, String> {
        unguessable().map(|digits| digits[..8].to_owned()).map_err(|error| error.to_string())
    }

    fn file(&self, id: &str, end: &str) -> PathBuf {
        self.folder.join(format!("{id}.{end}"))
    }

    /// Waits until somebody answers, or it is too late: then the answer is none.
    ///
    /// # Errors
    /// When the question cannot be written.
    pub async fn wait(&self, question: &Question) -> Result<Option<Answer>, String> {
        let file = self.file(&question.id, "json");
        let _waiting = Waiting(self, &question.id);
        private::write_json(&file, question)
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        while unix_now() < question.until {
            let answer = self.file(&question.id, "answer");
            let read = tokio::task::spawn_blocking(move || private::read(&answer)).await;
            if let Ok(Ok(Some(text))) = read {
                // What is no answer is a no.
                return Ok(Some(serde_json::from_str(&text).unwrap_or(Answer::No)));
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(None)
    }

    /// What waits, the oldest first. What a gateway that is gone left is removed.
    pub fn waiting(&self) -> Vec<Question> {
        let mut found: Vec<Question> = Vec::new();
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let end = path.extension().and_then(|end| end.to_str());
            // What another is writing has a name of its own until it is there.
            if !matches!(end, Some("json" | "answer")) {
                continue;
            }
            let read = private::read(&path.with_extension("json")).ok().flatten();
            let question = read.and_then(|text| serde_json::from_str::<Question>(&text).ok());
            match question.filter(|question| question.until > unix_now()) {
                None => drop(std::fs::remove_file(path)),
                Some(question) if path.extension().is_some_and(|end| end == "json") => {
                    found.push(question)
                }
                Some(_) => {}
            }
        }
        found.sort_by(|a, b| (a.since, &a.id).cmp(&(b.since, &b.id)));
        found
    }

    /// Answers a question. Gives whether it waited.
    ///
    /// # Errors
    /// When the answer cannot be written.
    pub fn answer(&self, id: &str, answer: Answer) -> Result<bool, String> {
        let waits = self.waiting().iter().any(|question| question.id == id);
        if waits {
            private::write(&self.file(id, "answer"), &format!("\"{}\"", answer.word()))?;
        }
        Ok(waits)
    }

    /// What holds for good.
    ///
    /// # Errors
    /// When the file cannot be read: as a sentence.
    pub fn kept(&self) -> Result<Vec<Question>, String> {
        let Some(text) = private::read(&self.kept)? else { return Ok(Vec::new()) };
        serde_json::from_str(&text).map_err(|error| {
            let file = self.kept.display();
            format!("{file} cannot be read: {error}; remove it to be asked about everything again")
        })
    }

    /// Whether a subject's calls like this one may be made for good.
    ///
    /// # Errors
    /// As [`Desk::kept`].
    pub fn is_kept(&self, subject: &str, fingerprint: &str) -> Result<bool, String> {
        let is = |kept: &Question| kept.subject == subject && kept.fingerprint == fingerprint;
        Ok(self.kept()?.iter().any(is))
    }

    /// Keeps a decision for good.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, question: &Question) -> Result<(), String> {
        self.change(|all| {
            all.retain(|kept| {
                (&kept.subject, &kept.fingerprint) != (&question.subject, &question.fingerprint)
            });
            if all.len() >= MAX_KEPT {
                return Err(format!(
                    "{MAX_KEPT} decisions are kept: take some back with `weir approve --revoke ID`"
                ));
            }
            all.push(Question { since: unix_now(), until: 0, ..question.clone() });
            Ok(true)
        })
        .map(drop)
    }

    /// Takes a decision back: the one of that name, where there was one.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn revoke(&self, id: &str) -> Result<Option<Question>, String> {
        let mut revoked = None;
        self.change(|all| {
            let at = all.iter().position(|kept| kept.id == id);
            revoked = at.map(|at| all.remove(at));
            Ok(revoked.is_some())
        })?;
        Ok(revoked)
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Vec<Question>) -> Result<bool, String>,
    ) -> Result<bool, String> {
        let _lock = private::lock(&self.kept.with_extension("lock"))?;
        let mut all = self.kept()?;
        let changed = change(&mut all)?;
        if changed {
            let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
            private::write(&self.kept, &(text + "\n"))?;
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(id: &str, seconds: u64) -> Question {
        Question {
            id: id.into(),
            subject: "anna".into(),
            client: "c".into(),
            tool: "s__t".into(),
            arguments: "{}".into(),
            why: "w".into(),
            fingerprint: format!("f{id}"),
            since: unix_now(),
            until: unix_now() + seconds,
        }
    }

    #[test]
    fn a_look_at_what_waits_leaves_alone_what_is_being_written() {
        let dir = tempfile::tempdir().unwrap();
        let desk = Desk::new(dir.path());
        weir_base::create_private_dir(&desk.folder).unwrap();
        for name in [".tmpAb12", "gone.json", "gone.answer"] {
            std::fs::write(desk.folder.join(name), "{").unwrap();
        }
        assert!(desk.waiting().is_empty());
        let left: Vec<_> = std::fs::read_dir(&desk.folder).unwrap().flatten().collect();
        assert_eq!(left.iter().map(|file| file.file_name()).collect::<Vec<_>>(), [".tmpAb12"]);
    }

    #[tokio::test]
    async fn a_question_waits_for_its_answer_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let desk = Desk::new(dir.path());
        let there = desk.clone();
        let asked = tokio::spawn(async move { there.wait(&question("a", 60)).await });
        while desk.waiting().is_empty() {
            tokio::time::sleep(LOOK).await;
        }
        assert_eq!(desk.answer("b", Answer::Once), Ok(false));
        assert_eq!(desk.answer("../a", Answer::Once), Ok(false));
        assert_eq!(desk.answer("a", Answer::Session), Ok(true));
        assert_eq!(asked.await.unwrap(), Ok(Some(Answer::Session)));
        assert_eq!(desk.wait(&question("late", 0)).await, Ok(None));
        // Given up, as when its client is gone; and what a killed gateway left.
        let there = desk.clone();
        let asked = tokio::spawn(async move { there.wait(&question("c", 60)).await });
        while desk.waiting().is_empty() {
            tokio::time::sleep(LOOK).await;
        }
        asked.abort();
        let _ = asked.await;
        private::write_json(&desk.file("d", "json"), &question("d", 0)).unwrap();
        private::write(&desk.file("d", "answer"), "x").unwrap();
        assert!(desk.waiting().is_empty());
        assert_eq!(std::fs::read_dir(&desk.folder).unwrap().count(), 0);
    }

    #[test]
    fn a_decision_is_kept_by_subject_and_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let desk = Desk::new(dir.path());
        assert_eq!(desk.is_kept("anna", "fa"), Ok(false));
        desk.keep(&question("a", 9)).unwrap();
        desk.keep(&Question { id: "b".into(), ..question("a", 9) }).unwrap();
        assert_eq!(desk.kept().unwrap().len(), 1, "the same decision once");
        assert_eq!(Desk::new(dir.path()).is_kept("anna", "fa"), Ok(true));
        assert_eq!(desk.is_kept("bert", "fa"), Ok(false));
        let revoked = |id| desk.revoke(id).unwrap().map(|decision| decision.id);
        assert_eq!((revoked("x"), revoked("b").as_deref()), (None, Some("b")));
        assert_eq!(desk.is_kept("anna", "fa"), Ok(false));
        private::write(&desk.kept, "[{").unwrap();
        assert!(desk.is_kept("anna", "fa").is_err() && desk.keep(&question("a", 9)).is_err());
    }

    #[test]
    fn what_a_person_is_shown_is_one_line_that_no_terminal_acts_on() {
        assert_eq!(shown("a\u{1b}[2Jb\nc\u{202e}d"), "a [2Jb c d");
        assert!(shown(&"x".repeat(9_000)).ends_with("(7500 characters more)"));
    }
}
