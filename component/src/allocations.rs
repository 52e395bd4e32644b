//! Counts what is allocated: a measure of the work of code that counts no steps itself.

/// Bytes that count as much as one more allocation.
#[cfg(target_family = "wasm")]
const BYTES: usize = 64;

/// Allocations so far, large ones counted by their size; 0 outside of the sandbox.
pub(crate) fn count() -> u64 {
    #[cfg(target_family = "wasm")]
    return counting::COUNT.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_family = "wasm"))]
    0
}

#[cfg(target_family = "wasm")]
#[expect(unsafe_code, reason = "an allocator gives and takes raw pointers")]
mod counting {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::BYTES;

    pub(super) static COUNT: AtomicU64 = AtomicU64::new(0);

    #[global_allocator]
    static COUNTING: Counting = Counting;

    struct Counting;

    fn add(bytes: usize) {
        COUNT.fetch_add(1 + (bytes / BYTES) as u64, Ordering::Relaxed);
    }

    // SAFETY: all is passed on to the system's allocator, as it came.
    unsafe impl GlobalAlloc for Counting {
        #[inline(never)]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            add(layout.size());
            // SAFETY: the caller's promise is the same.
            unsafe { System.alloc(layout) }
        }

        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            // SAFETY: the caller's promise is the same.
            unsafe { System.dealloc(pointer, layout) }
        }

        #[inline(never)]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            add(layout.size());
            // SAFETY: the caller's promise is the same.
            unsafe { System.alloc_zeroed(layout) }
        }

        #[inline(never)]
        unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            add(size);
            // SAFETY: the caller's promise is the same.
            unsafe { System.realloc(pointer, layout, size) }
        }
    }
}
