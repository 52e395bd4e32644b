//! What lines say that something went wrong, and how badly: words and phrases of real tools.

/// How bad a line says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It may be worth a look.
    Warning,
    /// Something failed.
    Error,
    /// All of it failed: a crash, a process that was ended.
    Fatal,
}

impl Severity {
    /// All, mildest first.
    pub const ALL: [Severity; 3] = [Severity::Warning, Severity::Error, Severity::Fatal];

    /// Its name, with an `s` for many.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Fatal => "fatal error",
        }
    }
}

use Severity::{Error, Fatal, Warning};

/// Phrases, in small letters, with what a line that holds one is.
pub const PHRASES: &[(Severity, &[&str])] = &[
    (
        Fatal,
        &[
            "fatal",
            "panic",
            "panicked",
            "critical",
            "crit",
            "emerg",
            "segmentation fault",
            "segfault",
            "sigsegv",
            "sigabrt",
            "sigkill",
            "sigbus",
            "sigill",
            "core dumped",
            "bus error",
            "killed",
            "oomkilled",
            "out of memory",
            "outofmemoryerror",
            "oom-killer",
            "cannot allocate memory",
            "heap out of memory",
            "stack overflow",
            "stack smashing detected",
            "double free",
            "kernel panic",
            "assertion failed",
            "assertion `",
            "unhandled exception",
            "uncaught exception",
            "unhandled rejection",
            "unhandledpromiserejection",
            "uncaught",
            "traceback",
            "crashloopbackoff",
            "imagepullbackoff",
            "errimagepull",
            "evicted",
            "aborted",
            "abort trap",
            "no space left on device",
            "disk full",
            "disk quota exceeded",
            "corrupted",
            "corruption",
            "data loss",
            "deadlock",
            "goroutine 1 [running]",
            "access violation",
            "illegal instruction",
            "terminated by signal",
            "guru meditation",
            "blue screen",
            "致命的",
            "致命错误",
            "фатальная",
            "fataler fehler",
            "erreur fatale",
            "error fatal",
        ],
    ),
    (
        Error,
        &[
            "error",
            "errors",
            "err",
            "err!",
            "fail",
            "failed",
            "fails",
            "failing",
            "failure",
            "failures",
            "exception",
            "severe",
            "errored",
            "undefined reference",
            "undefined symbol",
            "unresolved external",
            "unresolved import",
            "command not found",
            "no such file",
            "no such module",
            "no such table",
            "no such host",
            "not recognized as",
            "cannot find",
            "can't find",
            "could not find",
            "could not be found",
            "could not resolve",
            "could not connect",
            "could not open",
            "could not read",
            "could not load",
            "could not compile",
            "could not create",
            "couldn't",
            "cannot open",
            "cannot access",
            "cannot connect",
            "cannot create",
            "cannot read",
            "cannot stat",
            "cannot resolve",
            "cannot import",
            "unable to",
            "caused by",
            "! [rejected]",
            "rejected",
            "permission denied",
            "access denied",
            "denied",
            "unauthorized",
            "forbidden",
            "refused",
            "timed out",
            "timeout",
            "time-out",
            "connection reset",
            "broken pipe",
            "unreachable",
            "host is down",
            "exit code 1",
            "exit code 2",
            "exit code 127",
            "exit code 137",
            "exit code 139",
            "exit code 255",
            "exit status 1",
            "exit status 2",
            "exit status 127",
            "exited with code 1",
            "exited with code 2",
            "exited with code 137",
            "exited with 1",
            "returned non-zero",
            "non-zero exit",
            "nonzero exit",
            "e   assert",
            "e assert",
            "assert failed",
            "assertionerror",
            "test failed",
            "tests failed",
            "not ok",
            "bad gateway",
            "service unavailable",
            "internal server error",
            "gateway timeout",
            "too many requests",
            "too many open files",
            "resource temporarily unavailable",
            "address already in use",
            "port already in use",
            "in use by another",
            "syntax error",
            "parse error",
            "unexpected token",
            "unexpected end",
            "unexpected eof",
            "unexpected identifier",
            "unterminated",
            "mismatched types",
            "type mismatch",
            "cannot borrow",
            "not declared",
            "was not declared",
            "undeclared",
            "undefined variable",
            "undefined method",
            "undefined function",
            "is not defined",
            "is undefined",
            "is not a function",
            "of undefined",
            "of null",
            "null pointer",
            "nullpointerexception",
            "nil pointer",
            "invalid memory",
            "index out of",
            "out of range",
            "out of bounds",
            "division by zero",
            "divide by zero",
            "duplicate key",
            "duplicate entry",
            "violates",
            "relation does not exist",
            "does not exist",
            "doesn't exist",
            "not exist",
            "not found",
            "no matching",
            "no route to host",
            "name or service not known",
            "temporary failure",
            "certificate has expired",
            "certificate verify",
            "self signed certificate",
            "self-signed certificate",
            "handshake failure",
            "ssl_error",
            "x509:",
            "invalid credentials",
            "bad credentials",
            "invalid argument",
            "invalid option",
            "invalid syntax",
            "invalid value",
            "invalid character",
            "invalid token",
            "illegal",
            "malformed",
            "unrecognized",
            "unknown option",
            "unknown command",
            "unknown column",
            "missing required",
            "is missing",
            "integer overflow",
            "buffer overflow",
            "merge conflict",
            "conflict (",
            "checksum mismatch",
            "hash mismatch",
            "integrity check",
            "does not match",
            "mismatch",
            "backoff",
            "back-off",
            "unhealthy",
            "not ready",
            "insufficient",
            "quota exceeded",
            "limit exceeded",
            "rate limit",
            "exceeded",
            "throttled",
            "lost connection",
            "connection lost",
            "disconnected",
            "rollback",
            "rolled back",
            "incompatible",
            "eresolve",
            "enoent",
            "eacces",
            "eaddrinuse",
            "econnrefused",
            "econnreset",
            "etimedout",
            "enotfound",
            "enospc",
            "emfile",
            "epipe",
            "eperm",
            "ebusy",
            "invalid",
            "broken",
            "crash",
            "crashed",
            "unexpected",
            "stacktrace",
            "stack trace",
            "backtrace",
            "vulnerability",
            "vulnerabilities",
            "unreadable",
            "skipping bad",
            "badly",
            "giving up",
            "gave up",
            "could not",
            "cannot",
            "can not",
            "fehler",
            "fehlgeschlagen",
            "nicht gefunden",
            "konnte nicht",
            "zugriff verweigert",
            "erreur",
            "échec",
            "introuvable",
            "impossible",
            "fallo",
            "falló",
            "no se pudo",
            "no se puede",
            "no encontrado",
            "denegado",
            "errore",
            "fallito",
            "impossibile",
            "non trovato",
            "erro",
            "falhou",
            "falha",
            "não foi possível",
            "não encontrado",
            "fout",
            "mislukt",
            "błąd",
            "nie można",
            "ошибка",
            "не удалось",
            "не найден",
            "отказано",
            "错误",
            "失败",
            "無法",
            "无法",
            "异常",
            "找不到",
            "エラー",
            "失敗",
            "見つかりません",
            "できません",
            "例外",
            "오류",
            "실패",
            "hata",
            "başarısız",
            "lỗi",
            "خطأ",
            "त्रुटि",
        ],
    ),
    (
        Warning,
        &[
            "warn",
            "warning",
            "warnings",
            "deprecated",
            "deprecation",
            "obsolete",
            "caution",
            "degraded",
            "retrying",
            "slow query",
            "advertencia",
            "avertissement",
            "warnung",
            "предупреждение",
            "警告",
            "경고",
            "aviso",
            "waarschuwing",
        ],
    ),
];

/// Bytes before and after a word that are looked at to tell whether it means what it says.
const AROUND: usize = 24;

/// Whether a word is only mentioned: a count of none, a file's name, a key whose value is nothing.
pub(crate) fn is_noise(before: &[u8], word: &[u8], after: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(AROUND)..];
    let after = &after[..after.len().min(AROUND)];
    // A part of a name: `errors.py`, `es-errors`, `src/error/mod.rs`, `error_code`.
    let joins = |byte: u8| matches!(byte, b'/' | b'\\' | b'-' | b'_' | b'@' | b'#');
    let is_name = |byte: u8| byte.is_ascii_alphanumeric();
    match after {
        [b'.' | b'-' | b'_' | b'/' | b'\\' | b'@', next, ..] if is_name(*next) => return true,
        [b'(' | b'!', b')' | b'(' | b'{', ..] | [b':', b':', ..] => return true,
        [b'(', ..] if word.eq_ignore_ascii_case(b"err") => return true,
        // A setting: `panic=abort`.
        [b'=', ..] if word.eq_ignore_ascii_case(b"panic") => return true,
        _ => {}
    }
    if let [.., previous, last] = before
        && (joins(*last) || *last == b'.')
        && is_name(*previous)
    {
        return true;
    }
    if before.last().is_some_and(|last| matches!(last, b'/' | b'\\' | b'_')) {
        return true;
    }
    let lead = before.to_ascii_lowercase();
    // An option or its value: `--warn`, `--log-level=error`, `-D warnings`, `failurePolicy: Fail`.
    const OPTIONS: [&[u8]; 7] =
        [b"--", b"log-level=", b"log_level=", b"loglevel=", b" -d ", b" -w ", b"policy: "];
    if OPTIONS.iter().any(|option| lead.ends_with(option)) {
        return true;
    }
    // An event: `OnFailure`, `onError`.
    if lead.ends_with(b"on")
        && word[0].is_ascii_uppercase()
        && !lead[..lead.len() - 2].last().is_some_and(|byte| is_name(*byte))
    {
        return true;
    }
    // An entry of a tree of files.
    const BRANCHES: [&str; 4] = ["── ", "|-- ", "`-- ", "+-- "];
    if after.is_empty() && BRANCHES.iter().any(|branch| lead.ends_with(branch.as_bytes())) {
        return true;
    }
    // What a thing is about: `error handling`, `an error detector`.
    const ABOUT: [&[u8]; 10] = [
        b" handling",
        b" handler",
        b" detect",
        b" correct",
        b" checking",
        b" descripti",
        b" recovery",
        b" reporting",
        b" tracking",
        b" tolera",
    ];
    let follows = after.to_ascii_lowercase();
    if ABOUT.iter().any(|about| follows.starts_with(about)) {
        return true;
    }
    // `RX errors 0`, and the flags of `lspci`: `FatalErr-`.
    let ends = |rest: &[u8]| rest.first().is_none_or(|byte| b" \t,;\r".contains(byte));
    let is_count = word.last().is_some_and(|last| b"sSdD".contains(last));
    if (is_count && after.strip_prefix(b" 0").is_some_and(ends))
        || (word.eq_ignore_ascii_case(b"err") && after.strip_prefix(b"-").is_some_and(ends))
    {
        return true;
    }
    // `0 errors`, `no errors`, `without error`.
    let lead = lead.trim_ascii_end();
    let none = [
        &b"no"[..],
        b"zero",
        b"without",
        b"any",
        b"if",
        b"on",
        b"ignore",
        b"handle",
        b"without any",
        b"standard",
    ];
    let ends_with_word = |word: &[u8]| {
        lead.ends_with(word) && !lead[..lead.len() - word.len()].last().is_some_and(|b| is_name(*b))
    };
    if before.last() != lead.last() && none.iter().any(|word| ends_with_word(word)) {
        return true;
    }
    if lead.ends_with(b"0")
        && !lead[..lead.len() - 1].last().is_some_and(|b| is_name(*b) || b".,=:".contains(b))
        && before.last().is_some_and(|last| *last == b' ')
    {
        return true;
    }
    // `errors: 0`, `"error": null`, `failed=0,`.
    let value = after.trim_ascii_start();
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let value = value.trim_ascii_start();
    let Some((&sign, value)) = value.split_first() else { return false };
    if !matches!(sign, b':' | b'=') {
        return false;
    }
    let value = value.trim_ascii_start();
    let nothing = [
        &b"0"[..],
        b"null",
        b"none",
        b"None",
        b"nil",
        b"false",
        b"[]",
        b"{}",
        b"\"\"",
        b"''",
        b"no",
        b"-",
    ];
    // After a colon a sentence may follow that begins so: `error: 0 is not a type`.
    let ends_so = |rest: &[u8]| match rest.first() {
        None => true,
        Some(byte) => b",;}])|\r".contains(byte) || (sign == b'=' && *byte == b' '),
    };
    nothing.iter().any(|nothing| value.strip_prefix(*nothing).is_some_and(ends_so))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_mentioned_is_noise() {
        for (before, word, after) in [
            ("found 0 ", "errors", ", 3 tests"),
            ("with no ", "errors", ""),
            ("src/", "errors", ".py"),
            ("node_modules/es-", "errors", "@1.3"),
            ("{\"", "error", "\": null,"),
            ("2 passed; ", "failed", "=0 "),
            ("=> ", "Err", "(e)"),
            ("see http_", "error", "_log"),
            ("weir --", "warn", "=x"),
            ("run --log-level=", "error", " x"),
            ("restartPolicy: On", "Failure", ""),
            ("├── ", "errors", ""),
            ("Advanced ", "Error", " Reporting"),
            ("RX ", "errors", " 0  dropped 0"),
            ("DevSta: Corr", "Err", "- NonFatal"),
            ("console=ttyS0 ", "panic", "=1"),
        ] {
            assert!(
                is_noise(before.as_bytes(), word.as_bytes(), after.as_bytes()),
                "{before}{word}{after}"
            );
        }
        for (before, word, after) in [
            ("", "error", ": x"),
            ("found 10 ", "errors", ""),
            ("main.c:4: ", "error", ": 0 is not a type"),
            ("npm ", "ERR!", " code E404"),
            ("\"level\":\"", "error", "\",\"msg\":\"x\""),
            ("failed=0 ", "errors", "=2"),
            ("RX ", "errors", " 07"),
            ("level=", "error", " msg=x"),
            ("Connection", "Error", ": x"),
            ("├── ", "ERROR", ": x"),
        ] {
            assert!(
                !is_noise(before.as_bytes(), word.as_bytes(), after.as_bytes()),
                "{before}{word}{after}"
            );
        }
    }
}
