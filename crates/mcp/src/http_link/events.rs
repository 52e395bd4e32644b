//! Server-sent events as they come from a server.

use std::time::Duration;

use crate::frame::{Assembler, Bounds, Frame};

/// The least and the most of the pauses that a server names.
const STREAM_PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(60)];

/// Where in a stream we are, and what the server said of coming back.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The id of the last event that had one.
    pub(super) last_id: Option<String>,
    /// How long to wait before a stream is asked for again.
    pub(super) retry: Option<Duration>,
}

/// Server-sent events, taken apart as they come.
pub(super) struct Events {
    data: Assembler,
    /// The start of a line, up to its colon or as long as a short field may be.
    line: Vec<u8>,
    in_data: bool,
    data_lines: usize,
    last_was_cr: bool,
    pub(super) place: Place,
    /// Whether the event is one that names an endpoint, as in HTTP+SSE.
    pub(super) names_endpoint: bool,
    /// The endpoint that was named last.
    pub(super) endpoint: Option<String>,
}

/// Bytes of a field other than `data`.
const FIELD_BYTES: usize = 4 * 1024;

impl Events {
    pub(super) fn new(bounds: Bounds) -> Events {
        Events {
            data: Assembler::new(bounds),
            line: Vec::new(),
            in_data: false,
            data_lines: 0,
            last_was_cr: false,
            place: Place::default(),
            names_endpoint: false,
            endpoint: None,
        }
    }

    /// Takes the next bytes; gives the messages that are whole with them.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> std::io::Result<Vec<Frame>> {
        let mut found = Vec::new();
        if std::mem::take(&mut self.last_was_cr) && bytes.first() == Some(&b'\n') {
            bytes = &bytes[1..];
        }
        while !bytes.is_empty() {
            let end = memchr::memchr2(b'\n', b'\r', bytes);
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            self.take(piece)?;
            let Some(end) = end else { break };
            if self.end_line()?
                && let Some(frame) = self.data.finish()?
            {
                found.push(frame);
            }
            let crlf = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
            self.last_was_cr = bytes[end] == b'\r' && end + 1 == bytes.len();
            bytes = &bytes[end + 1 + usize::from(crlf)..];
        }
        Ok(found)
    }

    fn take(&mut self, mut piece: &[u8]) -> std::io::Result<()> {
        if !self.in_data {
            const MARK: &[u8] = b"data:";
            let need = MARK.len().saturating_sub(self.line.len());
            let take = need.min(piece.len());
            self.line.extend_from_slice(&piece[..take]);
            piece = &piece[take..];
            if self.line.starts_with(MARK) {
                self.in_data = true;
                self.data_lines += 1;
                if self.data_lines > 1 {
                    self.data.push(b"\n")?;
                }
                self.line.clear();
            } else {
                let room = FIELD_BYTES.saturating_sub(self.line.len());
                self.line.extend_from_slice(&piece[..piece.len().min(room)]);
                return Ok(());
            }
        }
        if self.names_endpoint {
            let endpoint = self.endpoint.get_or_insert_default();
            let room = FIELD_BYTES.saturating_sub(endpoint.len());
            endpoint.push_str(&String::from_utf8_lossy(&piece[..piece.len().min(room)]));
            return Ok(());
        }
        // A space after the colon is no part of the data; before JSON it does not matter.
        self.data.push(piece)
    }

    /// Whether an event is whole with this line.
    fn end_line(&mut self) -> std::io::Result<bool> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.in_data) {
            return Ok(false);
        }
        if line.is_empty() {
            self.data_lines = 0;
            self.names_endpoint = false;
            return Ok(true);
        }
        if let Some(event) = line.strip_prefix(b"event:") {
            self.names_endpoint = event.trim_ascii() == b"endpoint";
            if self.names_endpoint {
                self.endpoint = None;
            }
        }
        if let Some(id) = line.strip_prefix(b"id:") {
            let id = String::from_utf8_lossy(id).trim().to_owned();
            self.place.last_id = (!id.is_empty()).then_some(id);
        }
        if let Some(retry) = line.strip_prefix(b"retry:") {
            let millis = std::str::from_utf8(retry).ok().and_then(|text| text.trim().parse().ok());
            let [least, most] = STREAM_PAUSES;
            let retry = millis.map(|millis| Duration::from_millis(millis).clamp(least, most));
            self.place.retry = retry.or(self.place.retry);
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Message;

    #[test]
    fn events_are_read_however_they_are_cut() {
        let stream = ": hello\r\nid: 7\r\nretry: 250\r\nretry: soon\r\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata:\"method\":\"a\"}\r\n\r\nid: 8\n\ndata:{\"method\":\"b\"}\n\n:\n\ndata: {\"method\":\"c\"}\r\rda";
        for chunk in 1..stream.len() {
            let mut events = Events::new(Bounds::new(std::env::temp_dir()));
            let mut methods = Vec::new();
            for part in stream.as_bytes().chunks(chunk) {
                for frame in events.feed(part).unwrap() {
                    let Frame::Messages(messages) = frame else { panic!("{frame:?}") };
                    let Message::Notification(notification) = &messages[0] else {
                        panic!("{messages:?}")
                    };
                    methods.push(notification.method.clone());
                }
            }
            assert_eq!(
                (methods.join(""), events.place.last_id.as_deref()),
                ("abc".to_owned(), Some("8")),
                "{chunk}"
            );
            assert_eq!(events.place.retry, Some(Duration::from_millis(250)), "{chunk}");
        }
    }
}
