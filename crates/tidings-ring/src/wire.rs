//! Values as plain data: what a copying ring carries for a type that is no payload itself.

mod cell;
mod compound;
mod error;
mod scalar;

pub use cell::{WireBody, WireOption, WirePair};
pub use error::{WireError, WireFault};

use bytemuck::Pod;
use core::fmt::Debug;

/// A type with a plain-data form, its *twin*, of which every bit pattern is a value.
///
/// A `bool`, a `char`, an `Option`, an enum or a struct with padding cannot be made of just any bytes. Its twin can: it
/// is a [`Payload`](crate::Payload), and it is [`Pod`]. So it may come from a ring, from memory that another process
/// writes, or from a cast of bytes; [`from_wire`](Self::from_wire) looks at every bit that matters before there is
/// a value.
///
/// | type | its twin |
/// |---|---|
/// | integers, floats, `()` | itself |
/// | `usize`, `isize` | `u64`, `i64`, whatever the machine |
/// | `bool` | `u8`: 0 or 1 |
/// | `char` | `u32` |
/// | `NonZero` | the integer |
/// | `Option<T>` | [`WireOption`]: whether there is a value, and the value, all zero if there is none |
/// | `[T; N]` | an array of twins |
/// | tuples of up to eight | [`WirePair`], nested to the right |
/// | `PhantomData` | `()` |
/// | structs and enums that derive `Wire` (crate `tidings`, feature `macros`) | a struct named after them |
///
/// Twins are packed: none has a byte of padding, however they nest. Numbers have the byte order of the machine, so
/// twins travel between its threads and processes, not between machines. There is no equality of twins, since two that
/// differ may be of one value; compare the values.
///
/// Implement it by hand for a type that has a rule of its own, with [`WireFault::Refused`] for what breaks it.
///
/// # Examples
/// ```
/// use tidings_ring::{Wire, WireFault, channel};
///
/// type Reading = (Option<char>, [bool; 2]);
///
/// let (mut publisher, subscribable) = channel::<<Reading as Wire>::Repr>(4);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish((Some('°'), [true, false]).to_wire());
///
/// let twin = subscriber.try_recv()?;
/// assert_eq!(Reading::from_wire(twin), Ok((Some('°'), [true, false])));
/// assert_eq!(bool::from_wire(2).unwrap_err().fault(), WireFault::Bool(2));
/// # Ok::<(), tidings_ring::TryRecvError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no plain-data form",
    note = "derive `Wire` for a struct or an enum of your own; text and lists need a fixed length, such as `[u8; 16]`"
)]
pub trait Wire: Sized + 'static {
    /// The twin.
    type Repr: Pod + Send + Sync + Debug;

    /// The twin of this value.
    fn to_wire(&self) -> Self::Repr;

    /// The value that `repr` is the twin of.
    ///
    /// # Errors
    /// [`WireError`] when there is none. Names the field, where a derived implementation met it.
    fn from_wire(repr: Self::Repr) -> Result<Self, WireError>;
}
