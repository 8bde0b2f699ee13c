//! The derives of tidings. Use them as `tidings::ring::Payload` and `tidings::ring::Wire`: each name is the trait's as well.
//!
//! What they expand to names `::tidings`, so a program that uses them depends on `tidings` by that name.
//! There is no `unsafe` to be seen for lints of the program; what is claimed, and why it holds, is in `claim.rs`.

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod claim;
mod field;
mod payload;
mod repr;
mod wire;

/// Makes a struct or an enum a payload of a copying ring, if none of its bytes is padding.
///
/// | item | representation | besides |
/// |---|---|---|
/// | struct | `#[repr(C)]` | no padding between the fields and behind the last |
/// | struct with type or const parameters | `#[repr(C)]` | all fields are of one type, or arrays of it |
/// | struct, with or without parameters | `#[repr(C, packed)]`, `#[repr(transparent)]` | |
/// | enum without fields | an integer, or `C` | |
/// | enum with fields | an integer | no parameters; every variant fills the enum without padding |
///
/// Every field is a payload, or an array of payloads; the type is `Copy`. It becomes `NoUninit`, which is what
/// `Payload` asks for beside `Send`.
///
/// # Errors
/// The compiler's, at the item or the field: which representation is missing, which field is no payload, how many bytes
/// of padding there are, and where.
///
/// # Examples
/// ```
/// use tidings::ring::{Payload, channel};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Payload)]
/// #[repr(u8)]
/// enum Side {
///     Buy,
///     Sell,
/// }
///
/// #[derive(Clone, Copy, Debug, PartialEq, Payload)]
/// #[repr(C)]
/// struct Order {
///     price: f64,
///     size: u32,
///     side: Side,
///     live: [bool; 3],
/// }
///
/// let order = Order { price: 9.5, size: 3, side: Side::Sell, live: [true; 3] };
/// let (mut publisher, subscribable) = channel(64);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish(order);
/// assert_eq!(subscriber.try_recv(), Ok(order));
/// ```
///
/// Padding is refused, with its place and size:
///
/// ```compile_fail
/// use tidings::ring::Payload;
///
/// #[derive(Clone, Copy, Payload)]
/// #[repr(C)]
/// struct Order {
///     live: bool,
///     price: f64, // 7 bytes of padding between `live` and `price` of `Order`
/// }
/// ```
#[proc_macro_derive(Payload)]
pub fn payload(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    finish(payload::derive(&item))
}

/// Makes a plain-data twin of a struct or an enum, the way to it, and the way back with every check there is to make.
///
/// For `Order` that is the struct `OrderWire`, as visible as `Order` and its fields, without padding, and `Pod`: every bit
/// pattern is one. `Wire` for `Order` has it as `Repr`; `OrderWire: From<Order>` and `Order: TryFrom<OrderWire>` are
/// the same two ways.
///
/// | item | its twin has |
/// |---|---|
/// | struct | the same fields, each the twin of its type |
/// | enum | `tag`, the number of the variant: the integer representation if there is one, else `u8` (`u32` above 256 variants), counted from 0 |
/// | enum with fields | and `body`: room for the fields of any variant, the rest of which is zero |
///
/// Every field is `Wire`: numbers, `bool`, `char`, `NonZero`, arrays, tuples, `Option`, and what derives `Wire`.
/// Parameters are carried over, but an enum with fields has none. A twin is packed: its fields can be copied, not borrowed.
///
/// # Errors
/// The compiler's, at the item or the field. At run time the way back gives a `WireError`, which names the innermost field
/// and what was wrong with it.
///
/// # Examples
/// ```
/// use tidings::ring::{Wire, WireFault, channel};
///
/// #[derive(Debug, PartialEq, Wire)]
/// enum Side {
///     Buy,
///     Sell,
/// }
///
/// #[derive(Debug, PartialEq, Wire)]
/// struct Order {
///     live: bool,
///     price: f64,
///     limit: Option<u32>,
///     side: Side,
/// }
///
/// let order = Order { live: true, price: 9.5, limit: None, side: Side::Sell };
/// let (mut publisher, subscribable) = channel::<OrderWire>(64);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish(order.to_wire());
///
/// let mut twin = subscriber.try_recv()?;
/// assert_eq!(Order::try_from(twin), Ok(order));
///
/// twin.side.tag = 7;
/// let error = Order::from_wire(twin).unwrap_err();
/// assert_eq!(error.fault(), WireFault::Variant { of: "Side", tag: 7 });
/// assert_eq!(error.to_string(), "`side` of `Order`: 7 is no variant of `Side`");
/// # Ok::<(), tidings::ring::TryRecvError>(())
/// ```
#[proc_macro_derive(Wire)]
pub fn wire(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    finish(wire::derive(&item))
}

fn finish(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// The program in the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
