//! Types of every shape and with every name derive `Wire`.
#![cfg(all(feature = "macros", feature = "ring", feature = "std"))]

#[path = "support/twins.rs"]
mod twins;

use std::marker::PhantomData;
use tidings::ring::{Wire, WireFault};
use twins::there_and_back;

#[test]
fn units_and_empty_structs_have_twins_of_no_bytes() {
    #[derive(Clone, Debug, PartialEq, Wire)]
    struct Unit;
    #[derive(Clone, Debug, PartialEq, Wire)]
    struct Empty {}
    #[derive(Clone, Debug, PartialEq, Wire)]
    struct EmptyTuple();

    there_and_back(Unit);
    there_and_back(Empty {});
    there_and_back(EmptyTuple());
    assert_eq!(
        size_of::<UnitWire>() + size_of::<EmptyWire>() + size_of::<EmptyTupleWire>(),
        0
    );
}

#[test]
fn wide_numbers_of_variants() {
    #[derive(Clone, Debug, PartialEq, Wire)]
    #[repr(usize)]
    enum Wide {
        Zero,
        Last = u32::MAX as usize,
    }
    #[derive(Clone, Debug, PartialEq, Wire)]
    #[repr(u64)]
    enum Most {
        Last(bool) = u64::MAX,
    }

    there_and_back(Wide::Zero);
    there_and_back(Wide::Last);
    there_and_back(Most::Last(true));
    let mut twin = Most::Last(true).to_wire();
    twin.tag = u64::MAX - 1;
    let tag = i128::from(u64::MAX - 1);
    let fault = WireFault::Variant { of: "Most", tag };
    assert_eq!(Most::from_wire(twin).unwrap_err().fault(), fault);
}

macro_rules! many {
    ($name:ident: $($variant:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Wire)]
        enum $name { $($variant),* }

        #[test]
        fn every_variant_of_many_comes_back() {
            $( there_and_back($name::$variant); )*
        }
    };
}

many!(Many: A B C D E F G H I J K L M N O P Q R S T U V W X Y Z);

/// Names that the expansion could trip over, if it looked at them.
#[test]
fn names_of_ones_own_do_no_harm() {
    mod core {}

    #[derive(Clone, Debug, PartialEq, Wire)]
    enum Result {
        Ok(Option<u8>),
        Err,
        Some { tag: u8, body: bool, twin: char },
        None,
        Error,
        Repr,
    }

    #[derive(Clone, Debug, PartialEq, Wire)]
    struct Pod {
        f: Result,
        twin: Result,
        error: Async,
    }

    #[derive(Clone, Debug, PartialEq, Wire)]
    struct Async(u8);

    let (tag, body, twin) = (1, true, 'x');
    let all = [
        Result::Ok(Some(1)),
        Result::Err,
        Result::Some { tag, body, twin },
        Result::None,
        Result::Error,
        Result::Repr,
    ];
    for f in all {
        let (twin, error) = (f.clone(), Async(7));
        there_and_back(Pod { f, twin, error });
    }
}

#[test]
fn parameters_in_every_place() {
    trait Owns {
        type Thing;
    }

    #[derive(Clone, Debug, PartialEq, Wire)]
    struct OwnerOf;

    impl Owns for OwnerOf {
        type Thing = bool;
    }

    #[derive(Clone, Debug, PartialEq, Wire)]
    struct Projected<T: Owns>
    where
        T::Thing: Clone,
    {
        thing: T::Thing,
        things: [Option<T::Thing>; 2],
    }

    #[derive(Clone, Debug, PartialEq, Wire)]
    struct Marked<T: ?Sized + 'static>(u8, PhantomData<T>);

    there_and_back(Projected::<OwnerOf> {
        thing: true,
        things: [None, Some(false)],
    });
    there_and_back(Marked::<OwnerOf>(7, PhantomData));
}

/// Types and numbers that a macro of the user's hands in.
#[test]
fn items_that_a_macro_makes() {
    macro_rules! make {
        ($name:ident $twin:ident, $field:ty, $number:expr) => {
            #[derive(Clone, Debug, PartialEq, Wire)]
            #[repr(u8)]
            enum $name {
                First($field) = $number,
                Second { fields: [$field; $number] },
            }

            there_and_back($name::First([1; 3]));
            let twin: $twin = $name::Second {
                fields: [[2; 3]; $number],
            }
            .to_wire();
            assert_eq!(twin.tag, $number + 1);
        };
    }

    make!(Made MadeWire, [u16; 3], 2 + 3);
}
