//! What the cases `payload_*` look like once they are mended, in a crate that forbids what the derive has to do for it.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use std::marker::PhantomData;
use tidings::ring::{Payload, channel};

/// `payload_without_repr`, `payload_not_copy`.
#[derive(Clone, Copy, Payload)]
#[repr(C)]
pub struct Order {
    price: u64,
    size: u64,
}

/// `payload_padding`.
#[derive(Clone, Copy, Payload)]
#[repr(C)]
pub struct Gapless {
    price: u64,
    size: u32,
    code: [u8; 3],
    live: bool,
}

/// `payload_field`, `payload_borrows`, `payload_union`.
#[derive(Clone, Copy, Payload)]
#[repr(C)]
pub struct Fields {
    price: u64,
    names: [[u8; 8]; 2],
    order: Order,
    elsewhere: PhantomData<u8>,
}

/// `payload_parameters`, `payload_argument`.
#[derive(Clone, Copy, Payload)]
#[repr(C)]
pub struct Pair<T> {
    both: [T; 2],
    third: T,
}

/// As above.
#[derive(Clone, Copy, Payload)]
#[repr(C, packed)]
pub struct Text<A, const N: usize> {
    length: A,
    bytes: [u8; N],
}

/// `payload_enum`.
#[derive(Clone, Copy, Payload)]
#[repr(u8)]
pub enum Side {
    /// Buys.
    Buy,
    /// Sells.
    Sell,
}

/// `payload_enum_padding`.
#[derive(Clone, Copy, Payload)]
#[repr(u32)]
pub enum Event {
    /// With a number.
    Trade(u32),
    /// With a side.
    Quote(Side, [u8; 3]),
}

fn takes<T: Payload>() {
    drop(channel::<T>(1));
}

fn main() {
    takes::<Order>();
    takes::<Gapless>();
    takes::<Fields>();
    takes::<Pair<Order>>();
    takes::<Text<u32, 7>>();
    takes::<Side>();
    takes::<Event>();
}
