//! Why plain data is no value: what was wrong, and in which field.

use core::{error::Error, fmt};

/// What was wrong with plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireFault {
    /// The byte of a `bool` is neither 0 nor 1.
    Bool(u8),
    /// The number of a `char` is no Unicode scalar value.
    Char(u32),
    /// The byte that says whether an `Option` has a value is neither 0 nor 1.
    Has(u8),
    /// A `NonZero` is zero.
    Zero,
    /// The number does not fit the `usize` of this machine.
    Usize(u64),
    /// The number does not fit the `isize` of this machine.
    Isize(i64),
    /// No variant has this number.
    Variant {
        /// The enum.
        of: &'static str,
        /// The number found.
        tag: i128,
    },
    /// An implementation of [`Wire`](crate::Wire) by hand refused, in its own words.
    Refused(&'static str),
}

impl fmt::Display for WireFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(byte) => write!(f, "{byte} is no `bool`"),
            Self::Char(number) => write!(f, "{number:#x} is no `char`"),
            Self::Has(byte) => write!(f, "{byte} does not say whether there is a value"),
            Self::Zero => f.write_str("zero is not allowed here"),
            Self::Usize(number) => write!(f, "{number} does not fit `usize`"),
            Self::Isize(number) => write!(f, "{number} does not fit `isize`"),
            Self::Variant { of, tag } => write!(f, "{tag} is no variant of `{of}`"),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

/// Why [`from_wire`](crate::Wire::from_wire) made no value: the fault, and the field that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireError {
    fault: WireFault,
    /// Type and field.
    place: Option<(&'static str, &'static str)>,
}

impl WireError {
    /// The error in `field` of `owner`, unless it is already known to be in a field further inside.
    ///
    /// Derived implementations call it for every field; one made by hand can do the same.
    #[must_use]
    pub const fn in_field(self, owner: &'static str, field: &'static str) -> Self {
        match self.place {
            Some(_) => self,
            None => Self {
                place: Some((owner, field)),
                ..self
            },
        }
    }

    /// What was wrong.
    pub const fn fault(&self) -> WireFault {
        self.fault
    }

    /// The name of the innermost field around the fault, `variant.field` in an enum; none for a value that is in no
    /// field.
    pub const fn field(&self) -> Option<&'static str> {
        match self.place {
            Some((_, field)) => Some(field),
            None => None,
        }
    }

    /// The name of the type that has this field.
    pub const fn owner(&self) -> Option<&'static str> {
        match self.place {
            Some((owner, _)) => Some(owner),
            None => None,
        }
    }
}

impl From<WireFault> for WireError {
    fn from(fault: WireFault) -> Self {
        Self { fault, place: None }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((owner, field)) = self.place {
            write!(f, "`{field}` of `{owner}`: ")?;
        }
        self.fault.fmt(f)
    }
}

impl Error for WireError {}
