//! Methods of [`Board`](crate::Board) that people know as methods of its handles, so that `Listener::try_listen` as a path
//! works too. Each hands on.

use crate::announcement::Announcement;
use crate::listener::Listener;
use crate::wait::Listen;

impl<T> Announcement<T> {
    /// [`Board::is_announced`](crate::Board::is_announced).
    #[inline(always)]
    #[must_use]
    pub fn is_announced(&self) -> bool {
        (**self).is_announced()
    }

    /// [`Board::is_closed`](crate::Board::is_closed).
    #[inline]
    #[must_use]
    pub fn is_closed(&self) -> bool {
        (**self).is_closed()
    }
}

impl<T> Listener<T> {
    /// [`Board::is_closed`](crate::Board::is_closed).
    #[inline]
    #[must_use]
    pub fn is_closed(&self) -> bool {
        (**self).is_closed()
    }
}

impl<T: Clone> Listener<T> {
    /// [`Board::try_listen`](crate::Board::try_listen).
    #[inline(always)]
    #[must_use]
    pub fn try_listen(&self) -> Option<T> {
        (**self).try_listen()
    }

    /// [`Board::listen`](crate::Board::listen).
    ///
    /// # Errors
    /// [`ListenError::Closed`](crate::ListenError::Closed) when there will be no value.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing and gives its waker back at once.
    #[inline]
    pub fn listen(&self) -> Listen<'_, T> {
        (**self).listen()
    }
}

#[cfg(feature = "std")]
mod blocking {
    use crate::error::ListenError;
    use crate::listener::Listener;
    use core::time::Duration;

    impl<T: Clone> Listener<T> {
        /// [`Board::listen_blocking`](crate::Board::listen_blocking).
        ///
        /// # Errors
        /// [`ListenError::Closed`] when there will be no value.
        pub fn listen_blocking(&self) -> Result<T, ListenError> {
            (**self).listen_blocking()
        }

        /// [`Board::listen_timeout_blocking`](crate::Board::listen_timeout_blocking).
        ///
        /// # Errors
        /// [`ListenError::Timeout`] when the time is over, [`ListenError::Closed`] when there will be no value.
        pub fn listen_timeout_blocking(&self, timeout: Duration) -> Result<T, ListenError> {
            (**self).listen_timeout_blocking(timeout)
        }
    }
}
