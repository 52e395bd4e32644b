//! `weir serve-builtin`: a built-in server on standard streams.

use weir_gateway::gate::Gate;
use weir_servers::BuiltIn;

use crate::args::BuiltInServer;
use crate::gateway::note;
use crate::{Answer, Context, Failure};

/// Serves one client until it closes its end.
pub(crate) fn run(server: &BuiltInServer, context: &Context<'_>) -> Result<Answer, Failure> {
    // The component works in a directory of its own, for as long as it may be asked.
    let mut scratch = None;
    let (server, weir) = match server {
        BuiltInServer::Skills { directories } => {
            for directory in directories.iter().filter(|directory| !directory.is_dir()) {
                note(format_args!("warning: there is no directory {}", directory.display()));
            }
            (BuiltIn::Skills(directories.clone()), Err("it is not needed".to_owned()))
        }
        BuiltInServer::Memory { directory } => {
            let (weir, held) = context.scratch()?;
            scratch = Some(held);
            (BuiltIn::Memory(directory.clone()), Ok(weir))
        }
    };
    let screen = Gate::new(weir, context.session()).screen();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::io("cannot start the server"))?;
    let served = runtime.block_on(server.serve(screen, tokio::io::stdin(), tokio::io::stdout()));
    // A read of standard input that nobody waits for any more would hold the runtime.
    runtime.shutdown_background();
    drop(scratch);
    served.map_err(Failure::io("cannot speak with the client"))?;
    Ok(Answer::Yes)
}
