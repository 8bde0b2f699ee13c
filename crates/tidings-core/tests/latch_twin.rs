//! Random programs, run on a latch and on a naive twin: every answer, every wake and every waker alive must be the same.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/wakers/ledger.rs"]
mod ledger;
#[path = "support/wakers/two_steps.rs"]
mod two_steps;

use std::pin::Pin;
use std::task::{Context, Poll};

use ledger::Ledger;
use proptest::prelude::*;
use tidings_core::wait::{Latch, Opened};
use two_steps::open_in_two_steps;

/// Kinds of wakers, each with a ledger of its own.
const KINDS: usize = 3;

/// One call. Futures are named by a number that is taken modulo how many there are.
#[derive(Clone, Debug)]
enum Op {
    Create,
    Poll { who: usize, kind: usize },
    Drop(usize),
    Forget(usize),
    Open(u32),
    OpenInTwoSteps(u32),
}

fn op() -> impl Strategy<Value = Op> {
    let who = || any::<usize>();
    let code = || 2..5_u32;
    prop_oneof![
        20 => Just(Op::Create),
        40 => (who(), 0..KINDS).prop_map(|(who, kind)| Op::Poll { who, kind }),
        8 => who().prop_map(Op::Drop),
        1 => who().prop_map(Op::Forget),
        1 => code().prop_map(Op::Open),
        1 => code().prop_map(Op::OpenInTwoSteps),
    ]
}

/// What a latch must do, without words, seats or tables.
#[derive(Default)]
struct Twin {
    code: Option<u32>,
    /// For each future the kind of its waker, while it waits.
    waiting: Vec<Option<usize>>,
    /// The wakers of futures that were forgotten while they waited.
    forgotten: Vec<usize>,
    wakes: [usize; KINDS],
}

impl Twin {
    fn poll(&mut self, who: usize, kind: usize) -> Poll<u32> {
        self.code.map_or_else(
            || {
                self.waiting[who] = Some(kind);
                Poll::Pending
            },
            Poll::Ready,
        )
    }

    fn open(&mut self, code: u32) -> bool {
        if self.code.is_some() {
            return false;
        }
        self.code = Some(code);
        let waiting = self.waiting.iter_mut().filter_map(Option::take);
        for kind in waiting.chain(self.forgotten.drain(..)) {
            self.wakes[kind] += 1;
        }
        true
    }

    fn alive(&self, kind: usize) -> usize {
        let waiting = self.waiting.iter().flatten().chain(&self.forgotten);
        waiting.filter(|&&waits| waits == kind).count()
    }
}

/// A latch and its twin, side by side.
struct Pair<'a> {
    latch: &'a Latch,
    ledgers: &'a [Ledger; KINDS],
    futures: Vec<Opened<'a>>,
    twin: Twin,
}

impl Pair<'_> {
    fn run(&mut self, op: &Op) {
        let who = |who: usize| who % self.futures.len().max(1);
        match *op {
            Op::Create => {
                self.futures.push(self.latch.opened());
                self.twin.waiting.push(None);
            }
            Op::Poll { who: n, .. } | Op::Drop(n) | Op::Forget(n) if !self.futures.is_empty() => {
                self.touch(who(n), op);
            }
            Op::Open(code) => assert_eq!(self.latch.open(code), self.twin.open(code)),
            Op::OpenInTwoSteps(code) => {
                let look = || assert_eq!(self.latch.code(), None);
                let won = open_in_two_steps(self.latch, code, look);
                assert_eq!(won, self.twin.open(code));
            }
            _ => {}
        }
        self.compare();
    }

    /// Does something to one future.
    fn touch(&mut self, who: usize, op: &Op) {
        if let Op::Poll { kind, .. } = *op {
            let waker = self.ledgers[kind].waker();
            let polled = Pin::new(&mut self.futures[who]).poll(&mut Context::from_waker(&waker));
            assert_eq!(polled, self.twin.poll(who, kind));
            return;
        }
        let future = self.futures.swap_remove(who);
        let waited = self.twin.waiting.swap_remove(who);
        if let Op::Forget(_) = op {
            std::mem::forget(future);
            self.twin.forgotten.extend(waited);
        }
    }

    fn compare(&self) {
        assert_eq!(self.latch.code(), self.twin.code);
        for (kind, ledger) in self.ledgers.iter().enumerate() {
            assert_eq!(ledger.wakes(), self.twin.wakes[kind], "wakes of {kind}");
            assert_eq!(ledger.alive(), self.twin.alive(kind), "alive of {kind}");
        }
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 5 } else { 300 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_latch_does_what_its_twin_does(ops in prop::collection::vec(op(), 1..400)) {
        let (latch, ledgers) = (Latch::new(), <[Ledger; KINDS]>::default());
        let twin = Twin::default();
        let mut pair = Pair { latch: &latch, ledgers: &ledgers, futures: vec![], twin };
        ops.iter().for_each(|op| pair.run(op));
        drop(pair);
        drop(latch);
        prop_assert!(ledgers.iter().all(|ledger| ledger.alive() == 0));
    }
}
