//! The MCP gateway: clients on one side, servers on the other, the component in between.
pub mod frame;
pub mod json;
pub mod outline;
pub mod wire;
