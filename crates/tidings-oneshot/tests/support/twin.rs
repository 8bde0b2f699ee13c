//! A channel as simple as it can be described: numbers of handles, and a state.

use tidings_oneshot::{CloseCause, State};

/// What a channel should say.
pub struct Twin {
    pub announcer: bool,
    pub announcements: usize,
    /// Listeners, guards and waits that own one.
    pub listeners: usize,
    pub state: State,
    /// Whether somebody has taken the value.
    pub taken: bool,
}

impl Twin {
    pub const fn new() -> Self {
        Self {
            announcer: true,
            announcements: 1,
            listeners: 0,
            state: State::Pending,
            taken: false,
        }
    }

    pub const fn is_heard(&self) -> bool {
        self.listeners + self.announcements > 0
    }

    pub fn is_announced(&self) -> bool {
        self.state == State::Announced
    }

    /// Whether the value is somewhere in the channel.
    pub fn holds_value(&self) -> bool {
        self.is_announced() && !self.taken && (self.is_heard() || self.announcer)
    }

    /// Whether one handle is all there is, and there is something to take.
    pub fn can_be_taken(&self) -> bool {
        let handles = self.listeners + self.announcements + usize::from(self.announcer);
        self.is_announced() && handles == 1
    }

    pub const fn announce(&mut self) {
        self.announcer = false;
        self.state = State::Announced;
    }

    pub const fn close(&mut self, cause: CloseCause) {
        self.announcer = false;
        self.state = State::Closed(cause);
    }
}
