//! Types that derive `Payload` go through rings unchanged, whatever shape they have.
#![cfg(all(feature = "macros", feature = "ring", feature = "std"))]

use std::fmt::Debug;
use std::marker::PhantomData;
use tidings::ring::{Payload, bytemuck, channel, channel_bounded};

/// `value` comes out of a lossy and of a gating ring as it went in, and has as many bytes as it should.
#[track_caller]
fn through<T: Payload + Sync + PartialEq + Debug>(value: T, bytes: usize) {
    assert_eq!(bytemuck::bytes_of(&value).len(), bytes);
    let (mut publisher, subscribable) = channel(2);
    let mut lossy = subscribable.subscribe();
    publisher.publish(value);
    assert_eq!(lossy.try_recv(), Ok(value));
    let (mut publisher, subscribable) = channel_bounded(2, 0);
    let mut gating = subscribable.subscribe();
    publisher.publish(value);
    assert_eq!(*gating.try_recv_ref().unwrap(), value);
}

#[derive(Clone, Copy, Debug, PartialEq, Payload)]
#[repr(u8)]
enum Side {
    Buy = 1,
    Sell = 200,
}

#[derive(Clone, Copy, Debug, PartialEq, Payload)]
#[repr(C)]
struct Order {
    price: f64,
    size: u32,
    side: Side,
    live: [bool; 3],
}

const ORDER: Order = Order {
    price: 9.5,
    size: 3,
    side: Side::Sell,
    live: [true, false, true],
};

#[test]
fn structs() {
    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    struct Book(Order, [Order; 2], u64);

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    struct Nothing;

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C, align(32))]
    struct Wide {
        r#type: [u64; 4],
    }

    through(ORDER, 16);
    through(Book(ORDER, [ORDER; 2], 7), 56);
    through(Nothing, 0);
    let r#type = [1, 2, 3, 4];
    through(Wide { r#type }, 32);
}

#[test]
fn arrays_of_enums_are_fields() {
    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    struct Sides {
        rows: [[Side; 2]; 3],
        none: [u16; 0],
        tail: [u16; 5],
    }

    let rows = [[Side::Buy, Side::Sell]; 3];
    through(
        Sides {
            rows,
            none: [],
            tail: [7; 5],
        },
        16,
    );
}

#[test]
fn packed_structs() {
    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C, packed)]
    struct Packed<A: Copy, B: Copy> {
        first: A,
        second: B,
        sides: [Side; 3],
    }

    let sides = [Side::Buy, Side::Sell, Side::Buy];
    through(
        Packed {
            first: 1_u8,
            second: 2_u64,
            sides,
        },
        12,
    );
}

#[test]
fn transparent_structs() {
    #[derive(Debug, PartialEq, Payload)]
    #[repr(transparent)]
    struct Id<T>(u64, PhantomData<T>);

    impl<T> Clone for Id<T> {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<T> Copy for Id<T> {}

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(transparent)]
    struct Any<T>(T);

    through(Id::<String>(7, PhantomData), 8);
    through(Any(Any(ORDER)), 16);
}

#[test]
fn structs_of_one_type() {
    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    struct Same<T, const N: usize> {
        one: T,
        some: [T; N],
        more: [[T; 2]; N],
    }

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    struct Histogram<const N: usize> {
        total: u64,
        buckets: [u64; N],
    }

    fn generic<T: Payload + Sync + PartialEq + Debug>(value: T) {
        let same = Same {
            one: value,
            some: [value; 3],
            more: [[value; 2]; 3],
        };
        through(same, 10 * size_of::<T>());
    }

    generic(1_u8);
    generic(ORDER);
    generic(Side::Sell);
    let buckets = [1, 2, 3, 4];
    through(Histogram { total: 10, buckets }, 40);
}

#[test]
fn enums() {
    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(i32)]
    enum Level {
        Low = i32::MIN,
        High = i32::MAX,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    enum Foreign {
        One,
    }

    through(Side::Buy, 1);
    through([Level::Low, Level::High][1], 4);
    through(Foreign::One, size_of::<Foreign>());
}

#[test]
fn enums_with_fields() {
    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(u32)]
    enum Event {
        Trade { size: u32, price: f64 },
        Quote([u32; 3]),
        Halt(Side, [u8; 11]),
    }

    for event in [
        Event::Trade {
            size: 3,
            price: 9.5,
        },
        Event::Quote([1, 2, 3]),
        Event::Halt(Side::Sell, [9; 11]),
    ] {
        through(event, 16);
    }
}

/// Names that the expansion could trip over, if it looked at them.
#[test]
fn names_of_ones_own_do_no_harm() {
    mod core {}

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    struct Variant {
        tag: u8,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(u8)]
    enum T {
        Only(Variant, Send),
    }

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(transparent)]
    struct Send(u8);

    through(T::Only(Variant { tag: 1 }, Send(2)), 3);
}
