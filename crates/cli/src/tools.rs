//! `weir tools`: the tools of the gateway's servers.

mod approve;
pub(crate) mod args;
mod describe;
mod learnt;
mod phrases;
mod search;
pub(crate) mod served;

use args::Tools;

use super::answer::Answer;
use super::console::Console;
use super::context::Context;
use super::failure::Failure;

pub(crate) fn run(
    tools: &Tools,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    match tools {
        Tools::Search(args) => served::search(args, context, console),
        Tools::Describe(args) => describe::run(args, context, console),
        Tools::Phrases(args) => phrases::run(args, context, console),
        Tools::Learnt(args) => learnt::run(args, context, console),
        Tools::Approve(args) => approve::run(args, context, console),
    }
}
