//! The proxy's side of ExtMcp.

use std::net::SocketAddr;

use prost::{Enumeration, Message, Oneof};
use prost_types::value::Kind;
use prost_types::{Struct, Value};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct McpRequest {
    #[prost(string, repeated, tag = "1")]
    service_names: Vec<String>,
    #[prost(string, tag = "2")]
    method: String,
    #[prost(message, optional, tag = "3")]
    metadata_context: Option<Struct>,
    #[prost(bytes = "vec", optional, tag = "4")]
    mcp_request: Option<Vec<u8>>,
    #[prost(message, repeated, tag = "5")]
    headers: Vec<McpHeader>,
}

#[derive(Clone, PartialEq, Message)]
struct McpResponse {
    #[prost(string, repeated, tag = "1")]
    service_names: Vec<String>,
    #[prost(string, tag = "2")]
    method: String,
    #[prost(message, optional, tag = "3")]
    metadata_context: Option<Struct>,
    #[prost(bytes = "vec", tag = "4")]
    mcp_response: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct McpRequestResult {
    #[prost(oneof = "Outcome", tags = "1, 2, 3")]
    result: Option<Outcome>,
    #[prost(message, optional, tag = "4")]
    header_mutation: Option<HeaderMutation>,
    #[prost(message, optional, tag = "5")]
    metadata: Option<Struct>,
}

#[derive(Clone, PartialEq, Message)]
struct McpResponseResult {
    #[prost(oneof = "Outcome", tags = "1, 2, 3")]
    result: Option<Outcome>,
}

#[derive(Clone, PartialEq, Oneof)]
enum Outcome {
    #[prost(message, tag = "1")]
    Pass(Pass),
    #[prost(bytes = "vec", tag = "2")]
    Mutated(Vec<u8>),
    #[prost(message, tag = "3")]
    Error(AuthorizationError),
}

#[derive(Clone, PartialEq, Message)]
struct HeaderMutation {
    #[prost(message, repeated, tag = "1")]
    set: Vec<McpHeader>,
    #[prost(string, repeated, tag = "2")]
    remove: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
struct McpHeader {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Message)]
struct Pass {}

#[derive(Clone, PartialEq, Message)]
struct AuthorizationError {
    #[prost(enumeration = "ErrorCode", tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    reason: String,
    #[prost(bytes = "vec", optional, tag = "3")]
    mcp_error: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
enum ErrorCode {
    Unknown = 0,
    PermissionDenied = 1,
    ResourceExhausted = 2,
    Invalid = 3,
}

/// A connection of the proxy.
#[derive(Clone)]
pub(crate) struct Proxy(Channel);

impl Proxy {
    pub(crate) async fn at(address: SocketAddr) -> Proxy {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
        Proxy(endpoint.connect().await.expect("it connects"))
    }

    async fn ask<M, R>(&mut self, path: &str, message: M) -> Result<R, Status>
    where
        M: Message + Send + Sync + 'static,
        R: Message + Default + Send + Sync + 'static,
    {
        let mut grpc = tonic::client::Grpc::new(self.0.clone());
        grpc.ready().await.map_err(|error| Status::unknown(error.to_string()))?;
        let path = PathAndQuery::try_from(path).unwrap();
        let codec = ProstCodec::<M, R>::default();
        Ok(grpc.unary(Request::new(message), path, codec).await?.into_inner())
    }

    /// A message of no kind, to any path.
    pub(crate) async fn unary(&mut self, path: &str) -> Result<(), Status> {
        self.ask::<Pass, Pass>(path, Pass {}).await.map(drop)
    }

    /// What is noted of a request, which passes.
    pub(crate) async fn request(
        &mut self,
        method: &str,
        targets: &[&str],
        params: &serde_json::Value,
    ) -> Option<Struct> {
        let header = McpHeader { key: ":authority".into(), value: b"\xff".to_vec() };
        let message = McpRequest {
            service_names: targets.iter().map(|name| (*name).to_owned()).collect(),
            method: method.to_owned(),
            metadata_context: None,
            mcp_request: (!params.is_null()).then(|| serde_json::to_vec(params).unwrap()),
            headers: vec![header],
        };
        let path = "/agentgateway.dev.ext_mcp.ExtMcp/CheckRequest";
        let answer: McpRequestResult = self.ask(path, message).await.expect("it answers");
        assert_eq!(answer.result, Some(Outcome::Pass(Pass {})));
        assert_eq!(answer.header_mutation, None);
        answer.metadata
    }

    /// What goes on in a result's place; none where it passes.
    pub(crate) async fn response(
        &mut self,
        method: &str,
        targets: &[&str],
        context: Option<Struct>,
        result: &serde_json::Value,
    ) -> Option<Vec<u8>> {
        let bytes = serde_json::to_vec(result).unwrap();
        self.raw_response(method, targets, context, &bytes).await.expect("it answers")
    }

    pub(crate) async fn raw_response(
        &mut self,
        method: &str,
        targets: &[&str],
        context: Option<Struct>,
        result: &[u8],
    ) -> Result<Option<Vec<u8>>, Status> {
        let message = McpResponse {
            service_names: targets.iter().map(|name| (*name).to_owned()).collect(),
            method: method.to_owned(),
            metadata_context: context,
            mcp_response: result.to_vec(),
        };
        let path = "/agentgateway.dev.ext_mcp.ExtMcp/CheckResponse";
        let answer: McpResponseResult = self.ask(path, message).await?;
        match answer.result.expect("the proxy takes an answer without one for an error") {
            Outcome::Pass(_) => Ok(None),
            Outcome::Mutated(bytes) => Ok(Some(bytes)),
            Outcome::Error(error) => panic!("{error:?}"),
        }
    }
}

/// A text as protobuf has JSON's values.
fn text(text: &str) -> Value {
    Value { kind: Some(Kind::StringValue(text.to_owned())) }
}

/// What the proxy's expressions gave.
pub(crate) fn texts(of: &[(&str, &str)]) -> Struct {
    Struct { fields: of.iter().map(|(key, it)| ((*key).to_owned(), text(it))).collect() }
}
