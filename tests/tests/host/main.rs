//! What a host of the component sees: the real component in the real wasmtime.

mod adapters;
mod component;
mod conformance;
mod embed;
mod embedder;
mod exam;
mod frozen;
mod fuel;
mod hostile;
mod json;
mod json_shapes;
mod library;
mod properties;
mod questions;
mod reference;
mod results;
mod tools;
mod trust;
mod versions;
mod weaknesses;
mod wit;
