//! Feature `serde`: errors and states, there and back.
#![cfg(all(feature = "serde", not(any(loom, shuttle))))]

use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use tidings_oneshot::{
    AnnounceError, CloseCause, ListenError, State, TryListenError, UnheardError,
};

/// What each becomes, after checking that it comes back.
fn texts<T: Serialize + DeserializeOwned + PartialEq + Debug>(values: &[T]) -> Vec<String> {
    let there = |value| serde_json::to_string(value).unwrap();
    let texts: Vec<_> = values.iter().map(there).collect();
    for (value, text) in values.iter().zip(&texts) {
        assert_eq!(&serde_json::from_str::<T>(text).unwrap(), value);
    }
    texts
}

#[test]
fn errors_come_back_as_they_went() {
    assert_eq!(
        texts(&[ListenError::Timeout, ListenError::Closed]),
        ["\"Timeout\"", "\"Closed\""]
    );
    assert_eq!(
        texts(&[TryListenError::Pending, TryListenError::Closed]),
        ["\"Pending\"", "\"Closed\""]
    );
    let announce = [AnnounceError::AlreadyAnnounced(1)];
    assert_eq!(texts(&announce), ["{\"AlreadyAnnounced\":1}"]);
    assert_eq!(texts(&[UnheardError(3)]), ["3"]);
}

#[test]
fn states_come_back_as_they_went() {
    let causes = [
        CloseCause::Closed,
        CloseCause::Dropped,
        CloseCause::Panicked,
    ];
    assert_eq!(
        texts(&causes),
        ["\"Closed\"", "\"Dropped\"", "\"Panicked\""]
    );
    assert_eq!(
        texts(&[State::Pending, State::Announced]),
        ["\"Pending\"", "\"Announced\""]
    );
    assert_eq!(
        texts(&causes.map(State::Closed))[1],
        "{\"Closed\":\"Dropped\"}"
    );
}
