//! Calls that do what cannot be taken back: the list that `"dangerous"` switches on.
//!
//! What is read are the arguments: commands, code, SQL and paths, wherever they stand and whatever the tool is called. The
//! tool's name decides only where arguments cannot: whether a path is written, whether an amount is paid.

use std::collections::BTreeSet;

use super::arguments::Text;
use super::kind::Kind;
use super::shell::{self, Command, DOWNLOADERS, MAX_DEPTH, UNSEEN, program};
use super::{code, place, sql};
use crate::glob::{glob_matches, is_among};

/// Something dangerous in a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// The argument that it stands in.
    pub(super) path: String,
    /// The words that say so.
    pub(super) what: String,
}

/// Bytes of an argument that are read. A longer command counts as code that nobody has seen.
const MAX_COMMAND: usize = 64 << 10;

/// What is dangerous in a call.
pub(super) fn of_call(server: &str, tool: &str, only_reads: bool, texts: &[Text]) -> Vec<Found> {
    let own = names(tool);
    let names = [names(server), own.clone()].concat();
    let mut all = BTreeSet::new();
    for text in texts {
        let mut search = Search::default();
        search.of_argument(&names, text);
        all.extend(search.found.into_iter().map(|(kind, what)| Found {
            kind,
            path: text.path.clone(),
            what,
        }));
    }
    if !only_reads {
        all.extend(of_tool(&names, &own, texts));
    }
    all.into_iter().collect()
}

/// The words of a name.
fn names(tool: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for sign in tool.chars() {
        if !sign.is_alphanumeric() {
            words.push(String::new());
        } else {
            if sign.is_uppercase() && before.is_lowercase() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(sign.to_lowercase());
            }
        }
        before = sign;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn any_of(words: &[String], wanted: &str) -> bool {
    words.iter().any(|word| is_among(wanted, word))
}

/// Arguments that people read: nothing runs them.
const PROSE: &str = "\
content contents body message msg description title comment summary note markdown html prompt thought oldstr \
newstr oldtext newtext oldstring newstring subject diff";

/// Arguments that may be typed into a terminal as well as read: a command there is one line that begins with it.
const TYPED: &str = "\
text input data value keys chars query q";

/// Arguments that are looked for, not run.
const PATTERNS: &str = "\
pattern regex glob search filter";

/// Arguments that say where something goes.
const DESTINATIONS: &str = "\
destination dest output outputpath outputfile newpath savepath saveto out target";

/// Arguments that name a file or a folder.
const PATHS: &str = "\
path file filename filepath uri folder directory dir abspath";

/// What tools are called that change nothing.
const READS: &str = "\
read get list search find stat info view show describe grep count check fetch convert calculate estimate quote \
preview validate";

/// What tools are called that write.
const WRITES: &str = "\
write edit update delete remove move rename put save append copy install patch apply replace insert create";

/// What is dangerous in the tool and the names of its arguments, rather than in one of them.
fn of_tool(names: &[String], own: &[String], texts: &[Text]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut add = |kind, text: Option<&Text>, what: String| {
        found.push(Found {
            kind,
            path: text.map(|text| text.path.clone()).unwrap_or_default(),
            what,
        });
    };
    let keyed = |keys: &str| texts.iter().find(|text| is_among(keys, &text.key()));
    let is_set = |keys: &str| {
        texts
            .iter()
            .find(|text| is_among(keys, &text.key()) && text.text.eq_ignore_ascii_case("true"))
    };
    let first = own.iter().find(|word| is_among(READS, word) || is_among(WRITES, word));
    let reads = first.is_some_and(|word| is_among(READS, word));
    let writes =
        any_of(own, WRITES) || keyed(PROSE).is_some() || keyed("text data edits changes").is_some();
    let deletes = any_of(names, "delete remove rm rmdir unlink purge wipe destroy");
    for text in texts.iter().filter(|text| !reads && !text.joined) {
        let key = text.key();
        let is_written = is_among(DESTINATIONS, &key)
            || is_among(PATHS, &key) && writes
            || matches!(&*key, "source" | "src" | "from") && any_of(names, "move rename mv");
        if let Some(kind) = place::of(&text.text, "").filter(|_| is_written) {
            add(kind, Some(text), weir_base::clip(&text.text, 200));
        }
    }
    let recursive = is_set("recursive recurse recursively");
    if deletes && let Some(text) = recursive {
        add(Kind::Deletion, Some(text), format!("{} with {}", names.join("_"), text.key()));
    }
    let pushes = any_of(names, "push") || any_of(names, "ref refs") && any_of(names, "update");
    if pushes && let Some(text) = is_set("force forced forcepush forcewithlease") {
        add(Kind::ForcePush, Some(text), format!("{} with {}", names.join("_"), text.key()));
    }
    if reads {
        return found;
    }
    let to = keyed("to recipients recipient torecipients address cc bcc");
    let is_mail = any_of(names, "mail mails email emails gmail outlook smtp sendmail");
    let sends = any_of(names, "send reply forward sendmail");
    let is_draft = any_of(names, "draft drafts translate") && !sends;
    if (is_mail && sends) || (!is_draft && to.is_some() && keyed("subject").is_some()) {
        let what = to
            .map_or_else(|| names.join("_"), |to| format!("to {}", weir_base::clip(&to.text, 200)));
        add(Kind::Mail, to, what);
    }
    let amount = keyed("amount amountcents total price");
    let pays = any_of(
        names,
        "payment payments charge payout refund purchase pay buy money donate withdraw",
    ) || any_of(names, "transfer") && amount.is_some()
        || any_of(names, "checkout") && keyed("cart cartid order payment amount").is_some();
    if pays || (amount.is_some() && keyed("currency").is_some()) {
        let what = amount.map_or_else(
            || names.join("_"),
            |text| format!("amount {}", weir_base::clip(&text.text, 50)),
        );
        add(Kind::Payment, amount, what);
    }
    found
}

/// What was found in one argument.
#[derive(Default)]
struct Search {
    found: BTreeSet<(Kind, String)>,
    /// Bytes that have been read: texts within texts may be any number.
    read: usize,
    /// Files that hold what was downloaded.
    downloaded: BTreeSet<String>,
}

impl Search {
    fn of_argument(&mut self, names: &[String], text: &Text) {
        let key = text.key();
        if is_among(PROSE, &key) {
            return;
        }
        if text.text.len() > MAX_COMMAND {
            let commands =
                ["command", "cmd", "script", "code", "shell", "run", "exec", "argv", "args", "sql"];
            if commands.iter().any(|command| key.contains(command)) {
                self.add(
                    Kind::Download,
                    format!("{key} is longer than {MAX_COMMAND} bytes, and is not read"),
                );
            }
            return;
        }
        if let Some(what) = sql::danger(&text.text) {
            self.add(Kind::Database, format!("{what}: {}", text.text));
        }
        let typed = is_among(TYPED, &key);
        if is_among(PATTERNS, &key) || matches!(&*key, "query" | "q") {
            return;
        }
        let line = text.text.trim();
        if typed {
            // A sentence begins with no program of the list.
            if !line.contains(['\n', '`']) {
                for command in shell::read(line).iter().take(1) {
                    self.of_command(command, 0);
                }
            }
            return;
        }
        self.of_text(line, 0);
        if key.contains("code") || key.contains("script") || key == "expression" || key == "source"
        {
            self.of_code(line, 0);
        }
        // A tool may be called as the program is whose arguments it takes.
        if text.joined
            && matches!(&*key, "args" | "arguments" | "argv" | "options" | "params" | "flags")
        {
            self.of_text(&format!("{} {line}", names.join(" ")), 0);
            if let Some(last) = names.last() {
                self.of_text(&format!("{last} {line}"), 0);
            }
        }
    }

    fn add(&mut self, kind: Kind, what: impl Into<String>) {
        let what: String =
            what.into().replace(|sign: char| sign.is_control() || sign == UNSEEN, " ");
        self.found.insert((kind, weir_base::clip(what.trim(), 200)));
    }

    /// A text that a shell would run.
    fn of_text(&mut self, text: &str, depth: usize) {
        self.read += text.len();
        if self.read > MAX_COMMAND {
            self.add(Kind::Download, "more than can be read");
            return;
        }
        if depth > MAX_DEPTH {
            return;
        }
        let small = text.to_lowercase();
        let words: Vec<&str> =
            small.split(|sign: char| !sign.is_alphanumeric() && sign != '-').collect();
        let has = |wanted: &str| words.iter().any(|word| is_among(wanted, word));
        if has("iex invoke-expression")
            && has("iwr irm invoke-webrequest invoke-restmethod downloadstring")
        {
            self.add(Kind::Download, text);
        }
        for command in shell::read(text) {
            self.of_command(&command, depth);
        }
    }

    fn of_command(&mut self, command: &Command, depth: usize) {
        for target in &command.targets {
            if target.starts_with("/dev/tcp/") || target.starts_with("/dev/udp/") {
                self.add(Kind::Download, format!("a shell for {target}"));
            } else if let Some(kind) = place::of(target, &command.directory) {
                self.add(kind, format!("> {target}"));
            }
            if command.output.contains(UNSEEN) {
                self.downloaded.insert(program(target));
            }
        }
        let Some(first) = command.words.first() else { return };
        let mut name = program(first);
        // A name with wildcards is that of any program that fits.
        let known = ["rm", "dd", "sh", "bash", "git", "curl", "find", "mkfs", "tee", "cp", "mv"];
        if name.contains(['?', '*', '['])
            && let Some(fits) = known.iter().find(|known| glob_matches(&name, known))
        {
            name = (*fits).to_owned();
        }
        self.of_words(&name, &command.words, command, depth);
        if !is_among(RUNNERS, &name) {
            return;
        }
        // What it runs: any word may be where that begins, or be the whole of it.
        for at in 1..command.words.len().min(256) {
            let words = &command.words[at..];
            let inner = program(&words[0]);
            let lists = ["xargs", "find", "fd", "fdfind", "parallel"].contains(&&*name);
            if lists && ["rm", "unlink", "shred", "del"].contains(&&*inner) {
                self.add(Kind::Deletion, command.words.join(" "));
            }
            self.of_words(&inner, words, command, depth);
            let text = words[0].rsplit_once("exec=").map_or(&*words[0], |(_, text)| text);
            let text = match (&*name, text.split_once('=')) {
                ("alias", Some((_, text))) => text,
                _ => text,
            };
            if text.contains(|sign: char| sign.is_whitespace() || "$;|{".contains(sign)) {
                self.of_text(text.trim_start_matches([':', '!']), depth + 1);
            }
        }
    }

    /// A command that begins with a program.
    fn of_words(&mut self, name: &str, words: &[String], command: &Command, depth: usize) {
        let operands = || words[1..].iter().filter(|word| !word.starts_with('-'));
        let whole = || words.join(" ");
        // A flag of one letter, alone or among others.
        let short = |letters: &str| {
            let is = |word: &&String| {
                word.starts_with('-')
                    && !word.starts_with("--")
                    && word.contains(|sign| letters.contains(sign))
            };
            words[1..].iter().any(|word| is(&word))
        };
        let long = |least: &str, whole: &str| {
            words[1..].iter().any(|word| {
                word.len() >= least.len() && whole.starts_with(&**word) || word == whole
            })
        };
        let starts = |start: &str| words[1..].iter().any(|word| word.starts_with(start));
        let has = |wanted: &str| words[1..].iter().any(|word| word.eq_ignore_ascii_case(wanted));
        let input = command.input.as_deref();
        let place = |word: &String| place::of(word, &command.directory);
        let is_way = |way: &str| {
            let mut way = way.split(' ');
            way.next() == Some(name) && way.all(starts)
        };
        for (kind, _) in WAYS.iter().filter(|(_, ways)| ways.split("; ").any(is_way)) {
            self.add(*kind, whole());
        }
        // Where it writes.
        let last = || operands().next_back().filter(|_| operands().count() > 1);
        let all = name == "rm" || is_among(WRITERS, name);
        let in_place = is_among("sed perl ruby", name) && (short("i") || starts("--in-place"));
        let below = is_among("chmod chown chgrp", name) && (short("R") || has("--recursive"));
        let written = match name {
            _ if all || in_place || below => operands().find_map(place),
            "cp" | "mv" | "install" | "ln" | "copy" | "move" | "xcopy" | "scp" => {
                last().and_then(place)
            }
            "dd" => words
                .iter()
                .find_map(|word| place::of(word.strip_prefix("of=")?, &command.directory)),
            _ => None,
        };
        let windows = ["-rec", "-Rec", "/s", "/S"].iter().any(|flag| starts(flag));
        let kind = match name {
            "rm" | "ri" | "remove-item" | "rd" | "erase"
                if windows || short("rR") || long("--r", "--recursive") =>
            {
                Some(Kind::Deletion)
            }
            "rmdir" | "del" if windows => Some(Kind::Deletion),
            "fdisk" | "parted" | "sfdisk" if has("-l") || has("print") => None,
            name if name.starts_with("mkfs") || is_among(FORMATTERS, name) => {
                operands().next().map(|_| Kind::Formatting)
            }
            "format" if operands().any(|word| word.len() == 2 && word.ends_with(':')) => {
                Some(Kind::Formatting)
            }
            name if is_among(MAILERS, name) && words[1..].iter().any(|word| word.contains('@')) => {
                Some(Kind::Mail)
            }
            "xargs" | "parallel"
                if input.is_some_and(|text| text.contains(UNSEEN))
                    && words[1..].iter().any(|word| is_among(SHELLS, &program(word))) =>
            {
                Some(Kind::Download)
            }
            _ => None,
        };
        for kind in kind.into_iter().chain(written) {
            self.add(kind, whole());
        }
        // What it runs.
        match name {
            "git" | "hub" | "jj" => self.of_git(words, depth),
            "crontab" => {
                for line in input.unwrap_or_default().lines() {
                    self.of_text(&format!("env {line}"), depth + 1);
                }
            }
            "at" | "batch" | "make" | "screen" => {
                self.of_text(input.unwrap_or_default(), depth + 1)
            }
            "eval" => self.of_code_line(&words[1..].join(" "), whole(), depth),
            "source" | "." if starts("/dev/fd") => {
                self.of_code_line(input.unwrap_or_default(), whole(), depth);
            }
            "powershell" | "pwsh" => {
                let coded = words.windows(2).find(|pair| pair[0].to_lowercase().starts_with("-e"));
                if let Some(text) = coded.and_then(|pair| shell::decoded(&pair[1])) {
                    self.of_text(&text, depth + 1);
                }
            }
            name if is_among(DATABASES, name) => {
                for text in words[1..].iter().map(String::as_str).chain(input) {
                    let value = text.split_once('=').filter(|_| text.starts_with("--"));
                    self.of_query(value.map_or(text, |(_, value)| value));
                }
            }
            name if is_among(SHELLS, name) => self.of_shell(words, input, depth),
            name if code::is_interpreter(name) => {
                for word in &words[1..] {
                    self.of_code(word, depth);
                }
                let script = operands()
                    .next()
                    .is_some_and(|word| word != "-" && !word.starts_with("/dev/fd"));
                let names_code = script || short("cemp") || has("--test");
                if let Some(text) = input.filter(|_| !names_code) {
                    if text.contains(UNSEEN) {
                        self.add(Kind::Download, whole());
                    }
                    self.of_code(text, depth);
                }
            }
            name if is_among(DOWNLOADERS, name) => self.of_download(name, words, command),
            _ => {}
        }
        let runs =
            is_among(SHELLS, name) || code::is_interpreter(name) || matches!(name, "source" | ".");
        let file =
            if runs { operands().next() } else { words.first().filter(|word| word.contains('/')) };
        if file.is_some_and(|file| self.downloaded.contains(&program(file))) {
            self.add(Kind::Download, whole());
        }
    }

    /// A line that is run as it comes.
    fn of_code_line(&mut self, line: &str, whole: String, depth: usize) {
        if line.contains(UNSEEN) {
            self.add(Kind::Download, whole);
        }
        self.of_text(line, depth + 1);
    }

    fn of_shell(&mut self, words: &[String], input: Option<&str>, depth: usize) {
        let is_flag = |word: &String| word.starts_with('-') && !word.starts_with("--");
        let takes_text = words[1..].iter().any(|word| is_flag(word) && word.contains('c'));
        for word in words[1..].iter().filter(|_| takes_text) {
            self.of_code_line(word, words.join(" "), depth);
        }
        let script =
            words[1..].iter().any(|word| !word.starts_with('-') && !word.starts_with("/dev/fd"));
        let reads = words[1..].iter().any(|word| is_flag(word) && word.contains('s')) || !script;
        if let Some(text) = input.filter(|_| reads && !takes_text) {
            self.of_code_line(text, words.join(" "), depth);
        }
    }

    fn of_git(&mut self, words: &[String], depth: usize) {
        for pair in words.windows(2).filter(|pair| pair[0] == "-c") {
            let Some((_, value)) = pair[1].split_once('=') else { continue };
            match value.strip_prefix('!') {
                Some(text) => self.of_text(text, depth + 1),
                None => self.of_text(&format!("git {value}"), depth + 1),
            }
        }
        let after = |name: &str| {
            let at = words.iter().position(|word| word == name)?;
            Some(&words[at + 1..])
        };
        let cluster = |rest: &[String], letter: char| {
            rest.iter().any(|word| {
                word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
            })
        };
        if let Some(rest) = after("push") {
            let is = |word: &String| {
                ["--forc", "--mirror", "--delete", "--prune"]
                    .iter()
                    .any(|flag| word.starts_with(flag))
                    || word.starts_with(['+', ':']) && word.len() > 1
            };
            let dry = rest.iter().any(|word| word == "-n" || word == "--dry-run");
            if !dry && (rest.iter().any(is) || cluster(rest, 'f') || cluster(rest, 'd')) {
                self.add(Kind::ForcePush, words.join(" "));
            }
        }
        if let Some(rest) = after("clean") {
            let forced = cluster(rest, 'f') || rest.iter().any(|word| word == "--force");
            if forced && cluster(rest, 'd') {
                self.add(Kind::Deletion, words.join(" "));
            }
        }
        if let Some(rest) = after("foreach") {
            self.of_text(&rest.join(" "), depth + 1);
        }
    }

    fn of_download(&mut self, name: &str, words: &[String], command: &Command) {
        let value = |flags: &str| {
            let after = words.windows(2).find(|pair| is_among(flags, &pair[0]));
            after.map(|pair| pair[1].clone())
        };
        let address =
            words[1..].iter().find(|word| word.contains("://")).cloned().unwrap_or_default();
        let file = match name {
            "wget" => value("-O --output-document"),
            _ => value("-o --output -OutFile"),
        };
        if let Some(kind) = file.as_ref().and_then(|file| place::of(file, &command.directory)) {
            self.add(kind, words.join(" "));
        }
        let file = file.unwrap_or_else(|| address.clone());
        self.downloaded.insert(program(&file));
        let flags = |wanted: &str| words.iter().any(|word| is_among(wanted, word));
        if ["nc", "ncat", "netcat"].contains(&name) && flags("-e -c --exec") {
            self.add(Kind::Download, format!("a shell for somebody else: {}", words.join(" ")));
        }
        let posts = words.iter().any(|word| {
            word.starts_with("-d")
                || word.starts_with("--data")
                || word.starts_with("-F")
                || word == "-XPOST"
                || word == "POST"
        });
        let mails = ["sendgrid", "mailgun", "postmarkapp", "api.resend.com", "api.brevo.com"];
        let is_smtp = address.starts_with("smtp") || flags("--mail-rcpt");
        if is_smtp || posts && mails.iter().any(|host| address.contains(host)) {
            self.add(Kind::Mail, words.join(" "));
        }
        let banks = [
            "api.stripe.com",
            "paypal.com",
            "api.adyen",
            "api.wise.com",
            "squareup.com",
            "api.mollie.com",
        ];
        if posts && banks.iter().any(|host| address.contains(host)) {
            self.add(Kind::Payment, words.join(" "));
        }
    }

    /// Code of an interpreter.
    fn of_code(&mut self, text: &str, depth: usize) {
        let code = code::read(text);
        for (kind, what) in code.kinds {
            self.add(kind, what);
        }
        for text in &code.commands {
            self.of_text(text, depth + 1);
        }
        for text in &code.queries {
            self.of_query(text);
        }
    }

    /// A query of any database.
    fn of_query(&mut self, text: &str) {
        let small: String = text.to_lowercase().split_whitespace().collect();
        let others =
            ["dropdatabase(", ".drop()", "deletemany({})", "remove({})", "flushall", "flushdb"];
        if let Some(what) = sql::danger(text) {
            self.add(Kind::Database, format!("{what}: {text}"));
        } else if others.iter().any(|other| small.contains(other)) {
            self.add(Kind::Database, text);
        }
    }
}

/// Programs that run what their arguments say.
const RUNNERS: &str = "\
sudo doas env nohup nice ionice time timeout exec command builtin xargs parallel find fd fdfind watch ssh su \
runuser chroot docker podman kubectl oc nsenter unshare flock stdbuf setsid strace ltrace tmux screen script \
entr busybox toybox wsl cmd start trap alias vagrant gcloud aws ansible salt mosh npx bunx pnpm yarn jj tar \
vim nvim powershell pwsh caffeinate";

const SHELLS: &str = "\
sh bash zsh dash ksh ash fish csh tcsh";

const DATABASES: &str = "\
psql mysql mariadb sqlite3 sqlcmd duckdb clickhouse-client clickhouse cockroach bq snowsql mongo mongosh \
redis-cli valkey-cli";

/// Programs, and the starts of words with which they are dangerous.
const WAYS: [(Kind, &str); 7] = [
    (
        Kind::Deletion,
        "rimraf; find -delete; rsync --del; \
aws s3 rm --recursive; aws s3 rb --force; gsutil rm -r; gcloud storage rm -r; gcloud projects delete; \
az group delete; rclone purge; rclone delete; kubectl delete namespace; kubectl delete ns; \
kubectl delete --all; terraform destroy; tofu destroy; docker prune; docker volume rm; \
podman prune; gh repo delete; heroku apps:destroy",
    ),
    (
        Kind::Formatting,
        "cryptsetup luksFormat; zpool destroy; zfs destroy; diskutil erase; diskutil partition",
    ),
    (Kind::Database, "dropdb; mysqladmin drop"),
    (Kind::System, "crontab -r; reg add; reg delete; weir approve"),
    (Kind::ForcePush, "gh api force=true"),
    (Kind::Mail, "aws ses send"),
    (Kind::Payment, "stripe create; bitcoin-cli send"),
];

/// Programs that write to all that they name.
const WRITERS: &str = "\
remove-item del rd rmdir erase tee truncate shred ed unlink set-content add-content out-file copy-item move-item \
new-item";

const FORMATTERS: &str = "\
mke2fs mkswap wipefs blkdiscard sgdisk sfdisk fdisk parted pvremove vgremove lvremove format-volume clear-disk \
diskpart";

const MAILERS: &str = "mail mailx sendmail msmtp ssmtp mutt swaks send-mailmessage";
