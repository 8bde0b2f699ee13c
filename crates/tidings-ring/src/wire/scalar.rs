//! The twins of numbers, `bool`, `char` and `NonZero`.

use super::{Wire, WireError, WireFault};
use core::{marker::PhantomData, num::NonZero};

macro_rules! plain {
    ($($plain:ty)*) => { $(
        impl Wire for $plain {
            type Repr = Self;

            #[inline]
            fn to_wire(&self) -> Self {
                *self
            }

            #[inline]
            fn from_wire(repr: Self) -> Result<Self, WireError> {
                Ok(repr)
            }
        }
    )* };
}

plain!(() u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

macro_rules! pointer_sized {
    ($($size:ty, $repr:ty, $fault:path;)*) => { $(
        impl Wire for $size {
            type Repr = $repr;

            #[inline]
            fn to_wire(&self) -> $repr {
                *self as $repr
            }

            #[inline]
            fn from_wire(repr: $repr) -> Result<Self, WireError> {
                Self::try_from(repr).map_err(|_| $fault(repr).into())
            }
        }
    )* };
}

pointer_sized!(usize, u64, WireFault::Usize; isize, i64, WireFault::Isize;);

macro_rules! non_zero {
    ($($int:ty)*) => { $(
        impl Wire for NonZero<$int> {
            type Repr = <$int as Wire>::Repr;

            #[inline]
            fn to_wire(&self) -> Self::Repr {
                self.get().to_wire()
            }

            #[inline]
            fn from_wire(repr: Self::Repr) -> Result<Self, WireError> {
                Self::new(<$int>::from_wire(repr)?).ok_or(WireFault::Zero.into())
            }
        }
    )* };
}

non_zero!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Wire for bool {
    type Repr = u8;

    #[inline]
    fn to_wire(&self) -> u8 {
        u8::from(*self)
    }

    #[inline]
    fn from_wire(repr: u8) -> Result<Self, WireError> {
        match repr {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(WireFault::Bool(other).into()),
        }
    }
}

impl Wire for char {
    type Repr = u32;

    #[inline]
    fn to_wire(&self) -> u32 {
        u32::from(*self)
    }

    #[inline]
    fn from_wire(repr: u32) -> Result<Self, WireError> {
        Self::from_u32(repr).ok_or(WireFault::Char(repr).into())
    }
}

impl<T: ?Sized + 'static> Wire for PhantomData<T> {
    type Repr = ();

    #[inline]
    fn to_wire(&self) {}

    #[inline]
    fn from_wire((): ()) -> Result<Self, WireError> {
        Ok(Self)
    }
}
