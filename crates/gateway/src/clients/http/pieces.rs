//! A message as the bytes of a body.

use std::io;

use axum::body::Bytes;
use futures_util::stream;
use tokio::sync::mpsc;

use crate::clients::session::Outgoing;
use weir_mcp::wire::as_line;

/// The bytes of a message, those of a spooled result read as they are sent.
pub(crate) fn pieces(
    message: Outgoing,
    prefix: &str,
) -> impl stream::Stream<Item = io::Result<Bytes>> + Send + 'static {
    let (send, receive) = mpsc::channel::<io::Result<Bytes>>(4);
    let prefix = prefix.to_owned();
    tokio::task::spawn_blocking(move || {
        let put =
            |bytes: Vec<u8>| send.blocking_send(Ok(Bytes::from(bytes))).map_err(io::Error::other);
        let end = if prefix.is_empty() { "" } else { "\n\n" };
        let copied = match message {
            Outgoing::Text(text) => {
                let mut line = as_line(text);
                line.pop();
                put([prefix.as_bytes(), &line, end.as_bytes()].concat())
            }
            Outgoing::Spooled { head, result, skip, tail } => {
                put(format!("{prefix}{head}").into_bytes())
                    .and_then(|()| {
                        result.copy_to(skip, &mut |bytes| {
                            put(bytes
                                .iter()
                                .map(|b| if matches!(b, b'\n' | b'\r') { b' ' } else { *b })
                                .collect())
                        })
                    })
                    .and_then(|()| put(format!("{tail}{end}").into_bytes()))
            }
        };
        if let Err(error) = copied {
            let _ = send.blocking_send(Err(error));
        }
    });
    stream::unfold(receive, |mut receive| async move {
        receive.recv().await.map(|piece| (piece, receive))
    })
}
