//! What the gateway reports while it runs: events as lines on standard error.

use std::fmt::{self, Write as _};
use std::io::Write as _;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use weir_text::hidden::one_line;

use super::numbers::unix_now;

/// Prints events from now on. Only the first call in a process has an effect.
pub(crate) fn print(level: &str, json: bool) {
    let most = match level {
        "off" => LevelFilter::OFF,
        "info" => LevelFilter::INFO,
        "debug" => LevelFilter::DEBUG,
        _ => LevelFilter::WARN,
    };
    // A second one is refused, and the first goes on.
    let _ = tracing::subscriber::set_global_default(Lines { most, json });
}

/// One line an event. Spans are not printed, and neither are events of other crates.
struct Lines {
    most: LevelFilter,
    json: bool,
}

impl Lines {
    fn line(&self, level: &Level, event: &Parts) -> String {
        let level = match *level {
            Level::ERROR | Level::WARN => "warn",
            Level::INFO => "info",
            _ => "debug",
        };
        if self.json {
            let mut line = serde_json::json!({
                "time": unix_now(),
                "level": level,
                "message": event.message,
            });
            if let Some(server) = &event.server {
                line["server"] = server.as_str().into();
            }
            return format!("{line}\n");
        }
        let server = event.server.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        // Text of servers must not write on the terminal as it likes.
        let text = one_line(&format!("{server}{}", event.message));
        format!("weir: {level}: {text}\n")
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event()
            && metadata.target().starts_with("weir")
            && *metadata.level() <= self.most
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.most)
    }

    fn event(&self, event: &Event<'_>) {
        let mut parts = Parts::default();
        event.record(&mut parts);
        let line = self.line(event.metadata().level(), &parts);
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    // No span is enabled: these are never asked for.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// What is printed of an event.
#[derive(Default)]
struct Parts {
    message: String,
    server: Option<String>,
}

impl Visit for Parts {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "server" => self.server = Some(value.to_owned()),
            _ => self.record_debug(field, &format_args!("{value}")),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            "server" => self.server = Some(format!("{value:?}")),
            name => {
                let _ = write!(self.message, " {name}={value:?}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Parts {
        Parts { message: "it says \"\u{1b}[2J\"\nand".into(), server: Some("git".into()) }
    }

    #[test]
    fn a_line_names_level_and_server_and_has_no_control_characters() {
        let lines = Lines { most: LevelFilter::WARN, json: false };
        let line = lines.line(&Level::WARN, &parts());
        assert_eq!(line, "weir: warn: git: it says \" [2J\" and\n");
        let none = Parts { server: None, ..parts() };
        assert!(lines.line(&Level::TRACE, &none).starts_with("weir: debug: it says"));
    }

    #[test]
    fn a_line_of_json_is_one_object() {
        let lines = Lines { most: LevelFilter::WARN, json: true };
        let line = lines.line(&Level::INFO, &parts());
        assert_eq!(line.matches('\n').count(), 1);
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["level"], "info");
        assert_eq!(read["server"], "git");
        assert_eq!(read["message"], parts().message);
    }
}
