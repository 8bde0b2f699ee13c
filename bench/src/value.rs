//! What is announced: values that differ from one announcement to the next, and the number by which a listener proves
//! that it got the right one.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

/// A value that the harness can make and recognise.
pub trait Value: Clone + Send + Sync + 'static {
    /// The value of that number.
    fn make(number: u64) -> Self;
    /// What a listener notes of it. Where a value is more than a few words, `black_box` sees to it that all of it is
    /// there, not only what is noted.
    fn digest(&self) -> u64;

    /// The digest of the value of that number.
    fn expected(number: u64) -> u64 {
        Self::make(number).digest()
    }
}

impl Value for () {
    fn make(_: u64) {}

    #[inline(always)]
    fn digest(&self) -> u64 {
        1
    }
}

impl Value for i32 {
    #[inline(always)]
    fn make(number: u64) -> Self {
        number as i32
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        u64::from(*self as u32)
    }
}

impl<T: Value> Value for Arc<T> {
    #[inline(always)]
    fn make(number: u64) -> Self {
        Self::new(T::make(number))
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        T::digest(self)
    }
}

/// So many bytes, stamped at both ends.
#[derive(Clone)]
pub struct Array<const N: usize>([u8; N]);

impl<const N: usize> Value for Array<N> {
    #[inline(always)]
    fn make(number: u64) -> Self {
        let mut bytes = [0; N];
        (bytes[0], bytes[N - 1]) = (number as u8, (number >> 8) as u8);
        Self(bytes)
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        let bytes = &black_box(self).0;
        u64::from(bytes[0]) | u64::from(bytes[N - 1]) << 8
    }
}

/// A vector of so many zeroes, stamped at both ends.
#[derive(Clone)]
pub struct Bytes<const N: usize>(Vec<u8>);

impl<const N: usize> Value for Bytes<N> {
    #[inline(always)]
    fn make(number: u64) -> Self {
        let mut bytes = vec![0; N];
        (bytes[0], bytes[N - 1]) = (number as u8, (number >> 8) as u8);
        Self(bytes)
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        let bytes = &black_box(self).0;
        u64::from(bytes[0]) | u64::from(bytes[N - 1]) << 8 | (bytes.len() as u64) << 16
    }
}

/// Two strings and two numbers, as a service would announce its settings.
#[derive(Clone)]
pub struct Settings {
    address: String,
    name: String,
    workers: usize,
    timeout: u64,
}

impl Value for Settings {
    fn make(number: u64) -> Self {
        Self {
            address: "postgres://db.local/app".into(),
            name: "settings-of-kind".into(),
            workers: 8,
            timeout: number,
        }
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        let it = black_box(self);
        it.timeout + (it.address.len() + it.name.len() + it.workers) as u64
    }
}

/// Something that happened.
#[derive(Clone)]
pub struct Event {
    kind: String,
    at: u64,
    body: Vec<u8>,
}

impl Value for Event {
    fn make(number: u64) -> Self {
        Self {
            kind: "user.created".into(),
            at: number,
            body: vec![1, 2, 3, 4, 5],
        }
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        let it = black_box(self);
        it.at + (it.kind.len() + it.body.len()) as u64
    }
}

/// An answer that several wait for.
#[derive(Clone)]
pub struct Response {
    status: u16,
    body: String,
}

impl Value for Response {
    fn make(number: u64) -> Self {
        Self {
            status: number as u16,
            body: "OK".into(),
        }
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        let it = black_box(self);
        u64::from(it.status) + it.body.len() as u64
    }
}

/// Something that took long to make.
#[derive(Clone)]
pub struct Pool {
    connections: Arc<Vec<String>>,
    size: usize,
}

impl Value for Pool {
    fn make(number: u64) -> Self {
        let connections = ["conn1", "conn2", "conn3"].map(String::from);
        Self {
            connections: Arc::new(connections.to_vec()),
            size: number as usize,
        }
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        let it = black_box(self);
        (it.size + it.connections.len()) as u64
    }
}

/// A struct that owns several allocations: cloning it costs, borrowing it does not.
#[derive(Clone)]
pub struct Config {
    name: String,
    tags: Vec<String>,
    entries: HashMap<String, String>,
    body: Vec<u8>,
}

impl Value for Config {
    fn make(number: u64) -> Self {
        let pair = |key: &str, value: &str| (key.to_string(), value.to_string());
        let mut body = vec![0; 1024];
        body[1023] = number as u8;
        Self {
            name: "settings".into(),
            tags: ["tag1", "tag2", "tag3"].map(String::from).to_vec(),
            entries: HashMap::from([
                pair("key1", "value1"),
                pair("key2", "value2"),
                pair("key3", "value3"),
            ]),
            body,
        }
    }

    #[inline(always)]
    fn digest(&self) -> u64 {
        let it = black_box(self);
        let sizes = it.name.len() + it.tags.len() + it.entries.len() + it.body.len();
        u64::from(it.body[1023]) + sizes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_different_numbers_are_told_apart() {
        fn differ<T: Value>() -> bool {
            T::expected(1) != T::expected(2) && T::make(2).clone().digest() == T::expected(2)
        }
        assert!(differ::<i32>() && differ::<Array<1024>>() && differ::<Bytes<4>>());
        assert!(differ::<Settings>() && differ::<Event>() && differ::<Response>());
        assert!(differ::<Pool>() && differ::<Arc<Config>>());
    }
}
