//! Public bug reports of other broadcast channels, tried on rings of many publishers and on rings of values.
#![cfg(not(loom))]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering::*},
};
use std::thread;
use std::time::Duration;
use tidings_ring::{
    Builder, Contract, RecvError, Subscriber, TryRecvError, WaitStrategy, channel_mpmc,
    channel_mpmc_bounded, event_channel_mpmc, value_channel,
};

/// Fewer where each step is slow.
const fn times(count: u64) -> u64 {
    if cfg!(miri) { count / 200 + 4 } else { count }
}

#[test]
fn b01_closing_costs_no_message() {
    for capacity in [1, 2, 3, 8] {
        for more in [0, 3] {
            let (publisher, subscribable) = channel_mpmc::<u64>(capacity);
            let (values, valuable) = value_channel::<u64>(capacity);
            let (mut copies, mut lent) = (subscribable.subscribe(), valuable.subscribe());
            let end = capacity as u64 + more;
            (0..end).for_each(|n| publisher.clone().publish(n));
            (0..end).for_each(|n| values.clone().publish(n));
            drop((publisher, values));
            if more > 0 {
                let lagged = TryRecvError::Lagged { skipped: more };
                assert_eq!(
                    (copies.try_recv(), lent.try_recv()),
                    (Err(lagged), Err(lagged))
                );
            }
            for n in more..end {
                assert_eq!((copies.try_recv(), lent.try_recv()), (Ok(n), Ok(n)));
            }
            let closed = Err(TryRecvError::Closed);
            assert_eq!((copies.try_recv(), lent.try_recv()), (closed, closed));
        }
    }
}

#[test]
fn b02_lags_are_plausible_and_add_up() {
    let each = times(10_000);
    let (publisher, subscribable) = channel_mpmc::<u64>(16);
    thread::scope(|scope| {
        for _ in 0..3 {
            let mut subscriber = subscribable.subscribe();
            scope.spawn(move || {
                let (mut received, mut lost) = (0, 0);
                loop {
                    match subscriber.try_recv() {
                        Ok(_) => received += 1,
                        Err(TryRecvError::Lagged { skipped }) => {
                            assert!(skipped <= 4 * each);
                            lost += skipped;
                        }
                        Err(TryRecvError::Empty) => subscriber.wait(),
                        Err(TryRecvError::Closed) => break,
                    }
                }
                assert_eq!(received + lost, 4 * each);
            });
        }
        for _ in 0..4 {
            let publisher = publisher.clone();
            scope.spawn(move || (0..each).for_each(|n| publisher.publish(n)));
        }
        drop(publisher);
    });
}

/// The same formula as with one publisher, at every edge.
#[test]
fn b03_one_formula_tells_pending_and_lag() {
    for capacity in 1..=17_u64 {
        for published in 0..3 * capacity {
            let (publisher, subscribable) = channel_mpmc::<u64>(capacity as usize);
            let mut subscriber = subscribable.subscribe();
            (0..published).for_each(|n| publisher.publish(n));
            assert_eq!(subscriber.pending(), published.min(capacity));
            let lost = published.saturating_sub(capacity);
            if lost > 0 {
                assert_eq!(
                    subscriber.try_recv(),
                    Err(TryRecvError::Lagged { skipped: lost })
                );
            }
            assert!(subscriber.drain().eq(lost..published));
            assert_eq!(subscriber.pending(), 0);
        }
    }
}

#[test]
fn b04_pending_and_empty_agree() {
    for capacity in [1, 2, 3, 31, 32, 33] {
        let (publisher, subscribable) = channel_mpmc::<u64>(capacity);
        let mut subscriber = subscribable.subscribe();
        for n in 0..times(2_000) {
            assert_eq!(subscriber.pending(), 0);
            assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
            publisher.publish(n);
            assert_eq!((subscriber.pending(), subscriber.try_recv()), (1, Ok(n)));
        }
    }
}

#[test]
fn b05_figures_stay_within_their_bounds() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(8, 0);
    let (observer, over) = (subscribable.observer(), AtomicBool::new(false));
    let mut subscriber = subscribable.subscribe();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Acquire) {
                assert!(observer.room() <= 8);
                assert!(observer.subscribers().iter().all(|seen| seen.lag <= 8));
            }
        });
        for _ in 0..2 {
            let publisher = publisher.clone();
            scope.spawn(move || (0..times(5_000)).for_each(|n| publisher.publish(n)));
        }
        drop(publisher);
        loop {
            assert!(subscriber.pending() <= 8);
            if subscriber.recv().is_err() {
                break;
            }
        }
        over.store(true, Release);
    });
}

fn whole<C: Contract>(mut subscriber: Subscriber<[u8; 256], C>) {
    while let Ok(message) = subscriber.recv() {
        assert!(message.iter().all(|&byte| byte == message[0]), "torn");
    }
}

#[test]
fn b06_no_copy_is_torn() {
    for capacity in [1, 2, 4] {
        let (publisher, subscribable) = channel_mpmc::<[u8; 256]>(capacity);
        thread::scope(|scope| {
            let subscriber = subscribable.subscribe();
            scope.spawn(|| whole(subscriber));
            for who in 0..2_u8 {
                let publisher = publisher.clone();
                scope.spawn(move || {
                    (0..times(5_000)).for_each(|n| publisher.publish([(n as u8) << 1 | who; 256]));
                });
            }
            drop(publisher);
        });
    }
}

#[test]
fn b10_publishers_get_past_every_kind_of_death() {
    for death in 0..3 {
        let (publisher, subscribable) = channel_mpmc_bounded::<u64>(8, 0);
        let mut subscriber = subscribable.subscribe();
        (0..8).for_each(|n| publisher.publish(n));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| publisher.publish(9));
            }
            let dies = scope.spawn(move || match death {
                0 => drop(subscriber),
                1 => panic!("as asked"),
                _ => {
                    subscriber.read_batch(1, |_, _| panic!("as asked"));
                }
            });
            assert_eq!(dies.join().is_err(), death > 0);
        });
        assert_eq!(publisher.published(), 12);
    }
}

#[test]
fn b12_a_crowd_of_publishers_on_a_small_ring_gets_through() {
    const CROWD: u64 = if cfg!(miri) { 4 } else { 32 };
    let each = times(200);
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(8, 0);
    let subscriber = subscribable.subscribe();
    thread::scope(|scope| {
        for _ in 0..CROWD {
            let publisher = publisher.clone();
            scope.spawn(move || (0..each).for_each(|n| publisher.publish(n)));
        }
        drop(publisher);
        assert_eq!(subscriber.into_iter().count() as u64, CROWD * each);
    });
}

#[test]
fn b19_a_run_across_the_wrap_is_like_any_other() {
    fn run(first: u64, capacity: usize) -> Vec<Result<u64, TryRecvError>> {
        let builder = Builder::new(capacity).first_sequence(first);
        let (publisher, subscribable) = builder.lossy_mpmc::<u64>().unwrap();
        let mut subscriber = subscribable.subscribe();
        let mut seen = Vec::new();
        for step in 0..12 {
            (0..step % 6).for_each(|n| publisher.publish(10 * step + n));
            seen.push(subscriber.try_recv());
            seen.extend(subscriber.drain().map(Ok));
        }
        seen
    }
    for capacity in [1, 3, 4] {
        let from_zero = run(0, capacity);
        for first in [u64::MAX - 5, (1 << 62) - 5, (1 << 63) - 5] {
            assert_eq!(run(first, capacity), from_zero);
        }
    }
}

/// Every subscriber gets every id once: for broadcasting that is what "exactly once" means.
#[test]
fn b28_each_id_comes_once() {
    let each = times(3_000);
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    thread::scope(|scope| {
        for _ in 0..3 {
            let subscriber = subscribable.subscribe();
            scope.spawn(move || {
                let mut seen = vec![false; 4 * each as usize];
                for id in subscriber {
                    assert!(!std::mem::replace(&mut seen[id as usize], true), "twice");
                }
                assert!(seen.into_iter().all(|seen| seen));
            });
        }
        for who in 0..4 {
            let publisher = publisher.clone();
            scope.spawn(move || (0..each).for_each(|n| publisher.publish(who * each + n)));
        }
        drop(publisher);
    });
}

#[test]
fn b29_empty_means_up_to_date() {
    for capacity in [1, 2] {
        let (publisher, subscribable) = channel_mpmc::<u64>(capacity);
        let mut subscriber = subscribable.subscribe();
        let published = AtomicU64::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                for n in 0..times(20_000) {
                    publisher.publish(n);
                    published.store(n + 1, Release);
                }
            });
            while subscriber.cursor() < times(20_000) {
                let before = published.load(Acquire);
                if subscriber.try_recv() == Err(TryRecvError::Empty) {
                    assert!(subscriber.cursor() >= before, "there was something");
                }
            }
        });
    }
}

#[test]
fn b31_first_publications_race_with_the_last_reader() {
    for _ in 0..times(500) {
        let (publisher, subscribable) = value_channel::<Box<u64>>(2);
        let subscriber = subscribable.subscribe();
        thread::scope(|scope| {
            scope.spawn(|| publisher.publish(Box::new(1)));
            scope.spawn(|| publisher.clone().publish(Box::new(2)));
            scope.spawn(move || drop(subscriber));
        });
    }
}

#[test]
fn b32_what_nobody_reads_can_be_let_go() {
    let held = Arc::new(());
    let (publisher, subscribable) = value_channel(8);
    let subscriber = subscribable.subscribe();
    (0..5).for_each(|_| publisher.publish(Arc::clone(&held)));
    drop(subscriber);
    assert_eq!(
        Arc::strong_count(&held),
        6,
        "a late subscriber could still ask for them"
    );
    publisher.clear();
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn b37_not_waiting_learns_of_the_close() {
    let (publisher, subscribable) = event_channel_mpmc(4, || 0);
    let mut subscriber = subscribable.subscribe();
    (0..3).for_each(|n| publisher.publish(|value| *value = n));
    drop(publisher);
    for n in 0..3 {
        assert_eq!(*subscriber.try_recv_ref().unwrap(), n);
    }
    for _ in 0..3 {
        assert!(matches!(
            subscriber.try_recv_ref(),
            Err(TryRecvError::Closed)
        ));
    }
}

#[test]
fn b38_every_way_in_says_closed_at_once() {
    let (publisher, subscribable) = value_channel::<u64>(4);
    let old = subscribable.subscribe();
    drop(publisher);
    let mut all = [
        subscribable.subscribe(),
        subscribable.clone().subscribe_from_oldest(),
        subscribable.subscribe_at(0).unwrap(),
        old.resubscribe(),
    ];
    for subscriber in &mut all {
        assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
        assert_eq!(subscriber.recv(), Err(RecvError));
        assert!(subscriber.recv_timeout(Duration::ZERO).is_err());
    }
}

#[test]
fn b40_two_borrows_on_one_thread_hold_nobody_up() {
    let (publisher, subscribable) = value_channel::<u64>(1);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish(1);
    let (first, second) = (one.try_recv_ref().unwrap(), two.try_recv_ref().unwrap());
    thread::scope(|scope| {
        scope
            .spawn(|| (2..100).for_each(|n| publisher.publish(n)))
            .join()
            .unwrap()
    });
    assert_eq!((*first, *second), (1, 1));
}

#[test]
fn b41_a_panic_in_a_closure_fails_that_call_only() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    let make = || publisher.publish_with(|| panic!("as asked"));
    assert!(catch_unwind(AssertUnwindSafe(make)).is_err());
    publisher.publish(1);
    let read = || subscriber.read_batch(1, |_, _| panic!("as asked"));
    assert!(catch_unwind(AssertUnwindSafe(read)).is_err());
    publisher.publish(2);
    assert!(subscriber.drain().eq([2]));
    assert_eq!(subscriber.total_aborted(), 0, "nothing was claimed");
}

#[test]
fn f01_ping_pong_never_stalls() {
    let there = Builder::new(1)
        .wait(WaitStrategy::Park)
        .gating_mpmc::<u64>();
    let back = Builder::new(1).wait(WaitStrategy::Park).values::<u64>();
    let ((ping, pings), (pong, pongs)) = (there.unwrap(), back.unwrap());
    let (mut pings, mut pongs) = (pings.subscribe(), pongs.subscribe());
    thread::scope(|scope| {
        scope.spawn(move || {
            while let Ok(n) = pings.recv() {
                pong.publish(n);
            }
        });
        for n in 0..times(3_000) {
            ping.publish(n);
            let hang = Duration::from_secs(60);
            assert_eq!(pongs.recv_timeout(hang), Ok(n));
        }
        drop(ping);
    });
}

#[test]
fn f06_publishers_that_sleep_on_stop_nobody() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (publisher, subscribable) = channel_mpmc_bounded::<u64>(1, 0);
        let mut subscriber = subscribable.subscribe();
        publisher.publish(0);
        let mut idle = Box::pin(publisher.publish_async(8));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(idle.as_mut().poll(&mut cx).is_pending());
        let other = publisher.clone();
        let live = tokio::spawn(async move { other.publish_async(9).await });
        tokio::task::yield_now().await;
        assert_eq!(subscriber.recv_async().await, Ok(0));
        live.await.unwrap();
        assert_eq!(subscriber.recv_async().await, Ok(9));
    });
}
