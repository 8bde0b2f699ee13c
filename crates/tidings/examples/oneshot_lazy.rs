//! Built by whoever asks first, while everybody else waits: threads and tasks, in one `static`, without an allocation as long
//! as no more than two tasks wait at once. If the builder panics or its task is cancelled, those who wait are told. Run it
//! with `cargo run --example oneshot_lazy -p tidings`.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tidings::oneshot::{ListenError, StaticAnnouncement};

/// A value that is built at the first use.
struct Lazy<T> {
    is_begun: AtomicBool,
    value: StaticAnnouncement<T>,
}

/// Closes at the end of a scope, which does nothing when the value was announced before.
struct CloseAtEnd<'a, T>(&'a StaticAnnouncement<T>);

impl<T> Drop for CloseAtEnd<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<T> Lazy<T> {
    const fn new() -> Self {
        Self {
            is_begun: AtomicBool::new(false),
            value: StaticAnnouncement::new(),
        }
    }

    fn is_first(&self) -> bool {
        // ORDERING: Relaxed; it only chooses who builds, the announcement is what publishes the value.
        !self.is_begun.swap(true, Ordering::Relaxed)
    }

    /// For threads.
    fn get_blocking(&self, build: impl FnOnce() -> T) -> Result<&T, ListenError> {
        if self.value.get().is_none() && self.is_first() {
            let _end = CloseAtEnd(&self.value);
            let _ = self.value.announce(build());
        }
        self.value.wait_blocking()
    }

    /// For tasks; `build` is polled by the first one only.
    async fn get(&self, build: impl Future<Output = T>) -> Result<&T, ListenError> {
        if self.value.get().is_none() && self.is_first() {
            let _end = CloseAtEnd(&self.value);
            let _ = self.value.announce(build.await);
        }
        self.value.wait().await
    }
}

static SQUARES: Lazy<Vec<u64>> = Lazy::new();
static BROKEN: Lazy<Vec<u64>> = Lazy::new();

fn build(who: &str) -> Vec<u64> {
    println!("built once, by {who}");
    (0..1_000).map(|n| n * n).collect()
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("the runtime starts");
    let task = runtime.spawn(async {
        SQUARES
            .get(async { build("a task") })
            .await
            .map(|squares| squares[30])
    });
    thread::scope(|scope| {
        for n in 0..4_usize {
            scope.spawn(move || {
                let squares = SQUARES
                    .get_blocking(|| build(&format!("thread {n}")))
                    .expect("was built");
                println!("thread {n}: {}", squares[10 * n]);
                assert_eq!(squares[10 * n], 100 * (n * n) as u64);
            });
        }
    });
    assert_eq!(runtime.block_on(task).expect("has not panicked"), Ok(900));

    // A builder that is cancelled half-way: nobody waits for what will not come.
    let cancelled = runtime.spawn(BROKEN.get(std::future::pending()));
    // ORDERING: Relaxed; see `is_first`.
    while !BROKEN.is_begun.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    cancelled.abort();
    let told = BROKEN.get_blocking(Vec::new);
    println!("the builder was cancelled: {told:?}");
    assert_eq!(told, Err(ListenError::Closed));
}
