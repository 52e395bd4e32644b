//! What an installation changes, before anything is changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use weir_agents::config::{
    Change, Document, ENTRY, Edit, Format, Host, Node, OwnRules, Server, gateway_changes,
    gateway_option, gateway_options, host_name, is_gateway, rules_file, with_rules,
};
use weir_agents::hook::wrap::Wrap;
use weir_agents::program::is_weir;
use weir_gateway::Mode;
use weir_gateway::config as gateway;
use weir_gateway::config::Config;

use super::agents::{Present, present};
use super::check::{lost, missing_program};
use super::hooks::{self, Step};
use super::machine::{Machine, SHAPE, difference};
use super::modes::{mode_in, mode_of, reads, usual};
use super::servers::{Origin, Outcome, ServersFile, runs};
use super::skills::{self, Directory};
use crate::args::Install;
use crate::counting::{Counted, Counter, recorded};
use crate::definitions::{Way, word};
use crate::numbers::{counted, group};
use crate::{Answer, Context, Failure};

/// A file and what it is to hold.
pub(super) struct FileChange {
    pub(super) document: Document,
    pub(super) after: String,
    pub(super) edit: Edit,
}

/// What an installation means for one host.
pub(super) struct HostPlan {
    pub(super) host: &'static Host,
    /// The user's file with servers first.
    pub(super) files: Vec<FileChange>,
    /// Why nothing is done.
    pub(super) problem: Option<String>,
    /// What it has afterwards, and why.
    pub(super) way: Way,
    pub(super) why: String,
    /// Servers by their name in the host, with their name in the gateway's file.
    pub(super) moved: Vec<(String, String)>,
    /// Servers of other hosts that it gets because that was asked for, by their name in the gateway's file.
    pub(super) shared: Vec<String>,
    /// The entries of directories with skills of other hosts, and the directories.
    pub(super) skills: Vec<(String, String)>,
    /// Servers that it gets as every host does.
    pub(super) of_every: Vec<String>,
    /// How many servers it has behind the gateway.
    pub(super) behind: usize,
    /// What its servers define, and what its large results take.
    pub(super) counted: Option<Counted>,
    /// What those take that it had before, where it gets others' too.
    pub(super) before: Option<u64>,
    /// Servers that stay where they are, and why.
    pub(super) left: Vec<(String, String)>,
    own: OwnRules,
    pub(super) notes: Vec<String>,
}

pub(super) struct Plan {
    pub(super) hosts: Vec<HostPlan>,
    /// Servers that could not be asked, and why.
    pub(super) failed: Vec<String>,
    servers: ServersFile,
    /// None when it stays as it is.
    servers_after: Option<String>,
}

impl Plan {
    pub(super) fn make(
        hosts: &[&'static Host],
        arguments: &Install,
        machine: &Machine,
        counter: &mut Counter<'_>,
        context: &Context<'_>,
    ) -> Result<Plan, Failure> {
        let mut all_counted = count(hosts, arguments, machine, counter, context)?;
        let mut servers = ServersFile::read(&machine.servers)?;
        let text = servers.document.text.as_deref().unwrap_or_default();
        let of_file = gateway::parse(&machine.servers, text, &|name| std::env::var(name).ok());
        let config = of_file.ok();
        let of_file = config.as_ref().and_then(|config| config.gateway.mode);
        let directories = skills::directories(machine);
        let mut plans = Vec::new();
        for host in hosts {
            let file = match &arguments.file {
                Some(file) => std::path::absolute(file).unwrap_or_else(|_| file.clone()),
                None => host.file(&machine.directories),
            };
            // One host's bad file does not hold up the others, unless it was asked for by name.
            let counted = all_counted.remove(host.name);
            let before = (of_file, counted.as_ref());
            match HostPlan::make(host, &file, arguments, machine, before, &mut servers) {
                Ok(plan) => plans.push(HostPlan { counted, ..plan }),
                Err(failure) if arguments.hosts.is_empty() => {
                    let problem = Some(failure.to_string());
                    plans.push(HostPlan { problem, ..HostPlan::new(host, host.why) });
                }
                Err(failure) => return Err(failure),
            }
        }
        for plan in plans.iter_mut().filter(|plan| plan.problem.is_none()) {
            if plan.way.mode.is_none() {
                let note = "--skills changes nothing here: it gets no gateway";
                plan.notes.extend(arguments.skills.then(|| note.to_owned()));
                continue;
            }
            let own = |name: &str| plan.moved.iter().any(|(_, moved)| moved == name);
            let every = servers.of_every_host().filter(|name| !own(name));
            plan.of_every = every.map(str::to_owned).collect();
            if arguments.share {
                plan.shared = servers.share(plan.host.name);
            }
            let missing = skills::missing(plan.host, &directories, config.as_ref());
            plan.take_skills(&missing, arguments.skills, machine, &mut servers);
        }
        let nothing = !plans.iter().any(|plan| plan.way.mode.is_some());
        if !nothing && servers.document.text.is_none() && servers.edit.is_empty() {
            // The gateway needs a file, also when there is nothing in it yet.
            servers.edit = Edit::new().set(["mcpServers"], Node::Map(Vec::new()));
        }
        let servers_after = if servers.edit.is_empty() { None } else { Some(servers.edited()?) };
        Ok(Plan { hosts: plans, failed: Vec::new(), servers, servers_after })
    }

    /// The files that change, with what they are to hold.
    pub(super) fn changes(&self) -> Vec<(&Document, &str)> {
        let differs = |document: &Document, after: &str| document.text.as_deref() != Some(after);
        let of_hosts = self.hosts.iter().flat_map(|host| &host.files);
        let mut changes: Vec<(&Document, &str)> =
            of_hosts.map(|change| (&change.document, change.after.as_str())).collect();
        changes.extend(self.servers_after.as_deref().map(|after| (&self.servers.document, after)));
        changes.retain(|(document, after)| differs(document, after));
        changes
    }

    /// Whether a file is one that Weir alone writes: a plugin, say.
    pub(super) fn is_own_file(&self, document: &Document) -> bool {
        let mut files = self.hosts.iter().flat_map(|host| &host.files);
        files.any(|file| file.document.path == document.path && file.edit.is_empty())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.changes().is_empty()
    }

    pub(super) fn has_hooks(&self) -> bool {
        self.hosts.iter().any(|host| host.way.hook)
    }

    pub(super) fn answer(&self) -> Answer {
        match self.hosts.iter().all(|host| host.problem.is_some()) {
            true => Answer::No,
            false => Answer::Yes,
        }
    }

    /// The gateway's file first: a host that is restarted meanwhile finds its servers there.
    pub(super) fn carry_out(&mut self, machine: &Machine) -> Result<(), Failure> {
        let records = &machine.records;
        let edit = self.servers.edit.clone();
        if let Some(after) = &self.servers_after {
            records.change("servers", &mut self.servers.document, after, &edit, &[])?;
        }
        for host in &mut self.hosts {
            let names = host.moved.iter().map(|(_, name)| name).chain(&host.shared);
            let names = names.chain(host.skills.iter().map(|(name, _)| name));
            let names: Vec<String> = names.cloned().collect();
            for change in &mut host.files {
                records.change(
                    host.host.name,
                    &mut change.document,
                    &change.after,
                    &change.edit,
                    &names,
                )?;
            }
        }
        Ok(())
    }

    /// Takes note of what each host has behind the gateway afterwards, and of what the definitions take.
    pub(super) fn measure(
        &mut self,
        machine: &Machine,
        counter: &mut Counter<'_>,
    ) -> Result<(), Failure> {
        let text = self.servers_after.as_ref().or(self.servers.document.text.as_ref());
        let Some(text) = text else { return Ok(()) };
        let parsed = gateway::parse(&machine.servers, text, &|name| std::env::var(name).ok());
        let Ok(config) = parsed else { return Ok(()) };
        let of = |host: &Host| Config::for_host(config.clone(), Some(host.name)).servers;
        let gateways = || self.hosts.iter().filter(|plan| plan.way.mode.is_some());
        // Some come by another name, or are others': those were not asked yet.
        counter.start(gateways().flat_map(|plan| of(plan.host)).collect())?;
        for plan in self.hosts.iter_mut().filter(|plan| plan.way.mode.is_some()) {
            let servers = of(plan.host);
            plan.behind = servers.len();
            if servers.is_empty() {
                continue;
            }
            if !plan.shared.is_empty() {
                let mut own = servers.clone();
                own.retain(|server| !plan.shared.contains(&server.key));
                plan.before = Some(counter.count(Some(plan.host), own, &[])?.definitions.direct);
            }
            let after = counter.count(Some(plan.host), servers, &[])?;
            match &mut plan.counted {
                Some(counted) => counted.definitions = after.definitions,
                None => plan.counted = Some(after),
            }
        }
        Ok(())
    }

    pub(super) fn to_json(&self, dry: bool) -> Value {
        let files = |host: &HostPlan| -> Vec<Value> {
            let differs =
                host.files.iter().filter(|c| c.document.text.as_deref() != Some(&c.after) || !dry);
            differs
                .map(
                    |c| json!({"file": c.document.path, "diff": difference(&c.document, &c.after)}),
                )
                .collect()
        };
        let hosts: Vec<Value> = self
            .hosts
            .iter()
            .map(|host| {
                let moved: Vec<Value> =
                    host.moved.iter().map(|(name, to)| json!({"name": name, "as": to})).collect();
                let left: Vec<Value> =
                    host.left.iter().map(|(name, reason)| json!({"name": name, "reason": reason})).collect();
                json!({
                    "host": host.host.name, "files": files(host), "problem": host.problem,
                    "mode": host.way.mode.map(word), "hook": host.way.hook, "why": host.why, "moved": moved, "left": left,
                    "notes": host.notes, "restart": host.host.restart, "servers": host.behind,
                    "shared": host.shared, "skills": host.skills.iter().map(|(_, directory)| directory).collect::<Vec<_>>(),
                    "of_every_host": host.of_every,
                    "tokens": host.tokens(),
                    "estimated_tokens_of_large_results_saved": host.counted.as_ref().and_then(Counted::saved),
                })
            })
            .collect();
        json!({
            "shape": SHAPE, "dry_run": dry, "hosts": hosts, "failed": self.failed, "servers_file": self.servers.document.path,
        })
    }
}

impl HostPlan {
    /// It gets nothing yet.
    fn new(host: &'static Host, why: impl Into<String>) -> HostPlan {
        HostPlan {
            host,
            files: Vec::new(),
            problem: None,
            way: Way::default(),
            why: why.into(),
            moved: Vec::new(),
            shared: Vec::new(),
            skills: Vec::new(),
            of_every: Vec::new(),
            behind: 0,
            counted: None,
            before: None,
            left: Vec::new(),
            own: OwnRules::default(),
            notes: Vec::new(),
        }
    }

    /// What the definitions of its servers take, where the gateway is in front of them.
    fn tokens(&self) -> Option<Value> {
        let (counted, mode) = (self.counted.as_ref()?, self.way.mode?);
        (self.behind > 0).then(|| counted.definitions.json(mode))
    }

    /// The hook alone: servers stay where they are.
    fn hook_alone(
        host: &'static Host,
        why: &str,
        arguments: &Install,
        machine: &Machine,
    ) -> Result<HostPlan, Failure> {
        let mut plan = HostPlan::new(host, why);
        plan.hooks(false, arguments, machine)?;
        plan.rules(arguments, machine)?;
        Ok(plan)
    }

    fn make(
        host: &'static Host,
        file: &Path,
        arguments: &Install,
        machine: &Machine,
        (of_file, known): (Option<Mode>, Option<&Counted>),
        servers: &mut ServersFile,
    ) -> Result<HostPlan, Failure> {
        if !host.has_servers() {
            return HostPlan::hook_alone(host, host.why, arguments, machine);
        }
        let (document, node, mut found) = read(host, file)?;
        let there = found.iter().find(|server| is_gateway(&server.entry)).cloned();
        if let Some(there) = &there {
            check_entry(host, there, found.len() == 1, arguments, machine)?;
        }
        let mut notes = Vec::new();
        let own = OwnRules::read(host, &machine.directories, &node, Path::new(""));
        let blocked = own.block_gateway();
        if let Some(rule) = &blocked {
            let asked = !can_have_hook(host, arguments) || arguments.mode.is_some();
            if there.is_none() && asked {
                return Err(Failure::usage(
                    format!("{} does not start the gateway: {rule}", host.title),
                    format!("change that rule of {}, then run the command again", file.display()),
                ));
            }
            notes.push(format!(
                "excerpts name `weir fetch`: {rule}, so its model cannot call the gateway's tool"
            ));
        }
        let alone = match &blocked {
            _ if there.is_some() => None,
            Some(rule) => Some(format!("its own rules keep the gateway out: {rule}")),
            None => {
                let mode = of_file.unwrap_or_else(|| usual(host));
                alone(host, arguments, machine, servers, (known, mode), &mut notes)?
            }
        };
        if let Some(why) = alone {
            let mut plan = HostPlan::hook_alone(host, &why, arguments, machine)?;
            plan.notes.extend(notes);
            return Ok(plan);
        }
        let asked = arguments.mode.as_ref().map(|mode| mode.parse().unwrap_or_default());
        let entry = asked.or_else(|| mode_of_entry(host, there.as_ref()));
        let (mode, why) = match asked {
            Some(mode) => (mode, "you asked for it".to_owned()),
            None => mode_of(host, entry, of_file),
        };
        let way = Way { hook: false, mode: Some(mode) };
        let mut plan = HostPlan { way, notes, own, ..HostPlan::new(host, why) };
        let mut edit = Edit::new();
        match &there {
            Some(there) => edit.changes = plan.corrections(there, asked, machine),
            None => {
                let entry = host.entry(&machine.program, &arguments_of(host, entry, machine));
                edit.changes.extend(host.put_entry(file, &node, entry));
            }
        }
        let (of_projects, by_project) = (host.project_servers(&node), arguments.projects);
        if by_project {
            found.extend(of_projects.iter().cloned());
        }
        plan.take(&found, &document, servers, &mut edit);
        if !by_project {
            plan.projects(&of_projects, &document, servers, &mut edit);
        }
        plan.files.push(change(document, edit)?);
        plan.project_file(arguments, servers)?;
        let was_installed = there.is_some() && machine.records.get(host.name, file).is_some();
        plan.hooks(was_installed, arguments, machine)?;
        plan.rules(arguments, machine)?;
        Ok(plan)
    }

    /// The changes to an existing entry of the gateway: options given to this run, and what it cannot work
    /// without. The rest is the user's.
    fn corrections(
        &mut self,
        there: &Server,
        asked: Option<Mode>,
        machine: &Machine,
    ) -> Vec<Change> {
        let has = gateway_options(&there.entry).unwrap_or_default();
        let its = mode_in(&has);
        let mut options: Vec<(&str, String)> = Vec::new();
        if let Some(mode) = asked {
            options.push(("--mode", word(mode).to_owned()));
        } else if its.is_some_and(|its| its != usual(self.host)) {
            self.notes.push(format!(
                "its entry stays as you have it; `weir install {} --mode {}` makes it the usual one",
                self.host.name,
                word(usual(self.host))
            ));
        }
        // Without this the gateway would see neither its servers nor what the hook stores.
        match gateway_option(&has, "--host") {
            None => options.push(("--host", named(self.host).to_owned())),
            Some(other) if host_name(other) != self.host.name => self.notes.push(format!(
                "its entry says --host {other}, and gets the servers of that agent; with --host {} it gets its own",
                named(self.host)
            )),
            Some(_) => {}
        }
        let mut forwarded = machine.forwarded.iter().peekable();
        while let Some(flag) = forwarded.next() {
            let flag_of = |flag: &str| OPTIONS.into_iter().find(|known| *known == flag);
            if let (Some(flag), Some(value)) = (flag_of(flag), forwarded.peek()) {
                options.push((flag, (*value).clone()));
            }
        }
        // One that is started by another program, `npx` say, is not ours to correct.
        let gone = missing_program(&there.entry).filter(|program| is_weir(program));
        if let Some(program) = &gone {
            self.notes
                .push(format!("its entry ran {program}, which is not there; that is corrected"));
        }
        gateway_changes(there, gone.map(|_| machine.program.as_str()), &options)
    }

    /// What the hook needs, unless it is not wanted. Where the gateway was installed without, it stays so.
    fn hooks(
        &mut self,
        was_installed: bool,
        arguments: &Install,
        machine: &Machine,
    ) -> Result<(), Failure> {
        let known = hooks::is_known(self.host);
        if arguments.no_hooks || !known {
            if arguments.wrap {
                self.not_wrapped("no hook of it is known");
            }
            return Ok(());
        }
        if was_installed && !arguments.wrap && hooks::reader_in(self.host, machine).is_none() {
            self.notes.push(format!(
                "it stays without the hook, as it was installed; `weir install {0} --undo`, then `weir install {0}` puts \
                 the hook in",
                self.host.name
            ));
            return Ok(());
        }
        if arguments.file.is_some() {
            let host = self.host.name;
            self.notes.push(format!(
                "the hook is left out with --file; `weir hook {host} --show` prints what it needs"
            ));
            return Ok(());
        }
        let (steps, kept) = hooks::steps(
            self.host,
            machine,
            arguments.wrap,
            self.way.mode.is_some() && self.own.block_gateway().is_none(),
        )?;
        self.notes.extend(kept.iter().map(|file| {
            format!("{} was changed since Weir wrote it, and stays as it is", file.display())
        }));
        if !steps.is_empty() {
            let gateway = self.way.mode.is_some();
            self.notes.extend(hooks::notes(self.host, gateway).map(str::to_owned));
        }
        match hooks::wrap_of(self.host) {
            Wrap::Helps(_) if arguments.wrap => self.notes.push(format!(
                "shell commands run through `weir run`; in a sandbox they store nothing unless \
                 they may write {}",
                machine.store.display()
            )),
            Wrap::Helps(why) => self
                .notes
                .push(format!("{why}; --wrap runs commands through `weir run`, which keeps all")),
            Wrap::No(why) if arguments.wrap => self.not_wrapped(why),
            Wrap::No(_) => {}
        }
        for step in steps {
            self.add(step)?;
        }
        self.way.hook = true;
        Ok(())
    }

    /// The rules for the model, where they are asked for.
    fn rules(&mut self, arguments: &Install, machine: &Machine) -> Result<(), Failure> {
        if !arguments.rules {
            return Ok(());
        }
        let Some(file) = rules_file(self.host, &machine.directories) else {
            self.notes.push("--rules changes nothing here: no file of rules of it is known".into());
            return Ok(());
        };
        let document = Document::read(&file)?;
        let text = with_rules(document.text.as_deref().unwrap_or_default());
        self.add(Step::Write { file, text })
    }

    fn not_wrapped(&mut self, why: &str) {
        self.notes.push(format!("--wrap changes nothing here: {why}"));
    }

    /// Puts servers behind the gateway.
    fn take(
        &mut self,
        found: &[Server],
        document: &Document,
        servers: &mut ServersFile,
        edit: &mut Edit,
    ) {
        for server in found {
            if is_gateway(&server.entry) || server.is_built_in() {
                continue;
            }
            let reason = stays(server, document.format).or_else(|| self.own.hold(server));
            if let Some(reason) = reason {
                self.left.push((server.name.clone(), reason));
                continue;
            }
            let from = Origin::of(self.host, &document.path, document.format);
            let taken = servers.take(server, &from, true);
            if matches!(taken.outcome, Outcome::Added | Outcome::Same) {
                edit.changes.push(server.removal());
                if taken.seen_as != server.name {
                    self.notes
                        .push(format!("{} is {} behind the gateway", server.name, taken.seen_as));
                }
                self.moved.push((server.name.clone(), taken.name));
            }
        }
    }

    /// Puts directories with skills of other hosts behind the gateway for this one, where that is asked for.
    fn take_skills(
        &mut self,
        missing: &[&Directory],
        asked: bool,
        machine: &Machine,
        servers: &mut ServersFile,
    ) {
        let Some(first) = missing.first() else { return };
        if self.way.mode == Some(Mode::Passthrough) {
            if asked {
                self.notes.push(
                    "--skills changes nothing here: in mode passthrough no skill is found; --mode auto shows the search"
                        .into(),
                );
            }
            return;
        }
        if !asked {
            let count: usize = missing.iter().map(|directory| directory.count()).sum();
            let more = match missing.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            self.notes.push(format!(
                "it does not read {} in {}{more}; --skills lets it find them",
                counted(count as u64, "skill"),
                first.shown(machine)
            ));
            return;
        }
        for directory in missing {
            let from = Origin::of(self.host, &machine.servers, Format::Json);
            let taken = servers.take(&directory.server(machine), &from, true);
            self.skills.push((taken.name, directory.shown(machine)));
        }
    }

    /// Servers for single projects in the user's file: those that the gateway has are taken out, the
    /// others are named.
    fn projects(
        &mut self,
        found: &[Server],
        document: &Document,
        servers: &ServersFile,
        edit: &mut Edit,
    ) {
        let mut others = 0u64;
        for server in found.iter().filter(|server| !is_gateway(&server.entry)) {
            if !server.is_disabled()
                && servers.has(server, document.format, &document.path, self.host.name)
            {
                edit.changes.push(server.removal());
            } else {
                others += 1;
            }
        }
        if others > 0 {
            let stay = if others == 1 { "stays" } else { "stay" };
            let count = counted(others, "server");
            self.notes.push(format!(
                "{count} of single projects {stay} with these; --projects puts them behind the gateway, for all projects"
            ));
        }
    }

    /// The servers in the file of the project in the current directory.
    fn project_file(
        &mut self,
        arguments: &Install,
        servers: &mut ServersFile,
    ) -> Result<(), Failure> {
        let Some(file) = self.host.project.map(PathBuf::from).filter(|file| file.is_file()) else {
            return Ok(());
        };
        let same_file = |other: &FileChange| {
            other.document.path.canonicalize().ok() == file.canonicalize().ok()
        };
        if self.files.iter().any(same_file) || arguments.file.is_some() {
            return Ok(());
        }
        // Undone from any directory.
        let file = std::path::absolute(&file).unwrap_or(file);
        let document = Document::read(&file)?;
        let node = document.node()?;
        let found = self.host.servers_in(&file, &node);
        let count = found.iter().filter(|s| !is_gateway(&s.entry) && !s.is_disabled()).count();
        if count == 0 {
            return Ok(());
        }
        if !arguments.project {
            let servers = counted(count as u64, "server");
            self.notes.push(format!(
                "{} of this project names {servers}; it is left alone (--project puts them behind the gateway)",
                file.display()
            ));
            return Ok(());
        }
        let mut edit = Edit::new();
        self.own.add(&node);
        self.take(&found, &document, servers, &mut edit);
        self.files.push(change(document, edit)?);
        Ok(())
    }

    /// Adds what the hook needs.
    fn add(&mut self, step: Step) -> Result<(), Failure> {
        match step {
            Step::Write { file, text } => {
                let document = Document::read(&file)?;
                document.writable()?;
                self.files.push(FileChange { document, after: text, edit: Edit::new() });
            }
            Step::Edit { file, edit } => {
                let there = self.files.iter().position(|change| change.document.path == file);
                let change = match there {
                    Some(at) => {
                        let FileChange { document, edit: mut both, .. } = self.files.remove(at);
                        both.extend(edit);
                        change(document, both)?
                    }
                    None => {
                        let document = Document::read(&file)?;
                        document.writable()?;
                        change(document, edit)?
                    }
                };
                self.files.insert(there.unwrap_or(self.files.len()), change);
            }
        }
        Ok(())
    }
}

/// Whether a host gets the hook from an installation with these arguments.
fn can_have_hook(host: &Host, arguments: &Install) -> bool {
    hooks::is_known(host) && !arguments.no_hooks && arguments.file.is_none()
}

/// What the servers of each of these hosts define, and what its recorded sessions hold. The servers are started for it, unless
/// nothing is decided by that.
fn count(
    hosts: &[&'static Host],
    arguments: &Install,
    machine: &Machine,
    counter: &mut Counter<'_>,
    context: &Context<'_>,
) -> Result<BTreeMap<&'static str, Counted>, Failure> {
    let found = |host: &&'static Host| present(Some(host.name), context).ok()?.pop();
    let agents: Vec<Present> = hosts.iter().filter_map(found).collect();
    let decides = |agent: &&Present| {
        let gateway = agent.gateway.is_some() || arguments.mode.is_some();
        !arguments.keep_servers && (gateway || agent.host.hook_is_enough.is_none())
    };
    counter
        .start(agents.iter().filter(decides).flat_map(|agent| agent.servers.clone()).collect())?;
    let count = |agent: Present| {
        let recordings = if hooks::is_known(agent.host) {
            recorded(agent.host, &machine.directories)
        } else {
            Vec::new()
        };
        Ok((agent.host.name, counter.count(Some(agent.host), agent.servers, &recordings)?))
    };
    agents.into_iter().map(count).collect()
}

/// The file of a host with its servers, where the gateway can be put into it.
fn read(host: &Host, file: &Path) -> Result<(Document, Node, Vec<Server>), Failure> {
    let document = Document::read(file)?;
    let node = document.node()?;
    document.writable()?;
    if host.entry_name_taken(file, &node) {
        return Err(Failure::usage(
            format!("{} has another server named `{ENTRY}`", file.display()),
            "give that server another name first",
        ));
    }
    let found = host.servers_in(file, &node);
    Ok((document, node, found))
}

/// The mode that an entry says, or a new one is to say: the gateway's own default need not stand there.
fn mode_of_entry(host: &Host, there: Option<&Server>) -> Option<Mode> {
    match there {
        Some(there) => mode_in(&gateway_options(&there.entry).unwrap_or_default()),
        None => Some(usual(host)).filter(|mode| *mode != Mode::Auto),
    }
}

/// What a new entry of the gateway starts it with.
fn arguments_of(host: &Host, mode: Option<Mode>, machine: &Machine) -> Vec<String> {
    let mut args = vec!["serve".to_owned()];
    if let Some(mode) = mode {
        args.extend(["--mode".to_owned(), word(mode).to_owned()]);
    }
    // Its own servers, and one session with its hook and its shell.
    args.extend(["--host".to_owned(), named(host).to_owned()]);
    args.extend(machine.forwarded.iter().cloned());
    args
}

/// Why a host that has no entry of the gateway gets the hook alone, or nothing where it can have none.
fn alone(
    host: &Host,
    arguments: &Install,
    machine: &Machine,
    servers: &ServersFile,
    (known, mode): (Option<&Counted>, Mode),
    notes: &mut Vec<String>,
) -> Result<Option<String>, Failure> {
    let hook = can_have_hook(host, arguments);
    if arguments.keep_servers {
        return match hook {
            true => Ok(Some("you asked for it".into())),
            false => Err(Failure::usage(
                format!("--keep-servers leaves nothing to do for {}: it gets no hook", host.title),
                "leave --keep-servers out",
            )),
        };
    }
    // Where a host searches by itself, the gateway would show it no skills.
    let skills = arguments.skills && usual(host) != Mode::Passthrough;
    let asked = arguments.mode.is_some()
        || arguments.no_hooks
        || arguments.file.is_some()
        || arguments.share
        || skills
        || arguments.project
        || arguments.projects;
    if asked {
        return Ok(None);
    }
    // Servers that every agent has come by the gateway.
    let of_every: Vec<&str> = servers.of_every_host().collect();
    if let Some(why) = host.hook_is_enough
        && of_every.is_empty()
    {
        return Ok(Some(why.into()));
    }
    // A hook that names the gateway's tool goes with the gateway, and another one without.
    match hooks::reader_in(host, machine) {
        Some(false) => return Ok(Some("that is how it was installed".into())),
        Some(true) => return Ok(None),
        None => {}
    }
    if host.hook_is_enough.is_some() {
        notes.push(format!(
            "the hook would be enough; the gateway comes with what every agent gets: {}. `\"hosts\": [\"NAME\"]` in an entry \
             of {} names its agents, and --keep-servers puts in the hook alone",
            of_every.join(", "),
            servers.document.path.display()
        ));
    }
    let pays = !of_every.is_empty() || known.is_some_and(|known| known.gateway_pays(hook, mode));
    Ok((!pays).then(|| {
        let Some(definitions) = known.map(|known| &known.definitions) else {
            return "what its servers define is not known".into();
        };
        match definitions.after(mode) {
            _ if definitions.servers == 0 => "it has no servers".into(),
            _ if definitions.known == 0 => "what its servers define is not known".into(),
            Some(after) if after > definitions.direct => {
                format!("the gateway would make its definitions about {} tokens", group(after))
            }
            _ => "the gateway would save less than its searches cost".into(),
        }
    }))
}

/// Options with a value that an entry of the gateway may be given.
const OPTIONS: [&str; 4] = ["--component", "--config", "--store", "--servers"];

/// The name of a host in its entry of the gateway: that of its hook, where it has one.
fn named(host: &Host) -> &'static str {
    weir_agents::hook::Host::parse(host.name).map_or(host.name, weir_agents::hook::Host::name)
}

/// Whether a host that has an entry of the gateway, `alone` among its servers or not, can get more.
fn check_entry(
    host: &Host,
    there: &Server,
    alone: bool,
    arguments: &Install,
    machine: &Machine,
) -> Result<(), Failure> {
    let undo = format!("`weir install {} --undo`", host.name);
    if let Some(problem) = useless(there, machine) {
        return Err(Failure::usage(problem, format!("{undo} takes the entry out")));
    }
    if alone && let Some(failure) = lost(host, there, machine) {
        return Err(failure);
    }
    if arguments.keep_servers {
        let title = host.title;
        return Err(Failure::usage(
            format!("the servers of {title} are behind the gateway: {undo} gives them back"),
            "--keep-servers then puts in the hook alone",
        ));
    }
    Ok(())
}

/// Why servers cannot go behind the entry of a gateway that is there.
fn useless(there: &Server, machine: &Machine) -> Option<String> {
    let options = gateway_options(&there.entry)?;
    if there.is_disabled() {
        return Some(format!(
            "its entry `{}` of the gateway is switched off, and its servers would be too",
            there.name
        ));
    }
    if options.iter().any(|word| word == "--") {
        return Some(format!("its entry `{}` runs a gateway for one server alone", there.name));
    }
    if !reads(&options, &machine.servers, &machine.usual_servers) {
        let file = gateway_option(&options, "--servers").map(str::to_owned);
        let file = file.unwrap_or_else(|| machine.usual_servers.display().to_string());
        return Some(format!(
            "its entry `{}` reads the servers of {file}, not of {}; name that file with --servers",
            there.name,
            machine.servers.display()
        ));
    }
    None
}

fn change(document: Document, edit: Edit) -> Result<FileChange, Failure> {
    let text = document.text.as_deref().unwrap_or_default();
    let after = edit.apply(document.format, text).map_err(|error| {
        Failure::usage(
            format!("{} cannot be edited: {error}", document.path.display()),
            "the file is as it was; correct it, or add the entry by hand",
        )
    })?;
    Ok(FileChange { document, after, edit })
}

/// Why a server is better left with its host.
fn stays(server: &Server, format: Format) -> Option<String> {
    if server.is_disabled() {
        return Some("it is switched off".into());
    }
    let entry = weir_agents::config::to_json_entry(server, format, Path::new("/"));
    let text = entry.to_value().to_string();
    if text.contains("${workspaceFolder") || text.contains("${workspaceRoot") {
        return Some("it depends on the folder that the host has open".into());
    }
    runs(&entry)
        .err()
        .filter(|reason| !reason.contains("{file:") && !reason.contains("needs the file"))
}
