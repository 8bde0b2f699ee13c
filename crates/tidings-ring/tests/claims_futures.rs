//! Claims as tasks ask for them: cancelled anywhere they have claimed nothing, waiting they cost nothing.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use counter::Counter;
use executor::{Tasks, block_on};
use guard::ends;
use std::mem::forget;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread::scope;
use tidings_ring::{
    ClaimError, EventPublisher, Gating, MpEventPublisher, MpPublisher, Publisher, RecvError,
    Subscriber, TryRecvError, channel, channel_bounded, channel_mpmc, channel_mpmc_bounded,
    event_channel, event_channel_mpmc,
};

const COUNT: u64 = if cfg!(miri) { 30 } else { 3_000 };

fn poll<F: Future>(future: &mut Pin<&mut F>, waker: &Waker) -> Poll<F::Output> {
    future.as_mut().poll(&mut Context::from_waker(waker))
}

/// A claim that finds its room at once is ready at once, and one that never will is refused at once.
#[test]
fn b11_a_task_has_its_answer_at_once() {
    let (mut one, _at_one) = channel::<u64>(4);
    let (many, _at_many) = channel_mpmc::<u64>(4);
    let (mut event, _at_event) = event_channel(4, || 0);
    let (events, _at_events) = event_channel_mpmc(4, || 0);
    for asked in [5, usize::MAX] {
        let error = ClaimError { asked, most: 4 };
        assert_eq!(block_on(one.claim_async(asked)).unwrap_err(), error);
        assert_eq!(block_on(many.claim_async(asked)).unwrap_err(), error);
        assert_eq!(block_on(event.claim_async(asked)).unwrap_err(), error);
        assert_eq!(block_on(events.claim_async(asked)).unwrap_err(), error);
    }
    for asked in [0, 4] {
        assert_eq!(block_on(one.claim_async(asked)).unwrap().len(), asked);
        assert_eq!(block_on(many.claim_async(asked)).unwrap().len(), asked);
        assert_eq!(block_on(event.claim_async(asked)).unwrap().len(), asked);
        assert_eq!(block_on(events.claim_async(asked)).unwrap().len(), asked);
    }
}

/// Polls a claim that has to wait, makes room, and drops it: it was never there, and its waker is gone.
macro_rules! cancelled {
    ($publisher:expr, $subscriber:expr, $publish:expr) => {{
        let (count, waker) = Counter::with_waker();
        let idle = Arc::strong_count(&count);
        let (mut subscriber, before) = ($subscriber, $publisher.published());
        {
            let mut waiting = pin!($publisher.claim_async(3));
            assert!(poll(&mut waiting, &waker).is_pending());
            assert!(Arc::strong_count(&count) > idle);
        }
        assert_eq!((Arc::strong_count(&count), count.count()), (idle, 0));
        {
            let mut waiting = pin!($publisher.claim_async(3));
            assert!(poll(&mut waiting, &waker).is_pending());
            subscriber.read_batch(9, |_, _| ());
            assert_ne!(count.count(), 0, "there is room");
        }
        assert_eq!(Arc::strong_count(&count), idle);
        assert_eq!($publisher.published(), before);
        $publish;
        assert_eq!(subscriber.read_batch(9, |_, _| ()), 1);
        assert_eq!(subscriber.total_aborted(), 0);
    }};
}

#[test]
fn f04_a_cancelled_claim_was_never_there() {
    let (mut one, at_one) = channel_bounded::<u64>(4, 0);
    let subscriber = at_one.subscribe();
    one.publish_batch(&[1, 2]);
    cancelled!(one, subscriber, one.publish(5));

    let (many, at_many) = channel_mpmc_bounded::<u64>(4, 0);
    let subscriber = at_many.subscribe();
    many.publish_batch(&[1, 2]);
    cancelled!(many, subscriber, many.publish(5));

    let (mut event, at_event) = event_channel(4, || 0);
    let subscriber = at_event.subscribe();
    event.claim(2).unwrap().commit(2);
    cancelled!(event, subscriber, event.publish(|value| *value = 5));

    let (events, at_events) = event_channel_mpmc(4, || 0);
    let subscriber = at_events.subscribe();
    events.claim(2).unwrap().commit(2);
    cancelled!(events, subscriber, events.publish(|value| *value = 5));
}

/// The waker of a claim that was granted is with nobody while the claim is filled.
#[test]
fn f09_a_granted_claim_has_given_its_waker_back() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[1, 2]);
    let (count, waker) = Counter::with_waker();
    let idle = Arc::strong_count(&count);
    let mut waiting = pin!(publisher.claim_async(2));
    assert!(poll(&mut waiting, &waker).is_pending());
    assert!(subscriber.drain().eq([1, 2]));
    let Poll::Ready(Ok(mut claim)) = poll(&mut waiting, &waker) else {
        panic!("there is room");
    };
    assert_eq!(Arc::strong_count(&count), idle);
    claim.fill([3, 4]);
    claim.commit(2);
    assert!(subscriber.drain().eq([3, 4]));
}

/// A single publisher's claim is woken once, when all its room is there.
#[test]
fn a_waiting_claim_is_woken_when_there_is_room_for_all_of_it() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1, 2, 3]);
    let (count, waker) = Counter::with_waker();
    let mut waiting = pin!(publisher.claim_async(3));
    assert!(poll(&mut waiting, &waker).is_pending());
    for n in 0..3 {
        assert_eq!((count.count(), subscriber.try_recv()), (0, Ok(n)));
    }
    assert_eq!(count.count(), 1);
    assert_eq!(subscriber.try_recv(), Ok(3));
    assert_eq!(count.count(), 1);
    assert!(poll(&mut waiting, &waker).is_ready());
}

/// A claim that sleeps on keeps no room from other publishers, and a leaked one neither.
#[test]
fn f06_claims_that_sleep_on_stop_nobody() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1]);
    let mut asleep = pin!(publisher.claim_async(2));
    assert!(poll(&mut asleep, Waker::noop()).is_pending());
    let mut leaked = Box::pin(publisher.claim_async(1));
    assert!(poll(&mut leaked.as_mut(), Waker::noop()).is_pending());
    for n in 0..5 {
        assert_eq!(subscriber.try_recv(), Ok(n));
        assert!(publisher.try_publish(n + 2).is_ok());
    }
    assert!(poll(&mut asleep, Waker::noop()).is_pending());
    drop(leaked);
    assert_eq!(subscriber.drain().count(), 2);
    assert!(poll(&mut asleep, Waker::noop()).is_ready());
}

/// Polls a receive that has to wait, runs `end`, which wakes it once, and polls again.
fn woken_by(
    subscriber: &mut Subscriber<u64, Gating>,
    end: impl FnOnce(),
) -> Poll<Result<u64, RecvError>> {
    let (count, waker) = Counter::with_waker();
    let mut waiting = pin!(subscriber.recv_async());
    assert!(poll(&mut waiting, &waker).is_pending());
    end();
    assert_eq!(count.count(), 1);
    poll(&mut waiting, &waker)
}

/// Who waits at a claim is woken when it is settled: committed, given up, or at the ring's end if it was leaked.
#[test]
fn whoever_waits_at_an_open_claim_is_woken_by_its_end() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(8, 0);
    let mut subscriber = subscribable.subscribe();
    let mut claim = publisher.claim(2).unwrap();
    claim.fill([1, 2]);
    publisher.publish(3);
    let first = woken_by(&mut subscriber, || assert_eq!(claim.commit(1), 1));
    assert_eq!(first, Poll::Ready(Ok(1)));
    assert_eq!(subscriber.try_recv(), Ok(3), "over the tombstone");

    let claim = publisher.claim(2).unwrap();
    publisher.publish(4);
    let second = woken_by(&mut subscriber, || drop(claim));
    assert_eq!(second, Poll::Ready(Ok(4)));

    forget(publisher.claim(2).unwrap());
    publisher.publish(5);
    let third = woken_by(&mut subscriber, || drop(publisher));
    assert_eq!(third, Poll::Ready(Ok(5)));
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
    assert_eq!(
        (subscriber.total_received(), subscriber.total_aborted()),
        (4, 5)
    );
}

/// A tombstone gives its slot back although its subscriber sleeps, however it waits, so that a ring full of them goes on.
#[test]
fn tombstones_give_their_slots_back() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let mut subscribers = [(); 4].map(|()| subscribable.subscribe());
    let [taken, lent, waited, streamed] = &mut subscribers;
    let mut taken = pin!(taken.recv_async());
    let mut lent = pin!(lent.recv_ref_async());
    assert!(poll(&mut taken, Waker::noop()).is_pending());
    assert!(poll(&mut lent, Waker::noop()).is_pending());
    {
        let mut waiting = pin!(waited.wait_async());
        assert!(poll(&mut waiting, Waker::noop()).is_pending());
        drop(publisher.claim(2).unwrap());
        assert!(poll(&mut waiting, Waker::noop()).is_ready());
    }
    assert_eq!(waited.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(streamed.try_recv(), Err(TryRecvError::Empty));
    assert!(publisher.try_publish(1).is_err(), "two have not looked");
    assert!(poll(&mut taken, Waker::noop()).is_pending());
    assert!(poll(&mut lent, Waker::noop()).is_pending());
    publisher.claim(2).unwrap().commit(0);
    assert!(poll(&mut taken, Waker::noop()).is_pending());
    assert!(poll(&mut lent, Waker::noop()).is_pending());
}

/// The same with threads that sleep.
#[test]
fn tombstones_give_their_slots_back_to_threads() {
    ends(|| {
        let (copies, at_copies) = channel_mpmc_bounded::<u64>(2, 0);
        let (events, at_events) = event_channel_mpmc(2, || 0);
        let (mut one, two) = (at_copies.subscribe(), at_copies.subscribe());
        let (mut three, mut four) = (at_copies.subscribe(), at_events.subscribe());
        scope(|scope| {
            scope.spawn(move || assert!(one.iter().eq(0..COUNT)));
            scope.spawn(move || {
                let (mut two, mut next) = (two, 0);
                while two.cursor() < 3 * COUNT || !two.is_closed() {
                    two.wait();
                    next += two.drain().count() as u64;
                }
                assert_eq!(next, COUNT);
            });
            scope.spawn(move || {
                (0..COUNT).for_each(|n| assert_eq!(three.recv_ref().as_deref(), Ok(&n)));
                assert!(three.recv_ref().is_err());
            });
            scope.spawn(move || {
                (0..COUNT).for_each(|n| assert_eq!(four.recv_ref().as_deref(), Ok(&n)));
                assert!(four.recv_ref().is_err());
            });
            for n in 0..COUNT {
                drop((copies.claim(2).unwrap(), events.claim(2).unwrap()));
                copies.publish(n);
                events.publish(|value| *value = n);
            }
            drop((copies, events));
        });
    });
}

async fn fill(mut publisher: Publisher<u64, Gating>) {
    for first in (0..COUNT).step_by(3) {
        let mut claim = publisher.claim_async(3).await.unwrap();
        claim.fill(first..);
        claim.commit(3);
    }
}

async fn fill_shared(publisher: MpPublisher<u64, Gating>) {
    for first in (0..COUNT).step_by(3) {
        let mut claim = publisher.claim_async(4).await.unwrap();
        claim.fill(first..first + 3);
        claim.commit(4);
    }
}

async fn edit(mut publisher: EventPublisher<u64>) {
    for first in (0..COUNT).step_by(2) {
        let mut claim = publisher.claim_async(2).await.unwrap();
        (first..)
            .zip(claim.iter_mut())
            .for_each(|(n, value)| *value = n);
        claim.commit(2);
    }
}

async fn edit_shared(publisher: MpEventPublisher<u64>) {
    for first in (0..COUNT).step_by(2) {
        let mut claim = publisher.claim_async(3).await.unwrap();
        (first..)
            .zip(claim.iter_mut())
            .for_each(|(n, value)| *value = n);
        claim.commit(2);
    }
}

async fn read(mut subscriber: Subscriber<u64, Gating>) {
    for n in 0..COUNT {
        assert_eq!(subscriber.recv_async().await, Ok(n));
    }
    assert_eq!(subscriber.recv_async().await, Err(RecvError));
}

/// Every kind of publisher in one set of tasks, on one thread.
#[test]
fn tasks_claim_on_every_kind_of_ring() {
    ends(|| {
        let mut tasks = Tasks::default();
        let (one, at_one) = channel_bounded::<u64>(4, 0);
        let (many, at_many) = channel_mpmc_bounded::<u64>(4, 0);
        let (event, at_event) = event_channel(3, || 0);
        let (events, at_events) = event_channel_mpmc(3, || 0);
        tasks.spawn(read(at_one.subscribe()));
        tasks.spawn(read(at_many.subscribe()));
        for mut subscriber in [at_event.subscribe(), at_events.subscribe()] {
            tasks.spawn(async move {
                for n in 0..COUNT {
                    assert_eq!(*subscriber.recv_ref_async().await.unwrap(), n);
                }
                assert!(subscriber.recv_ref_async().await.is_err());
            });
        }
        tasks.spawn(fill(one));
        tasks.spawn(fill_shared(many));
        tasks.spawn(edit(event));
        tasks.spawn(edit_shared(events));
        tasks.run();
        assert_eq!((tasks.unfinished(), tasks.run()), (0, 0));
    });
}

/// A task claims, threads read; a thread claims, tasks read.
#[test]
fn tasks_and_threads_claim_for_each_other() {
    ends(|| {
        let (one, at_one) = channel_bounded::<u64>(4, 0);
        let (many, at_many) = channel_mpmc_bounded::<u64>(4, 0);
        let (mut here, there) = (at_one.subscribe(), at_many.subscribe());
        scope(|scope| {
            scope.spawn(|| block_on(fill(one)));
            scope.spawn(|| assert!(here.iter().eq(0..COUNT)));
            scope.spawn(|| {
                for first in (0..COUNT).step_by(3) {
                    let mut claim = many.claim(3).unwrap();
                    claim.fill(first..);
                    claim.commit(3);
                }
                drop(many);
            });
            block_on(read(there));
        });
    });
}

/// A claim raced against something else that is always ready sooner or later: what loses has claimed nothing.
#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn a_claim_that_loses_a_select_has_claimed_nothing() {
    async fn race(publisher: MpPublisher<u64, Gating>) {
        let mut first = 0;
        while first < COUNT {
            tokio::select! {
                claim = publisher.claim_async(3) => {
                    let mut claim = claim.unwrap();
                    claim.fill(first..);
                    first += claim.commit(3) as u64;
                }
                () = tokio::task::yield_now() => {}
            }
        }
    }
    ends(|| {
        for threads in [1, 2] {
            let mut runtime = tokio::runtime::Builder::new_multi_thread();
            let runtime = runtime.worker_threads(threads).build().unwrap();
            runtime.block_on(async {
                let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
                let reader = tokio::spawn(read(subscribable.subscribe()));
                race(publisher).await;
                reader.await.unwrap();
            });
        }
    });
}

/// Runtimes take all these futures, from thread to thread.
#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn runtimes_drive_claims() {
    ends(|| {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).build().unwrap();
        runtime.block_on(async {
            let (one, at_one) = channel_bounded::<u64>(4, 0);
            let (many, at_many) = channel_mpmc_bounded::<u64>(4, 0);
            let readers =
                [at_one.subscribe(), at_many.subscribe()].map(|at| tokio::spawn(read(at)));
            tokio::spawn(fill(one));
            tokio::spawn(fill_shared(many));
            for reader in readers {
                reader.await.unwrap();
            }
        });
        let (event, at_event) = event_channel(3, || 0);
        let (mut subscriber, executor) = (at_event.subscribe(), smol::Executor::new());
        executor.spawn(edit(event)).detach();
        smol::block_on(executor.run(async {
            let mut next = 0;
            while let Ok(value) = subscriber.recv_ref_async().await {
                assert_eq!(*value, next);
                next += 1;
            }
            assert_eq!(next, COUNT);
        }));
    });
}
