//! A payload outlives whoever published it.
use std::marker::PhantomData;
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
#[repr(transparent)]
struct Name<'a>(u64, PhantomData<&'a str>);

fn main() {}
