//! How long something took: on the clock, and of the CPU.

use std::time::{Duration, Instant};

/// One measurement, or the best of several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    /// Of the thread, without what other processes took and without waiting.
    pub(crate) cpu: Duration,
    /// On the clock.
    pub(crate) wall: Duration,
}

impl Time {
    const NEVER: Time = Time { cpu: Duration::MAX, wall: Duration::MAX };

    /// The better of the two, figure by figure.
    fn best(self, other: Time) -> Time {
        Time { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }
}

/// Runs something once.
pub(crate) fn once<R>(work: impl FnOnce() -> R) -> (Time, R) {
    let (cpu, wall) = (cpu_time(), Instant::now());
    let result = work();
    let wall = wall.elapsed();
    let cpu = match (cpu, cpu_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => wall,
    };
    (Time { cpu, wall }, result)
}

/// The best of several runs; each is given its number and measures what it wants to.
pub(crate) fn best(runs: u32, mut run: impl FnMut(u32) -> Time) -> Time {
    (0..runs).map(&mut run).fold(Time::NEVER, Time::best)
}

/// The best of several runs of two things, in turn, so that both meet the same machine.
pub(crate) fn best_of_both(runs: u32, mut run: impl FnMut(u32) -> (Time, Time)) -> (Time, Time) {
    (0..runs)
        .map(&mut run)
        .fold((Time::NEVER, Time::NEVER), |(a, b), (native, wasm)| (a.best(native), b.best(wasm)))
}

#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}
