//! From nothing to a component that can be called.

use weir_host::{Cache, ComponentSource, Engine};

use crate::table::{at_most, host_row};
use crate::timer::{best, once};

pub(crate) fn run() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let cache = directory.path().join("cache");
    let source = ComponentSource::Embedded;
    let size = format!("{:.1} MB", source.bytes().expect("it is embedded").len() as f64 / 1e6);
    let start = || {
        once(|| Engine::new(&source, &Cache::In(cache.clone())).expect("the component compiles"))
    };
    let (time, _) = start();
    host_row("start, compiling (several threads)", &size, time, None);
    let time = best(9, |_| start().0);
    host_row("start, compiled before", &size, time, at_most(10.0));
}
