//! Both ends of a pipeline.
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use tidings_ring::{
    EventSubscriber,
    pipeline::{Input, Item},
};

/// Everything that comes out, to the end.
pub fn all<T: Clone + Send + Sync>(mut output: EventSubscriber<Item<T>>) -> Vec<T> {
    let mut list = Vec::new();
    while let Ok(item) = output.recv_ref() {
        list.push(T::clone(&item));
    }
    list
}

pub fn feed<T: Send + Sync>(input: Input<T>, messages: impl IntoIterator<Item = T>) {
    messages
        .into_iter()
        .for_each(|message| input.publish(message).unwrap());
}
