//! Plain-data twins of the types that the crate knows: there and back, through a ring, and from hostile bytes.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use bytemuck::{Pod, bytes_of, pod_read_unaligned};
use proptest::prelude::*;
use std::cell::Cell;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::{NonZero, NonZeroI16, NonZeroUsize};
use tidings_ring::{Wire, WireBody, WireError, WireFault, WireOption, WirePair, channel};

/// `value` comes back from its twin, also from one that went through a ring.
#[track_caller]
fn there_and_back<T: Wire + PartialEq + Debug>(value: T) {
    let (mut publisher, subscribable) = channel::<T::Repr>(1);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(value.to_wire());
    assert_eq!(
        T::from_wire(subscriber.try_recv().unwrap()).as_ref(),
        Ok(&value)
    );
    assert_eq!(T::from_wire(value.to_wire()), Ok(value));
}

/// What a twin of these bytes is a twin of.
#[track_caller]
fn from_bytes<T: Wire>(bytes: &[u8]) -> Result<T, WireFault> {
    T::from_wire(pod_read_unaligned::<T::Repr>(bytes)).map_err(|error| error.fault())
}

#[test]
fn numbers_are_their_own_twins() {
    there_and_back(u8::MAX);
    there_and_back(i128::MIN);
    there_and_back(-0.5_f32);
    assert_eq!(7_u64.to_wire(), 7);
    let quiet = f64::from_bits(0x7FF8_0000_0000_0001);
    assert_eq!(
        f64::from_wire(quiet.to_wire()).unwrap().to_bits(),
        quiet.to_bits()
    );
    there_and_back(());
    there_and_back(PhantomData::<String>);
}

#[test]
fn sizes_of_the_machine_travel_as_64_bits() {
    assert_eq!(size_of::<<usize as Wire>::Repr>(), 8);
    there_and_back([0, usize::MAX]);
    there_and_back([isize::MIN, -1, isize::MAX]);
    let found = usize::from_wire(u64::MAX).map_err(|error| error.fault());
    if size_of::<usize>() < 8 {
        assert_eq!(found, Err(WireFault::Usize(u64::MAX)));
    } else {
        assert_eq!(found, Ok(usize::MAX));
    }
}

#[test]
fn a_byte_that_is_no_bool_is_an_error() {
    there_and_back([false, true]);
    for byte in 2..=255 {
        assert_eq!(from_bytes::<bool>(&[byte]), Err(WireFault::Bool(byte)));
    }
}

#[test]
fn a_number_that_is_no_char_is_an_error() {
    there_and_back(['\0', '字', char::MAX]);
    for number in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
        assert_eq!(
            from_bytes::<char>(bytes_of(&number)),
            Err(WireFault::Char(number))
        );
    }
}

#[test]
fn zero_is_no_non_zero() {
    there_and_back((NonZeroI16::MIN, NonZero::<u128>::MAX, NonZeroUsize::MIN));
    assert_eq!(
        from_bytes::<NonZeroI16>(&[0; 2]).unwrap_err(),
        WireFault::Zero
    );
    assert_eq!(
        from_bytes::<NonZeroUsize>(&[0; 8]).unwrap_err(),
        WireFault::Zero
    );
}

#[test]
fn an_option_says_whether_it_has_a_value() {
    there_and_back([None, Some('x')]);
    there_and_back(Some(Some(Some(true))));
    there_and_back(Some([1_u16; 3]));
    assert_eq!(
        from_bytes::<Option<u8>>(&[2, 0]),
        Err(WireFault::Has(2)),
        "the byte"
    );
    assert_eq!(
        from_bytes::<Option<bool>>(&[1, 9]),
        Err(WireFault::Bool(9)),
        "its value"
    );
    assert_eq!(
        from_bytes::<Option<bool>>(&[0, 9]),
        Ok(None),
        "a value that is not there"
    );
}

#[test]
fn what_is_not_there_is_all_zero() {
    assert_eq!(bytes_of(&None::<u64>.to_wire()), [0; 9]);
}

#[test]
fn one_bad_element_fails_its_array() {
    there_and_back([[true; 3]; 2]);
    there_and_back::<[char; 0]>([]);
    assert_eq!(from_bytes::<[bool; 3]>(&[1, 7, 0]), Err(WireFault::Bool(7)));
}

#[test]
fn tuples_are_pairs_nested_to_the_right() {
    there_and_back((true,));
    there_and_back(('a', 1_u8, Some(false), 2_i64, [3_u16; 2], (), 4.5_f32, 5_u8));
    let WirePair(first, WirePair(second, third)) = (1_u8, 2_u32, 3_u16).to_wire();
    assert_eq!((first, second, third), (1, 2, 3));
    assert_eq!(
        from_bytes::<(u8, bool, u8)>(&[0, 3, 0]),
        Err(WireFault::Bool(3))
    );
}

#[test]
fn twins_have_no_padding() {
    fn size<T: Wire>() -> usize {
        assert_eq!(align_of::<WireOption<T::Repr>>(), 1);
        size_of::<T::Repr>()
    }
    assert_eq!(size::<(u8, u64, u8)>(), 10);
    assert_eq!(size::<Option<u64>>(), 9);
    assert_eq!(size::<[Option<(u16, f64)>; 3]>(), 33);
}

#[test]
fn a_body_holds_what_fits_and_zeros() {
    let body = WireBody::<8>::of(WirePair(1_u8, [2_u8, 3]));
    assert_eq!(bytes_of(&body), [1, 2, 3, 0, 0, 0, 0, 0]);
    let WirePair(first, rest) = body.read::<WirePair<u8, [u8; 2]>>();
    assert_eq!((first, rest), (1, [2, 3]));
}

#[test]
fn an_error_names_the_innermost_field() {
    let error = WireError::from(WireFault::Bool(7));
    assert_eq!((error.field(), error.owner()), (None, None));
    assert_eq!(error.to_string(), "7 is no `bool`");
    let error = error.in_field("Order", "live").in_field("Book", "best");
    assert_eq!(
        (error.field(), error.owner()),
        (Some("live"), Some("Order"))
    );
    assert_eq!(error.to_string(), "`live` of `Order`: 7 is no `bool`");
}

#[test]
fn every_fault_says_what_was_wrong() {
    let of = "Side";
    for (fault, text) in [
        (WireFault::Char(0xD800), "0xd800 is no `char`"),
        (WireFault::Has(9), "9 does not say whether there is a value"),
        (WireFault::Zero, "zero is not allowed here"),
        (WireFault::Usize(9), "9 does not fit `usize`"),
        (WireFault::Isize(-9), "-9 does not fit `isize`"),
        (
            WireFault::Variant { of, tag: -1 },
            "-1 is no variant of `Side`",
        ),
        (WireFault::Refused("no price"), "no price"),
    ] {
        assert_eq!(WireError::from(fault).to_string(), text);
    }
}

#[test]
fn twins_are_shown_field_by_field() {
    assert_eq!(
        format!("{:?}", Some(true).to_wire()),
        "WireOption { has: 1, value: 1 }"
    );
    assert_eq!(format!("{:?}", (1_u8, 'a').to_wire()), "WirePair(1, 97)");
}

/// A type with a rule of its own.
#[derive(Debug, PartialEq)]
struct Percent(u8);

impl Wire for Percent {
    type Repr = u8;

    fn to_wire(&self) -> u8 {
        self.0
    }

    fn from_wire(repr: u8) -> Result<Self, WireError> {
        if repr > 100 {
            return Err(WireFault::Refused("more than 100 percent").into());
        }
        Ok(Self(repr))
    }
}

#[test]
fn a_rule_of_ones_own_is_kept_wherever_it_is_nested() {
    there_and_back([Some(Percent(100)), None]);
    assert_eq!(
        from_bytes::<[Option<Percent>; 1]>(&[1, 101]),
        Err(WireFault::Refused("more than 100 percent"))
    );
}

/// The bytes of a twin of `T` that may be anything.
fn any_bytes<T: Wire>() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), size_of::<T::Repr>())
}

/// From hostile bytes comes an error, or a value that comes back from its own twin.
#[track_caller]
fn hostile<T: Wire + PartialEq + Debug>(bytes: &[u8]) {
    if let Ok(value) = from_bytes::<T>(bytes) {
        there_and_back(value);
    }
}

type Everything = (
    Option<char>,
    [bool; 2],
    Option<[u32; 2]>,
    (usize, isize),
    Option<NonZeroI16>,
    i128,
);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 256 }))]

    #[test]
    fn any_value_comes_back(
        value: (Option<char>, [bool; 2], Option<[u32; 2]>, (usize, isize), Option<u16>, i128),
    ) {
        there_and_back(value);
    }

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in any_bytes::<Everything>()) {
        hostile::<Everything>(&bytes);
    }

    #[test]
    fn few_bits_are_a_value_or_an_error(bytes in prop::collection::vec(0_u8..3, size_of::<<[Option<bool>; 4] as Wire>::Repr>())) {
        hostile::<[Option<bool>; 4]>(&bytes);
    }
}

#[test]
fn twins_are_plain_data() {
    fn is_pod<T: Pod + Send + Sync>() {}
    is_pod::<<Everything as Wire>::Repr>();
    is_pod::<WireBody<3>>();
}

thread_local! {
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

/// Counted while it is alive; no twin above 9 has one.
struct Counted(u8);

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

impl Wire for Counted {
    type Repr = u8;

    fn to_wire(&self) -> u8 {
        self.0
    }

    fn from_wire(repr: u8) -> Result<Self, WireError> {
        assert_ne!(repr, 99, "planted");
        if repr > 9 {
            return Err(WireFault::Refused("above 9").into());
        }
        ALIVE.set(ALIVE.get() + 1);
        Ok(Self(repr))
    }
}

#[test]
fn elements_made_before_a_refused_one_are_dropped() {
    let whole = <[Counted; 3]>::from_wire([1, 2, 3]).unwrap();
    assert_eq!((ALIVE.get(), whole.to_wire()), (3, [1, 2, 3]));
    drop(whole);
    assert_eq!(ALIVE.get(), 0);
    assert!(<[Counted; 4]>::from_wire([1, 2, 10, 3]).is_err());
    assert_eq!(ALIVE.get(), 0);
    std::panic::catch_unwind(|| <[Counted; 2]>::from_wire([1, 99]).is_ok()).unwrap_err();
    assert_eq!(ALIVE.get(), 0);
}
