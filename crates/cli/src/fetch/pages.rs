//! Pages of a size for programs.

use weir_host::Weir;

/// Characters of one page where all pages are shown: what a model's answer may hold does not matter then.
const PAGE_CHARS: u32 = 1_000_000;

/// The same store, read in pages of [`PAGE_CHARS`].
pub(super) fn in_large_pages(weir: &Weir) -> Weir {
    let mut settings = weir.settings().cloned().unwrap_or_default();
    settings.set("transform.threshold_chars", PAGE_CHARS + 1);
    settings.set("fetch.max_chars", PAGE_CHARS);
    weir.with_settings(settings)
}
