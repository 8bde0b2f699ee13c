//! A field that is no payload itself.
use std::marker::PhantomData;
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
#[repr(C)]
struct Order {
    price: u64,
    names: [&'static str; 2],
    elsewhere: PhantomData<*const u8>,
}

#[derive(Clone, Copy, Payload)]
#[repr(C, packed)]
struct Named<const N: usize> {
    name: &'static str,
    number: [u32; N],
}

fn main() {}
