//! Runtimes, as somebody gets them who sets nothing: tokio with a worker a core or on one thread, smol with one thread.

use std::sync::OnceLock;
use std::time::Duration;

use crate::engine::runtime::Runtime;

/// tokio's multi-thread runtime. The thread that calls `block_on` is none of its workers.
pub struct Tokio;

fn runtime() -> &'static tokio::runtime::Runtime {
    static RUNTIME: OnceLock<tokio::runtime::Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .enable_time()
            .build()
            .expect("threads can be started")
    })
}

impl Runtime for Tokio {
    fn block_on<F: Future>(future: F) -> F::Output {
        runtime().block_on(future)
    }

    #[inline(always)]
    fn spawn<F: Future<Output: Send> + Send + 'static>(
        future: F,
    ) -> impl Future<Output = F::Output> + Send + 'static {
        let task = tokio::spawn(future);
        async move { task.await.expect("no task of the harness panics") }
    }

    fn pause() -> impl Future<Output = ()> + Send {
        tokio::time::sleep(Duration::from_millis(1))
    }
}

/// tokio's current-thread runtime: everything runs on the thread that calls `block_on`.
pub struct TokioCurrent;

impl Runtime for TokioCurrent {
    fn block_on<F: Future>(future: F) -> F::Output {
        static RUNTIME: OnceLock<tokio::runtime::Runtime> = OnceLock::new();
        let start = || {
            tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build()
                .expect("a runtime can be made")
        };
        RUNTIME.get_or_init(start).block_on(future)
    }

    #[inline(always)]
    fn spawn<F: Future<Output: Send> + Send + 'static>(
        future: F,
    ) -> impl Future<Output = F::Output> + Send + 'static {
        Tokio::spawn(future)
    }

    fn pause() -> impl Future<Output = ()> + Send {
        Tokio::pause()
    }
}

/// smol's global executor.
pub struct Smol;

impl Runtime for Smol {
    fn block_on<F: Future>(future: F) -> F::Output {
        smol::block_on(future)
    }

    #[inline(always)]
    fn spawn<F: Future<Output: Send> + Send + 'static>(
        future: F,
    ) -> impl Future<Output = F::Output> + Send + 'static {
        smol::spawn(future)
    }

    fn pause() -> impl Future<Output = ()> + Send {
        let timer = smol::Timer::after(Duration::from_millis(1));
        async move {
            timer.await;
        }
    }
}
