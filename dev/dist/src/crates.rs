//! The crates, as the registry takes them.

use crate::run::output;
use crate::{Dist, Result, read};

pub(crate) fn make(dist: &Dist) -> Result<()> {
    let printed = output(dist.source.xtask().arg("package"))?;
    let mut found = 0;
    for path in
        printed.lines().filter_map(|line| line.trim().split_once("  ")).map(|(_, path)| path)
    {
        let path = std::path::Path::new(path);
        if path.extension().is_some_and(|extension| extension == "crate") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            dist.put(&name, &read(path)?)?;
            found += 1;
        }
    }
    if found == 0 {
        Err(format!("cargo xtask package printed no crate:\n{printed}"))
    } else {
        Ok(())
    }
}
