//! What runs tasks. One implementation a runtime in `engines/runtimes.rs`.

use std::future::Future;

/// What runs tasks.
pub trait Runtime: 'static {
    /// Runs a future on the calling thread, which is none of the runtime's workers.
    fn block_on<F: Future>(future: F) -> F::Output;
    /// Starts a task; what comes back waits for its end.
    fn spawn<F: Future<Output: Send> + Send + 'static>(
        future: F,
    ) -> impl Future<Output = F::Output> + Send + 'static;
    /// A millisecond by the runtime's timer.
    fn pause() -> impl Future<Output = ()> + Send;
}
