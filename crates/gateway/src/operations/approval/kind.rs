//! The kinds of danger.

use serde::{Deserialize, Serialize};

/// A kind of danger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Folders with all that is in them, or what a list names.
    Deletion,
    /// Disks and volumes.
    Formatting,
    /// `DROP`, `TRUNCATE`, `DELETE` and `UPDATE` without a condition.
    Database,
    /// Writes to places of the system, and to files that run by themselves.
    System,
    /// Code that is run before anybody can have seen it.
    Download,
    /// History that others have is replaced.
    ForcePush,
    /// Mail.
    Mail,
    /// Payments.
    Payment,
}

impl Kind {
    /// As a person reads it.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Deletion => "deletes folders or a list of files",
            Kind::Formatting => "overwrites a disk or a volume",
            Kind::Database => "drops or changes more of a database than single rows",
            Kind::System => "writes to a place of the system",
            Kind::Download => "runs code that nobody has seen",
            Kind::ForcePush => "replaces history that others have",
            Kind::Mail => "sends mail",
            Kind::Payment => "moves money",
        }
    }
}
