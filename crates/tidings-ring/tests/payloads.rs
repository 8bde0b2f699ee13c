//! Every kind of plain data goes through a ring unchanged, by copy and by borrow.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use bytemuck::NoUninit;
use std::fmt::Debug;
use std::mem::MaybeUninit;
use std::num::{NonZeroI8, NonZeroU32, NonZeroU64, Wrapping};
use std::ptr;
use tidings_ring::{Payload, Ref, channel, channel_bounded, event_channel};

/// Through every kind of ring, over several laps, `values` come out as they went in.
#[track_caller]
fn through<T: Payload + Sync + PartialEq + Debug>(values: &[T]) {
    for capacity in [1, 2, 3, 5] {
        let (mut publisher, subscribable) = channel::<T>(capacity);
        let mut lossy = subscribable.subscribe();
        let (mut held, place) = channel_bounded::<T>(capacity, 0);
        let (mut copying, mut borrowing) = (place.subscribe(), place.subscribe());
        for value in values.iter().cycle().take(values.len() + 2 * capacity) {
            publisher.publish(*value);
            assert_eq!(lossy.try_recv().as_ref(), Ok(value));
            held.publish_from(value);
            let mut place = MaybeUninit::uninit();
            assert_eq!(copying.try_recv_into(&mut place).as_deref(), Ok(value));
            let lent = borrowing.try_recv_ref().unwrap();
            assert_eq!(*lent, *value);
            assert_aligned(&*lent);
        }
    }
}

#[track_caller]
fn assert_aligned<T>(value: &T) {
    let address = ptr::from_ref(value).addr();
    assert_eq!(
        address % align_of::<T>(),
        0,
        "{}",
        std::any::type_name::<T>()
    );
}

#[derive(Clone, Copy, Debug, PartialEq, NoUninit)]
#[repr(u8)]
enum Side {
    Buy = 1,
    Sell = 200,
}

#[derive(Clone, Copy, Debug, PartialEq, NoUninit)]
#[repr(i32)]
enum Level {
    Low = i32::MIN,
    High = i32::MAX,
}

#[derive(Clone, Copy, Debug, PartialEq, NoUninit)]
#[repr(C)]
struct Order {
    price: f64,
    size: NonZeroU32,
    side: Side,
    live: bool,
    codes: [u8; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, NoUninit)]
#[repr(C)]
struct Book {
    best: Order,
    worst: Order,
    total: u64,
    name: char,
    level: Level,
}

#[test]
fn scalars() {
    through(&[0_u8, 1, 127, 255]);
    through(&[i16::MIN, -1, 0, i16::MAX]);
    through(&[0, u64::MAX, 1 << 63]);
    through(&[i128::MIN, 0, i128::MAX]);
    through(&[0.0_f32, -0.5, f32::INFINITY]);
    through(&[usize::MAX, 0]);
    through(&[Wrapping(7_u32), Wrapping(8)]);
}

#[test]
fn types_with_invalid_bit_patterns() {
    through(&[true, false, true]);
    through(&['a', 'ß', '\u{10FFFF}', '\0']);
    through(&[NonZeroU32::MIN, NonZeroU32::MAX]);
    through(&[NonZeroI8::MIN, NonZeroI8::MAX]);
    through(&[Side::Buy, Side::Sell]);
    through(&[Level::Low, Level::High]);
}

#[test]
fn options_of_what_is_never_zero() {
    through(&[None, NonZeroU32::new(1), NonZeroU32::new(u32::MAX), None]);
    through(&[NonZeroU64::new(9), None]);
}

#[test]
fn nested_structs() {
    let order = |size: u32, side| Order {
        price: f64::from(size) / 3.0,
        size: NonZeroU32::new(size).unwrap(),
        side,
        live: size > 2,
        codes: [size as u8; 2],
    };
    let (one, two) = (order(1, Side::Buy), order(u32::MAX, Side::Sell));
    through(&[one, two]);
    let (name, level) = ('字', Level::High);
    let book = |total| Book {
        best: one,
        worst: two,
        total,
        name,
        level,
    };
    through(&[book(1), book(u64::MAX)]);
}

macro_rules! bytes {
    ($($length:literal)*) => { $( through(&[[1_u8; $length], std::array::from_fn(|n| n as u8)]); )* };
}

#[test]
fn byte_arrays_of_every_shape() {
    bytes!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 23 24 25 31 32 33 39 40 41 47 48 49);
    bytes!(55 56 57 58 59 60 61 62 63 64 65 66 67 71 72 73 79 80 81 95 96 97 100 119 120 121);
    bytes!(125 126 127 128 129 130 255 256 257 500 511 512 513 1000 1024 4093 4096 5000);
}

#[test]
fn arrays_of_other_alignments() {
    through(&[[1_u16; 5], [2; 5]]);
    through(&[[1_u32; 17], [2; 17]]);
    through(&[[1_u64; 9], [2; 9]]);
    through(&[[1_u128; 1], [2; 1]]);
    through(&[[1_u128; 3], [2; 3]]);
    through(&[[1_u128; 5], [u128::MAX; 5]]);
}

macro_rules! aligned {
    ($($name:ident $align:literal $words:literal)*) => { $(
        #[derive(Clone, Copy, Debug, PartialEq, NoUninit)]
        #[repr(C, align($align))]
        struct $name([u64; $words]);
        through(&[$name([1; $words]), $name(std::array::from_fn(|n| n as u64))]);
    )* };
}

#[test]
fn over_aligned_types() {
    aligned!(A 16 2  B 16 4  C 16 6  D 16 8  E 16 10  F 32 4  G 32 8  H 32 12  I 64 8  J 64 16);
    aligned!(K 64 24  L 128 16  M 128 32  N 128 48);
}

/// With nothing to copy the messages are counted, and lent where any alignment would find them.
#[test]
fn zero_sized_payloads_of_any_alignment_are_lent_aligned() {
    aligned!(A 8 0  B 16 0  C 32 0  D 64 0  E 128 0);
    through(&[(), ()]);
    through::<[u128; 0]>(&[[], []]);
    through::<[u64; 0]>(&[[], []]);
}

/// Values in place may be anything, of any alignment.
#[test]
fn values_in_place_are_lent_aligned() {
    #[derive(Debug, PartialEq)]
    #[repr(align(256))]
    struct Wide(String);
    let (mut publisher, subscribable) = event_channel(3, || Wide(String::new()));
    let mut subscriber = subscribable.subscribe();
    for n in 0..9 {
        publisher.publish(|wide| wide.0 = format!("message {n}"));
        let lent = subscriber.try_recv_ref().unwrap();
        assert_eq!(
            (lent.0.as_str(), Ref::sequence(&lent)),
            (&*format!("message {n}"), n)
        );
        assert_aligned(&*lent);
    }
}

/// A slot of 4 KiB is lent where it lies: two subscribers see one address, a copy has another.
#[test]
fn a_borrow_is_not_a_copy() {
    let (mut publisher, subscribable) = channel_bounded::<[u64; 512]>(2, 0);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish([3; 512]);
    let (first, second) = (one.recv_ref().unwrap(), two.recv_ref().unwrap());
    assert!(ptr::eq(&*first, &*second));
}
