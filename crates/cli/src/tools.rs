//! `weir tools`: the tools of the gateway's servers.

mod approve;
pub(crate) mod args;
mod describe;
mod learnt;
mod phrases;
mod search;
pub(crate) mod served;

use args::Tools;

use super::{Answer, Context, Failure};

pub(crate) fn run(tools: &Tools, context: &Context<'_>) -> Result<Answer, Failure> {
    match tools {
        Tools::Search(args) => served::search(args, context),
        Tools::Describe(args) => describe::run(args, context),
        Tools::Phrases(args) => phrases::run(args, context),
        Tools::Learnt(args) => learnt::run(args, context),
        Tools::Approve(args) => approve::run(args, context),
    }
}
