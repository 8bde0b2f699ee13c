//! The slots of a copying ring: each a payload guarded by a stamp.
//!
//! States    of a stamp: published(n) · writing(n); before the first lap published(n - capacity)
//! Publish   P1 stamp := writing(n), Relaxed   P2 fence Release   P3 payload, Relaxed   P4 stamp := published(n), Release
//! Receive   C1 stamp published(n)? Acquire   C2 copy the payload, Relaxed   C3 fence Acquire   C4 stamp unchanged? Relaxed
//!           A gating subscriber stops after C2, and may read in place: by I2 nobody writes.
//! I1        one publisher at a time writes (`&mut Publisher`)
//! I2        a slot is not overwritten while a gate stands at or before its message (gate.rs I1)
//! I3        a copy is used only if C1 and C4 agree, or under I2; until then it is `MaybeUninit`
//! I4        the payload's bytes are initialised (`Payload: NoUninit`), so they may be read as integers, and a
//!           validated copy is the published value bit for bit, so any type of payload may be made of it
//! Pairs     P4↔C1 publishes the payload; P2↔C3 makes C4 see writing(n + capacity) or later whenever C2 read any of its bytes
//! Copying   Up to `WORDS_UP_TO` bytes: relaxed 64-bit words. Above, where the target has it: `hint::copy_shared`, which
//!           does what relaxed byte accesses would do, on both sides, since one size of access must serve both.
//! Progress  publish wait-free, receive wait-free (a lost race is an answer, not a retry), no allocation
//! Source    H.-J. Boehm, Can Seqlocks Get Along With Programming Language Memory Models?, MSPC 2012

#![allow(unsafe_code)] // payloads live in shared words; the invariants above make copies of them values

mod receive;
mod words;

use crate::{error::BuildError, ring::Store, stamp::Stamp};
use bytemuck::NoUninit;
use core::{marker::PhantomData, mem::MaybeUninit, ptr};
use tidings_core::{
    Sequence, hint,
    sync::{atomic::Ordering::*, fence, mutant},
};
use words::{WORD, Words};

/// What a copying ring carries: plain data, sent between threads by copying its bytes.
///
/// Any `Copy + Send + 'static` type without uninitialised (padding) bytes is one: integers, floats,
/// `bool`, `char`, enums, `NonZero`, arrays, and structs that derive [`NoUninit`]. Not every bit
/// pattern need be valid: nothing becomes a `T` before it is known to be what was published.
pub trait Payload: NoUninit + Send {}

impl<T: NoUninit + Send> Payload for T {}

/// Payload bytes up to which words are copied one by one.
const WORDS_UP_TO: usize = 64;

/// See the module.
pub struct Slots<T> {
    words: Words,
    payload: PhantomData<T>,
}

// SAFETY: the words are atomics; all they do with a `T` is to carry copies of it between threads.
unsafe impl<T: Send> Send for Slots<T> {}
// SAFETY: as above; `&T` into a slot is only lent where `T: Sync` (subscriber.rs).
unsafe impl<T: Send> Sync for Slots<T> {}

impl<T> Slots<T> {
    const SIZE: usize = size_of::<T>();
    /// Words before the payload: the stamp, and what the payload's alignment needs.
    const OFFSET: usize = if align_of::<T>() > WORD {
        align_of::<T>() / WORD
    } else {
        1
    };
    /// Words from one slot to the next. Small slots do not straddle a 64-byte line, large ones begin one.
    const STRIDE: usize = {
        let words = Self::OFFSET + Self::SIZE.div_ceil(WORD);
        let line = if Self::OFFSET > 8 { Self::OFFSET } else { 8 };
        if words <= 8 {
            words.next_power_of_two()
        } else {
            words.next_multiple_of(line)
        }
    };
    const BY_WORDS: bool = !hint::COPIES_SHARED || Self::SIZE <= WORDS_UP_TO;

    pub(crate) fn new(capacity: usize, first: Sequence) -> Result<Self, BuildError> {
        const {
            assert!(
                align_of::<T>() <= words::ALIGN,
                "payloads are aligned to at most 128 bytes"
            )
        };
        let words = capacity.checked_mul(Self::STRIDE).and_then(Words::new);
        let slot_bytes = Self::STRIDE * WORD;
        let slots = Self {
            words: words.ok_or(BuildError::Memory {
                capacity,
                slot_bytes,
            })?,
            payload: PhantomData,
        };
        for index in 0..capacity {
            let lap_before = first.after(index as u64).before(capacity as u64);
            // ORDERING: Relaxed: the ring is handed to other threads after this.
            slots
                .stamp_word(index)
                .store(Stamp::published(lap_before).bits(), Relaxed);
        }
        Ok(slots)
    }

    #[inline]
    fn stamp_word(&self, index: usize) -> &words::Word {
        // SAFETY: an index is below the capacity (`Place`), and there are capacity * STRIDE words.
        unsafe { self.words.get(index * Self::STRIDE) }
    }

    /// The payload's `n`th word.
    #[inline]
    fn payload_word(&self, index: usize, n: usize) -> &words::Word {
        // SAFETY: as above, and OFFSET + n is below STRIDE, since n counts the payload's words.
        unsafe { self.words.get(index * Self::STRIDE + Self::OFFSET + n) }
    }

    #[inline]
    fn payload_bytes(&self, index: usize) -> ptr::NonNull<u8> {
        // SAFETY: as in `stamp_word`; a slot has its payload's words behind OFFSET, if it has any.
        unsafe {
            self.words
                .bytes(index * Self::STRIDE + Self::OFFSET.min(Self::STRIDE - 1))
        }
    }

    /// P1 to P4: puts message `sequence` into its slot.
    ///
    /// # Safety
    /// The caller is the publisher (I1), and no gate stands at the slot's message or before (I2).
    #[inline]
    pub(crate) unsafe fn write(&self, index: usize, sequence: Sequence, value: &T)
    where
        T: Payload,
    {
        let stamp = self.stamp_word(index);
        if !mutant("slot P1") {
            // ORDERING: P1, Relaxed: P2 orders it before the payload.
            stamp.store(Stamp::writing(sequence).bits(), Relaxed);
        }
        fence(Release, "slot P2");
        self.copy_in(index, value);
        // ORDERING: P4, Release pairs with C1.
        stamp.store(
            Stamp::published(sequence).bits(),
            if mutant("slot P4") { Relaxed } else { Release },
        );
    }

    /// C1 to C4: message `sequence`, or the stamp that says why not.
    ///
    /// # Safety
    /// With `HELD`, a gate stands at `sequence` (I2).
    #[inline]
    unsafe fn read<const HELD: bool>(&self, index: usize, sequence: Sequence) -> Result<T, Stamp>
    where
        T: Payload,
    {
        let seen = self.stamp(index);
        if seen != Stamp::published(sequence) {
            return Err(seen);
        }
        let mut copy = MaybeUninit::uninit();
        self.copy_out(index, &mut copy);
        if !HELD && !mutant("slot C4") {
            fence(Acquire, "slot C3");
            // ORDERING: C4, Relaxed: C3 orders it after the copy.
            let now = Stamp::from_bits(self.stamp_word(index).load(Relaxed));
            if now != seen {
                return Err(now);
            }
        }
        // SAFETY: by I3 all of the bytes were copied from one message, and by I4 they are its value.
        Ok(unsafe { copy.assume_init() })
    }

    /// P3.
    #[inline]
    fn copy_in(&self, index: usize, value: &T)
    where
        T: Payload,
    {
        let from = ptr::from_ref(value).cast::<u8>();
        if Self::BY_WORDS {
            for n in 0..Self::SIZE.div_ceil(WORD) {
                let mut word = [0; WORD];
                let length = WORD.min(Self::SIZE - n * WORD);
                // SAFETY: n * WORD + length is at most SIZE, and by I4 these bytes are initialised.
                unsafe { ptr::copy_nonoverlapping(from.add(n * WORD), word.as_mut_ptr(), length) };
                // ORDERING: P3, Relaxed: between P2 and P4.
                self.payload_word(index, n)
                    .store(u64::from_ne_bytes(word), Relaxed);
            }
        } else {
            let to = self.payload_bytes(index).as_ptr();
            // SAFETY: the payload's words are SIZE bytes or more, are shared only with readers that
            // copy in the same way, and do not overlap `value`, which is not in a slot.
            unsafe { hint::copy_shared(from, to, Self::SIZE) };
        }
    }

    /// C2.
    #[inline]
    fn copy_out(&self, index: usize, copy: &mut MaybeUninit<T>) {
        let to = copy.as_mut_ptr().cast::<u8>();
        if Self::BY_WORDS {
            for n in 0..Self::SIZE.div_ceil(WORD) {
                // ORDERING: C2, Relaxed: between C1 and C3.
                let word = self.payload_word(index, n).load(Relaxed).to_ne_bytes();
                let length = WORD.min(Self::SIZE - n * WORD);
                // SAFETY: n * WORD + length is at most SIZE.
                unsafe { ptr::copy_nonoverlapping(word.as_ptr(), to.add(n * WORD), length) };
            }
        } else {
            let from = self.payload_bytes(index).as_ptr().cast_const();
            // SAFETY: as in `copy_in`; `copy` has room for SIZE bytes.
            unsafe { hint::copy_shared(from, to, Self::SIZE) };
        }
    }
}

impl<T: 'static> Store for Slots<T> {
    type Value = T;

    #[inline]
    fn stamp(&self, index: usize) -> Stamp {
        // ORDERING: C1, Acquire pairs with P4.
        Stamp::from_bits(self.stamp_word(index).load(if mutant("slot C1") {
            Relaxed
        } else {
            Acquire
        }))
    }

    fn value(&self, index: usize) -> ptr::NonNull<T> {
        self.payload_bytes(index).cast()
    }
}
