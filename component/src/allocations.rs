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
    use std::cell::Cell;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::BYTES;

    unsafe extern "C" {
        /// Bytes that a block of the system's allocator has room for.
        safe fn malloc_usable_size(block: *mut u8) -> usize;
    }

    /// The sizes of blocks that are kept: the system's own, of which the first has room for 12 bytes and each
    /// further one for 16 more.
    const FIRST: usize = 12;
    const STEP: usize = 16;
    const SIZES: usize = 16;

    /// What the system aligns every block to, at least.
    const ALIGN: usize = 8;

    /// Bytes of free blocks that are kept of each size.
    const KEPT_BYTES: usize = 32 * 1024;

    pub(super) static COUNT: AtomicU64 = AtomicU64::new(0);

    #[global_allocator]
    static COUNTING: Counting = Counting { kept: [const { Kept::new() }; SIZES] };

    /// Keeps small blocks that are given back for the next that are asked for: a query makes and drops
    /// millions, and the system's allocator takes several times as long for each.
    struct Counting {
        kept: [Kept; SIZES],
    }

    // SAFETY: the component has one thread.
    unsafe impl Sync for Counting {}

    /// Free blocks of one size: each holds the address of the next.
    struct Kept {
        first: Cell<*mut u8>,
        count: Cell<usize>,
    }

    impl Kept {
        const fn new() -> Kept {
            Kept { first: Cell::new(null_mut()), count: Cell::new(0) }
        }
    }

    fn add(bytes: usize) {
        COUNT.fetch_add(1 + (bytes / BYTES) as u64, Ordering::Relaxed);
    }

    /// Takes a block back. Nothing but its address is asked for: to tell its size, or anything else, wherever
    /// something is dropped makes the component larger by 100 KB.
    #[inline(never)]
    fn take_back(block: *mut u8) {
        let size = usable(block);
        let kept = COUNTING.kept.get(size.wrapping_sub(FIRST) / STEP);
        if let Some(kept) = kept
            && kept.count.get() * size < KEPT_BYTES
        {
            // SAFETY: nobody uses the block any more, and it has room for an address.
            unsafe { block.cast::<*mut u8>().write(kept.first.get()) };
            kept.first.set(block);
            kept.count.set(kept.count.get() + 1);
        } else {
            // SAFETY: it is a block of the system's, which needs no more than its address.
            unsafe { System.dealloc(block, Layout::new::<u64>()) };
        }
    }

    /// Bytes that a block has room for, which the system's allocator writes before it: to ask for them takes as
    /// long as all the rest. [`fresh`] holds them against what is asked.
    #[inline(always)]
    fn usable(block: *mut u8) -> usize {
        // SAFETY: the allocator's own word stands before each of its blocks.
        let head = unsafe { block.cast::<u32>().sub(1).read() } as usize;
        (head & !7).wrapping_sub(4)
    }

    /// A block that the system's allocator has just made.
    fn fresh(block: *mut u8) -> *mut u8 {
        if !block.is_null() && usable(block) != malloc_usable_size(block) {
            core::arch::wasm32::unreachable();
        }
        block
    }

    impl Counting {
        /// A kept block that has room for so many bytes; null when there is none.
        fn kept(&self, layout: Layout) -> *mut u8 {
            let at = (layout.size() + STEP - 1).saturating_sub(FIRST) / STEP;
            let Some(kept) = self.kept.get(at) else { return null_mut() };
            let first = kept.first.get();
            if first.is_null() || layout.align() > ALIGN {
                return null_mut();
            }
            // SAFETY: a block in the list holds the address of the next.
            kept.first.set(unsafe { first.cast::<*mut u8>().read() });
            kept.count.set(kept.count.get() - 1);
            first
        }
    }

    // SAFETY: all blocks are of the system's allocator. One that was given back is in one list at most, which it
    // leaves when it is handed out; it has room for what it is handed out for.
    unsafe impl GlobalAlloc for Counting {
        #[inline(never)]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            add(layout.size());
            let kept = self.kept(layout);
            if !kept.is_null() {
                return kept;
            }
            // SAFETY: the caller's promise is the same.
            fresh(unsafe { System.alloc(layout) })
        }

        #[inline(always)]
        unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
            take_back(pointer);
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
