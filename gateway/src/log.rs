//! What the gateway says for people to read: one line on standard error.

use std::fmt::Arguments;
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// Nothing.
    Off,
    /// What went wrong.
    Warn,
    /// What happens to servers.
    Info,
    /// Each call.
    Debug,
}

impl std::str::FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "off" | "none" => Ok(Level::Off),
            "error" | "warn" | "warning" => Ok(Level::Warn),
            "info" => Ok(Level::Info),
            "debug" | "trace" => Ok(Level::Debug),
            _ => Err(format!("{text} is not one of off, warn, info, debug")),
        }
    }
}

static LEVEL: AtomicU8 = AtomicU8::new(Level::Warn as u8);
static JSON: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Sets how much is said, and whether each line is a JSON object.
pub fn set(level: Level, json: bool) {
    LEVEL.store(level as u8, Ordering::Relaxed);
    JSON.store(json, Ordering::Relaxed);
}

fn say(level: Level, text: Arguments<'_>) {
    if level as u8 > LEVEL.load(Ordering::Relaxed) {
        return;
    }
    let name = match level {
        Level::Warn => "warn",
        Level::Info => "info",
        _ => "debug",
    };
    let line = if JSON.load(Ordering::Relaxed) {
        let now = super::clock::unix_now();
        format!(
            "{}\n",
            serde_json::json!({"time": now, "level": name, "message": text.to_string()})
        )
    } else {
        // Text of servers must not write on the terminal as it likes.
        let text: String =
            text.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("weir: {name}: {text}\n")
    };
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Something went wrong.
pub fn warn(text: Arguments<'_>) {
    say(Level::Warn, text);
}

/// Something happened.
pub fn info(text: Arguments<'_>) {
    say(Level::Info, text);
}

/// Something happens all the time.
pub fn debug(text: Arguments<'_>) {
    say(Level::Debug, text);
}
