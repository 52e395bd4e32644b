//! Pages of a size for programs.

use weir_host::Weir;

use crate::failure::Failure;

/// Characters of one page where all pages are shown: what a model's answer may hold does not matter then.
const PAGE_CHARS: u32 = 1_000_000;

/// The same store, read in pages of [`PAGE_CHARS`].
pub(super) fn in_large_pages(weir: &Weir) -> Result<Weir, Failure> {
    let mut settings = weir.default_settings()?;
    settings.transform.threshold_chars = PAGE_CHARS + 1;
    settings.fetch.max_chars = PAGE_CHARS;
    Ok(weir.with_settings(settings))
}
