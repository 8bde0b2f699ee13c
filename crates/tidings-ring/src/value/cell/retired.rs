//! Nodes that were taken out of their slots: a stack that all push to and one takes whole, and a list of one's own.
//!
//! ```text
//! Push    S1 node.next := top   S2 top := node if it is still what S1 saw, Release
//! Take    S3 top := null, Acquire; all that was there is the taker's
//! I1      a node is on one list or stack, once, and whoever owns that owns the node
//! Pairs   S2↔S3 hands the node and its links on
//! Source  R. K. Treiber, Systems Programming: Coping with Parallelism, 1986; without a pop there is no ABA
//! ```

#![allow(unsafe_code)] // links are raw pointers; I1 makes them owners

use super::node::Node;
use alloc::boxed::Box;
use core::ptr::{self, NonNull};
use tidings_core::sync::{
    atomic::{AtomicPtr, Ordering::*},
    ordering,
};

/// See the module.
pub(super) struct Stack<T>(AtomicPtr<Node<T>>);

impl<T> Stack<T> {
    pub(super) fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// S1 and S2.
    ///
    /// # Safety
    /// The caller owns the node.
    pub(super) unsafe fn push(&self, node: NonNull<Node<T>>) {
        // ORDERING: Relaxed: a guess, which S2 checks.
        let mut top = self.0.load(Relaxed);
        loop {
            // SAFETY: the caller owns it until S2 succeeds.
            unsafe { link(node, top) };
            // ORDERING: S2, Release pairs with S3. Relaxed on failure: a guess again.
            let release = ordering("value/cell/retired S2", Release);
            match self
                .0
                .compare_exchange_weak(top, node.as_ptr(), release, Relaxed)
            {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// S3.
    pub(super) fn take(&self) -> List<T> {
        // ORDERING: S3, Acquire pairs with S2 of every node on the stack: each push is a read-modify-write of the last.
        List(self.0.swap(ptr::null_mut(), Acquire))
    }
}

/// # Safety
/// The caller owns the node.
unsafe fn link<T>(node: NonNull<Node<T>>, to: *mut Node<T>) {
    // SAFETY: the caller's duty.
    let owned = unsafe { node.as_ref() };
    // SAFETY: as above; nobody else looks at the link.
    owned.next.with_mut(|next| unsafe { *next = to });
}

/// Nodes of one owner; frees them when it is dropped.
pub(super) struct List<T>(*mut Node<T>);

impl<T> List<T> {
    pub(super) fn empty() -> Self {
        Self(ptr::null_mut())
    }

    pub(super) fn push(&mut self, node: NonNull<Node<T>>) {
        // SAFETY: by I1 the caller gives it away.
        unsafe { link(node, self.0) };
        self.0 = node.as_ptr();
    }

    pub(super) fn pop(&mut self) -> Option<NonNull<Node<T>>> {
        let node = NonNull::new(self.0)?;
        // SAFETY: by I1 it is this list's.
        let owned = unsafe { node.as_ref() };
        // SAFETY: as above; nobody else looks at the link.
        self.0 = owned.next.with(|next| unsafe { *next });
        Some(node)
    }
}

impl<T> Drop for List<T> {
    /// A destructor that panics stops nothing: the rest is freed while the panic goes on.
    fn drop(&mut self) {
        struct Rest<'a, T>(&'a mut List<T>);
        impl<T> Drop for Rest<'_, T> {
            fn drop(&mut self) {
                self.0.free();
            }
        }
        let rest = Rest(self);
        rest.0.free();
    }
}

impl<T> List<T> {
    fn free(&mut self) {
        while let Some(node) = self.pop() {
            // SAFETY: by I1 it was this list's, and came from a box.
            drop(unsafe { Box::from_raw(node.as_ptr()) });
        }
    }
}
