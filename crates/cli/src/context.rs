//! What every command needs: the directories, the settings, the component.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, OnceLock};

use etcetera::{BaseStrategy as _, choose_base_strategy};
use tempfile::TempDir;
use weir_agents::hook::entry::shell_line;
use weir_agents::hook::session;
use weir_gateway::embeddings::{Embeddings, EndpointSettings};
use weir_gateway::identity::session_of_its_own;
use weir_gateway::secrets::SecretFile;
use weir_host::contract::Problem;
use weir_host::signatures::{Distrust, component_file};
use weir_host::{
    Cache, Compiled, ComponentSource, Engine, Error, Parsed, Settings, Weir, contract_of,
};
use weir_tier::Tier;

use super::console::{Console, Working};
use super::failure::Failure;
use super::flags::Global;
use super::tier;
use super::trust::ComponentSettings;

/// `CREATE_NO_WINDOW` and `CREATE_NEW_PROCESS_GROUP`.
#[cfg(windows)]
const NO_CONSOLE_OWN_GROUP: u32 = 0x0800_0200;

/// What was asked for, before anything is opened.
pub(crate) struct Context<'a> {
    arguments: &'a Global,
    session: OnceLock<String>,
    /// Where the answer goes.
    pub(crate) console: Console,
}

/// A configuration as read.
pub(crate) struct Configuration {
    /// The file, when there is one.
    pub(crate) file: Option<PathBuf>,
    /// Its settings and what is wrong with them.
    pub(crate) parsed: Parsed,
    /// What it says of the component.
    pub(crate) component: ComponentSettings,
    /// The embedding endpoint, when it names one.
    pub(crate) embeddings: Option<EndpointSettings>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(arguments: &'a Global) -> Context<'a> {
        let console = Console::new(arguments.json);
        Context { arguments, session: OnceLock::new(), console }
    }

    /// What was asked for.
    #[cfg(feature = "extmcp")]
    pub(crate) fn arguments(&self) -> &Global {
        self.arguments
    }

    /// The session whose results are meant: what was named, or that of the host.
    pub(crate) fn session(&self) -> &str {
        self.session.get_or_init(|| {
            if let Some(session) = self.named_session() {
                return session.to_owned();
            }
            let here = std::env::current_dir().unwrap_or_default();
            match &self.arguments.host {
                Some(host) => self.host_session(host, &here),
                None => session::host_around(variable).map_or_else(
                    || "default".to_owned(),
                    |host| self.host_session(host.name(), &here),
                ),
            }
        })
    }

    /// The agent host that was named.
    pub(crate) fn host(&self) -> Option<&str> {
        self.arguments.host.as_deref()
    }

    /// The session that was named.
    pub(crate) fn named_session(&self) -> Option<&str> {
        self.arguments.session.as_deref()
    }

    /// The session of a client on standard streams: what was named, or that of the host that was named. Else
    /// it has one of its own, which ends with it: nobody said whose results it may read.
    pub(crate) fn client_session(&self) -> Result<String, Failure> {
        if self.named_session().is_some() || self.arguments.host.is_some() {
            return Ok(self.session().to_owned());
        }
        session_of_its_own().map_err(Failure::io("cannot name a session"))
    }

    /// The session of a host's results for someone who works in this directory.
    pub(crate) fn host_session(&self, host: &str, directory: &Path) -> String {
        let home = self.home().ok();
        session::name(host, &session::project(host, directory, home.as_deref(), variable))
    }

    /// How a shell runs this program on the results of a session: the first words of a command.
    pub(crate) fn shell_reader(&self, session: &str, login_shell: bool) -> String {
        let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("weir"));
        let mut words = vec![if on_path(&program, login_shell) {
            "weir".to_owned()
        } else {
            program.display().to_string()
        }];
        words.push("fetch".to_owned());
        if session != "default" {
            words.extend(["--session".to_owned(), session.to_owned()]);
        }
        // What the environment says is there for the next command too.
        let given = |file: &Option<PathBuf>, name: &str| {
            file.as_ref()
                .filter(|file| std::env::var_os(name).is_none_or(|said| said != file.as_os_str()))
                .cloned()
        };
        for (flag, file) in [
            ("--store", given(&self.arguments.store, "WEIR_STORE")),
            ("--config", given(&self.arguments.config, "WEIR_CONFIG")),
        ] {
            words.extend(
                file.into_iter().flat_map(|file| [flag.to_owned(), file.display().to_string()]),
            );
        }
        shell_line(&words)
    }

    /// The configuration file in use, when there is one.
    pub(crate) fn configuration_file(&self) -> Option<PathBuf> {
        match &self.arguments.config {
            Some(file) => Some(file.clone()),
            None => Some(directories().ok()?.config_dir().join("weir").join("config.toml"))
                // One that cannot be read is an error, not as if there were none. A pipe would be waited for.
                .filter(|file| match file.metadata() {
                    Ok(there) => there.is_file() || there.is_dir(),
                    Err(_) => file.symlink_metadata().is_ok(),
                }),
        }
    }

    /// The store in use and its settings, for what transforms results: nothing is noted but why there is no store, and
    /// nothing is asked outside.
    pub(crate) fn weir_for_results(
        &self,
        note: impl FnOnce(String),
    ) -> Result<(Weir, Settings), Failure> {
        self.for_results(self.open_or_without(&self.store()?, note)?)
    }

    /// The same for a hook, which never waits for a compiler: `None` where the component is not compiled
    /// yet. Then another process compiles it, once, which goes on when this one ends.
    pub(crate) fn weir_if_compiled(&self) -> Result<Option<(Weir, Settings)>, Failure> {
        let engine = match Engine::if_compiled(&self.source()?, &self.compiled())? {
            Compiled::Ready(engine) => *engine,
            Compiled::Underway => return Ok(None),
            Compiled::Missing => {
                self.compile_beside()
                    .map_err(Failure::io("cannot start what compiles the component"))?;
                return Ok(None);
            }
            Compiled::Nowhere => {
                return Err(Failure::usage(
                    "compiled code can be kept nowhere, and a hook does not wait for a compiler",
                    "let the directory for caches be writable, and by you alone",
                ));
            }
        };
        let weir = Weir::builder().open_with(engine, self.store()?)?;
        self.for_results(weir).map(Some)
    }

    /// Compiles the component and keeps what comes of it, for those who will not wait.
    pub(crate) fn compile_ahead(&self) -> Result<(), Failure> {
        let _working = Working::on("compiling the component (once) …");
        Engine::new(&self.source()?, &self.compiled())?;
        Ok(())
    }

    /// Starts a process that compiles the component and keeps what comes of it.
    fn compile_beside(&self) -> std::io::Result<std::process::Child> {
        let mut command = std::process::Command::new(std::env::current_exe()?);
        // What is compiled for anything is there for all.
        command.args(self.forwarded()).arg("inspect");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A host that ends its hook, or all that the hook started, does not end this.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, NO_CONSOLE_OWN_GROUP);
        command.spawn()
    }

    fn for_results(&self, weir: Weir) -> Result<(Weir, Settings), Failure> {
        let values = match self.configuration_file() {
            Some(file) => self.read_configuration(&weir, Some(file))?.parsed.settings,
            None => weir.default_settings()?,
        };
        Ok((weir, values))
    }

    /// The component to run: the one inside, or a file that may run.
    pub(crate) fn source(&self) -> Result<ComponentSource, Failure> {
        let settings = self.component_settings();
        let named = self.arguments.component.clone().or_else(|| settings.file.clone());
        let Some(file) = named else {
            return match settings.problems.iter().any(|(key, _)| *key == "component") {
                true => settings.trust(false).map(|_| ComponentSource::Embedded),
                false => Ok(ComponentSource::Embedded),
            };
        };
        let trust = settings.trust(self.arguments.allow_unsigned)?;
        let admitted = trust.admit(&ComponentSource::File(file.clone()));
        // What could not run anyway is told as that: nobody should sign it.
        if let Err(Error::UntrustedComponent { reason: Distrust::Unsigned, .. }) = &admitted {
            contract_of(&component_file(&file)?)?;
        }
        Ok(admitted?)
    }

    /// What gateways share, where the configuration says so.
    pub(crate) fn tier(&self) -> Result<Option<Arc<Tier>>, Failure> {
        tier::open(self.configuration_file().as_deref(), &self.store()?)
    }

    /// What the configuration says of the component. One that cannot be read is reported when its
    /// other settings are.
    pub(crate) fn component_settings(&self) -> ComponentSettings {
        self.configuration_file()
            .and_then(|file| {
                let mut table = toml::from_str(&std::fs::read_to_string(&file).ok()?).ok()?;
                Some(ComponentSettings::take(&mut table, &file))
            })
            .unwrap_or_default()
    }

    /// Where the user's data are: the store, unless it is elsewhere.
    pub(crate) fn data_dir(&self) -> Result<PathBuf, Failure> {
        Ok(directories()?.data_dir().join("weir"))
    }

    /// The directory of configurations.
    pub(crate) fn config_dir(&self) -> Result<PathBuf, Failure> {
        Ok(directories()?.config_dir().join("weir"))
    }

    /// The file of secrets.
    pub(crate) fn secrets(&self) -> Result<SecretFile, Failure> {
        Ok(SecretFile::new(self.config_dir()?.join("secrets.json")))
    }

    /// The directory for what the gateway keeps between its runs.
    pub(crate) fn state_dir(&self) -> Result<PathBuf, Failure> {
        let directories = directories()?;
        Ok(directories.state_dir().unwrap_or_else(|| directories.data_dir()).join("weir"))
    }

    /// The user's home.
    pub(crate) fn home(&self) -> Result<PathBuf, Failure> {
        Ok(directories()?.home_dir().to_owned())
    }

    /// What another run of this program must be given to run the same component in the same way.
    pub(crate) fn forwarded(&self) -> Vec<OsString> {
        let files =
            [("--component", &self.arguments.component), ("--config", &self.arguments.config)];
        let given = files.into_iter().filter_map(|(flag, file)| Some((flag, file.as_ref()?)));
        let unsigned = self.arguments.allow_unsigned.then(|| "--allow-unsigned".into());
        given.flat_map(|(flag, file)| [flag.into(), file.into()]).chain(unsigned).collect()
    }

    /// The same for what is written into files: with the store that was named, and with paths that hold in
    /// every directory.
    pub(crate) fn installed(&self) -> Vec<OsString> {
        let words = self.forwarded().into_iter().map(|word| match std::path::absolute(&word) {
            Ok(path) if path.exists() => path.into_os_string(),
            _ => word,
        });
        // What the environment says is there for the host too.
        let said = std::env::var_os("WEIR_STORE");
        let store = self.arguments.store.as_ref();
        let store = store.filter(|store| said.as_deref() != Some(store.as_os_str()));
        let store = store.map(|store| {
            let store = std::path::absolute(store).unwrap_or_else(|_| store.clone());
            ["--store".into(), store.into_os_string()]
        });
        words.chain(store.into_iter().flatten()).collect()
    }

    /// The store's directory.
    pub(crate) fn store(&self) -> Result<PathBuf, Failure> {
        match &self.arguments.store {
            Some(store) => Ok(store.clone()),
            None => Ok(directories()?.data_dir().join("weir").join("store")),
        }
    }

    /// The same for a result that is shown in any case: without a store where none can be opened, which is noted.
    pub(crate) fn weir_for_result(&self) -> Result<Weir, Failure> {
        let weir = self.open_or_without(&self.store()?, |note| self.console.note(note))?;
        self.configured(weir, |note| self.console.note(note))
    }

    /// Opens the store in use, under the configuration in use. What is wrong with that is noted.
    pub(crate) fn weir(&self) -> Result<Weir, Failure> {
        self.weir_at(&self.store()?)
    }

    /// The same in another directory.
    pub(crate) fn weir_at(&self, store: &Path) -> Result<Weir, Failure> {
        self.configured(self.open(store)?, |note| self.console.note(note))
    }

    /// The same as [`Context::weir`] for a process that serves for long: its code is as fast as can be. Where
    /// that must be compiled first, `meanwhile` is given what was compiled in haste.
    pub(crate) fn weir_that_serves(&self, meanwhile: impl FnOnce(Weir)) -> Result<Weir, Failure> {
        let (source, cache) = (self.source()?, self.compiled());
        let opened = |engine| Ok(Weir::builder().open_with(engine, self.store()?)?);
        let engine = match Engine::if_compiled(&source, &cache)? {
            Compiled::Ready(engine) => *engine,
            known => {
                let hasty = Engine::in_haste(&source).map_err(Failure::from).and_then(opened);
                // What is wrong with the configuration is noted below.
                if let Ok(weir) = hasty.and_then(|weir| self.configured(weir, |_| ())) {
                    meanwhile(weir);
                }
                // Should this process end sooner, the code is there for the next one.
                if matches!(known, Compiled::Missing)
                    && let Ok(mut compiling) = self.compile_beside()
                {
                    let _ = compiling.wait();
                }
                Engine::new(&source, &cache)?
            }
        };
        self.configured(opened(engine)?, |note| self.console.note(note))
    }

    /// The same component under the configuration in use.
    fn configured(&self, weir: Weir, mut note: impl FnMut(String)) -> Result<Weir, Failure> {
        // Where nothing is configured the component need not be asked what that means.
        let Some(file) = self.configuration_file() else { return Ok(weir) };
        let configuration = self.read_configuration(&weir, Some(file.clone()))?;
        for problem in &configuration.parsed.problems {
            note(format!("warning: {}: {}", file.display(), sentence(problem)));
        }
        let configured = weir.with_settings(configuration.parsed.settings);
        if let Some(endpoint) = configuration.embeddings {
            return Ok(self.asking(&configured, &endpoint, note));
        }
        Ok(configured)
    }

    /// The same component, asking this endpoint before every tool search; without it, which is noted,
    /// when it cannot be used.
    fn asking(
        &self,
        weir: &Weir,
        endpoint: &EndpointSettings,
        mut note: impl FnMut(String),
    ) -> Weir {
        endpoint.warning().into_iter().for_each(|said| note(format!("warning: {said}")));
        match Embeddings::open(endpoint, self.cache().as_deref()) {
            Ok(embeddings) => weir.with_embedder(embeddings),
            Err(error) => {
                note(format!(
                    "warning: tools are searched without the embedding endpoint: {error}"
                ));
                weir.clone()
            }
        }
    }

    /// [`Context::scratch`] for searches of tools: with the embedding endpoint, when one is
    /// configured.
    pub(crate) fn searching(&self) -> Result<(Weir, TempDir), Failure> {
        let directory = scratch_directory()?;
        Ok((self.weir_at(&directory.path().join("store"))?, directory))
    }

    /// The component for what stores nothing, under its own settings, in a directory that goes with
    /// the second.
    pub(crate) fn scratch(&self) -> Result<(Weir, TempDir), Failure> {
        let directory = scratch_directory()?;
        Ok((self.open(&directory.path().join("store"))?, directory))
    }

    /// The component with the settings in use, for what leaves no trace: it stores in a directory that goes with the
    /// second, and compiled code is kept only where some is kept already.
    pub(crate) fn without_trace(&self) -> Result<(Weir, TempDir), Failure> {
        let directory = scratch_directory()?;
        let cache = self.cache().filter(|cache| cache.is_dir()).map_or(Cache::Off, Cache::In);
        let engine = self.engine_for_one(&cache)?;
        let weir = Weir::builder().open_with(engine, directory.path().join("store"))?;
        let (weir, settings) = self.for_results(weir)?;
        Ok((weir.with_settings(settings), directory))
    }

    /// Opens a store under the component's own settings. The first time the component is compiled.
    fn open(&self, store: &Path) -> Result<Weir, Failure> {
        Ok(Weir::builder().open_with(self.engine_for_one(&self.compiled())?, store)?)
    }

    /// The compiled component for one command. Where it is not compiled yet, that is done in haste, and a process
    /// beside makes the code that later commands find.
    fn engine_for_one(&self, cache: &Cache) -> Result<Engine, Failure> {
        let source = self.source()?;
        let known = Engine::if_compiled(&source, cache)?;
        if let Compiled::Ready(engine) = known {
            return Ok(*engine);
        }
        let _working = Working::on("compiling the component, the first time only …");
        // Another command may be compiling already. To compile in haste is sooner than to wait for it.
        let engine = Engine::in_haste(&source)?;
        if matches!(known, Compiled::Missing) {
            // Should it not start, the next command is the first.
            let _ = self.compile_beside();
        }
        Ok(engine)
    }

    /// The same, or what has no store, where it cannot be opened: why is noted.
    fn open_or_without(&self, store: &Path, note: impl FnOnce(String)) -> Result<Weir, Failure> {
        let engine = self.engine_for_one(&self.compiled())?;
        Ok(match Weir::builder().open_with(engine.clone(), store) {
            Ok(weir) => weir,
            Err(error) => {
                note(format!("the result is not stored: {}", error.with_causes()));
                Weir::builder().without_store(engine)
            }
        })
    }

    /// Where compiled code is kept.
    pub(crate) fn compiled(&self) -> Cache {
        self.cache().map_or(Cache::Off, Cache::In)
    }

    /// Where what can be made again is kept, when there is a home.
    pub(crate) fn cache(&self) -> Option<PathBuf> {
        directories().ok().map(|directories| directories.cache_dir().join("weir"))
    }

    /// The configuration in use.
    pub(crate) fn configuration(&self, weir: &Weir) -> Result<Configuration, Failure> {
        self.read_configuration(weir, self.configuration_file())
    }

    /// A configuration file, as the component understands it.
    pub(crate) fn read_configuration(
        &self,
        weir: &Weir,
        file: Option<PathBuf>,
    ) -> Result<Configuration, Failure> {
        let Some(path) = &file else {
            return Ok(Configuration {
                file,
                parsed: weir.parse_settings("{}")?,
                component: ComponentSettings::default(),
                embeddings: None,
            });
        };
        let text =
            std::fs::read_to_string(path).map_err(|source| Failure::reading(path, source))?;
        let mut table: toml::Table = toml::from_str(&text).map_err(|error| {
            Failure::usage(
                format!("{} is not TOML: {}", path.display(), error.to_string().trim_end()),
                "`weir config schema` says what may stand in it",
            )
        })?;
        let component = ComponentSettings::take(&mut table, path);
        let tier = tier::take(&mut table);
        // The component has no network: this table is the host's.
        let embeddings = table.remove("embeddings").map(EndpointSettings::read).transpose();
        let json = serde_json::to_string(&table).map_err(|error| {
            Failure::usage(
                format!("{}: {error}", path.display()),
                "write plain tables, numbers and strings",
            )
        })?;
        let mut parsed = weir.parse_settings(&json)?;
        parsed.problems.extend(component.problems());
        parsed.problems.extend(tier.err().map(tier::problem));
        let embeddings = embeddings.unwrap_or_else(|message| {
            let used = Some("no embedding endpoint".to_owned());
            parsed.problems.push(Problem { key: String::new(), message, used });
            None
        });
        Ok(Configuration { parsed, file, component, embeddings })
    }
}

/// Where this program is, as it was found: a link stays one, as what it leads to may be replaced by the next version.
pub(crate) fn own_program() -> Result<PathBuf, Failure> {
    let program =
        std::env::current_exe().map_err(Failure::io("cannot tell where this program is"))?;
    let named = PathBuf::from(std::env::args_os().next().unwrap_or_default());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = match named.components().count() {
        1 => std::env::split_paths(&path).map(|directory| directory.join(&named)).collect(),
        _ => vec![named],
    };
    places.retain(|place| {
        place.canonicalize().is_ok_and(|found| program.canonicalize().is_ok_and(|own| own == found))
    });
    let found = places.into_iter().find_map(|place| std::path::absolute(place).ok());
    Ok(found.unwrap_or(program))
}

/// A directory that is removed when this is dropped.
pub(crate) fn scratch_directory() -> Result<TempDir, Failure> {
    tempfile::tempdir().map_err(Failure::io("cannot make a directory"))
}

/// What is wrong with a setting, in one sentence.
pub(crate) fn sentence(problem: &Problem) -> String {
    let key = if problem.key.is_empty() { String::new() } else { format!("`{}`: ", problem.key) };
    match &problem.used {
        Some(used) => format!("{key}{}; using {used}", problem.message),
        None => format!("{key}{}; ignored", problem.message),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether `weir` in a shell is this program. What is found by this process's path need not be found
/// by that of a login shell.
fn on_path(program: &Path, login_shell: bool) -> bool {
    const EVERYWHERE: [&str; 4] = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories: Vec<PathBuf> = match login_shell {
        true => EVERYWHERE.iter().map(PathBuf::from).collect(),
        false => std::env::split_paths(&path).collect(),
    };
    let found =
        directories.into_iter().find_map(|directory| directory.join("weir").canonicalize().ok());
    found.is_some_and(|found| program.canonicalize().is_ok_and(|program| program == found))
}

fn directories() -> Result<impl etcetera::BaseStrategy, Failure> {
    choose_base_strategy().map_err(|error| {
        Failure::usage(
            format!("there is no home directory: {error}"),
            "set HOME, or name --store and --config",
        )
    })
}
