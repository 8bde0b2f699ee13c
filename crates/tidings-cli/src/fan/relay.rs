//! Takes in what a command prints while a live table is on the terminal, and shows it above the table.

use std::io::{self, Read};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::screen::{Screen, Stream};

/// How long to wait for output after a command has ended: something that it left behind may keep the pipe open.
const OUTPUT_GRACE: Duration = Duration::from_millis(500);

/// Text without a newline is held back up to this many bytes, so that lines of several commands do not mix.
const LONGEST: usize = 64 << 10;

/// One captured stream of one command.
pub struct Relay {
    ended: Receiver<()>,
}

impl Relay {
    /// Relays for the streams of `child` that are piped.
    pub fn for_child(child: &mut Child, screen: &Arc<Screen>) -> io::Result<Vec<Relay>> {
        let stdout = child
            .stdout
            .take()
            .map(|pipe| Relay::start(pipe, Stream::Stdout, screen.clone()));
        let stderr = child
            .stderr
            .take()
            .map(|pipe| Relay::start(pipe, Stream::Stderr, screen.clone()));
        stdout.into_iter().chain(stderr).collect()
    }

    fn start(
        mut pipe: impl Read + Send + 'static,
        stream: Stream,
        screen: Arc<Screen>,
    ) -> io::Result<Relay> {
        let (end, ended) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            let mut held = Vec::new();
            let mut chunk = vec![0; 16 << 10];
            while let Ok(len @ 1..) = pipe.read(&mut chunk) {
                held.extend_from_slice(&chunk[..len]);
                let whole = match memchr::memrchr(b'\n', &held) {
                    Some(at) => at + 1,
                    None if held.len() > LONGEST => held.len(),
                    None => continue,
                };
                screen.show(stream, &held[..whole]);
                held.drain(..whole);
            }
            screen.show(stream, &held);
            let _ = end.send(());
        })?;
        Ok(Relay { ended })
    }

    /// Waits until the stream has ended and is shown.
    pub fn finish(self) {
        let _ = self.ended.recv_timeout(OUTPUT_GRACE);
    }
}
