//! A catalog as bytes, for a host to keep and a fresh instance to load.
//!
//! ```text
//! "WEIRCATB" | length, u64 | so many bytes: tools, order, servers … | index | checksum, u64
//! ```
//!
//! Numbers are little-endian; the tools are in the form of postcard. The checksum (XXH3) covers everything before it: it tells damage,
//! not forgery, so a host must keep the bytes where only it can write.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use xxhash_rust::xxh3::xxh3_64;

use crate::limits::CATALOG_MAX_TOOLS;
use crate::search::catalog::bridge_tools::BridgeNames;
use crate::search::catalog::build::{deprecated, names_of};
use crate::search::catalog::definition::Server;
use crate::search::catalog::tools::{Catalog, Diagnostic, Options, Tool};
use crate::search::fingerprint::Fingerprint;
use crate::search::index::codec;

/// The form of the bytes; another number for another form.
const MAGIC: &[u8; 8] = b"WEIRCATB";

/// Where the tools start.
const TOOLS_START: usize = MAGIC.len() + 8;

/// Why bytes are no catalog. The caller builds it anew from the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// They were written by another version, or are no catalog at all.
    #[error("not a catalog of this version: build it from the snapshot")]
    Version,
    /// They were a catalog and are damaged.
    #[error("the catalog is damaged: build it from the snapshot")]
    Corrupt,
}

/// What is kept beside the index, as it is read: by which sources it was built, the tools, their order, the servers,
/// the names of the bridge, the options, the digest and the diagnostics.
type Kept =
    (u64, Vec<Tool>, Vec<u32>, Vec<Server>, BridgeNames, Options, Fingerprint, Vec<Diagnostic>);

/// The catalog as text, which [`load_text`] reads: its bytes in base64.
pub fn save_text(catalog: &Catalog) -> String {
    BASE64.encode(save(catalog))
}

/// Reads a catalog that [`save_text`] wrote.
///
/// # Errors
/// As [`load`].
pub fn load_text(saved: &str) -> Result<Catalog, LoadError> {
    load(BASE64.decode(saved.trim()).map_err(|_| LoadError::Version)?)
}

/// The catalog as bytes, which [`load`] reads.
pub fn save(catalog: &Catalog) -> Vec<u8> {
    let Catalog { rules, tools, order, servers, bridge, options, digest, diagnostics, .. } =
        catalog;
    let kept = (rules, tools, order, servers, bridge, options, digest, diagnostics);
    let tools = postcard::to_allocvec(&kept);
    // Into memory, and of texts and numbers only: nothing fails. If it did, loading would say so.
    let tools = tools.unwrap_or_default();
    let mut bytes = Vec::new();
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(tools.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&tools);
    let mut bytes = codec::write(&catalog.index, bytes);
    bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// Reads a catalog that [`save`] wrote. It answers as the one that was written.
///
/// # Errors
/// [`LoadError`] for anything else; then build it again.
pub fn load(mut bytes: Vec<u8>) -> Result<Catalog, LoadError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(LoadError::Version)?;
    let (rest, checksum) = rest.split_last_chunk::<8>().ok_or(LoadError::Corrupt)?;
    if xxh3_64(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*checksum) {
        return Err(LoadError::Corrupt);
    }
    let (length, rest) = rest.split_first_chunk::<8>().ok_or(LoadError::Corrupt)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| LoadError::Corrupt)?;
    let (_, index) = rest.split_at_checked(length).ok_or(LoadError::Corrupt)?;
    let index = codec::load(index).map_err(|_| LoadError::Version)?;
    // The bytes of the index are done with: the tools take their room.
    bytes.truncate(TOOLS_START + length);
    bytes.shrink_to_fit();
    let kept = postcard::from_bytes::<Kept>(&bytes[TOOLS_START..]);
    let (rules, tools, order, servers, bridge, options, digest, diagnostics) =
        kept.map_err(|_| LoadError::Corrupt)?;
    drop(bytes);
    if tools.len() > CATALOG_MAX_TOOLS
        || index.len() != tools.len()
        || !is_permutation(&order, tools.len())
    {
        return Err(LoadError::Corrupt);
    }
    let (names, deprecated) = (names_of(&tools), deprecated(&tools));
    Ok(Catalog {
        rules,
        names,
        deprecated,
        tools,
        order,
        servers,
        bridge,
        options,
        digest,
        diagnostics,
        index,
    })
}

fn is_permutation(order: &[u32], count: usize) -> bool {
    let mut seen = vec![false; count];
    order.len() == count
        && order
            .iter()
            .all(|&at| seen.get_mut(at as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::bridge::assemble::assemble;
    use crate::search::find::search::SearchRequest;
    use crate::search::find::search::search;
    use crate::search::tests::samples::{build, many, small};
    use proptest::prelude::*;

    #[test]
    fn a_loaded_catalog_answers_as_the_one_saved() {
        let mut tools = small();
        tools.extend(many(40, 3));
        tools.reverse();
        let built = build(tools);
        let loaded = load(save(&built)).unwrap();
        assert_eq!(loaded.digest(), built.digest());
        assert_eq!(loaded.diagnostics(), built.diagnostics());
        assert_eq!(save(&loaded), save(&built));
        let settings = Default::default();
        assert_eq!(assemble(&loaded, &settings, 0), assemble(&built, &settings, 0));
        let request =
            SearchRequest { queries: vec!["create issue".to_owned()], ..Default::default() };
        let conversation = Default::default();
        assert_eq!(
            search(&loaded, &request, &conversation),
            search(&built, &request, &conversation)
        );
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = save(&build(small()));
        assert_eq!(load(vec![]).unwrap_err(), LoadError::Version);
        assert_eq!(load(b"WEIRCAT0........".to_vec()).unwrap_err(), LoadError::Version);
        assert_eq!(load(MAGIC.to_vec()).unwrap_err(), LoadError::Corrupt);
        for at in (8..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(load(damaged).unwrap_err(), LoadError::Corrupt, "byte {at}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn damage_under_a_right_checksum_does_not_break_it(
            places in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
            cut in any::<proptest::sample::Index>(),
        ) {
            let mut bytes = save(&build(small()));
            bytes.truncate(bytes.len() - 8);
            for (place, value) in places {
                let at = place.index(bytes.len());
                bytes[at] = value;
            }
            bytes.truncate(8 + cut.index(bytes.len() - 7));
            let checksum = xxh3_64(&bytes).to_le_bytes();
            bytes.extend_from_slice(&checksum);
            if let Ok(catalog) = load(bytes) {
                let request = SearchRequest { queries: vec!["issue".to_owned()], ..Default::default() };
                let _ = search(&catalog, &request, &Default::default());
                let _ = assemble(&catalog, &Default::default(), 0);
            }
        }
    }
}
