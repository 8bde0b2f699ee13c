//! The word that counts the handles of a channel, decoded.
//!
//! ```text
//! bits 0…31   listeners, and guards, which were listeners
//! bits 32…55  announcements (factories of listeners)
//! bit 56      ANNOUNCER
//! bit 57      WATCH    the announcer wants to know of the end of everybody who can hear (region.rs)
//! bit 58      SHARED   announcers of which the first wins, all together
//! bit 60      WEAK     there is, or was, a weak listener; a flag, not a handle
//! bit 61      TAKEN    the value was moved out; a flag, not a handle
//! I1          hearers = listeners + announcements; once 0 they stay 0, because each new one is made from one
//! Pairs       none: a value; the word itself is region.rs's
//! Source      region.rs
//! ```

use core::fmt;

/// A decoded copy of the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts(u64);

impl Counts {
    pub(crate) const LISTENER: u64 = 1;
    pub(crate) const ANNOUNCEMENT: u64 = 1 << 32;
    pub(crate) const ANNOUNCER: u64 = 1 << 56;
    pub(crate) const WATCH: u64 = 1 << 57;
    pub(crate) const SHARED: u64 = 1 << 58;
    pub(crate) const WEAK: u64 = 1 << 60;
    pub(crate) const TAKEN: u64 = 1 << 61;
    const LISTENERS: u64 = Self::ANNOUNCEMENT - 1;
    const HEARERS: u64 = Self::ANNOUNCER - 1;

    /// As many listeners as one channel may have.
    pub(crate) const MOST_LISTENERS: u32 = 1 << 31;
    /// As many announcements as one channel may have.
    const MOST_ANNOUNCEMENTS: u64 = 1 << 23;

    /// A new channel: an announcer and an announcement.
    pub(crate) const NEW: u64 = Self::ANNOUNCER | Self::ANNOUNCEMENT;

    #[inline(always)]
    pub(crate) const fn new(bits: u64) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(crate) const fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    /// Without the flags: what keeps the channel.
    #[inline(always)]
    pub(crate) const fn handles(self) -> u64 {
        self.0 & !(Self::WEAK | Self::TAKEN)
    }

    /// Whether nobody but the owner of `unit` can reach the value of a channel that was announced: what else may be there is an
    /// announcer that wakes the last waiters, and a watch on which nobody waits.
    pub(crate) const fn is_last(self, unit: u64) -> bool {
        self.handles() & !(Self::ANNOUNCER | Self::WATCH) == unit
    }

    #[inline(always)]
    pub(crate) const fn listeners(self) -> u32 {
        (self.0 & Self::LISTENERS) as u32
    }

    const fn announcements(self) -> u64 {
        (self.0 & Self::HEARERS) / Self::ANNOUNCEMENT
    }

    /// Whether anybody can hear, or make somebody who can.
    #[inline(always)]
    pub(crate) const fn is_heard(self) -> bool {
        self.0 & Self::HEARERS != 0
    }

    /// Whether the count that `unit` belongs to has come so near to its end that no more may be added.
    #[inline(always)]
    pub(crate) const fn is_full_of(self, unit: u64) -> bool {
        if unit == Self::LISTENER {
            self.listeners() >= Self::MOST_LISTENERS
        } else {
            self.announcements() >= Self::MOST_ANNOUNCEMENTS
        }
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counts")
            .field("listeners", &self.listeners())
            .field("announcements", &self.announcements())
            .field("announcer", &self.has(Self::ANNOUNCER))
            .field("watch", &self.has(Self::WATCH))
            .field("shared", &self.has(Self::SHARED))
            .field("weak", &self.has(Self::WEAK))
            .field("taken", &self.has(Self::TAKEN))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;
    use alloc::format;

    #[test]
    fn a_new_channel_can_be_heard_and_has_no_listener() {
        let counts = Counts::new(Counts::NEW);
        assert!(counts.is_heard());
        assert_eq!(counts.listeners(), 0);
    }

    #[test]
    fn a_flag_is_no_handle() {
        let counts = Counts::new(Counts::LISTENER | Counts::WEAK | Counts::TAKEN);
        assert_eq!(counts.handles(), Counts::LISTENER);
    }

    #[test]
    fn an_announcer_hears_nothing() {
        assert!(!Counts::new(Counts::ANNOUNCER | Counts::WATCH).is_heard());
    }

    #[test]
    fn a_count_is_full_before_it_runs_over() {
        let listeners = Counts::new(u64::from(Counts::MOST_LISTENERS));
        let announcements = Counts::new(Counts::ANNOUNCEMENT << 23);
        assert!(listeners.is_full_of(Counts::LISTENER));
        assert!(!listeners.is_full_of(Counts::ANNOUNCEMENT));
        assert!(announcements.is_full_of(Counts::ANNOUNCEMENT));
        assert!(!announcements.is_full_of(Counts::LISTENER));
    }

    #[test]
    fn the_last_one_may_be_beside_an_announcer_that_is_about_to_go() {
        let last = |others: u64| Counts::new(Counts::LISTENER | others).is_last(Counts::LISTENER);
        assert!(last(Counts::ANNOUNCER | Counts::WATCH | Counts::WEAK));
        assert!(
            !last(Counts::SHARED) && !last(Counts::LISTENER << 1) && !last(Counts::ANNOUNCEMENT)
        );
    }

    #[test]
    fn debug_names_every_part() {
        assert_eq!(
            format!("{:?}", Counts::new(Counts::NEW + 3)),
            "Counts { listeners: 3, announcements: 1, announcer: true, watch: false, shared: false, weak: false, taken: false }"
        );
    }
}
