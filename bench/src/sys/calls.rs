//! Counts every system call of chosen threads, exactly, while they run.
//!
//! A watched thread puts itself under a seccomp filter whose answer to every call is "ask the listener".
//! The listener (a thread without the filter) counts the call and lets it continue unchanged. Nothing is sampled,
//! nothing is guessed, no privilege is needed, and a thread that makes no call pays nothing.
//!
//! State   `fd` −1 not yet installed · ≥ 0 the listener's descriptor        `counting` whether calls count now
//! Steps   W1 the thread installs the filter and stores `fd`   S1 the listener sees `fd`, answers until every watched
//!         thread has ended (the kernel hangs up)              W2 the thread switches `counting` on and off around its flow

use std::io;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Duration;

/// The watch over one thread.
pub struct Watch {
    fd: AtomicI32,
    counting: AtomicBool,
    calls: AtomicU64,
}

impl Watch {
    /// Watches nobody yet.
    pub const fn new() -> Self {
        Self {
            fd: AtomicI32::new(-1),
            counting: AtomicBool::new(false),
            calls: AtomicU64::new(0),
        }
    }

    /// Puts the calling thread under watch, for the rest of its life.
    pub fn enter(&self) -> io::Result<()> {
        // SAFETY: a plain flag of the calling thread; the other arguments are unused.
        if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let code = (libc::BPF_RET | libc::BPF_K) as u16;
        let mut filter = libc::sock_filter {
            code,
            jt: 0,
            jf: 0,
            k: libc::SECCOMP_RET_USER_NOTIF,
        };
        let program = libc::sock_fprog {
            len: 1,
            filter: &mut filter,
        };
        // SAFETY: the program is one valid instruction which the kernel copies before the call returns.
        let fd = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
                &program,
            )
        };
        if fd < 0 {
            self.fd.store(-2, Ordering::Release);
            return Err(io::Error::last_os_error());
        }
        self.fd.store(fd as i32, Ordering::Release);
        Ok(())
    }

    /// From here on calls count, or count no more.
    pub fn count(&self, on: bool) {
        self.counting.store(on, Ordering::SeqCst);
    }

    /// Calls counted so far.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Answers for the watched thread until it has ended. Runs on a thread that is not watched.
    pub fn serve(&self) {
        let fd = loop {
            match self.fd.load(Ordering::Acquire) {
                -1 => std::thread::sleep(Duration::from_micros(200)),
                -2 => return,
                fd => break fd,
            }
        };
        while self.answer_one(fd) {}
        // SAFETY: the descriptor is ours alone and is not used again.
        unsafe { libc::close(fd) };
    }

    /// Waits for one call and lets it continue; false when no watched thread is left.
    fn answer_one(&self, fd: i32) -> bool {
        let mut poll = libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one initialised entry.
        unsafe { libc::poll(&mut poll, 1, 1000) };
        if poll.revents & libc::POLLIN == 0 {
            return poll.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) == 0;
        }
        let mut call = MaybeUninit::<libc::seccomp_notif>::zeroed();
        // SAFETY: the kernel fills the zeroed structure, as it demands.
        if unsafe { libc::ioctl(fd, libc::SECCOMP_IOCTL_NOTIF_RECV, call.as_mut_ptr()) } != 0 {
            return true;
        }
        // SAFETY: zeroes are valid, and the call succeeded.
        let call = unsafe { call.assume_init() };
        if self.counting.load(Ordering::SeqCst) {
            self.calls.fetch_add(1, Ordering::SeqCst);
        }
        let mut answer = libc::seccomp_notif_resp {
            id: call.id,
            val: 0,
            error: 0,
            flags: libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        };
        // SAFETY: an initialised answer to a call that waits for it; a thread killed meanwhile makes it fail, harmlessly.
        unsafe { libc::ioctl(fd, libc::SECCOMP_IOCTL_NOTIF_SEND, &mut answer) };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_calls_in_the_counted_phase_are_counted() {
        let watch = Watch::new();
        std::thread::scope(|scope| {
            scope.spawn(|| watch.serve());
            scope.spawn(|| {
                if watch.enter().is_err() {
                    eprintln!("skipped: the kernel refuses seccomp listeners here");
                    return;
                }
                watch.count(true);
                for _ in 0..3 {
                    std::thread::yield_now();
                }
                watch.count(false);
                assert_eq!(watch.calls(), 3);
            });
        });
    }
}
