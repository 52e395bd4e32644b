//! Wheels with the binary: `uvx weir-cli`, `pipx run weir-cli`, `pip install weir-cli`.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use sha2::{Digest, Sha256};

use crate::archive::{Entries, Entry, zip};
use crate::binary::Binary;
use crate::{Dist, Result, read};

pub(crate) fn make(dist: &Dist, binaries: &[Binary]) -> Result<()> {
    let version = &dist.source.version;
    for binary in binaries {
        let tags = binary.platform.wheel;
        let entries = entries(dist, tags, read(&binary.file)?)?;
        let name = format!("weir_cli-{version}-py3-none-{}.whl", tags.join("."));
        dist.put(&name, &zip(&entries, dist.source.time)?)?;
    }
    Ok(())
}

fn entries(dist: &Dist, tags: &[&str], program: Vec<u8>) -> Result<Entries> {
    let source = &dist.source;
    let info = format!("weir_cli-{}.dist-info", source.version);
    let mut entries = Entries::new();
    for name in ["__init__.py", "__main__.py"] {
        let text = source.text(&format!("dev/dist/python/weir_cli/{name}"))?;
        entries.insert(format!("weir_cli/{name}"), Entry::file(text));
    }
    // Installers put what lies here into the environment's folder of programs.
    let scripts = format!("weir_cli-{}.data/scripts/weir", source.version);
    entries.insert(scripts, Entry::program(program));
    let mut file = |name: &str, text: String| {
        entries.insert(format!("{info}/{name}"), Entry::file(text));
    };
    let mut metadata = format!(
        "Metadata-Version: 2.4\nName: weir-cli\nVersion: {}\nSummary: {}\n",
        source.version,
        crate::SUMMARY
    );
    metadata.push_str("License-Expression: Apache-2.0\n");
    metadata
        .push_str("License-File: LICENSE\nLicense-File: NOTICE\nLicense-File: THIRD-PARTY.txt\n");
    metadata
        .push_str(&format!("Project-URL: Source, {}\nRequires-Python: >=3.8\n", crate::REPOSITORY));
    metadata.push_str("Description-Content-Type: text/markdown\n\n");
    metadata.push_str(&source.text("dev/dist/python/README.md")?);
    file("METADATA", metadata);
    let mut wheel = "Wheel-Version: 1.0\nGenerator: weir-dist\nRoot-Is-Purelib: false\n".to_owned();
    for tag in tags {
        wheel.push_str(&format!("Tag: py3-none-{tag}\n"));
    }
    file("WHEEL", wheel);
    file("entry_points.txt", "[console_scripts]\nweir-cli = weir_cli:main\n".to_owned());
    entries.append(&mut source.licences(&format!("{info}/licenses/"))?);
    let mut record = String::new();
    for (name, entry) in &entries {
        let digest = BASE64.encode(Sha256::digest(&entry.bytes));
        record.push_str(&format!("{name},sha256={digest},{}\n", entry.bytes.len()));
    }
    record.push_str(&format!("{info}/RECORD,,\n"));
    entries.insert(format!("{info}/RECORD"), Entry::file(record));
    Ok(entries)
}
