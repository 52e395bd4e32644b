//! The gateway as a client sees it: the real command, the real component, a scripted server.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod apart;
mod approvals;
mod balance;
mod broken;
mod bytes;
mod client;
mod endpoint;
mod eras;
mod grants;
mod hosts;
mod http;
mod interleave;
mod kinds;
mod large;
mod learnt;
mod memory;
mod oauth;
mod older;
mod openapi;
mod operations;
mod people;
mod proxy;
mod references;
mod replicas;
mod results;
mod servers;
mod sessions;
mod several;
mod skills;
mod tools;
mod traces;
