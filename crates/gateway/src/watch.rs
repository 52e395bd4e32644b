//! What watches the gateway at work: its log, its counts, its traces and its page.

pub(crate) mod audit;
pub mod ledger;
pub(crate) mod measured;
pub(crate) mod metrics;
pub mod page;
pub mod running;
pub(crate) mod stats;
pub(crate) mod telemetry;
