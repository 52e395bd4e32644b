//! Files with an adapter around the component: `weir-agent.wasm` and `weir-middleware.wasm`.

use std::path::Path;

use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};

use crate::{Result, read, write};

/// The option that asks for it: `--compose ADAPTER COMPONENT OUT`.
pub(crate) const OPTION: &str = "--compose";

/// Plugs a component into an adapter, as `wac plug` does.
pub(crate) fn compose(adapter: &Path, component: &Path, out: &Path) -> Result<()> {
    let mut graph = CompositionGraph::new();
    let mut package = |name: &str, file: &Path| {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let package = Package::from_bytes(name, None, read(file)?, graph.types_mut());
        let package = package.map_err(|error| wrong(&error))?;
        graph.register_package(package).map_err(|error| wrong(&error))
    };
    let component = package("weir:component", component)?;
    let adapter = package("weir:adapter", adapter)?;
    wac_graph::plug(&mut graph, vec![component], adapter).map_err(|error| error.to_string())?;
    let bytes = graph.encode(EncodeOptions::default()).map_err(|error| error.to_string())?;
    write(out, &bytes)
}
