//! The messages of ExtMcp, as far as they are read and written here. Numbers and names are the protocol's; what is left out
//! (headers of the request, changes of headers) is passed over by the decoder.

use prost::{Message, Oneof};
use prost_types::Struct;

/// Before a call goes to its target.
pub(crate) const CHECK_REQUEST: &str = "/agentgateway.dev.ext_mcp.ExtMcp/CheckRequest";

/// After its result has come.
pub(crate) const CHECK_RESPONSE: &str = "/agentgateway.dev.ext_mcp.ExtMcp/CheckResponse";

#[derive(Clone, PartialEq, Message)]
pub(crate) struct McpRequest {
    #[prost(string, tag = "2")]
    pub(crate) method: String,
    /// The `params`, as JSON.
    #[prost(bytes = "vec", optional, tag = "4")]
    pub(crate) mcp_request: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct McpResponse {
    /// The targets: one for a call, all for a list.
    #[prost(string, repeated, tag = "1")]
    pub(crate) service_names: Vec<String>,
    #[prost(string, tag = "2")]
    pub(crate) method: String,
    /// What the proxy's configuration says of the request.
    #[prost(message, optional, tag = "3")]
    pub(crate) metadata_context: Option<Struct>,
    /// The `result`, as JSON.
    #[prost(bytes = "vec", tag = "4")]
    pub(crate) mcp_response: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct McpRequestResult {
    #[prost(oneof = "Outcome", tags = "1, 2")]
    pub(crate) result: Option<Outcome>,
    /// What expressions of the proxy read as `mcpGuardrails`.
    #[prost(message, optional, tag = "5")]
    pub(crate) metadata: Option<Struct>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct McpResponseResult {
    #[prost(oneof = "Outcome", tags = "1, 2")]
    pub(crate) result: Option<Outcome>,
}

/// What is to become of a message. The protocol has a third one, an error, which is never given here.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum Outcome {
    #[prost(message, tag = "1")]
    Pass(Pass),
    /// JSON that goes on in its place.
    #[prost(bytes = "vec", tag = "2")]
    Mutated(Vec<u8>),
}

#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub(crate) struct Pass {}
