//! Tools' results that the gateway itself writes.

use crate::frame::Reply;
use crate::json::{Json, quote};
use crate::upstream::UpstreamError;

/// What a client is told when a server gives no answer: for a tool, a result that the model reads.
pub(super) fn tool_failure(error: &UpstreamError) -> Reply {
    Reply::Result(text_result(&error.to_string(), true))
}

pub(super) fn text_result(text: &str, is_error: bool) -> Json {
    let text = quote(text);
    Json::assembled(format!(
        r#"{{"content":[{{"type":"text","text":{text}}}],"isError":{is_error}}}"#
    ))
}
