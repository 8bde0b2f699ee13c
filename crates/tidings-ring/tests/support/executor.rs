//! Executors small enough to see through: one that blocks, one that polls only what was woken.
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};

/// Sleeps on a condition variable until it is woken.
#[derive(Default)]
struct Bell {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        *self.rung.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

/// Runs one future on this thread.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(Arc::clone(&bell));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        let mut rung = bell.rung.lock().unwrap();
        while !*rung {
            rung = bell.changed.wait(rung).unwrap();
        }
        *rung = false;
    }
}

/// Polls once with a waker that does nothing.
pub fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    poll_with(future, Waker::noop())
}

/// Polls once.
pub fn poll_with<F: Future + Unpin>(future: &mut F, waker: &Waker) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// What the waker of a task in [`Tasks`] counts.
pub struct Woken {
    ready: AtomicBool,
    wakes: AtomicUsize,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wakes.fetch_add(1, SeqCst);
        self.ready.store(true, SeqCst);
    }
}

struct Task<'a> {
    future: Option<Pin<Box<dyn Future<Output = ()> + 'a>>>,
    woken: Arc<Woken>,
    polls: usize,
}

/// A set of tasks on one thread; a task that was not woken is not polled.
#[derive(Default)]
pub struct Tasks<'a>(Vec<Task<'a>>);

impl<'a> Tasks<'a> {
    pub fn spawn(&mut self, future: impl Future<Output = ()> + 'a) {
        self.0.push(Task {
            future: Some(Box::pin(future)),
            woken: Arc::new(Woken {
                ready: AtomicBool::new(true),
                wakes: AtomicUsize::new(0),
            }),
            polls: 0,
        });
    }

    /// Polls woken tasks until none is left; says how many polls that took.
    pub fn run(&mut self) -> usize {
        let before = self.polls();
        while self.0.iter_mut().fold(false, |any, task| task.step() | any) {}
        self.polls() - before
    }

    pub fn polls(&self) -> usize {
        self.0.iter().map(|task| task.polls).sum()
    }

    pub fn wakes(&self) -> usize {
        self.0
            .iter()
            .map(|task| task.woken.wakes.load(SeqCst))
            .sum()
    }

    pub fn unfinished(&self) -> usize {
        self.0.iter().filter(|task| task.future.is_some()).count()
    }
}

impl Task<'_> {
    fn step(&mut self) -> bool {
        let Some(future) = &mut self.future else {
            return false;
        };
        if !self.woken.ready.swap(false, SeqCst) {
            return false;
        }
        self.polls += 1;
        let waker = Waker::from(Arc::clone(&self.woken));
        if future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            self.future = None;
        }
        true
    }
}
