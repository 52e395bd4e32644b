//! Detached signatures in the form that cosign makes of a file: ECDSA over P-256 and SHA-256, DER in base64, in
//! FILE.sig. `weir component verify` and `cosign verify-blob` read them.

use std::path::Path;
use std::process::Command;

use crate::run::output;
use crate::sums::signed;
use crate::{Dist, Result};

/// Signs with a private key in PEM that has no password.
pub(crate) fn make(dist: &Dist, key: &Path) -> Result<()> {
    for name in signed(&dist.source.version) {
        let file = dist.out.join(&name);
        let der = dist.work.join("signature.der");
        output(
            Command::new("openssl")
                .args(["dgst", "-sha256", "-sign"])
                .arg(key)
                .arg("-out")
                .arg(&der)
                .arg(&file),
        )?;
        let mut text = output(Command::new("openssl").args(["base64", "-A", "-in"]).arg(&der))?;
        text.push('\n');
        dist.put(&format!("{name}.sig"), text.as_bytes())?;
    }
    Ok(())
}
