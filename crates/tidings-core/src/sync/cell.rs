//! `core`'s cell behind the interface of loom's, so that one source serves both.
#![expect(
    clippy::disallowed_types,
    reason = "this file is the door through which the cell comes"
)]

/// Interior mutability without any checks, handed out as raw pointers for the length of a closure.
///
/// A model run replaces it by one that reports every pair of conflicting accesses. Prefer [`with`](Self::with) and
/// [`with_mut`](Self::with_mut) to `get`, which loom builds do not have.
///
/// # Examples
///
/// ```
/// use tidings_core::sync::cell::UnsafeCell;
/// let cell = UnsafeCell::new(1);
/// // SAFETY: nobody else reaches the cell.
/// cell.with_mut(|pointer| unsafe { *pointer += 1 });
/// // SAFETY: as above.
/// assert_eq!(cell.with(|pointer| unsafe { *pointer }), 2);
/// ```
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct UnsafeCell<T: ?Sized>(core::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    /// A cell that holds `value`.
    #[inline]
    pub const fn new(value: T) -> Self {
        Self(core::cell::UnsafeCell::new(value))
    }

    /// The value itself.
    #[inline]
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Calls `access` with a pointer through which it may only read.
    #[inline(always)]
    pub fn with<R>(&self, access: impl FnOnce(*const T) -> R) -> R {
        access(self.0.get().cast_const())
    }

    /// Calls `access` with a pointer through which it may read and write.
    #[inline(always)]
    pub fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
        access(self.0.get())
    }

    /// The pointer itself; plain and shuttle builds only.
    #[inline(always)]
    pub const fn get(&self) -> *mut T {
        self.0.get()
    }

    /// The value, by an exclusive borrow.
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}
