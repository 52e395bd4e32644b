//! The MCP gateway: clients on one side, servers on the other, the component in between.
pub mod connection;
pub mod frame;
pub mod guard;
pub mod http_link;
pub mod json;
pub mod known;
pub mod outline;
pub mod process;
pub mod spec;
pub mod upstream;
pub mod wire;
