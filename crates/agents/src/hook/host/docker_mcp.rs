//! Docker's MCP gateway, `--interceptor after:exec:`. The event is the result of `tools/call` and nothing else: not the
//! tool, not its arguments, not the client. The answer is the result that goes on in its place.

use super::super::event::Object;
use super::super::task::{Frame, Reason, Task};
use super::{Call, block_task};

/// What answers of Weir's own begin with: `weir serve` may be one more server behind the gateway.
const OURS: &str = "[weir: ";

/// Bytes of the largest of them: a server can write that beginning as well.
const OURS_BYTES: usize = 400_000;

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    let content = event.raw("content").ok_or(Reason::Shape)?;
    let tool = "docker-mcp".to_owned();
    let call = Call { tool, toolset: None, arguments: None, directory: None };
    let mut task = block_task(call, content, Some(event.clone()), Frame::Bare)?;
    if matches!(&task.texts[..], [text] if text.starts_with(OURS) && text.len() <= OURS_BYTES) {
        return Err(Reason::Ours);
    }
    task.is_error = event.is_true("isError");
    Ok(task)
}
