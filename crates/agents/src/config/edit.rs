//! Changes of what a file means, made in its text.

use serde::{Deserialize, Serialize};

use super::error::EditError;
use super::format::Format;
use super::node::Node;
use super::{json, layout, toml, yaml};

/// One change. A path is the keys from the outermost object inwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A member has this value. Objects that lead to it are made; `null` in their place is replaced.
    Set {
        /// Where.
        path: Vec<String>,
        /// What.
        value: Node,
    },
    /// A member is gone.
    Remove {
        /// Which.
        path: Vec<String>,
    },
    /// An array, made when it is missing, has this item at its end.
    Append {
        /// The array.
        path: Vec<String>,
        /// The item.
        value: Node,
    },
    /// The first item of an array that is equal to this one is gone.
    RemoveItem {
        /// The array.
        path: Vec<String>,
        /// The item.
        value: Node,
    },
}

/// Changes of one file, made together or not at all.
///
/// ```
/// use weir_agents::config::{Edit, Format};
///
/// let edit = Edit::new().set(["hooks", "enabled"], true.into());
/// let text = "{\n\t// mine\n\t\"a\": 1, // one\n}\n";
/// let edited = edit.apply(Format::Json, text)?;
/// assert_eq!(edited, "{\n\t// mine\n\t\"a\": 1, // one\n\t\"hooks\": {\n\t\t\"enabled\": true,\n\t},\n}\n");
/// # Ok::<(), weir_agents::config::EditError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// In the order in which they are made.
    pub changes: Vec<Change>,
}

impl From<bool> for Node {
    fn from(value: bool) -> Node {
        Node::Bool(value)
    }
}

fn keys<const N: usize>(path: [&str; N]) -> Vec<String> {
    path.map(str::to_owned).to_vec()
}

impl Edit {
    /// No change yet.
    pub fn new() -> Edit {
        Edit::default()
    }

    /// Whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Adds [`Change::Set`].
    #[must_use]
    pub fn set<const N: usize>(mut self, path: [&str; N], value: Node) -> Edit {
        self.changes.push(Change::Set { path: keys(path), value });
        self
    }

    /// Adds the changes of another edit.
    pub fn extend(&mut self, other: Edit) {
        self.changes.extend(other.changes);
    }

    /// The text with the changes made: every byte that they do not concern is as it was, and the
    /// result, read again, means what the changes say and nothing else.
    ///
    /// # Errors
    /// When the text is not in its format, a key stands twice, or the changes do not fit it.
    pub fn apply(&self, format: Format, text: &str) -> Result<String, EditError> {
        let (_, mut plain) = layout::plain(text);
        let mut duplicates = Vec::new();
        let mut node = format.read_noting(&plain, &mut duplicates).map_err(EditError::Syntax)?;
        if let Some(key) = duplicates.pop() {
            return Err(EditError::Duplicate(key));
        }
        for change in &self.changes {
            let mut wanted = node.clone();
            if !change.apply_to(&mut wanted)? {
                continue;
            }
            plain = change.write(format, &plain, &node, &wanted)?;
            let got = format.read(&plain).map_err(|_| EditError::Form)?;
            // TOML has values before tables, whatever their order, and no table without a trace.
            let is_meant = match format {
                Format::Json => got == wanted,
                Format::Yaml => got.same(&wanted),
                Format::Toml => {
                    got.same(&wanted) || {
                        without_empty(&mut wanted, change.path());
                        got.same(&wanted)
                    }
                }
            };
            if !is_meant {
                return Err(EditError::Form);
            }
            node = got;
        }
        let edited = layout::restored(text, &plain);
        // With the mark and the ends of lines that the file has.
        match format.read(&edited) {
            Ok(got) if got.same(&node) => Ok(edited),
            _ => Err(EditError::Form),
        }
    }

    /// Makes the changes in a value.
    ///
    /// # Errors
    /// When they do not fit it.
    pub fn apply_to(&self, node: &mut Node) -> Result<(), EditError> {
        self.changes.iter().try_for_each(|change| change.apply_to(node).map(drop))
    }

    /// Whether two values mean the same, with the order of keys left out, and that of the items of arrays
    /// to which this edit adds: it puts them at the end, their place was elsewhere.
    pub(super) fn same_but_for_order(&self, mut a: Node, mut b: Node) -> bool {
        for change in &self.changes {
            if let Change::Append { path, .. } = change {
                for node in [&mut a, &mut b] {
                    if let Some(Node::List(items)) = node.at_mut(path) {
                        items.sort_by_cached_key(|item| item.to_value().to_string());
                    }
                }
            }
        }
        a.same(&b)
    }

    /// The edit that takes this one back in a file that means `now`, where it was made in one that
    /// meant `before`. What others have changed since is left alone.
    pub fn inverse(&self, before: &Node, now: &Node) -> Edit {
        let mut states = vec![before.clone()];
        for change in &self.changes {
            let mut next = states.last().cloned().unwrap_or_default();
            let _ = change.apply_to(&mut next);
            states.push(next);
        }
        let mut now = now.clone();
        let mut edit = Edit::new();
        let mut add = |now: &mut Node, change: Change| {
            if change.apply_to(now) == Ok(true) {
                edit.changes.push(change);
            }
        };
        for (change, state) in self.changes.iter().zip(&states).rev() {
            let path = change.path();
            let old = state.at(path);
            match change {
                Change::Set { value, .. } => match old {
                    Some(old) if now.at(path) == Some(value) => {
                        add(&mut now, Change::Set { path: path.to_owned(), value: old.clone() });
                    }
                    Some(_) => {}
                    None => {
                        add(&mut now, Change::Remove { path: path.to_owned() });
                        prune(state, &mut now, path, &mut add);
                    }
                },
                Change::Remove { .. } => {
                    if let Some(old) = old
                        && now.at(path).is_none()
                    {
                        add(&mut now, Change::Set { path: path.to_owned(), value: old.clone() });
                    }
                }
                Change::Append { value, .. } => {
                    let change = Change::RemoveItem { path: path.to_owned(), value: value.clone() };
                    add(&mut now, change);
                    if old.is_none_or(|old| *old == Node::Null)
                        && now.at(path).is_some_and(Node::is_empty)
                    {
                        add(&mut now, Change::Remove { path: path.to_owned() });
                        prune(state, &mut now, path, &mut add);
                    }
                }
                Change::RemoveItem { value, .. } => {
                    let had =
                        old.and_then(Node::as_list).is_some_and(|items| items.contains(value));
                    let has =
                        now.at(path).and_then(Node::as_list).unwrap_or_default().contains(value);
                    if had && !has {
                        add(
                            &mut now,
                            Change::Append { path: path.to_owned(), value: value.clone() },
                        );
                    }
                }
            }
        }
        in_their_order(&mut edit.changes);
        edit
    }
}

/// What was taken out one by one comes back in the order that it had, not in the reverse one.
fn in_their_order(changes: &mut [Change]) {
    let together = |a: &Change, b: &Change| match (a, b) {
        (Change::Append { path: a, .. }, Change::Append { path: b, .. }) => a == b,
        (Change::Set { path: a, .. }, Change::Set { path: b, .. }) => {
            a.split_last().map(|(_, parent)| parent) == b.split_last().map(|(_, parent)| parent)
        }
        _ => false,
    };
    for run in changes.chunk_by_mut(together) {
        let mut paths: Vec<_> = run.iter().map(Change::path).collect();
        paths.sort_unstable();
        let twice = paths.windows(2).any(|pair| pair[0] == pair[1]);
        // Of two values of one member the last one counts.
        if !twice || matches!(run, [Change::Append { .. }, ..]) {
            run.reverse();
        }
    }
}

/// Takes out the objects that were made to lead to a path, where nobody has put anything in them.
fn prune(before: &Node, now: &mut Node, path: &[String], add: &mut impl FnMut(&mut Node, Change)) {
    for depth in (1..path.len()).rev() {
        let parent = &path[..depth];
        let was = before.at(parent);
        if was.is_some_and(|was| *was != Node::Null) || !now.at(parent).is_some_and(Node::is_empty)
        {
            return;
        }
        let path = parent.to_owned();
        match was {
            Some(was) => add(now, Change::Set { path, value: was.clone() }),
            None => add(now, Change::Remove { path }),
        }
    }
}

impl Change {
    /// What it is about.
    pub fn path(&self) -> &[String] {
        match self {
            Change::Set { path, .. }
            | Change::Remove { path }
            | Change::Append { path, .. }
            | Change::RemoveItem { path, .. } => path,
        }
    }

    /// Makes the change in a value; whether that made a difference.
    fn apply_to(&self, node: &mut Node) -> Result<bool, EditError> {
        match self {
            Change::Set { path, value } => {
                let place = made(node, path)?;
                let differs = place != value;
                *place = value.clone();
                Ok(differs)
            }
            Change::Remove { path } => {
                let Some((key, parent)) = path.split_last() else { return Ok(false) };
                let Some(Node::Map(members)) = node.at_mut(parent) else { return Ok(false) };
                let count = members.len();
                members.retain(|(name, _)| name != key);
                Ok(members.len() < count)
            }
            Change::Append { path, value } => {
                let place = made(node, path)?;
                if *place == Node::Null {
                    *place = Node::List(Vec::new());
                }
                let Node::List(items) = place else {
                    return Err(EditError::NotAList(path.join(".")));
                };
                items.push(value.clone());
                Ok(true)
            }
            Change::RemoveItem { path, value } => {
                let Some(Node::List(items)) = node.at_mut(path) else { return Ok(false) };
                let Some(nth) = items.iter().position(|item| item.same(value)) else {
                    return Ok(false);
                };
                items.remove(nth);
                Ok(true)
            }
        }
    }

    fn write(
        &self,
        format: Format,
        text: &str,
        before: &Node,
        wanted: &Node,
    ) -> Result<String, EditError> {
        let path = self.path();
        let nth = |value: &Node| {
            let items = before.at(path).and_then(Node::as_list).unwrap_or_default();
            items.iter().position(|item| item.same(value)).unwrap_or(usize::MAX)
        };
        let now = wanted.at(path).unwrap_or(&Node::Null);
        match (format, self) {
            (Format::Json, Change::Set { value, .. }) => json::set(text, path, value),
            (Format::Json, Change::Remove { .. }) => json::remove(text, path, None),
            (Format::Json, Change::Append { value, .. }) => json::append(text, path, value),
            (Format::Json, Change::RemoveItem { value, .. }) => {
                json::remove(text, path, Some(nth(value)))
            }
            (Format::Toml, Change::Set { value, .. }) => toml::set(text, path, value),
            (Format::Toml, Change::Remove { .. }) => toml::remove(text, path),
            (Format::Toml, Change::Append { value, .. }) => toml::append(text, path, value),
            (Format::Toml, Change::RemoveItem { value, .. }) => {
                toml::remove_item(text, path, nth(value))
            }
            (Format::Yaml, Change::Set { value, .. }) => yaml::set(text, path, value, wanted),
            (Format::Yaml, Change::Remove { .. }) => yaml::remove(text, path, wanted),
            (Format::Yaml, Change::Append { value, .. }) => {
                yaml::append(text, path, value, now, wanted)
            }
            (Format::Yaml, Change::RemoveItem { .. }) => yaml::remove_item(text, path, wanted),
        }
    }
}

/// Takes the objects and the array on a path out where they are empty.
fn without_empty(node: &mut Node, path: &[String]) {
    for depth in (1..=path.len()).rev() {
        let path = &path[..depth];
        if node.at(path).is_some_and(Node::is_empty) {
            let _ = Change::Remove { path: path.to_owned() }.apply_to(node);
        }
    }
}

/// The place at the end of a path, with the objects that lead to it; `null` where it is new.
fn made<'n>(node: &'n mut Node, path: &[String]) -> Result<&'n mut Node, EditError> {
    let mut place = node;
    for (depth, key) in path.iter().enumerate() {
        if *place == Node::Null {
            *place = Node::Map(Vec::new());
        }
        let Node::Map(members) = place else {
            return Err(EditError::NotAnObject(path[..depth].join(".")));
        };
        let at = match members.iter().position(|(name, _)| name == key) {
            Some(at) => at,
            None => {
                members.push((key.clone(), Node::Null));
                members.len() - 1
            }
        };
        place = &mut members[at].1;
    }
    Ok(place)
}
