//! The twins of options, arrays and tuples.

use super::{Wire, WireError, WireFault, WireOption, WirePair, cell::try_array};
use bytemuck::Zeroable;
use core::array;

impl<T: Wire> Wire for Option<T> {
    type Repr = WireOption<T::Repr>;

    #[inline]
    fn to_wire(&self) -> Self::Repr {
        let (has, value) = match self {
            Some(value) => (1, value.to_wire()),
            None => (0, T::Repr::zeroed()),
        };
        WireOption { has, value }
    }

    #[inline]
    fn from_wire(WireOption { has, value }: Self::Repr) -> Result<Self, WireError> {
        match has {
            0 => Ok(None),
            1 => T::from_wire(value).map(Some),
            other => Err(WireFault::Has(other).into()),
        }
    }
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    type Repr = [T::Repr; N];

    #[inline]
    fn to_wire(&self) -> Self::Repr {
        array::from_fn(|n| self[n].to_wire())
    }

    #[inline]
    fn from_wire(repr: Self::Repr) -> Result<Self, WireError> {
        try_array(|n| T::from_wire(repr[n]))
    }
}

/// The type, and the value or pattern, that nests pairs to the right.
macro_rules! nested {
    (type $last:ident) => { $last::Repr };
    (type $first:ident $($rest:ident)+) => { WirePair<$first::Repr, nested!(type $($rest)+)> };
    (value $last:ident) => { $last };
    (value $first:ident $($rest:ident)+) => { WirePair($first, nested!(value $($rest)+)) };
}

macro_rules! tuples {
    () => {};
    ($first:ident $first_value:ident $($rest:ident $rest_value:ident)*) => {
        impl<$first: Wire, $($rest: Wire),*> Wire for ($first, $($rest,)*) {
            type Repr = nested!(type $first $($rest)*);

            #[inline]
            fn to_wire(&self) -> Self::Repr {
                let ($first_value, $($rest_value,)*) = self;
                let ($first_value, $($rest_value,)*) = ($first_value.to_wire(), $($rest_value.to_wire(),)*);
                nested!(value $first_value $($rest_value)*)
            }

            #[inline]
            fn from_wire(nested!(value $first_value $($rest_value)*): Self::Repr) -> Result<Self, WireError> {
                Ok(($first::from_wire($first_value)?, $($rest::from_wire($rest_value)?,)*))
            }
        }

        tuples!($($rest $rest_value)*);
    };
}

tuples!(A a B b C c D d E e F f G g H h);
