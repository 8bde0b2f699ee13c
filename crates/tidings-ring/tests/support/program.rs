//! Random programs for a ring, and shapes of rings to run them on.

use proptest::prelude::*;

/// One call. Subscribers are named by a number that is taken modulo how many there are.
#[derive(Clone, Debug)]
pub enum Op {
    Publish,
    PublishFrom,
    TryPublish,
    PublishBatch(usize),
    TryPublishBatch(usize),
    Subscribe,
    SubscribeLossy,
    FromOldest,
    At(i64),
    Resubscribe(usize),
    TryRecv(usize),
    RecvInto(usize),
    RecvTimeout(usize),
    RecvBatch(usize, usize),
    Drain(usize, usize),
    Latest(usize),
    Borrow(usize),
    ReadBatch(usize, usize),
    Drop(usize),
    Close,
}

pub fn op() -> impl Strategy<Value = Op> {
    let who = || 0..8_usize;
    let many = || 0..20_usize;
    prop_oneof![
        6 => Just(Op::Publish),
        3 => Just(Op::TryPublish),
        2 => Just(Op::PublishFrom),
        2 => many().prop_map(Op::PublishBatch),
        2 => many().prop_map(Op::TryPublishBatch),
        2 => Just(Op::Subscribe),
        1 => Just(Op::SubscribeLossy),
        1 => Just(Op::FromOldest),
        1 => (-12..3_i64).prop_map(Op::At),
        1 => who().prop_map(Op::Resubscribe),
        8 => who().prop_map(Op::TryRecv),
        3 => who().prop_map(Op::RecvInto),
        1 => who().prop_map(Op::RecvTimeout),
        1 => (who(), many()).prop_map(|(n, max)| Op::RecvBatch(n, max)),
        1 => (who(), many()).prop_map(|(n, max)| Op::Drain(n, max)),
        1 => who().prop_map(Op::Latest),
        2 => who().prop_map(Op::Borrow),
        1 => (who(), many()).prop_map(|(n, max)| Op::ReadBatch(n, max)),
        2 => who().prop_map(Op::Drop),
        1 => Just(Op::Close),
    ]
}

/// What a ring is built with.
#[derive(Clone, Debug)]
pub struct Shape {
    pub capacity: usize,
    pub watermark: usize,
    pub first: u64,
}

pub fn shape() -> impl Strategy<Value = Shape> {
    let near = |edge: u64| (0..40_u64).prop_map(move |n| edge.wrapping_sub(20).wrapping_add(n));
    let first = prop_oneof![Just(0), any::<u64>(), near(1 << 63), near(0)];
    (1..=9_usize, any::<prop::sample::Index>(), first).prop_map(|(capacity, index, first)| Shape {
        capacity,
        watermark: index.index(capacity),
        first,
    })
}
