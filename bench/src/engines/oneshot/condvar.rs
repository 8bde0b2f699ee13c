//! What the standard library offers: a value under a mutex, and a condition variable.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::engine::oneshot::{Block, Named, Once};
use crate::value::Value;

/// A mutex and a condition variable in an `Arc`.
pub struct Monitor;

impl Named for Monitor {
    const NAME: &'static str = "std-condvar";
    const MODE: &'static str = "Mutex, Condvar::wait_while";
}

/// The value and who waits for it.
pub struct Place<T> {
    value: Mutex<Option<T>>,
    there: Condvar,
}

impl<T: Value> Once<T> for Monitor {
    type Announcer = Arc<Place<T>>;
    type Source = ();
    type Listener = Arc<Place<T>>;

    fn open() -> (Self::Announcer, ()) {
        let place = Place {
            value: Mutex::new(None),
            there: Condvar::new(),
        };
        (Arc::new(place), ())
    }

    fn listener(announcer: &mut Self::Announcer, (): &()) -> Self::Listener {
        Arc::clone(announcer)
    }

    #[inline(always)]
    fn announce(announcer: Self::Announcer, value: T) -> impl Send + 'static {
        *announcer
            .value
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(value);
        announcer.there.notify_all();
        announcer
    }
}

impl<T: Value> Block<T> for Monitor {
    #[inline(always)]
    fn block<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R> {
        let value = listener
            .value
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let value = listener
            .there
            .wait_while(value, |value| value.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        value.as_ref().map(each)
    }
}
