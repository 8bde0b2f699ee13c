//! Waits until a descriptor can be read or written.

use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::board::POLL;

/// Waits for bytes to read, or for their end, for [`POLL`] at most; false when nothing came or a signal did.
pub fn to_read(fd: &impl AsFd) -> io::Result<bool> {
    wait(fd, PollFlags::IN)
}

/// Waits until the other side takes bytes or is gone, for [`POLL`] at most; false when it does not or a signal came.
pub fn to_write(fd: &impl AsFd) -> io::Result<bool> {
    wait(fd, PollFlags::OUT)
}

fn wait(fd: &impl AsFd, what: PollFlags) -> io::Result<bool> {
    let patience = Timespec {
        tv_sec: 0,
        tv_nsec: POLL.as_nanos() as _,
    };
    match rustix::event::poll(&mut [PollFd::new(fd, what)], Some(&patience)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
