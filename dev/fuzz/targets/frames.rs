//! A message is the same however its bytes come, and whether it is held in memory or in a file.
//!
//! The first byte is the length of the pieces.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weir_mcp::frame::{Assembler, Bounds, Frame, Oversized};
use weir_mcp::wire::Message;

fn frame(bytes: &[u8], piece: usize, memory_bytes: usize) -> Option<Frame> {
    let mut assembler =
        Assembler::new(Bounds { memory_bytes, ..Bounds::new(std::env::temp_dir()) });
    for piece in bytes.chunks(piece) {
        assembler.push(piece).expect("it is within its bounds");
    }
    assembler.finish().expect("files can be read")
}

fuzz_target!(|bytes: &[u8]| {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    let whole = frame(bytes, bytes.len().max(1), 1 << 20);
    let pieces = frame(bytes, usize::from(*piece).max(1), 1 << 20);
    assert_eq!(format!("{whole:?}"), format!("{pieces:?}"));
    let Some(Frame::Oversized(Oversized { id, result })) =
        frame(bytes, usize::from(*piece).max(1), 16)
    else {
        return;
    };
    // What a file holds is not read as a whole before somebody wants it: it may turn out to be no JSON.
    let loaded = result.load(1 << 20);
    if result.text_block().is_some() {
        let mut text = Vec::new();
        let read = result.text_to(&mut |bytes| {
            text.extend_from_slice(bytes);
            Ok(())
        });
        assert!(read.is_err() || std::str::from_utf8(&text).is_ok());
    }
    let Some(Frame::Messages(messages)) = whole else { return };
    let [Message::Response(response)] = &messages[..] else {
        panic!("an answer in a file is {messages:?} in memory")
    };
    assert_eq!(response.id.as_ref().map(|id| id.as_str()), Some(id.as_str()));
    let body = response.body.as_ref().expect("a result is no error");
    assert_eq!(body.as_str(), loaded.expect("it is JSON in memory").as_str());
});
