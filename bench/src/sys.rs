//! The one door to the system: CPU time, time stamps, affinity, allocation and system-call counting.
#![allow(
    unsafe_code,
    reason = "system calls, a global allocator and the time stamp counter have no safe form"
)]

pub mod alloc;
pub mod calls;
pub mod pinned;
pub mod sleep;
pub mod waker;

use std::mem::MaybeUninit;
use std::time::Duration;

/// What the process has used so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// User and system time of all threads.
    pub cpu: Duration,
    /// Context switches that a thread asked for by blocking.
    pub voluntary: u64,
    /// Context switches that the scheduler imposed.
    pub involuntary: u64,
}

impl Usage {
    /// Asks the kernel.
    pub fn now() -> Self {
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: `usage` is writable memory of the size that the call fills.
        unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) };
        // SAFETY: zeroes are a valid rusage, and the call only stores valid fields.
        let usage = unsafe { usage.assume_init() };
        let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
        Self {
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            voluntary: usage.ru_nvcsw as u64,
            involuntary: usage.ru_nivcsw as u64,
        }
    }

    /// What was used since `earlier`.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(earlier.cpu),
            voluntary: self.voluntary - earlier.voluntary,
            involuntary: self.involuntary - earlier.involuntary,
        }
    }
}

/// A time stamp that two cores share; `ticks_per_ns` turns differences into time.
#[inline(always)]
pub fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 processor has the fence.
        unsafe { core::arch::x86_64::_mm_lfence() };
        // SAFETY: every x86-64 processor has the counter.
        unsafe { core::arch::x86_64::_rdtsc() }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        use std::time::Instant;
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }
}

/// Measures the time stamp against the clock.
pub fn ticks_per_ns() -> f64 {
    static RATE: std::sync::OnceLock<f64> = std::sync::OnceLock::new();
    *RATE.get_or_init(|| {
        let (start, from) = (std::time::Instant::now(), ticks());
        std::thread::sleep(Duration::from_millis(50));
        let (until, took) = (ticks(), start.elapsed());
        (until - from) as f64 / took.as_nanos() as f64
    })
}

/// Keeps this thread on one core while the value lives. On a machine with one core, or where the kernel refuses,
/// the thread stays free.
pub struct Pinned(());

impl Pinned {
    /// Pins the calling thread to `core`.
    pub fn to(core: usize) -> Self {
        if cores() > 1 {
            // SAFETY: zeroes are an empty set.
            let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
            // SAFETY: the set is large enough for any core below CPU_SETSIZE, which the modulus keeps.
            unsafe { libc::CPU_SET(core % libc::CPU_SETSIZE as usize, &mut set) };
            bind(&set);
        }
        Self(())
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: zeroes are an empty set.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        for core in 0..libc::CPU_SETSIZE as usize {
            // SAFETY: the core is below CPU_SETSIZE; the kernel takes those that exist.
            unsafe { libc::CPU_SET(core, &mut set) };
        }
        bind(&set);
    }
}

fn bind(set: &libc::cpu_set_t) {
    // SAFETY: the set is initialised and its size is given.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set) };
}

/// Cores that this process may use, asked before anything is pinned.
pub fn cores() -> usize {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The nice value of this process.
pub fn priority() -> i32 {
    // SAFETY: asks about the calling process; −1 is a value here, not an error.
    unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
}
