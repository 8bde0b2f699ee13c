//! What the cases `wire_*` look like once they are mended, in a crate that forbids what the derive has to do for it.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use tidings::ring::Wire;

mod inner {
    use tidings::ring::Wire;

    /// `wire_field`, `wire_borrows`; as visible as written, though its field's type is not.
    #[derive(Wire)]
    pub struct Named {
        /// How many.
        pub number: u64,
        pub(crate) text: [u8; 16],
        secret: Secret,
    }

    #[derive(Wire)]
    struct Secret(bool);

    impl Named {
        /// A new one.
        pub fn new(number: u64) -> Self {
            let secret = Secret(number > 0);
            let text = [b'x'; 16];
            Self { number, text, secret }
        }

        /// Whether it was more than nothing.
        pub fn secret(&self) -> bool {
            self.secret.0
        }
    }
}

/// `wire_argument`.
#[derive(Wire)]
pub struct Pair<T> {
    both: [T; 2],
}

/// `wire_enum`, `wire_union`.
#[derive(Wire)]
#[repr(u16)]
pub enum Numbered {
    /// One.
    One = 1,
    /// More than a byte holds.
    Many(inner::Named) = 1000,
}

/// `wire_not_checked`, `wire_twin_borrowed`.
fn main() {
    let twin: inner::NamedWire = inner::Named::new(7).into();
    let number = twin.number;
    assert_eq!((number, twin.text.len()), (7, 16));
    let named = inner::Named::try_from(twin).unwrap();
    assert!(named.secret());
    let pair = Pair { both: ['a', 'b'] }.to_wire();
    assert_eq!(Pair::<char>::from_wire(pair).map(|pair| pair.both), Ok(['a', 'b']));
    for value in [Numbered::One, Numbered::Many(named)] {
        assert!(Numbered::from_wire(value.to_wire()).is_ok());
    }
}
