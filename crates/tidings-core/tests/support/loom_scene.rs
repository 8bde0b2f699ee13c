//! What the models of a latch are made of: the latch, tasks whose wakers are counted, and news that opening publishes.
#![allow(
    unsafe_code,
    reason = "what the opener writes lies in a cell of the checker's"
)]

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::bell::Bell;
use crate::ledger::Ledger;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread::{self, JoinHandle};
use tidings_core::wait::{Deadline, Latch, Opened, WaitStrategy};

/// With what the latch is opened.
pub const CODE: u32 = 2;
/// With what it is opened when there are no news.
pub const EMPTY_CODE: u32 = 3;
/// What the opener writes before.
const NEWS: u32 = 7;
/// Seats in the latch itself, and in the first table of a model.
pub const NEAR: usize = 2;
pub const TABLE: usize = 7;

/// A latch, the news that opening it publishes, and tasks that wait. Tasks go last, and see that no waker is left.
pub struct Scene {
    pub latch: Latch,
    news: UnsafeCell<u32>,
    pub tasks: Vec<Task>,
}

// SAFETY: that the cell is not used in a conflicting way is what loom checks.
unsafe impl Sync for Scene {}

/// Who wakes it rings the bell; the ledger counts its wakers.
pub struct Task {
    bell: std::sync::Arc<Bell>,
    ledger: Ledger,
}

impl Task {
    fn new() -> Self {
        let bell = std::sync::Arc::new(Bell::default());
        let ledger = Ledger::calling({
            let bell = std::sync::Arc::clone(&bell);
            move || bell.ring()
        });
        Self { bell, ledger }
    }

    pub fn poll(&self, future: &mut Opened<'_>) -> Poll<u32> {
        poll(future, &self.ledger.waker())
    }
}

pub fn poll(future: &mut Opened<'_>, waker: &Waker) -> Poll<u32> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

impl Scene {
    pub fn shared(tasks: usize) -> Arc<Self> {
        Arc::new(Self {
            latch: Latch::new(),
            news: UnsafeCell::new(0),
            tasks: (0..tasks).map(|_| Task::new()).collect(),
        })
    }

    fn write(&self) {
        // SAFETY: loom checks it.
        self.news.with_mut(|news| unsafe { *news = NEWS });
    }

    pub fn open(&self) {
        self.write();
        assert!(self.latch.open(CODE));
    }

    pub fn open_reserved(&self) {
        self.write();
        // SAFETY: a model opens in this way once, and in another only when it has reserved.
        unsafe { self.latch.open_reserved(CODE) };
    }

    /// Looks into the news, as who was told this code may.
    pub fn hear(&self, code: u32) {
        if code == EMPTY_CODE {
            return;
        }
        assert_eq!(code, CODE, "told that it is open, and it is not");
        // SAFETY: loom checks it.
        assert_eq!(self.news.with(|news| unsafe { *news }), NEWS);
    }

    pub fn wait_as_task(&self, task: usize) {
        self.finish(task, &mut self.latch.opened());
    }

    pub fn finish(&self, task: usize, future: &mut Opened<'_>) {
        let task = &self.tasks[task];
        loop {
            match task.poll(future) {
                Poll::Ready(code) => return self.hear(code),
                Poll::Pending => task.bell.wait(),
            }
        }
    }

    /// Polls once, and gives up.
    pub fn look_in(&self, task: usize) {
        if let Poll::Ready(code) = self.tasks[task].poll(&mut self.latch.opened()) {
            self.hear(code);
        }
    }

    pub fn wait_as_thread(&self) {
        let code = self.latch.wait(&WaitStrategy::Park, Deadline::NEVER);
        self.hear(code.expect("it never gives up"));
    }

    /// Takes this many seats for as long as the result lives.
    pub fn occupy(&self, seats: usize) -> Vec<Opened<'_>> {
        let mut waiting: Vec<_> = (0..seats).map(|_| self.latch.opened()).collect();
        for future in &mut waiting {
            assert!(poll(future, Waker::noop()).is_pending());
        }
        waiting
    }
}

/// # Safety
/// What is reached through it is not used after the scene has gone.
pub unsafe fn lasting(scene: &Arc<Scene>) -> &'static Scene {
    // SAFETY: the caller's duty.
    unsafe { &*core::ptr::from_ref::<Scene>(scene) }
}

pub fn spawn(scene: &Arc<Scene>, act: impl FnOnce(&Scene) + 'static) -> JoinHandle<()> {
    let scene = Arc::clone(scene);
    thread::spawn(move || act(&scene))
}

/// Opens while each of the acts runs in a thread of its own, `taken` seats being occupied.
pub fn open_beside<const N: usize>(tasks: usize, taken: usize, acts: [fn(&Scene); N]) {
    let scene = Scene::shared(tasks);
    let waiting = scene.occupy(taken);
    let threads = acts.map(|act| spawn(&scene, act));
    scene.open_reserved();
    for thread in threads {
        thread.join().unwrap();
    }
    drop(waiting);
}
