//! `weir tools`: catalogs of tools from files, indexed, searched and assembled; the gateway's own.

mod approve;
pub(crate) mod args;
mod assemble;
mod describe;
mod files;
mod index;
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
        Tools::Phrases(args) => return phrases::run(args, context, console),
        Tools::Learnt(args) => return learnt::run(args, context, console),
        Tools::Approve(args) => return approve::run(args, context, console),
        _ => {}
    }
    // A catalog stores nothing: the store in use is not touched.
    let (weir, _scratch) = match tools {
        Tools::Search(_) => context.searching(console)?,
        _ => context.scratch()?,
    };
    match tools {
        Tools::Index(args) => index::run(args, &weir, console),
        Tools::Search(args) => search::run(args, &weir, console),
        Tools::Describe(args) => describe::run(args, &weir, console),
        Tools::Assemble(args) => assemble::run(args, &weir, console),
        // Done above: they need no component.
        Tools::Approve(_) | Tools::Phrases(_) | Tools::Learnt(_) => Ok(Answer::Yes),
    }
}
