//! The hook's part of an installation: the files of a host that tell it of `weir hook`.

use std::path::{Path, PathBuf};

use weir_agents::config::{Change, Document, Edit, Format, Host, Node};
use weir_agents::hook;
use weir_agents::hook::entry::{Entry, HookLine, Merge, OwnFile};
use weir_agents::hook::plugin::needs;
use weir_agents::hook::wrap::{self, Wrap};

use super::machine::Machine;
use crate::failure::Failure;

/// The tool of the gateway by which a model reads on.
const READER: [&str; 2] = ["--reader", "weir_fetch"];

/// A file that the hook of a host needs, and how it changes.
#[derive(Debug)]
pub(super) enum Step {
    /// A file that others write too: keys are set, items are appended.
    Edit {
        /// The file.
        file: PathBuf,
        /// The change; see [`Edit`].
        edit: Edit,
    },
    /// A file of Weir's own.
    Write {
        /// The file.
        file: PathBuf,
        /// All that it holds.
        text: String,
    },
}

/// The steps for a host, and files of Weir's own that stay as somebody has changed them. A step for
/// something that is there already is left out. `wraps`: also the hook before calls of the shell, where there
/// is one. `gateway`: the model has the gateway's tool to read on with; else it has a command.
pub(super) fn steps(
    host: &Host,
    machine: &Machine,
    wraps: bool,
    gateway: bool,
) -> Result<(Vec<Step>, Vec<PathBuf>), Failure> {
    // What wraps goes on doing so: a second installation takes nothing away.
    let asked = wraps;
    let wraps = wraps || plugin_wraps(host, machine) || hook_wraps(host, machine);
    let (mut steps, mut kept) = (Vec::new(), Vec::new());
    let Some(Entry { files, mut merge }) = wanted(host, machine, wraps, gateway) else {
        return Ok((steps, kept));
    };
    for OwnFile { path, text } in files {
        let file = machine.directories.below_home(path);
        let document = Document::read(&file)?;
        let now = document.text.as_deref();
        // Options given to this run come before what somebody has written.
        let asked = asked || !machine.forwarded_to_hook.is_empty();
        if now == Some(&text) {
            continue;
        }
        if !asked && now.is_some_and(|now| is_changed(host, &file, now, machine)) {
            kept.push(file);
        } else {
            steps.push(Step::Write { file, text });
        }
    }
    let options = hook::Host::parse(host.name)
        .map(|known| options_in_place(known, machine))
        .unwrap_or_default();
    if let (Some(before), Some(merge)) =
        (wraps.then(|| wrapping(host, machine, &options)).flatten(), &mut merge)
    {
        // The same file: one edit, one record.
        debug_assert_eq!(before.file, merge.file);
        merge.append.extend(before.append);
    }
    if let Some(merge) = merge {
        let file = machine.directories.below_home(merge.file);
        let document = Document::read(&file)?;
        let node = document.node()?;
        let edit = edit(&merge, &node);
        if !edit.is_empty() {
            steps.push(Step::Edit { file, edit });
        }
    }
    Ok((steps, kept))
}

/// Whether somebody has changed a file of Weir's own since it was written, and what it runs is there.
fn is_changed(host: &Host, file: &Path, now: &str, machine: &Machine) -> bool {
    let Some(record) = machine.records.get(host.name, file) else { return false };
    record.after != now
        && words_in(now).is_none_or(|words| words.first().is_none_or(|program| is_there(program)))
}

/// Whether a hook before calls of the shell is among those that a host's file has.
fn hook_wraps(host: &Host, machine: &Machine) -> bool {
    let Some(merge) = wrapping(host, machine, &[]) else { return false };
    let node = node_of(merge.file, machine).unwrap_or_default();
    merge.append.iter().any(|(keys, _)| node.at(keys).and_then(our_line).is_some())
}

/// What a file below the home means, where it can be read.
fn node_of(file: &str, machine: &Machine) -> Option<Node> {
    Document::read(&machine.directories.below_home(file)).ok()?.node().ok()
}

/// The text of a file of Weir's own, where it is there.
fn text_of(file: &OwnFile, machine: &Machine) -> Option<String> {
    Document::read(&machine.directories.below_home(file.path)).ok()?.text
}

/// The words by which a host runs our hook now: those of a file of Weir's own, or of a line in a file of others.
fn in_place(known: hook::Host, machine: &Machine) -> Option<Vec<String>> {
    let command = [machine.program.clone(), "hook".into(), known.name().into()];
    let Entry { files, merge } = needs(known, &command, &[], "")?;
    let of_merge = |merge: Merge| {
        let node = node_of(merge.file, machine)?;
        let mut places = merge.append.iter().filter_map(|(keys, _)| node.at(keys));
        let line = places.find_map(our_line).or_else(|| our_line(&node));
        line.map(|(_, line)| line.words)
    };
    let of_file = |file: &OwnFile| words_in(&text_of(file, machine)?);
    files.iter().find_map(of_file).or_else(|| of_merge(merge?))
}

/// Options, `--config` say, with which the hook of a host runs now: a second installation keeps them unless
/// it is given others.
fn options_in_place(known: hook::Host, machine: &Machine) -> Vec<String> {
    if !machine.forwarded_to_hook.is_empty() {
        return machine.forwarded_to_hook.clone();
    }
    let mut words = in_place(known, machine).unwrap_or_default().into_iter();
    // The program, `hook` and the host come first.
    let _ = words.by_ref().find(|word| hook::Host::parse(word).is_some());
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--reader" => drop(words.next()),
            "--wrap" => {}
            _ => options.push(word),
        }
    }
    options
}

/// What a constant of a plugin is set to.
fn constant<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let line = line.strip_prefix("const ").unwrap_or(line);
        let value = line.strip_prefix(name)?.strip_prefix(" = ")?;
        Some(value.split("  #").next().unwrap_or(value).trim_end_matches(';'))
    })
}

/// The words by which a file of Weir's own runs the hook: what a plugin says, or a line.
fn words_in(text: &str) -> Option<Vec<String>> {
    let Some(program) = constant(text, "WEIR") else {
        return Some(our_line(&Format::Json.read(text).ok()?)?.1.words);
    };
    let mut words = vec![serde_json::from_str(program).ok()?];
    words.extend(serde_json::from_str::<Vec<String>>(constant(text, "ARGUMENTS")?).ok()?);
    Some(words)
}

/// Whether the plugin that a host has runs commands through `weir run`.
fn plugin_wraps(host: &Host, machine: &Machine) -> bool {
    let files = wanted(host, machine, false, false).map(|entry| entry.files).unwrap_or_default();
    files.iter().any(|file| text_of(file, machine).is_some_and(|text| text.contains(r#""--wrap""#)))
}

/// The entry before calls of a host's shell.
fn wrapping(host: &Host, machine: &Machine, options: &[String]) -> Option<Merge> {
    let known = hook::Host::parse(host.name)?;
    let mut command = vec![machine.program.clone()];
    command.extend(wrap_arguments(known, options));
    wrap::entry(known, &command)
}

/// The arguments with which this program answers before a call of a host's shell.
fn wrap_arguments(host: hook::Host, options: &[String]) -> Vec<String> {
    let mut arguments = vec!["hook".to_owned(), host.name().to_owned(), "--wrap".to_owned()];
    arguments.extend(options.iter().cloned());
    arguments
}

/// Whether it helps to run a host's commands through `weir run`, and why.
pub(super) fn wrap_of(host: &Host) -> Wrap {
    match hook::Host::parse(host.name) {
        Some(known) => wrap::wrap(known),
        None => Wrap::No("no hook of it is known"),
    }
}

/// Whether there is a hook for a host that an installation can put in.
pub(crate) fn is_known(host: &Host) -> bool {
    hook::Host::parse(host.name)
        .is_some_and(|host| needs(host, &[String::new()], &[], "").is_some())
}

/// What a person must know of a host with the hook: what to do so that it runs, and what it does not get.
pub(super) fn notes(host: &Host, gateway: bool) -> impl Iterator<Item = &'static str> {
    let trust = "Codex runs the hook once you have trusted it: type /hooks in a session";
    let failed = match host.name {
        "claude-code" => Some(
            "its hook does not get MCP calls that fail: of a long error the model sees about 10,000 characters; \
             behind the gateway (--mode passthrough) it gets an excerpt",
        ),
        "codex" => Some(
            "its hook does not get MCP calls that fail: of a long error the model sees about 12,000 characters; \
             behind the gateway it gets an excerpt",
        ),
        "hermes" if gateway => Some(
            "Hermes 0.19 calls MCP tools by the Python package `mcp` 1.x: with 2.x each call fails, the gateway's too, and \
             excerpts name `weir fetch`",
        ),
        _ => None,
    };
    let failed = failed.filter(|_| !gateway || host.name == "hermes");
    (host.name == "codex").then_some(trust).into_iter().chain(failed)
}

/// The programs that the plugins of a host run, with the files that name them.
pub(super) fn programs_of_plugins(host: &Host, machine: &Machine) -> Vec<(PathBuf, String)> {
    let files = wanted(host, machine, false, false).map(|entry| entry.files).unwrap_or_default();
    let program = |file: &OwnFile| {
        let program = serde_json::from_str(constant(&text_of(file, machine)?, "WEIR")?).ok()?;
        Some((machine.directories.below_home(file.path), program))
    };
    files.iter().filter_map(program).collect()
}

/// What a host with a hook needs to have.
fn wanted(host: &Host, machine: &Machine, wraps: bool, gateway: bool) -> Option<Entry> {
    let known = hook::Host::parse(host.name)?;
    let mut command = vec![machine.program.clone(), "hook".into(), known.name().into()];
    if gateway && known.lists_tools() {
        command.extend(READER.map(str::to_owned));
    }
    let options = options_in_place(known, machine);
    command.extend(options.iter().cloned());
    let home = machine.directories.below_home("").to_string_lossy().into_owned();
    let home = home.trim_end_matches(['/', '\\']);
    let wrap = match wraps && wrap::is_known(known) {
        true => wrap_arguments(known, &options),
        false => Vec::new(),
    };
    needs(known, &command, &wrap, home)
}

fn edit(merge: &Merge, node: &Node) -> Edit {
    let mut edit = Edit::new();
    let path = |path: &[&str]| path.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    for (keys, value) in &merge.set {
        if node.at(keys).is_none_or(|there| *there == Node::Null) {
            edit.changes.push(Change::Set { path: path(keys), value: value.clone().into() });
        }
    }
    let if_there = merge
        .append_if_there
        .iter()
        .filter(|(keys, _)| node.at(keys).is_some_and(|there| there.as_list().is_some()));
    for (keys, value) in merge.append.iter().chain(if_there) {
        let items = node.at(keys).and_then(Node::as_list).unwrap_or_default();
        let value = Node::from(value.clone());
        append(items, value, path(keys), &mut edit);
    }
    edit
}

/// Adds an item to a list, unless it is there; one of ours that no longer works is corrected.
fn append(items: &[Node], value: Node, path: Vec<String>, edit: &mut Edit) {
    let Some((text, line)) = our_line(&value) else {
        if !items.contains(&value) {
            edit.changes.push(Change::Append { path, value });
        }
        return;
    };
    let mut is_there = false;
    for item in items {
        let Some((_, found)) = our_line(item) else { continue };
        is_there = true;
        if !works(&found, &line) {
            let mut corrected = item.clone();
            replace(&mut corrected, text);
            edit.changes.push(Change::RemoveItem { path: path.clone(), value: item.clone() });
            edit.changes.push(Change::Append { path: path.clone(), value: corrected });
        }
    }
    if !is_there {
        edit.changes.push(Change::Append { path, value });
    }
}

/// The lines of ours below a node, as they are written and as they are read.
pub(super) fn our_lines(node: &Node) -> Vec<(&str, HookLine)> {
    match node {
        Node::Text(text) => {
            HookLine::read(text).map(|line| (text.as_str(), line)).into_iter().collect()
        }
        Node::List(items) => items.iter().flat_map(our_lines).collect(),
        Node::Map(members) => members.iter().flat_map(|(_, node)| our_lines(node)).collect(),
        _ => Vec::new(),
    }
}

/// What takes our hook out of a node, however it stands there now: hooks of others in the same group stay.
pub(super) fn taken_out(node: &Node) -> Edit {
    fn find(node: &Node, path: &[String], edit: &mut Edit) {
        for (key, member) in node.as_map().unwrap_or_default() {
            let path = [path, std::slice::from_ref(key)].concat();
            for item in member.as_list().unwrap_or_default() {
                if our_line(item).is_some() {
                    let value = item.clone();
                    edit.changes.push(Change::RemoveItem { path: path.clone(), value });
                    let others =
                        others(item).map(|value| Change::Append { path: path.clone(), value });
                    edit.changes.extend(others);
                }
            }
            find(member, &path, edit);
        }
    }
    let mut edit = Edit::new();
    find(node, &[], &mut edit);
    edit
}

/// A group of hooks without ours, where there are others in it.
fn others(group: &Node) -> Option<Node> {
    let mut group = group.clone();
    let Node::Map(members) = &mut group else { return None };
    let mut is_left = false;
    for (_, member) in members {
        if let Node::List(items) = member {
            items.retain(|item| our_line(item).is_none());
            is_left |= !items.is_empty();
        }
    }
    is_left.then_some(group)
}

/// The file of others' hooks, below the home, that a host may have ours in.
pub(super) fn shared_file(host: &Host, machine: &Machine) -> Option<PathBuf> {
    Some(machine.directories.below_home(wanted(host, machine, false, false)?.merge?.file))
}

/// Whether our hook or plugin names the gateway's tool, where a host has it.
pub(super) fn reader_in(host: &Host, machine: &Machine) -> Option<bool> {
    let words = in_place(hook::Host::parse(host.name)?, machine)?;
    Some(words.iter().any(|word| word == READER[0]))
}

fn our_line(node: &Node) -> Option<(&str, HookLine)> {
    our_lines(node).into_iter().next()
}

fn replace(node: &mut Node, line: &str) {
    match node {
        Node::Text(text) if HookLine::read(text).is_some() => *text = line.to_owned(),
        Node::List(items) => items.iter_mut().for_each(|item| replace(item, line)),
        Node::Map(members) => members.iter_mut().for_each(|(_, node)| replace(node, line)),
        _ => {}
    }
}

/// Whether a command line does what the wanted one does: it cannot fail, its program is there, and the
/// reader that it names is.
fn works(found: &HookLine, wanted: &HookLine) -> bool {
    let reader = |line: &HookLine| line.words.windows(READER.len()).any(|words| words == READER);
    // Not compared: the wanted one has the options of the one found, or those given to this run.
    let mut options = wanted.words.iter().skip(3);
    found.is_guarded == wanted.is_guarded
        && is_there(found.program())
        && reader(found) == reader(wanted)
        && options.all(|option| found.words.contains(option))
}

/// Whether a program is where it is named, or on the path, and can be run.
pub(super) fn is_there(program: &str) -> bool {
    if program.contains(['/', '\\']) || program.contains('$') {
        return program.contains('$') || is_program(Path::new(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| {
        is_program(&dir.join(program)) || is_program(&dir.join(format!("{program}.exe")))
    })
}

fn is_program(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&metadata) & 0o111 == 0 {
        return false;
    }
    metadata.is_file()
}
