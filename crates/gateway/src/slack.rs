//! Memory that was freed, given back to the system.

/// Gives back what is free. The C library of most Linux systems keeps what many small pieces took, for each thread that
/// made some: after the index of a long list that is more than all that is in use.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "a function of the C library, safe to call at any time")]
        unsafe extern "C" {
            safe fn malloc_trim(keep: usize) -> std::ffi::c_int;
        }
        malloc_trim(0);
    }
}
