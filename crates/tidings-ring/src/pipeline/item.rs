//! A message of a ring between two stages.
//!
//! ```text
//! I1  a slot that was published holds a value: whoever publishes puts one there (input.rs, outlet.rs)
//! ```

use core::{fmt, ops::Deref};

/// A message between two stages, or behind the last; it is read as the `T` in it.
///
/// # Examples
/// ```
/// let (input, stage) = tidings_ring::Pipeline::builder().input::<u32>();
/// let (mut output, pipeline) = stage.then(|n| n.to_string()).build()?;
/// input.publish(7)?;
/// let item = output.recv_ref()?;
/// assert_eq!((item.len(), item.as_str()), (1, "7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Item<T>(Option<T>);

impl<T> Item<T> {
    /// What a slot holds before the first lap.
    pub(super) const fn none() -> Self {
        Self(None)
    }

    /// Puts a value here, and what was here into `spent`, which is empty; unless nothing has to be done to drop it.
    #[inline]
    pub(super) fn set(&mut self, value: T, spent: &mut Option<T>) {
        if core::mem::needs_drop::<T>() {
            debug_assert!(spent.is_none(), "it would be dropped here");
            *spent = self.0.replace(value);
        } else {
            self.0 = Some(value);
        }
    }
}

impl<T> Deref for Item<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().expect("by I1 there is a value")
    }
}

impl<T: fmt::Debug> fmt::Debug for Item<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("None"),
        }
    }
}

impl<T: fmt::Display> fmt::Display for Item<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
