//! The word that counts the handles of a channel, decoded.
//!
//! ```text
//! bits 0…31   listeners, and guards, which were listeners
//! bits 32…55  announcements (factories of listeners)
//! bit 56      ANNOUNCER
//! bit 57      WATCH    the announcer wants to know of the end of everybody who can hear (region.rs)
//! bit 60      WEAK     there is, or was, a weak listener; a flag, not a handle
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
    pub(crate) const WEAK: u64 = 1 << 60;
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

    /// Without the flag: what keeps the channel.
    #[inline(always)]
    pub(crate) const fn handles(self) -> u64 {
        self.0 & !Self::WEAK
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

    /// Whether a count has come so near to its end that no more handles may be added.
    #[inline(always)]
    pub(crate) const fn is_full(self) -> bool {
        self.listeners() >= Self::MOST_LISTENERS || self.announcements() >= Self::MOST_ANNOUNCEMENTS
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counts")
            .field("listeners", &self.listeners())
            .field("announcements", &self.announcements())
            .field("announcer", &self.has(Self::ANNOUNCER))
            .field("watch", &self.has(Self::WATCH))
            .field("weak", &self.has(Self::WEAK))
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
        let counts = Counts::new(Counts::LISTENER | Counts::WEAK);
        assert_eq!(counts.handles(), Counts::LISTENER);
    }

    #[test]
    fn an_announcer_hears_nothing() {
        assert!(!Counts::new(Counts::ANNOUNCER | Counts::WATCH).is_heard());
    }

    #[test]
    fn counts_are_full_before_they_run_over() {
        assert!(Counts::new(u64::from(Counts::MOST_LISTENERS)).is_full());
        assert!(Counts::new(Counts::ANNOUNCEMENT << 23).is_full());
        assert!(!Counts::new(Counts::ANNOUNCEMENT | 1).is_full());
    }

    #[test]
    fn debug_names_every_part() {
        assert_eq!(
            format!("{:?}", Counts::new(Counts::NEW + 3)),
            "Counts { listeners: 3, announcements: 1, announcer: true, watch: false, weak: false }"
        );
    }
}
