//! A value that shares its cache line with nobody.
//!
//! Two words on one line that different threads write make each write wait for the line to travel ("false
//! sharing"). Processors that fetch lines in pairs, or whose lines are longer, need more than 64 bytes.

use core::fmt;
use core::ops::{Deref, DerefMut};

/// Aligns `T` to, and pads it to a multiple of, the distance at which neighbours stop disturbing each other:
/// 128 bytes on x86-64, aarch64 and powerpc64, 256 on s390x, 64 elsewhere.
///
/// # Examples
///
/// ```
/// use tidings_core::CachePadded;
/// let words = [CachePadded::new(1_u32), CachePadded::new(2)];
/// let distance = (&raw const words[1] as usize) - (&raw const words[0] as usize);
/// assert!(distance >= 64);
/// assert_eq!(*words[0] + *words[1], 3);
/// ```
#[derive(Clone, Copy, Default, Hash, PartialEq, Eq)]
#[cfg_attr(
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "powerpc64"
    ),
    repr(align(128))
)]
#[cfg_attr(target_arch = "s390x", repr(align(256)))]
#[cfg_attr(
    not(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "powerpc64",
        target_arch = "s390x"
    )),
    repr(align(64))
)]
pub struct CachePadded<T> {
    value: T,
}

const _: () = assert!(align_of::<CachePadded<u8>>() >= 64);
const _: () = assert!(size_of::<CachePadded<u8>>() == align_of::<CachePadded<u8>>());
const _: () = assert!(size_of::<CachePadded<[u8; 257]>>() % align_of::<CachePadded<u8>>() == 0);
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const _: () = assert!(align_of::<CachePadded<u8>>() == 128);

impl<T> CachePadded<T> {
    /// Pads `value`.
    #[inline]
    pub const fn new(value: T) -> Self {
        Self { value }
    }

    /// The value without its padding.
    #[inline]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for CachePadded<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for CachePadded<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> From<T> for CachePadded<T> {
    #[inline]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: fmt::Debug> fmt::Debug for CachePadded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CachePadded").field(&self.value).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::CachePadded;
    use std::format;

    #[test]
    fn neighbours_in_an_array_are_a_line_apart() {
        let pair = [CachePadded::new(0_u8), CachePadded::new(0)];
        let distance = (&raw const pair[1]).addr() - (&raw const pair[0]).addr();
        assert_eq!(distance, align_of::<CachePadded<u8>>());
    }

    #[test]
    fn value_goes_in_and_comes_out() {
        let mut padded = CachePadded::from(7);
        *padded += 1;
        assert_eq!(format!("{padded:?}"), "CachePadded(8)");
        assert_eq!(padded.into_inner(), 8);
    }
}
