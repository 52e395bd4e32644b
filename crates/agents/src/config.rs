//! Configuration files of agent hosts: where they are, how they are read, and how they are edited
//! without harm.
//!
//! ```text
//! host ─► file ─► document ─► node (what it means) ─► servers
//!                    └─► edit ─► text ─► read again, compared ─► written atomically, with a record for undo
//! ```
//!
//! An [`Edit`] names keys, not places. It is applied through the syntax tree of the file's format, so
//! that comments, order, indentation, line ends and a byte order mark stay as they are. The result is
//! read again and must mean what the edit says and nothing else; otherwise the file is left alone.

mod edit;
mod entries;
mod error;
mod file;
mod format;
mod hosts;
mod json;
mod layout;
mod mask;
mod node;
mod own_rules;
mod record;
mod rules;
mod toml;
mod yaml;

pub use edit::{Change, Edit};
pub use entries::{
    OF_THE_HOST, Place, Server, find_servers, gateway_changes, gateway_option, gateway_options,
    is_gateway, meaning, to_json_entry,
};
pub use error::EditError;
pub use file::{Document, FileError};
pub use format::{Format, SyntaxError};
pub use hosts::{
    Directories, ENTRY, HOSTS, Host, Mode, Project, Scope, Sends, ServerMap, Shape, host,
    host_name, hosts_of,
};
pub use layout::differences;
pub use mask::Mask;
pub use node::Node;
pub use own_rules::OwnRules;
pub use record::{Record, Records, Undone};
pub use rules::{RULES, rules_file, with_rules};
