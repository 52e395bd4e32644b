//! `weir extmcp`: beside agentgateway.

use tokio::net::TcpListener;
use weir_extmcp::{Reader, Seat, serve};
use weir_gateway::gate::Gate;

use super::args::ExtMcp;
use super::gateway::{note, while_loading};
use super::interrupt::stop_signal;
use super::{Answer, Context, Failure};

pub(crate) fn run(arguments: &ExtMcp, context: &Context<'_>) -> Result<Answer, Failure> {
    crate::log::print(&arguments.log, false);
    let address = arguments.listen;
    if !address.ip().is_loopback() && !arguments.allow_remote {
        return Err(Failure::usage(
            format!("other machines can reach {address}, and nobody proves who they are"),
            "listen on 127.0.0.1 beside the proxy, or add --allow-remote where only the proxy gets through",
        ));
    }
    let (gate, loader) = Gate::loading(context.session());
    let named = context.named_session().is_some() || context.host().is_some();
    let seat = Seat {
        gate: gate.with_tier(context.tier()?),
        session: named.then(|| context.session().to_owned()),
        target: arguments.target.clone(),
        reader: match arguments.reader.as_deref() {
            Some("shell") => {
                let global = context.arguments().clone();
                Reader::Shell(Box::new(move |session| {
                    Context::new(&global).shell_reader(session, false)
                }))
            }
            Some(tool) => Reader::Tool(tool.to_owned()),
            None => Reader::Tool(format!("{}_weir_fetch", arguments.target)),
        },
    };
    let serving = async {
        let failed = Failure::io(format!("cannot listen on {address}"));
        let listener = TcpListener::bind(address).await.map_err(&failed)?;
        let bound = listener.local_addr().map_err(&failed)?;
        note(format_args!("agentgateway asks at {bound}"));
        let sharing = seat.gate.clone();
        tokio::spawn(sharing.clone().look_after_tier());
        let served = serve(seat, listener, stop_signal()).await;
        sharing.end_uploads().await;
        served.map_err(Failure::io("cannot take connections"))?;
        Ok(Answer::Yes)
    };
    while_loading(loader, context, serving)
}
