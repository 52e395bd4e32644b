//! `weir serve-builtin`: a built-in server on standard streams.

use weir_servers::BuiltIn;

use crate::answer::Answer;
use crate::args::BuiltInServer;
use crate::failure::Failure;

/// Serves one client until it closes its end.
pub(crate) fn run(server: &BuiltInServer) -> Result<Answer, Failure> {
    let BuiltInServer::Skills { directories } = server;
    let server = BuiltIn::Skills(directories.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::io("cannot start the server"))?;
    let served = runtime.block_on(server.serve(tokio::io::stdin(), tokio::io::stdout()));
    // A read of standard input that nobody waits for any more would hold the runtime.
    runtime.shutdown_background();
    served.map_err(Failure::io("cannot speak with the client"))?;
    Ok(Answer::Yes)
}
