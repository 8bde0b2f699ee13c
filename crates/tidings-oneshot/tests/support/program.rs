//! Random programs for a channel.

use proptest::prelude::*;

/// One call. Handles are named by a number that is taken modulo how many there are.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Make,
    Bulk(usize),
    CloneListener(usize),
    DropListener(usize),
    Downgrade(usize),
    Upgrade(usize),
    DropWeak(usize),
    Guard(usize),
    IntoGuard(usize),
    CloneGuard(usize),
    DropGuard(usize),
    /// Begins a wait, as its own listener, and polls it.
    Wait(usize),
    /// Polls with another waker.
    Repoll(usize),
    Cancel(usize),
    CloneAnnouncement,
    DropAnnouncement,
    /// Makes the announcer look out for the end of the hearers.
    Watch,
    Announce,
    AnnounceHeard,
    Close,
    DropAnnouncer,
    TakeByListener(usize),
    TakeByGuard(usize),
    TakeByAnnouncement,
}

pub fn op() -> impl Strategy<Value = Op> {
    let who = || 0..8_usize;
    prop_oneof![
        4 => Just(Op::Make),
        1 => (0..5_usize).prop_map(Op::Bulk),
        3 => who().prop_map(Op::CloneListener),
        5 => who().prop_map(Op::DropListener),
        2 => who().prop_map(Op::Downgrade),
        2 => who().prop_map(Op::Upgrade),
        1 => who().prop_map(Op::DropWeak),
        2 => who().prop_map(Op::Guard),
        2 => who().prop_map(Op::IntoGuard),
        1 => who().prop_map(Op::CloneGuard),
        3 => who().prop_map(Op::DropGuard),
        8 => who().prop_map(Op::Wait),
        4 => who().prop_map(Op::Repoll),
        4 => who().prop_map(Op::Cancel),
        1 => Just(Op::CloneAnnouncement),
        2 => Just(Op::DropAnnouncement),
        2 => Just(Op::Watch),
        1 => prop_oneof![
            4 => Just(Op::Announce),
            1 => Just(Op::AnnounceHeard),
            1 => Just(Op::Close),
            1 => Just(Op::DropAnnouncer),
        ],
        1 => who().prop_map(Op::TakeByListener),
        1 => who().prop_map(Op::TakeByGuard),
        1 => Just(Op::TakeByAnnouncement),
    ]
}
