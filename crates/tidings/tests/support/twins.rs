//! What holds of every twin.

use std::fmt::Debug;
use tidings::ring::{Wire, WireError, channel_bounded};

/// `value` comes back from its twin, also through a ring and by the conversions.
#[track_caller]
pub fn there_and_back<T>(value: T)
where
    T: Wire + Clone + PartialEq + Debug + TryFrom<T::Repr, Error = WireError>,
    T::Repr: From<T>,
{
    let (mut publisher, subscribable) = channel_bounded::<T::Repr>(1, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(value.clone().into());
    let twin = subscriber.try_recv().unwrap();
    assert_eq!(T::try_from(twin).as_ref(), Ok(&value));
    assert_eq!(T::from_wire(value.to_wire()), Ok(value));
}
