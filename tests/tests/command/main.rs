//! What a user of the command sees: the real `weir` with an environment of its own.

mod cli;
mod crash;
mod dependencies;
mod docs;
mod embeddings;
mod hook;
mod install;
mod processes;
mod references;
mod sandbox;
mod shell;
mod tokens;
mod tools_command;
mod trial;
mod truth;
