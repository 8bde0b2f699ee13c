//! The slots of a copying ring: each a payload guarded by a stamp.
//!
//! ```text
//! States    of a stamp: published(n) · writing(n) · aborted(n); before the first lap published(n - capacity)
//! Publish   P1 stamp := writing(n), Relaxed   P2 fence Release   P3 payload, Relaxed   P4 stamp := published(n), Release,
//!           or aborted(n) when the claim is given up
//! Receive   C1 stamp published(n)? Acquire   C2 copy the payload, Relaxed   C3 fence Acquire   C4 stamp unchanged? Relaxed
//!           A gating subscriber stops after C2, and may read in place: by I2 nobody writes.
//!           Who knows from `published` (S2 of shared.rs, Acquire) that the message is out begins with C2: the payload
//!           is there or a later one, and C4 tells.
//! I1        one publisher at a time writes a slot: the only one there is (`&mut Publisher`), or the one that claimed the
//!           message, of many (claim/many.rs)
//! I2        a slot is not overwritten while a gate stands at or before its message (gate.rs I1)
//! I3        a copy is used only if C1 and C4 agree, or under I2; until then it is `MaybeUninit`
//! I4        the payload's bytes are initialised (`Payload: NoUninit`), so they may be read as integers, and a
//!           validated copy is the published value bit for bit, so any type of payload may be made of it
//! I5        the address in a `Place` is that of a slot, STRIDE bytes of shared words (place.rs I1)
//! Pairs     P4↔C1 publishes the payload; P2↔C3 makes C4 see writing(n + capacity) or later whenever C2 read any of its bytes
//! Copying   Up to `WORDS_UP_TO` bytes: relaxed 64-bit words. Above, where the target has it: `hint::copy_shared`, which
//!           does what relaxed byte accesses would do, on both sides, since one size of access must serve both.
//! Progress  write and read wait-free (a lost race is an answer, not a retry), no allocation
//! Source    H.-J. Boehm, Can Seqlocks Get Along With Programming Language Memory Models?, MSPC 2012
//! ```

#![allow(unsafe_code)] // payloads live in shared words; the invariants above make copies of them values

pub(crate) mod place;
mod receive;
pub(crate) mod run;
mod words;

#[cfg(feature = "platform")]
use crate::platform::{Memory, MemoryReport};
use crate::{error::BuildError, stamp::Stamp};
use bytemuck::NoUninit;
use core::{
    marker::PhantomData,
    mem::MaybeUninit,
    ptr::{self, NonNull},
};
use place::{InPlace, Place, Store};
use tidings_core::{
    Sequence, hint,
    sync::{
        atomic::{AtomicU64, Ordering::*},
        fence, mutant, ordering,
    },
};
use words::{Word, Words};

/// What a copying ring carries: plain data, sent between threads by copying its bytes.
///
/// Any `Copy + Send + 'static` type without uninitialised (padding) bytes is one: integers, floats,
/// `bool`, `char`, enums, `NonZero`, arrays of integers and floats or of structs that are `Pod`, and
/// structs that derive `Payload` (`tidings::ring::Payload`) or [`NoUninit`]. Not every bit
/// pattern need be valid: nothing becomes a `T` before it is known to be what was published.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data that a copying ring can carry",
    note = "derive `Payload` for a struct or enum without padding, or use `event_channel` or `value_channel`, which carry any type"
)]
pub trait Payload: NoUninit + Send {}

impl<T: NoUninit + Send> Payload for T {}

/// Payload bytes up to which words are copied one by one.
const WORDS_UP_TO: usize = 64;

/// Bytes of payload in a word.
const WORD: usize = 8;

/// See the module.
pub struct Slots<T> {
    words: Words,
    payload: PhantomData<T>,
}

// SAFETY: the words are atomics; all they do with a `T` is to carry copies of it between threads.
unsafe impl<T: Send> Send for Slots<T> {}
// SAFETY: as above; `&T` into a slot is only lent where `T: Sync` (subscriber/gating.rs).
unsafe impl<T: Send> Sync for Slots<T> {}

impl<T> Slots<T> {
    const SIZE: usize = size_of::<T>();
    /// Words of payload.
    const LENGTH: usize = Self::SIZE.div_ceil(WORD);
    /// Words from one slot to the next. Small slots do not straddle a 64-byte line, large ones begin one.
    const WORDS: usize = {
        let aligned = align_of::<T>().div_ceil(WORD);
        let words = aligned + Self::LENGTH;
        let line = if aligned > 8 { aligned } else { 8 };
        if words <= 8 {
            words.next_power_of_two()
        } else {
            words.next_multiple_of(line)
        }
    };
    /// Words before the payload, the first of which is the stamp. The payload stands at the end of the
    /// slot: there it is aligned, since its size is a multiple of its alignment and so is the slot's,
    /// and whole lines of payload are lines of memory.
    const OFFSET: usize = Self::WORDS - Self::LENGTH;
    const BY_WORDS: bool = !hint::COPIES_SHARED || Self::SIZE <= WORDS_UP_TO;

    pub(crate) fn new(capacity: usize, first: Sequence) -> Result<Self, BuildError> {
        let words = capacity.checked_mul(Self::WORDS).and_then(Words::new);
        Self::with(words, capacity, first)
    }

    /// The same in memory as it is wanted, with what came of that.
    #[cfg(feature = "platform")]
    pub(crate) fn mapped(
        capacity: usize,
        first: Sequence,
        memory: &Memory,
    ) -> Result<(Self, Option<MemoryReport>), BuildError> {
        let words = capacity.checked_mul(Self::WORDS);
        let (words, report) = words
            .and_then(|count| Words::mapped(count, memory))
            .map_or((None, None), |(words, report)| (Some(words), report));
        Ok((Self::with(words, capacity, first)?, report))
    }

    fn with(words: Option<Words>, capacity: usize, first: Sequence) -> Result<Self, BuildError> {
        const {
            assert!(
                align_of::<T>() <= words::ALIGN,
                "payloads are aligned to at most 128 bytes"
            )
        };
        let words = words.ok_or(BuildError::Memory {
            capacity,
            slot_bytes: Self::WORDS * WORD,
        })?;
        for index in 0..capacity {
            let lap_before = first.after(index as u64).before(capacity as u64);
            let slot = words.start().wrapping_add(index * Self::WORDS);
            // SAFETY: there are capacity * WORDS words.
            let stamp = unsafe { word(slot, 0) };
            // ORDERING: Relaxed: the ring is handed to other threads after this.
            stamp.store(Stamp::published(lap_before).bits(), Relaxed);
        }
        Ok(Self {
            words,
            payload: PhantomData,
        })
    }

    /// P1 to P4: puts the message at `place` into its slot.
    ///
    /// # Safety
    /// As [`fill`](Self::fill).
    #[inline]
    pub(crate) unsafe fn write(place: &Place, value: &T)
    where
        T: Payload,
    {
        // SAFETY: the caller's duty.
        unsafe { Self::fill(place, value) };
        // SAFETY: the caller's duty.
        unsafe { Self::mark(place, Stamp::published(place.sequence)) };
    }

    /// P1 to P3: puts the message at `place` into its slot, where nobody sees it yet.
    ///
    /// # Safety
    /// The caller has claimed `place` (I1), and no gate stands at the slot's message or before (I2).
    #[inline]
    pub(crate) unsafe fn fill(place: &Place, value: &T)
    where
        T: Payload,
    {
        // SAFETY: by I5.
        let stamp = unsafe { word(place.slot(), 0) };
        if !mutant("slot P1") {
            // ORDERING: P1, Relaxed: P2 orders it before the payload.
            stamp.store(Stamp::writing(place.sequence).bits(), Relaxed);
        }
        fence(Release, "slot P2");
        Self::copy_in(place.slot(), value);
    }

    /// C1 to C4: copies the message at `place`, or says by its stamp why not. Only after `Ok` is
    /// `copy` a value.
    ///
    /// # Safety
    /// The place is one of a ring that is alive. With `HELD`, a gate stands at it (I2). With `KNOWN`,
    /// the message was seen to be published.
    #[inline]
    unsafe fn read<const HELD: bool, const KNOWN: bool>(
        place: &Place,
        copy: &mut MaybeUninit<T>,
    ) -> Result<(), Stamp>
    where
        T: Payload,
    {
        // SAFETY: by I5.
        let stamp = unsafe { word(place.slot(), 0) };
        let published = Stamp::published(place.sequence);
        if !KNOWN {
            // ORDERING: C1, Acquire pairs with P4.
            let seen = Stamp::from_bits(stamp.load(ordering("slot C1", Acquire)));
            if seen != published {
                return Err(seen);
            }
        }
        Self::copy_out(place.slot(), copy);
        if !HELD && !mutant("slot C4") {
            fence(Acquire, "slot C3");
            // ORDERING: C4, Relaxed: C3 orders it after the copy.
            let now = Stamp::from_bits(stamp.load(Relaxed));
            if now != published {
                return Err(now);
            }
        }
        Ok(())
    }

    /// P3.
    #[inline]
    fn copy_in(slot: *const Word, value: &T)
    where
        T: Payload,
    {
        let from = ptr::from_ref(value).cast::<u8>();
        if Self::BY_WORDS {
            for n in 0..Self::LENGTH {
                let mut bytes = [0; WORD];
                let length = WORD.min(Self::SIZE - n * WORD);
                // SAFETY: n * WORD + length is at most SIZE, by I4 these bytes are initialised, and
                // nobody writes them: `value` is borrowed, and if it lies in a slot, I2 keeps it.
                unsafe {
                    ptr::copy_nonoverlapping(
                        from.wrapping_add(n * WORD),
                        bytes.as_mut_ptr(),
                        length,
                    )
                };
                // SAFETY: by I5; OFFSET + n is below WORDS.
                let to = unsafe { word(slot, Self::OFFSET + n) };
                // ORDERING: P3, Relaxed: between P2 and P4.
                to.store(u64::from_ne_bytes(bytes), Relaxed);
            }
        } else {
            let to = Self::payload(slot).cast_mut();
            // SAFETY: by I5 the slot has SIZE bytes, more than 64 here, which are shared only with
            // subscribers that copy in the same way. The two sides do not overlap: a `&T` into a slot
            // exists only while a gate stands at its message, and this slot may be written (I2); for
            // the same reason nobody writes `value`. Not BY_WORDS, so COPIES_SHARED.
            unsafe { hint::copy_shared(from, to, Self::SIZE) };
        }
    }

    /// C2.
    #[inline]
    fn copy_out(slot: *const Word, copy: &mut MaybeUninit<T>) {
        let to = copy.as_mut_ptr().cast::<u8>();
        if Self::BY_WORDS {
            for n in 0..Self::LENGTH {
                // SAFETY: by I5; OFFSET + n is below WORDS.
                let from = unsafe { word(slot, Self::OFFSET + n) };
                // ORDERING: C2, Relaxed: between C1 and C3.
                let bytes = from.load(Relaxed).to_ne_bytes();
                let length = WORD.min(Self::SIZE - n * WORD);
                // SAFETY: n * WORD + length is at most SIZE.
                unsafe {
                    ptr::copy_nonoverlapping(bytes.as_ptr(), to.wrapping_add(n * WORD), length)
                };
            }
        } else {
            // SAFETY: by I5 the slot has SIZE bytes, more than 64 here, shared only with a publisher that
            // copies in the same way; `copy` has room for them, and is not in a slot. COPIES_SHARED as above.
            unsafe { hint::copy_shared(Self::payload(slot), to, Self::SIZE) };
        }
    }

    /// The payload's bytes; not under loom, whose words have none.
    #[inline]
    fn payload(slot: *const Word) -> *const u8 {
        // A payload of no bytes has no word behind OFFSET; the slot itself is aligned for it.
        let offset = if Self::SIZE == 0 { 0 } else { Self::OFFSET };
        slot.wrapping_add(offset).cast()
    }
}

/// A slot's word.
///
/// # Safety
/// `slot` is the address of a slot of more than `n` words that outlives `'a`.
#[inline]
unsafe fn word<'a>(slot: *const Word, n: usize) -> &'a Word {
    // SAFETY: by the caller's duty it stays inside the slot.
    let word = unsafe { slot.add(n) };
    // SAFETY: all that words are lent as is `&Word`.
    unsafe { &*word }
}

impl<T: 'static> Store for Slots<T> {
    const STRIDE: usize = Self::WORDS * size_of::<Word>();

    fn start(&self) -> *const u8 {
        self.words.start().cast()
    }

    #[inline]
    fn stamp_word(&self, place: &Place) -> &AtomicU64 {
        // SAFETY: by I5, and the ring is `self`.
        unsafe { word(place.slot(), 0) }
    }

    #[inline]
    unsafe fn mark(place: &Place, stamp: Stamp) {
        // SAFETY: by I5, and the caller's duty.
        let word = unsafe { word(place.slot(), 0) };
        // ORDERING: P4, Release pairs with C1.
        word.store(stamp.bits(), ordering("slot P4", Release));
    }
}

impl<T: 'static> InPlace for Slots<T> {
    type Value = T;

    #[inline]
    fn value(&self, place: &Place) -> NonNull<T> {
        let payload = Self::payload(place.slot()).cast_mut().cast();
        // SAFETY: an address in a slot is not null.
        unsafe { NonNull::new_unchecked(payload) }
    }
}
