//! What twins are put together of: an optional twin, a pair of twins, and room for the fields of any variant. And an
//! array that is made element by element, where each may be refused.
//!
//! ```text
//! I1        packed: the alignment is 1, so every byte belongs to a field, whatever the type parameters are
//! I2        the fields are `Pod`, so every bit pattern is a value
//! I3        of a `Partial` the first `made` elements are values, the others are not
//! ```

#![allow(unsafe_code)] // says that packed structs of plain data are plain data; arrays made one by one

use bytemuck::{Pod, Zeroable, bytes_of, pod_read_unaligned};
use core::{array, fmt, mem::MaybeUninit};

/// The twin of an `Option`. Every byte but 0 and 1 in `has` is a fault.
#[repr(C, packed)]
pub struct WireOption<R> {
    /// 1 if there is a value, 0 if not.
    pub has: u8,
    /// The value's twin; not looked at if there is none.
    pub value: R,
}

/// Two twins, one after the other: the twin of a pair, and of a longer tuple as `WirePair(first, rest)`.
#[repr(C, packed)]
pub struct WirePair<A, B>(pub A, pub B);

/// `N` bytes with the twin of one variant's fields, and zeros up to the end.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct WireBody<const N: usize>([u8; N]);

impl<const N: usize> WireBody<N> {
    /// Holds `fields`, which have at most `N` bytes.
    #[inline]
    pub fn of<R: Pod>(fields: R) -> Self {
        const { assert!(size_of::<R>() <= N, "the fields fit the body") };
        let mut bytes = [0; N];
        bytes[..size_of::<R>()].copy_from_slice(bytes_of(&fields));
        Self(bytes)
    }

    /// The fields as an `R`, which has at most `N` bytes. The bytes after it are not looked at.
    #[inline]
    pub fn read<R: Pod>(self) -> R {
        const { assert!(size_of::<R>() <= N, "the fields fit the body") };
        pod_read_unaligned(&self.0[..size_of::<R>()])
    }
}

impl<R: Copy> Clone for WireOption<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Copy> Copy for WireOption<R> {}

impl<R: Copy + fmt::Debug> fmt::Debug for WireOption<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { has, value } = *self;
        f.debug_struct("WireOption")
            .field("has", &has)
            .field("value", &value)
            .finish()
    }
}

impl<A: Copy, B: Copy> Clone for WirePair<A, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Copy, B: Copy> Copy for WirePair<A, B> {}

impl<A: Copy + fmt::Debug, B: Copy + fmt::Debug> fmt::Debug for WirePair<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(a, b) = *self;
        f.debug_tuple("WirePair").field(&a).field(&b).finish()
    }
}

// SAFETY: zero is a bit pattern; I2.
unsafe impl<R: Zeroable> Zeroable for WireOption<R> {}
// SAFETY: by I1 and I2.
unsafe impl<R: Pod> Pod for WireOption<R> {}
// SAFETY: zero is a bit pattern; I2.
unsafe impl<A: Zeroable, B: Zeroable> Zeroable for WirePair<A, B> {}
// SAFETY: by I1 and I2.
unsafe impl<A: Pod, B: Pod> Pod for WirePair<A, B> {}
// SAFETY: bytes; zero is one.
unsafe impl<const N: usize> Zeroable for WireBody<N> {}
// SAFETY: bytes, each of which may be any.
unsafe impl<const N: usize> Pod for WireBody<N> {}

/// An array of which the first elements are made.
struct Partial<T, const N: usize> {
    elements: [MaybeUninit<T>; N],
    made: usize,
}

/// What `make` makes of 0 to N - 1, or its first error.
#[inline]
pub(super) fn try_array<T, E, const N: usize>(
    mut make: impl FnMut(usize) -> Result<T, E>,
) -> Result<[T; N], E> {
    let mut partial: Partial<T, N> = Partial {
        elements: array::from_fn(|_| MaybeUninit::uninit()),
        made: 0,
    };
    while partial.made < N {
        partial.elements[partial.made].write(make(partial.made)?);
        partial.made += 1;
    }
    partial.made = 0; // taken out below, so no longer to drop
    // SAFETY: by I3 all N elements are values, and an array of them is one of `MaybeUninit`.
    Ok(unsafe { (&raw const partial.elements).cast::<[T; N]>().read() })
}

impl<T, const N: usize> Drop for Partial<T, N> {
    fn drop(&mut self) {
        for element in &mut self.elements[..self.made] {
            // SAFETY: by I3.
            unsafe { element.assume_init_drop() };
        }
    }
}
