//! Blocking on one future: its waker rings a bell. The locks are the checker's in a model run.
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

#[cfg(loom)]
use loom::sync::{Condvar, Mutex};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex};

/// Wakes whoever blocks on it.
#[derive(Default)]
pub struct Bell {
    rung: Mutex<bool>,
    change: Condvar,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.ring();
    }
}

impl Bell {
    pub fn ring(&self) {
        *self.rung.lock().unwrap() = true;
        self.change.notify_one();
    }

    /// Blocks until it is rung, and is silent again.
    pub fn wait(&self) {
        let mut rung = self.rung.lock().unwrap();
        while !*rung {
            rung = self.change.wait(rung).unwrap();
        }
        *rung = false;
    }
}

pub fn block_on<F: Future>(future: F) -> F::Output {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(Arc::clone(&bell));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        bell.wait();
    }
}
