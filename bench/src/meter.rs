//! What one thread costs, counted exactly: its allocations and its system calls.
//!
//! The thread runs under `sys::calls::Watch`: each of its system calls is seen. Allocations are counted by the global
//! allocator, per thread. Both counts run only between `start` and `stop`.

use std::thread;

use crate::sys::alloc;
use crate::sys::calls::Watch;

/// What one thread cost in the part that counts.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// Allocations.
    pub allocations: u64,
    /// System calls.
    pub calls: u64,
    /// False when the kernel refused, so that `calls` says nothing.
    pub seen: bool,
}

/// Runs `flow` on a watched thread; `flow` brackets the part that counts with the meter.
pub fn watched<R: Send>(flow: impl FnOnce(&mut Meter) -> R + Send) -> Result<(R, Cost), String> {
    let watch = Watch::new();
    thread::scope(|scope| {
        scope.spawn(|| watch.serve());
        let flow = scope.spawn(|| {
            let seen = watch.enter().is_ok();
            let mut meter = Meter {
                watch: &watch,
                cost: Cost {
                    seen,
                    ..Cost::default()
                },
                from: 0,
            };
            let result = flow(&mut meter);
            (result, meter.cost)
        });
        flow.join()
            .map_err(|_| "the watched thread panicked".to_string())
    })
}

/// Brackets the part of a thread's work that counts.
pub struct Meter<'a> {
    watch: &'a Watch,
    cost: Cost,
    from: u64,
}

impl Meter<'_> {
    /// From here on it counts.
    pub fn start(&mut self) {
        self.from = alloc::count();
        self.watch.count(true);
    }

    /// Up to here.
    pub fn stop(&mut self) {
        self.watch.count(false);
        self.cost.allocations = alloc::count() - self.from;
        self.cost.calls = self.watch.calls();
    }
}
