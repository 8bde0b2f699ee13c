//! A value on the heap, with the sequence of its message and a link for lists of those that were replaced.

use alloc::boxed::Box;
use core::ptr;
use tidings_core::{Sequence, sync::cell::UnsafeCell};

/// See the module.
pub(crate) struct Node<T> {
    pub(super) value: T,
    pub(super) sequence: Sequence,
    /// The next one on a list of retired nodes.
    pub(super) next: UnsafeCell<*mut Node<T>>,
}

impl<T> Node<T> {
    pub(crate) fn new(value: T) -> Box<Self> {
        Box::new(Self {
            value,
            sequence: Sequence::new(0),
            next: UnsafeCell::new(ptr::null_mut()),
        })
    }

    pub(crate) fn into_inner(self) -> T {
        self.value
    }
}
