//! Places in a stream, with arithmetic that is right where `u64` wraps.
//!
//! A stream may start at any number and run past 2^64. Two places are compared by their distance: `a` is before
//! `b` when going forward from `a` to `b` is the shorter way round. This is right as long as the two are less than
//! 2^63 apart, which no ring can exceed.

use core::fmt;

/// A place in the whole stream: the number of the message that is next to use.
///
/// There is no total order on a circle, so `Sequence` is deliberately not `Ord`; ask
/// [`is_before`](Self::is_before) or [`since`](Self::since).
///
/// # Examples
///
/// ```
/// use tidings_core::Sequence;
/// let last = Sequence::new(u64::MAX);
/// let next = last.next();
/// assert_eq!(next.get(), 0);
/// assert!(last.is_before(next));
/// assert_eq!(next.since(last), 1);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Sequence(u64);

impl Sequence {
    /// The place with this number.
    #[inline]
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number of this place.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The place one further.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        self.after(1)
    }

    /// The place `count` further.
    #[inline]
    #[must_use]
    pub const fn after(self, count: u64) -> Self {
        Self(self.0.wrapping_add(count))
    }

    /// The place `count` earlier.
    #[inline]
    #[must_use]
    pub const fn before(self, count: u64) -> Self {
        Self(self.0.wrapping_sub(count))
    }

    /// How many places this one is after `earlier`, going forward round the circle.
    #[inline]
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.wrapping_sub(earlier.0)
    }

    /// Whether `other` is ahead of this place by less than half the circle.
    ///
    /// Two places exactly 2^63 apart are each before the other; streams never get there.
    #[inline]
    #[must_use]
    pub const fn is_before(self, other: Self) -> bool {
        let ahead = other.since(self);
        ahead != 0 && ahead <= 1 << 63
    }
}

impl From<u64> for Sequence {
    #[inline]
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl From<Sequence> for u64 {
    #[inline]
    fn from(sequence: Sequence) -> Self {
        sequence.0
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Sequence;

    const EDGES: [u64; 3] = [0, 1 << 63, u64::MAX];

    #[test]
    fn steps_across_every_edge() {
        for edge in EDGES {
            let here = Sequence::new(edge);
            assert_eq!(here.next().since(here), 1);
            assert_eq!(here.since(here.before(1)), 1);
            assert_eq!(here.after(5).before(5), here);
        }
    }

    /// A place and a distance in plain, wide numbers: no wrapping to get wrong.
    struct Naive(i128);

    impl Naive {
        fn wrapped(&self) -> Sequence {
            Sequence::new(self.0.rem_euclid(1 << 64) as u64)
        }
    }

    /// Distances short of half the circle: around zero, around each power of two, and the longest.
    fn distances() -> impl Iterator<Item = u64> {
        (0..63)
            .flat_map(|bit| (0..3).map(move |delta| (1_u64 << bit) + delta))
            .chain([0, (1 << 63) - 1])
            .filter(|distance| *distance < 1 << 63)
    }

    #[test]
    fn agrees_with_wide_integers() {
        for edge in EDGES {
            for offset in -3..=3_i128 {
                for distance in distances() {
                    let early = Naive(i128::from(edge) + offset);
                    let late = Naive(early.0 + i128::from(distance));
                    let (a, b) = (early.wrapped(), late.wrapped());
                    assert_eq!(a.after(distance), b);
                    assert_eq!(b.before(distance), a);
                    assert_eq!(b.since(a), distance);
                    assert_eq!(a.is_before(b), early.0 < late.0);
                    assert!(!b.is_before(a));
                }
            }
        }
    }

    #[test]
    fn order_holds_across_every_edge() {
        for edge in EDGES {
            let (early, late) = (Sequence::new(edge).before(3), Sequence::new(edge).after(3));
            assert!(early.is_before(late));
            assert!(!late.is_before(early));
            assert!(!late.is_before(late));
            assert_eq!(late.since(early), 6);
        }
    }
}
