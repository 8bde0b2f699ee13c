//! Whether a thread of this process is asleep, as the kernel sees it.

use std::fs;

/// The kernel's number of the calling thread.
pub fn thread() -> u64 {
    // SAFETY: asks for a number; there is nothing to get wrong.
    let number = unsafe { libc::syscall(libc::SYS_gettid) };
    number as u64
}

/// Whether that thread waits for something rather than runs.
pub fn is_asleep(thread: u64) -> bool {
    let state = fs::read_to_string(format!("/proc/self/task/{thread}/stat"));
    // The name of the thread stands in parentheses and may hold anything; the state follows the last one.
    state.is_ok_and(|state| {
        state
            .rsplit_once(')')
            .is_some_and(|(_, rest)| rest.starts_with(" S"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_thread_that_waits_is_seen_asleep() {
        let (number, numbers) = channel();
        let (end, ended) = channel::<()>();
        let sleeper = std::thread::spawn(move || {
            let _ = number.send(thread());
            let _ = ended.recv();
        });
        let number = numbers.recv().expect("the thread says its number");
        while !is_asleep(number) {
            std::thread::yield_now();
        }
        assert!(!is_asleep(thread()));
        drop(end);
        sleeper.join().expect("nothing panics there");
    }
}
