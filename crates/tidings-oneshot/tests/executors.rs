//! Real runtimes, and all of them at once: tokio, smol, an executor of our own, threads that block.
//!
//! The hand-written executors are those of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "support/scene.rs"]
mod scene;

use executor::{Tasks, block_on};
use guard::ends;
use scene::{CAUSES, end};
use smol::{Executor, LocalExecutor, future};
use std::cell::Cell;
use std::future::{Future, IntoFuture};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;
use tidings_oneshot::{Announcement, Announcer, ListenError, Listener};
use tokio::runtime::{Builder, Runtime};

const THREADS: usize = if cfg!(miri) { 8 } else { 1_000 };
const TASKS: usize = if cfg!(miri) { 30 } else { 10_000 };

fn multi_thread() -> Runtime {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(2).enable_time().build().unwrap()
}

fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

/// Announces as soon as everybody is there, from a task or a thread of its own.
async fn when_all_are_there(announcer: Announcer<usize>, there: Arc<AtomicUsize>, all: usize) {
    while there.load(SeqCst) < all {
        future::yield_now().await;
    }
    announcer.announce(7).unwrap();
}

/// Counts itself, then waits in one of the three ways.
async fn hear(listener: Listener<usize>, there: Arc<AtomicUsize>) -> usize {
    match there.fetch_add(1, SeqCst) % 3 {
        0 => *listener.wait().await.unwrap(),
        1 => listener.listen().await.unwrap(),
        _ => *listener.await.unwrap(),
    }
}

async fn tokio_crowd() -> usize {
    let (announcer, announcement) = Announcement::new();
    let there = Arc::new(AtomicUsize::new(0));
    let spawn = |listener| tokio::spawn(hear(listener, Arc::clone(&there)));
    let tasks: Vec<_> = announcement.listeners(TASKS).map(spawn).collect();
    tokio::spawn(when_all_are_there(announcer, there, TASKS));
    let mut heard = 0;
    for task in tasks {
        heard += usize::from(task.await.unwrap() == 7);
    }
    heard
}

#[test]
fn tokio_tasks_on_several_threads_all_hear() {
    ends(|| assert_eq!(multi_thread().block_on(tokio_crowd()), TASKS));
}

#[test]
fn tokio_tasks_on_one_thread_all_hear() {
    ends(|| assert_eq!(current_thread().block_on(tokio_crowd()), TASKS));
}

#[test]
fn smol_tasks_all_hear() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let (executor, there) = (Executor::new(), Arc::new(AtomicUsize::new(0)));
        let spawn = |listener| executor.spawn(hear(listener, Arc::clone(&there)));
        let tasks: Vec<_> = announcement.listeners(TASKS).map(spawn).collect();
        executor
            .spawn(when_all_are_there(announcer, there, TASKS))
            .detach();
        let all = async {
            for task in tasks {
                assert_eq!(task.await, 7);
            }
        };
        future::block_on(executor.run(all));
    });
}

/// Neither the value nor the tasks may leave the thread.
#[test]
fn a_channel_may_stay_on_one_thread() {
    let (announcer, announcement) = Announcement::new();
    let executor = LocalExecutor::new();
    let sum = Rc::new(Cell::new(0));
    let add = |listener: Listener<Rc<Cell<usize>>>| {
        executor.spawn(async move {
            let sum = listener.wait().await.unwrap();
            sum.set(sum.get() + 1);
        })
    };
    let tasks: Vec<_> = announcement.listeners(20).map(add).collect();
    let value = Rc::clone(&sum);
    executor
        .spawn(async move { announcer.announce(value).unwrap() })
        .detach();
    future::block_on(executor.run(async {
        for task in tasks {
            task.await;
        }
    }));
    assert_eq!(sum.get(), 20);
}

/// One poll to register, one to hear: a task is not polled for what does not concern it.
#[test]
fn a_task_is_polled_twice_and_woken_once() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let mut tasks = Tasks::default();
    for listener in announcement.listeners(100) {
        tasks.spawn(async move { assert_eq!(listener.wait().await, Ok(&1)) });
    }
    assert_eq!((tasks.run(), tasks.unfinished()), (100, 100));
    drop((announcement.listener(), announcement.clone()));
    assert_eq!(tasks.run(), 0);
    announcer.announce(1).unwrap();
    assert_eq!(
        (tasks.run(), tasks.wakes(), tasks.unfinished()),
        (100, 100, 0)
    );
}

#[test]
fn threads_in_their_hundreds_all_hear() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let spawn = |listener: Listener<usize>| {
            let builder = thread::Builder::new().stack_size(128 * 1024);
            builder.spawn(move || listener.listen_blocking()).unwrap()
        };
        let threads: Vec<_> = announcement.listeners(THREADS).map(spawn).collect();
        announcer.announce(3).unwrap();
        assert!(
            threads
                .into_iter()
                .all(|thread| thread.join().unwrap() == Ok(3))
        );
    });
}

/// How each of a mixed company waits, on a thread of its own.
fn wait_somehow(way: usize, listener: Listener<u64>) -> Result<u64, ListenError> {
    match way % 6 {
        0 => listener.listen_blocking(),
        1 => listener.listen_timeout_blocking(Duration::MAX),
        2 => block_on(listener.listen()),
        3 => future::block_on(listener.into_future()).map(|guard| *guard),
        4 => current_thread().block_on(listener.listen()),
        _ => multi_thread().block_on(async {
            tokio::spawn(async move { listener.listen().await })
                .await
                .unwrap()
        }),
    }
}

#[test]
fn one_channel_serves_threads_and_every_runtime_at_once() {
    const WAITERS: usize = if cfg!(miri) { 6 } else { 24 };
    ends(|| {
        for announces in [true, false] {
            let (announcer, announcement) = Announcement::new();
            let gathered = Arc::new(Barrier::new(WAITERS + 1));
            let spawn = |(way, listener)| {
                let gathered = Arc::clone(&gathered);
                thread::spawn(move || {
                    gathered.wait();
                    wait_somehow(way, listener)
                })
            };
            let waiters: Vec<_> = announcement
                .listeners(WAITERS)
                .enumerate()
                .map(spawn)
                .collect();
            gathered.wait();
            if announces {
                announcer.announce(5).unwrap();
            } else {
                end(announcer, CAUSES[2]);
            }
            let expected = if announces {
                Ok(5)
            } else {
                Err(ListenError::Closed)
            };
            assert!(
                waiters
                    .into_iter()
                    .all(|waiter| waiter.join().unwrap() == expected)
            );
        }
    });
}

/// Any runtime's timer will do.
#[test]
fn the_timer_of_a_runtime_ends_a_wait() {
    // sleep: the timer itself is what is tested, and the long one is never reached
    let timer = |seconds| tokio::time::sleep(Duration::from_secs_f32(seconds));
    let timed = current_thread().block_on(async {
        let (announcer, announcement) = Announcement::<u8>::new();
        let first = announcement.listen_until(timer(0.001)).await;
        announcer.announce(1).unwrap();
        let second = announcement.listen_until(timer(3600.0)).await;
        let third = tokio::time::timeout(Duration::ZERO, announcement.listen()).await;
        (first, second, third.unwrap())
    });
    assert_eq!(timed, (Err(ListenError::Timeout), Ok(1), Ok(1)));
}

/// Workers that each wait for their work and for the end, in a loop, until the end comes.
#[test]
fn select_loops_end_with_the_announcement() {
    ends(|| {
        multi_thread().block_on(async {
            let (announcer, announcement) = Announcement::new();
            let total = Arc::new(AtomicUsize::new(0));
            let work = |shutdown: Listener<&'static str>| {
                let total = Arc::clone(&total);
                async move {
                    loop {
                        tokio::select! {
                            biased;
                            reason = shutdown.wait() => break *reason.unwrap(),
                            () = tokio::task::yield_now() => { total.fetch_add(1, SeqCst); }
                        }
                    }
                }
            };
            let spawn = |shutdown| tokio::spawn(work(shutdown));
            let workers: Vec<_> = announcement.listeners(4).map(spawn).collect();
            while total.load(SeqCst) < if cfg!(miri) { 20 } else { 10_000 } {
                tokio::task::yield_now().await;
            }
            announcer.announce("enough").unwrap();
            for worker in workers {
                assert_eq!(worker.await.unwrap(), "enough");
            }
        });
    });
}

/// A task that is aborted while it waits is no listener any more, and the announcer learns of it.
#[test]
fn aborted_tasks_abandon_the_channel() {
    ends(|| {
        multi_thread().block_on(async {
            let (announcer, announcement) = Announcement::<usize>::new();
            let there = Arc::new(AtomicUsize::new(0));
            let spawn = |listener| tokio::spawn(hear(listener, Arc::clone(&there)));
            let tasks: Vec<_> = announcement.listeners(20).map(spawn).collect();
            drop(announcement);
            let abort = async { tasks.iter().for_each(|task| task.abort()) };
            tokio::join!(announcer.abandoned(), abort);
            assert!(announcer.announce_heard(1).is_err());
        });
    });
}

/// The task that owns the announcer is aborted: that closes, though nothing panicked.
#[test]
fn an_aborted_announcer_closes() {
    ends(|| {
        multi_thread().block_on(async {
            let (announcer, announcement) = Announcement::<u8>::new();
            let owner = tokio::spawn(async move {
                announcer.abandoned().await;
                announcer.announce(1)
            });
            owner.abort();
            assert_eq!(announcement.wait().await, Err(ListenError::Closed));
            assert_eq!(announcement.close_cause(), Some(CAUSES[1]));
        });
    });
}

/// Futures of a channel whose value is `Send + Sync` may be spawned; checked by the compiler.
#[test]
fn every_future_can_be_spawned() {
    fn sendable<F: Future + Send>(future: F) -> F {
        future
    }
    let (announcer, announcement) = Announcement::<String>::new();
    let listener = announcement.listener();
    drop(sendable(listener.wait_until(std::future::pending::<()>())));
    drop(sendable(
        listener.listen_until(std::future::pending::<()>()),
    ));
    drop((sendable(listener.wait()), sendable(listener.listen())));
    drop((
        sendable(listener.clone().into_future()),
        sendable(announcer.abandoned()),
    ));
}

#[test]
fn a_timer_of_any_runtime_ends_a_wait() {
    const SOON: Duration = Duration::from_millis(1);
    let (_announcer, announcement) = Announcement::<u8>::new();
    let smols = smol::block_on(announcement.wait_until(smol::Timer::after(SOON)));
    // sleep: the timer is what is tested.
    let tokios = async { announcement.wait_until(tokio::time::sleep(SOON)).await };
    assert_eq!(smols, Err(ListenError::Timeout));
    assert_eq!(current_thread().block_on(tokios), Err(ListenError::Timeout));
}
