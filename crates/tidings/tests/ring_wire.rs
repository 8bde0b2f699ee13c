//! Types that derive `Wire`: there and back for every kind of field, and what hostile bytes are.
#![cfg(all(feature = "macros", feature = "ring", feature = "std"))]

#[path = "support/twins.rs"]
mod twins;

use proptest::prelude::*;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::NonZero;
use tidings::ring::{Payload, Wire, WireError, WireFault, bytemuck};
use twins::there_and_back;

#[derive(Clone, Copy, Debug, PartialEq, Wire)]
enum Side {
    Buy,
    Sell,
}

#[derive(Clone, Copy, Debug, PartialEq, Wire)]
#[repr(i16)]
enum Level {
    Low = -5,
    Middle,
    High = 300,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct Order {
    /// In cents.
    pub price: f64,
    r#type: usize,
    delta: isize,
    live: bool,
    name: char,
    side: Side,
    level: Option<Level>,
    codes: [u8; 3],
    flags: Option<[bool; 2]>,
    pair: (u8, Option<u64>),
    id: NonZero<u32>,
}

#[derive(Clone, Debug, PartialEq, Wire)]
struct Book(Order, [Option<Order>; 2], ());

#[derive(Clone, Debug, PartialEq, Wire)]
enum Event {
    Trade { order: Order, size: u128 },
    Quote(f32, Side),
    Halt,
}

#[derive(Clone, Copy, Debug, PartialEq, Wire)]
struct Generic<T: Copy = u8, const N: usize = 2>
where
    T: PartialEq,
{
    one: Option<T>,
    some: [T; N],
    of: PhantomData<T>,
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Buy), Just(Side::Sell)]
}

fn level() -> impl Strategy<Value = Level> {
    prop_oneof![Just(Level::Low), Just(Level::Middle), Just(Level::High)]
}

fn order() -> impl Strategy<Value = Order> {
    let small = any::<(i32, usize, isize, bool, char)>();
    let nested = (side(), prop::option::of(level()));
    let rest = any::<([u8; 3], Option<[bool; 2]>, (u8, Option<u64>))>();
    (small, nested, rest, 1..u32::MAX).prop_map(|(small, nested, rest, id)| Order {
        price: f64::from(small.0) / 4.0,
        r#type: small.1,
        delta: small.2,
        live: small.3,
        name: small.4,
        side: nested.0,
        level: nested.1,
        codes: rest.0,
        flags: rest.1,
        pair: rest.2,
        id: NonZero::new(id).unwrap(),
    })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (order(), any::<u128>()).prop_map(|(order, size)| Event::Trade { order, size }),
        (any::<i16>(), side()).prop_map(|(price, side)| Event::Quote(f32::from(price), side)),
        Just(Event::Halt),
    ]
}

/// What comes of any bytes: an error, or a value that its own twin leads back to.
fn from_bytes<T: Wire + PartialEq + Debug>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let bytes = &bytes[..size_of::<T::Repr>()];
    if let Ok(value) = T::from_wire(bytemuck::pod_read_unaligned(bytes)) {
        let again = T::from_wire(value.to_wire());
        prop_assert!(again.is_ok());
        // Not a number is no equal of itself.
        prop_assert_eq!(
            format!("{again:?}"),
            format!("{:?}", Ok::<T, WireError>(value))
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 256 }))]

    #[test]
    fn structs_come_back(one in order(), two in prop::option::of(order())) {
        there_and_back(Book(one, [two, None], ()));
    }

    #[test]
    fn enums_come_back(event in event(), level in level()) {
        there_and_back(event);
        there_and_back(level);
    }

    #[test]
    fn structs_with_parameters_come_back(one in any::<Option<char>>(), some in any::<[char; 2]>()) {
        there_and_back(Generic { one, some, of: PhantomData });
        there_and_back(Generic { one: Some(Generic { one, some, of: PhantomData }), some: [], of: PhantomData });
    }

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in prop::collection::vec(any::<u8>(), 256)) {
        from_bytes::<Order>(&bytes)?;
        from_bytes::<Event>(&bytes)?;
        from_bytes::<Level>(&bytes)?;
        from_bytes::<Generic>(&bytes)?;
    }

    /// Most bytes are 0 or 1 here, so that flags are right, and what lies behind them is looked at.
    #[test]
    fn few_bits_are_a_value_or_an_error(bytes in prop::collection::vec(prop_oneof![9 => 0_u8..2, 1 => any::<u8>()], 256)) {
        from_bytes::<Order>(&bytes)?;
        from_bytes::<Event>(&bytes)?;
        from_bytes::<Level>(&bytes)?;
        from_bytes::<Generic>(&bytes)?;
    }
}

fn an_order() -> Order {
    Order {
        price: 9.5,
        r#type: 1,
        delta: -1,
        live: true,
        name: 'ß',
        side: Side::Sell,
        level: Some(Level::Middle),
        codes: [1, 2, 3],
        flags: None,
        pair: (7, None),
        id: NonZero::<u32>::MIN,
    }
}

/// Fault, owner and field of the order whose twin was spoilt.
fn spoilt(spoil: impl FnOnce(&mut OrderWire)) -> (WireFault, &'static str, &'static str) {
    let mut twin = an_order().to_wire();
    spoil(&mut twin);
    let error = Order::try_from(twin).unwrap_err();
    (
        error.fault(),
        error.owner().unwrap(),
        error.field().unwrap(),
    )
}

#[test]
fn an_error_names_the_field_and_what_was_wrong() {
    let owner = "Order";
    assert_eq!(
        spoilt(|twin| twin.live = 2),
        (WireFault::Bool(2), owner, "live")
    );
    assert_eq!(
        spoilt(|twin| twin.name = 0xD800),
        (WireFault::Char(0xD800), owner, "name")
    );
    assert_eq!(
        spoilt(|twin| twin.level.has = 9),
        (WireFault::Has(9), owner, "level")
    );
    assert_eq!(spoilt(|twin| twin.id = 0), (WireFault::Zero, owner, "id"));
    let fault = WireFault::Variant { of: "Side", tag: 7 };
    assert_eq!(spoilt(|twin| twin.side.tag = 7), (fault, owner, "side"));
    let fault = WireFault::Variant {
        of: "Level",
        tag: -1,
    };
    assert_eq!(
        spoilt(|twin| twin.level.value.tag = -1),
        (fault, owner, "level")
    );
}

#[test]
fn an_error_names_the_innermost_field() {
    let mut twin = Book(an_order(), [None, None], ()).to_wire();
    twin.0.live = 3;
    let error = Book::try_from(twin).unwrap_err();
    assert_eq!(error.to_string(), "`live` of `Order`: 3 is no `bool`");
}

#[test]
fn an_error_in_a_variant_names_the_variant() {
    let mut twin = Event::Quote(0.5, Side::Buy).to_wire();
    bytemuck::bytes_of_mut(&mut twin)[5] = 9;
    let error = Event::try_from(twin).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Quote.1` of `Event`: 9 is no variant of `Side`"
    );
    twin.tag = 3;
    let error = Event::try_from(twin).unwrap_err();
    assert_eq!(
        (error.field(), error.to_string().as_str()),
        (None, "3 is no variant of `Event`")
    );
}

#[test]
fn bytes_that_nobody_looks_at_may_be_anything() {
    let mut twin = Event::Halt.to_wire();
    let length = size_of::<EventWire>();
    bytemuck::bytes_of_mut(&mut twin)[1..].copy_from_slice(&vec![0xFF; length - 1]);
    assert_eq!(Event::from_wire(twin), Ok(Event::Halt));
}

#[test]
fn the_room_behind_a_variant_is_zero() {
    let twin = Event::Quote(0.0, Side::Sell).to_wire();
    assert_eq!(bytemuck::bytes_of(&twin)[..6], [1, 0, 0, 0, 0, 1]);
    assert!(bytemuck::bytes_of(&twin)[6..].iter().all(|byte| *byte == 0));
}

#[test]
fn variants_have_the_numbers_of_the_enum() {
    let tags = [Level::Low, Level::Middle, Level::High].map(|level| level.to_wire().tag);
    assert_eq!(tags, [-5, -4, 300]);
    assert_eq!(
        [Side::Buy, Side::Sell].map(|side| side.to_wire().tag),
        [0_u8, 1]
    );
}

#[test]
fn twins_have_no_padding() {
    assert_eq!(
        size_of::<OrderWire>(),
        8 + 8 + 8 + 1 + 4 + 1 + 3 + 3 + 3 + 10 + 4
    );
    assert_eq!(size_of::<BookWire>(), 3 * size_of::<OrderWire>() + 2);
    assert_eq!(size_of::<EventWire>(), 1 + size_of::<OrderWire>() + 16);
    assert_eq!(size_of::<GenericWire<u64, 3>>(), 9 + 24);
}

#[test]
fn twins_are_shown_field_by_field() {
    let twin = Event::Halt.to_wire();
    assert!(format!("{twin:?}").starts_with("EventWire { tag: 2, body: WireBody([0, "));
    let twin = (Generic {
        one: None,
        some: [1_u8],
        of: PhantomData,
    })
    .to_wire();
    let text = "GenericWire { one: WireOption { has: 0, value: 0 }, some: [1], of: () }";
    assert_eq!(format!("{twin:?}"), text);
}

#[test]
fn twins_are_payloads_and_copies() {
    fn is_payload<T: Payload + Copy + Sync + bytemuck::Pod>() {}
    is_payload::<OrderWire>();
    is_payload::<EventWire>();
    is_payload::<GenericWire<char, 3>>();
}

/// A rule of one's own, in a type that derives nothing.
#[derive(Clone, Debug, PartialEq)]
struct Percent(u8);

impl Wire for Percent {
    type Repr = u8;

    fn to_wire(&self) -> u8 {
        self.0
    }

    fn from_wire(repr: u8) -> Result<Self, WireError> {
        match repr {
            0..=100 => Ok(Self(repr)),
            _ => Err(WireFault::Refused("more than 100 percent").into()),
        }
    }
}

#[test]
fn a_rule_of_ones_own_is_kept_inside_of_derived_types() {
    #[derive(Clone, Debug, PartialEq, Wire)]
    struct Battery {
        charge: Option<Percent>,
    }

    let full = Battery {
        charge: Some(Percent(100)),
    };
    there_and_back(full.clone());
    let mut twin = full.to_wire();
    twin.charge.value = 101;
    let error = Battery::from_wire(twin).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`charge` of `Battery`: more than 100 percent"
    );
}
