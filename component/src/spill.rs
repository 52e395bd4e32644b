//! Placeholder for the flow; the steps are here.

pub mod anchor;
pub mod classify;
pub mod defang;
pub mod envelope;
pub mod excerpt;
pub mod json;
pub mod measure;
pub mod render;
pub mod scan;
pub mod show;
pub mod template;
pub mod unescape;
