//! Claims of several messages: written in place, committed in part, dropped, leaked.
#![cfg(not(loom))]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use tidings_ring::{
    ClaimError, ClaimTimeoutError, RecvError, TryClaimError, TryRecvError, channel,
    channel_bounded, channel_mpmc, channel_mpmc_bounded, event_channel, event_channel_mpmc,
};

#[test]
fn what_was_written_goes_out_together() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    let mut claim = publisher.claim(3).unwrap();
    assert_eq!((claim.len(), claim.sequence()), (3, 0));
    assert_eq!(claim.write(1), Ok(()));
    assert_eq!(claim.fill([2, 3, 4]), 2);
    assert_eq!((claim.written(), claim.remaining()), (3, 0));
    assert_eq!(claim.write(9), Err(9));
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(claim.commit(3), 3);
    assert!(subscriber.drain().eq([1, 2, 3]));
}

#[test]
fn a_short_commit_of_a_single_publisher_leaves_no_hole() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    for committed in 0..=4 {
        let mut claim = publisher.claim(4).unwrap();
        claim.fill(0..4);
        assert_eq!(claim.commit(committed), committed);
        assert!(subscriber.drain().eq(0..committed as u64));
    }
    assert_eq!(publisher.published(), 10);
    assert_eq!(
        (subscriber.total_aborted(), subscriber.total_lagged()),
        (0, 0)
    );
}

#[test]
fn a_short_commit_of_one_of_many_leaves_tombstones() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    let mut claim = publisher.claim(3).unwrap();
    claim.fill([1, 2]);
    publisher.publish(9);
    assert_eq!(
        subscriber.try_recv(),
        Err(TryRecvError::Empty),
        "it waits at the claim"
    );
    assert_eq!(claim.commit(usize::MAX), 2);
    assert!(subscriber.drain().eq([1, 2, 9]));
    assert_eq!(
        (subscriber.total_received(), subscriber.total_aborted()),
        (3, 1)
    );
}

/// Trial B11.
#[test]
fn more_than_there_ever_is_room_for_is_refused_at_once() {
    let (mut one, subscribable) = channel_bounded::<u64>(4, 1);
    let _subscriber = subscribable.subscribe();
    let (many, _subscribable) = channel_mpmc::<u64>(3);
    let (mut event, _subscribable) = event_channel(3, || 0);
    let (events, _subscribable) = event_channel_mpmc(3, || 0);
    for asked in [4, 5, usize::MAX] {
        let error = |most| ClaimError { asked, most };
        assert_eq!(one.claim(asked).unwrap_err(), error(3));
        assert_eq!(many.claim(asked).unwrap_err(), error(3));
        assert_eq!(event.claim(asked).unwrap_err(), error(3));
        assert_eq!(events.claim(asked).unwrap_err(), error(3));
        assert_eq!(
            one.try_claim(asked).unwrap_err(),
            TryClaimError::TooLarge(error(3))
        );
    }
    assert!(one.claim(3).is_ok() && many.claim(3).is_ok());
}

#[test]
fn a_claim_of_nothing_is_nothing() {
    let (mut one, subscribable) = channel_bounded::<u64>(1, 0);
    let _subscriber = subscribable.subscribe();
    one.publish(1);
    let claim = one.try_claim(0).unwrap();
    assert!(claim.is_empty());
    assert_eq!(claim.commit(7), 0);
    let (many, _subscribable) = channel_mpmc::<u64>(1);
    assert_eq!(many.claim(0).unwrap().commit(1), 0);
    assert_eq!((one.published(), many.published()), (1, 0));
}

#[test]
fn a_full_ring_refuses_and_a_deadline_ends() {
    let (mut one, subscribable) = channel_bounded::<u64>(4, 0);
    let (many, elsewhere) = channel_mpmc_bounded::<u64>(4, 0);
    let (_here, _there) = (subscribable.subscribe(), elsewhere.subscribe());
    one.publish_batch(&[1, 2]);
    many.publish_batch(&[1, 2]);
    assert_eq!(one.try_claim(3).unwrap_err(), TryClaimError::Full);
    assert_eq!(many.try_claim(3).unwrap_err(), TryClaimError::Full);
    let soon = Duration::from_millis(1);
    assert_eq!(
        one.claim_timeout(3, soon).unwrap_err(),
        ClaimTimeoutError::Timeout
    );
    let deadline = Instant::now() + soon;
    assert_eq!(
        many.claim_deadline(3, deadline).unwrap_err(),
        ClaimTimeoutError::Timeout
    );
    assert!(one.try_claim(2).is_ok() && many.try_claim(2).is_ok());
}

#[test]
fn a_waiting_claim_gets_its_room_when_the_subscriber_reads() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let (many, elsewhere) = channel_mpmc_bounded::<u64>(4, 0);
    let (mut here, mut there) = (subscribable.subscribe(), elsewhere.subscribe());
    publisher.publish_batch(&[0, 1, 2]);
    many.publish_batch(&[0, 1, 2]);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut claim = publisher.claim(3).unwrap();
            claim.fill([3, 4, 5]);
            claim.commit(3);
        });
        scope.spawn(move || {
            let mut claim = many.claim(3).unwrap();
            claim.fill([3, 4, 5]);
            claim.commit(3);
        });
        assert!(here.iter().eq(0..6) && there.iter().eq(0..6));
    });
}

#[test]
fn values_in_place_are_edited_before_they_are_seen() {
    let (mut publisher, subscribable) = event_channel(2, String::new);
    let mut subscriber = subscribable.subscribe();
    let mut claim = publisher.claim(2).unwrap();
    for (n, text) in claim.iter_mut().enumerate() {
        text.push_str(["a", "b"][n]);
    }
    claim.get_mut(0).unwrap().push('!');
    assert!(claim.get_mut(2).is_none());
    assert!(subscriber.process(|_| ()).is_none());
    assert_eq!(claim.commit(2), 2);
    let mut seen = Vec::new();
    subscriber.read_batch(9, |text, _| seen.push(text.clone()));
    assert_eq!(seen, ["a!", "b"]);
}

/// Trial B30.
#[test]
fn a_claim_that_is_dropped_publishes_nothing() {
    let (mut one, subscribable) = event_channel(4, || 0);
    let (many, elsewhere) = event_channel_mpmc(4, || 0);
    let (mut here, mut there) = (subscribable.subscribe(), elsewhere.subscribe());
    drop(one.claim(3).unwrap());
    drop(many.claim(3).unwrap());
    one.publish(|value| *value = 7);
    many.publish(|value| *value = 7);
    assert_eq!(here.process(|value| *value), Some(7));
    assert_eq!(there.process(|value| *value), Some(7));
    assert_eq!((here.total_aborted(), there.total_aborted()), (0, 3));
}

#[test]
fn a_panic_while_filling_publishes_nothing() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    let fill = || {
        let mut claim = publisher.claim(3).unwrap();
        claim.fill((0..3).map(|n| if n == 1 { panic!("as asked") } else { n }));
        claim.commit(3)
    };
    assert!(catch_unwind(AssertUnwindSafe(fill)).is_err());
    publisher.publish(7);
    assert!(subscriber.drain().eq([7]));
    assert_eq!(subscriber.total_aborted(), 3);
}

/// Trial B33.
#[test]
fn a_leaked_claim_of_a_single_publisher_never_was() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    std::mem::forget(publisher.claim(2).unwrap());
    publisher.publish_batch(&[1, 2]);
    assert!(subscriber.drain().eq([1, 2]));
}

/// Trial B33.
#[test]
fn a_leaked_claim_of_many_publishers_ends_with_the_ring() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(1);
    std::mem::forget(publisher.claim(2).unwrap());
    publisher.publish(2);
    assert!(subscriber.drain().eq([1]));
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    drop(publisher);
    assert_eq!(
        subscriber.recv(),
        Ok(2),
        "what came behind the hole is not lost"
    );
    assert_eq!(subscriber.recv(), Err(RecvError));
    assert_eq!(subscriber.total_aborted(), 2);
}

#[test]
fn a_claim_on_a_lossy_ring_is_one_loss_and_exact() {
    let (mut publisher, subscribable) = channel::<u64>(8);
    let mut subscriber = subscribable.subscribe();
    (0..8).for_each(|n| publisher.publish(n));
    let mut claim = publisher.claim(5).unwrap();
    claim.fill(8..);
    assert_eq!(
        subscriber.try_recv(),
        Err(TryRecvError::Lagged { skipped: 5 })
    );
    assert_eq!(subscriber.try_recv(), Ok(5));
    claim.commit(5);
    assert!(subscriber.drain().eq(6..13));
    assert_eq!(
        subscriber.total_received() + subscriber.total_lagged(),
        subscriber.cursor()
    );
}

#[test]
fn claims_of_two_threads_follow_each_other() {
    const EACH: u64 = if cfg!(miri) { 30 } else { 3_000 };
    let (publisher, subscribable) = channel_mpmc_bounded::<[u64; 2]>(8, 0);
    let mut subscriber = subscribable.subscribe();
    std::thread::scope(|scope| {
        for who in 0..2 {
            let publisher = publisher.clone();
            scope.spawn(move || {
                for first in (0..EACH).step_by(3) {
                    let mut claim = publisher.claim(4).unwrap();
                    claim.fill((first..first + 3).map(|n| [who, n]));
                    assert_eq!(claim.commit(4), 3);
                }
            });
        }
        drop(publisher);
        let mut next = [0; 2];
        for [who, n] in subscriber.iter() {
            assert_eq!(n, next[who as usize]);
            next[who as usize] += 1;
        }
        assert_eq!(
            (next, subscriber.total_aborted()),
            ([EACH; 2], 2 * EACH / 3)
        );
    });
}

#[test]
fn tasks_claim_too_and_a_dropped_future_has_claimed_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
        let mut subscriber = subscribable.subscribe();
        publisher.publish_batch(&[1, 2, 3]);
        {
            let waiting = std::pin::pin!(publisher.claim_async(2));
            let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
            assert!(waiting.poll(&mut cx).is_pending());
        }
        let other = publisher.clone();
        let claims = tokio::spawn(async move {
            let mut claim = other.claim_async(3).await.unwrap();
            claim.fill([4, 5, 6]);
            claim.commit(3)
        });
        for n in 1..=6 {
            assert_eq!(subscriber.recv_async().await, Ok(n));
        }
        assert_eq!(claims.await.unwrap(), 3);
    });
}
