//! Writes to standard error in a thread of its own: a terminal that is stopped, or a pager that reads no further, must
//! not keep anybody from watching over the run.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

type Job = Box<dyn FnOnce() + Send>;

/// A queue of things to write.
pub struct Writer {
    jobs: Sender<Job>,
    /// On while a picture is queued.
    drawing: Arc<AtomicBool>,
}

impl Writer {
    /// Starts the thread, which ends with the process.
    pub fn start() -> io::Result<Writer> {
        let (jobs, queue) = mpsc::channel::<Job>();
        thread::Builder::new().spawn(move || queue.iter().for_each(|job| job()))?;
        Ok(Writer {
            jobs,
            drawing: Arc::default(),
        })
    }

    /// Writes as soon as everything before is written.
    pub fn write(&self, job: impl FnOnce() + Send + 'static) {
        let _ = self.jobs.send(Box::new(job));
    }

    /// The same for a picture, which is left out while an earlier one is queued.
    pub fn draw(&self, job: impl FnOnce() + Send + 'static) {
        // ORDERING: Relaxed, the switch stands for itself; what to draw travels through the queue.
        if self.drawing.swap(true, Ordering::Relaxed) {
            return;
        }
        let drawing = self.drawing.clone();
        self.write(move || {
            job();
            // ORDERING: Relaxed, see above.
            drawing.store(false, Ordering::Relaxed);
        });
    }

    /// Waits until everything is written, for `patience` at most.
    pub fn finish(&self, patience: Option<Duration>) {
        let (done, finished) = mpsc::channel();
        self.write(move || {
            let _ = done.send(());
        });
        let _ = match patience {
            Some(patience) => finished.recv_timeout(patience).ok(),
            None => finished.recv().ok(),
        };
    }
}
