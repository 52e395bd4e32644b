//! What wasmcp's interfaces generate, as the middleware has them, and a stream of one crate as that of another.
#![expect(unsafe_code, reason = "exported functions take and give raw pointers, as the ABI says")]
#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

use crate::Server;

wit_bindgen::generate!({
    path: [
        "../../../kits/adapters/mcp-middleware/wit/deps/wasi-io.wit",
        "../../../kits/adapters/mcp-middleware/wit/deps/wasmcp-auth.wit",
        "../../../kits/adapters/mcp-middleware/wit/deps/wasmcp-mcp.wit",
    ],
    inline: "
        package weir:mcp-guest;
        world server { export wasmcp:mcp-v20251125/server-handler@0.1.1; }
    ",
    world: "weir:mcp-guest/server",
    generate_all,
});

export!(Server);

/// The same stream, under the type that the interface names.
pub(crate) fn stream(of: wasip2::io::streams::InputStream) -> wasi::io::streams::InputStream {
    // SAFETY: the handle is given up there and owned here.
    unsafe { wasi::io::streams::InputStream::from_handle(of.take_handle()) }
}
