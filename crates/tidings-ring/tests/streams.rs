//! A subscriber as a stream, a publisher as a sink.
#![cfg(all(feature = "stream", feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "support/payload.rs"]
mod payload;

use counter::Counter;
use futures_util::{
    FutureExt, Sink, SinkExt, Stream, StreamExt,
    stream::{FusedStream, select_all},
};
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tidings_ring::{
    Gating, LagStream, Lagged, MpPublisher, PublishSink, RecvStream, ValueStream, channel,
    channel_bounded, channel_mpmc, channel_mpmc_bounded, value_channel,
};

/// What a stream gives now, to a task that `waker` wakes.
fn poll<S: Stream + Unpin>(stream: &mut S, waker: &Waker) -> Poll<Option<S::Item>> {
    stream.poll_next_unpin(&mut Context::from_waker(waker))
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

/// Trial B21.
#[test]
fn a_loss_ends_no_stream_and_is_counted() {
    let (mut publisher, subscribable) = channel::<u64>(2);
    let stream = subscribable.subscribe().into_stream();
    (0..5).for_each(|n| publisher.publish(n));
    drop(publisher);
    run(async {
        let mut stream = stream;
        assert_eq!(stream.by_ref().collect::<Vec<_>>().await, [3, 4]);
        assert_eq!(stream.get_ref().total_lagged(), 3);
        assert_eq!(stream.next().await, None, "the end is for ever");
    });
}

#[test]
fn a_lag_stream_gives_each_loss_in_its_place() {
    let (mut publisher, subscribable) = channel::<u64>(2);
    let stream = subscribable.subscribe().into_lag_stream();
    (0..5).for_each(|n| publisher.publish(n));
    drop(publisher);
    let seen = run(stream.collect::<Vec<_>>());
    assert_eq!(seen, [Err(Lagged { skipped: 3 }), Ok(3), Ok(4)]);
}

#[test]
fn a_stream_waits_and_goes_on() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let stream = subscribable.subscribe().into_stream();
    let reader = std::thread::spawn(move || run(stream.map(|n| n + 1).collect::<Vec<_>>()));
    (0..100).for_each(|n| publisher.publish(n));
    drop(publisher);
    assert!(reader.join().unwrap().into_iter().eq(1..101));
}

#[test]
fn every_contract_streams() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let gating = subscribable.subscribe();
    let after = subscribable.subscribe_after(&[gating.upstream()]).unwrap();
    let streams = (
        gating.into_stream(),
        after.into_lag_stream(),
        subscribable.subscribe_lossy().into_lag_stream(),
        subscribable.subscribe_tracked().into_stream(),
    );
    publisher.publish_batch(&[1, 2]);
    drop(publisher);
    run(async {
        let (gating, mut after, lossy, tracked) = streams;
        assert!(
            after.next().now_or_never().is_none(),
            "the first goes first"
        );
        assert_eq!(gating.collect::<Vec<_>>().await, [1, 2]);
        assert_eq!(after.collect::<Vec<_>>().await, [Ok(1), Ok(2)]);
        assert_eq!(lossy.collect::<Vec<_>>().await, [Ok(1), Ok(2)]);
        assert_eq!(tracked.collect::<Vec<_>>().await, [1, 2]);
    });
}

#[test]
fn tombstones_are_no_items() {
    let (publisher, subscribable) = channel_mpmc::<u64>(8);
    let mut stream = subscribable.subscribe().into_lag_stream();
    let mut claim = publisher.claim(3).unwrap();
    claim.fill([1]);
    claim.commit(1);
    publisher.publish(2);
    drop(publisher);
    assert_eq!(run(stream.by_ref().collect::<Vec<_>>()), [Ok(1), Ok(2)]);
    assert_eq!(stream.get_ref().total_aborted(), 2);
}

#[test]
fn values_stream_as_clones() {
    let (publisher, subscribable) = value_channel(2);
    let stream = subscribable.subscribe().into_stream();
    let told = subscribable.subscribe().into_lag_stream();
    for text in ["a", "b", "c"] {
        publisher.publish(text.to_owned());
    }
    drop(publisher);
    assert_eq!(run(stream.collect::<Vec<_>>()), ["b", "c"]);
    let lost = Err(Lagged { skipped: 1 });
    let expected = [lost, Ok("b".to_owned()), Ok("c".to_owned())];
    assert_eq!(run(told.collect::<Vec<_>>()), expected);
}

/// A stream that waits is woken once by a message, and not at all without one; what is there wakes nobody.
#[test]
fn an_idle_stream_costs_nothing() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let mut stream = subscribable.subscribe().into_stream();
    let (count, waker) = Counter::with_waker();
    for n in 0..200 {
        assert_eq!(
            (poll(&mut stream, &waker), count.count()),
            (Poll::Pending, n)
        );
        publisher.publish_batch(&[1, 2]);
        assert_eq!(count.count(), n + 1);
        assert_eq!(poll(&mut stream, &waker), Poll::Ready(Some(1)));
        assert_eq!(poll(&mut stream, &waker), Poll::Ready(Some(2)));
    }
}

/// The end is told to a stream that waits, and then for ever.
#[test]
fn a_stream_that_ended_stays_ended() {
    let (publisher, subscribable) = channel::<u64>(2);
    let mut stream = subscribable.subscribe().into_stream();
    let (count, waker) = Counter::with_waker();
    assert!(poll(&mut stream, &waker).is_pending() && !stream.is_terminated());
    drop(publisher);
    for _ in 0..300 {
        assert_eq!(poll(&mut stream, &waker), Poll::Ready(None));
        assert!(stream.is_terminated());
    }
    assert_eq!(count.count(), 1);
}

/// Trial F09.
#[test]
fn a_dropped_stream_or_sink_keeps_no_waker() {
    let (count, waker) = Counter::with_waker();
    let idle = Arc::strong_count(&count);
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let (values, at_values) = value_channel::<u64>(1);
    let mut streams = (
        subscribable.subscribe().into_stream(),
        subscribable.subscribe().into_lag_stream(),
        at_values.subscribe().into_stream(),
    );
    assert!(poll(&mut streams.0, &waker).is_pending());
    assert!(poll(&mut streams.1, &waker).is_pending());
    assert!(poll(&mut streams.2, &waker).is_pending());
    assert_eq!(Arc::strong_count(&count), idle + 3);
    drop(streams);
    let _slow = subscribable.subscribe();
    publisher.publish(1);
    let mut sink = publisher.into_sink();
    let mut cx = Context::from_waker(&waker);
    assert!(sink.poll_ready_unpin(&mut cx).is_pending());
    assert_eq!(Arc::strong_count(&count), idle + 1);
    drop((sink, values));
    assert_eq!((Arc::strong_count(&count), count.count()), (idle, 0));
}

/// A stream that has given something keeps no waker either, although it may be long before it is asked again.
#[test]
fn a_stream_that_gave_keeps_no_waker() {
    let (count, waker) = Counter::with_waker();
    let idle = Arc::strong_count(&count);
    let (mut publisher, subscribable) = channel::<u64>(2);
    let mut stream = subscribable.subscribe().into_stream();
    assert!(poll(&mut stream, &waker).is_pending());
    publisher.publish(1);
    assert_eq!(poll(&mut stream, &waker), Poll::Ready(Some(1)));
    assert_eq!(Arc::strong_count(&count), idle);
    publisher.publish(2);
    assert_eq!(count.count(), 1);
}

/// Trial B36.
#[test]
fn a_stream_that_waits_may_move() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut stream = subscribable.subscribe().into_stream();
    let ((old, first), (new, second)) = (Counter::with_waker(), Counter::with_waker());
    assert!(poll(&mut stream, &first).is_pending());
    let mut boxed = Box::new(stream);
    assert!(poll(&mut boxed, &second).is_pending());
    let moved = std::thread::spawn(move || {
        publisher.publish_batch(&[1, 2]);
        let mut stream = *boxed;
        assert_eq!(poll(&mut stream, Waker::noop()), Poll::Ready(Some(1)));
        stream
    });
    let stream = moved.join().unwrap();
    assert_eq!((old.count(), new.count()), (0, 1));
    assert_eq!(run(stream.collect::<Vec<_>>()), [2]);
}

/// Trial B36: values on the heap, several in flight, dropped once each.
#[test]
fn values_in_flight_are_whole_and_dropped_once() {
    let census = payload::Census::default();
    let (publisher, subscribable) = value_channel::<Arc<(Box<[usize]>, payload::Member)>>(64);
    let streams = [(); 3].map(|()| subscribable.subscribe().into_stream());
    for n in 0..50 {
        publisher.publish(Arc::new((vec![n; 30].into(), census.member())));
    }
    drop((publisher, subscribable));
    let sums = select_all(streams)
        .map(|item| async move { item })
        .buffer_unordered(4)
        .ready_chunks(7)
        .map(|chunk| {
            chunk
                .iter()
                .map(|item| item.0.iter().sum::<usize>())
                .sum::<usize>()
        });
    let sum = run(sums.fold(0, |all, sum| async move { all + sum }));
    assert_eq!((sum, census.alive()), (3 * 30 * 49 * 50 / 2, 0));
}

#[test]
fn streams_and_sinks_go_where_their_ends_go() {
    fn mobile<T: Send + Sync + Unpin + std::fmt::Debug>(value: T) -> String {
        format!("{value:?}")
    }
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    publisher.publish(1);
    let stream: RecvStream<u64, Gating> = subscribable.subscribe().into_stream();
    assert!(mobile(stream).starts_with("RecvStream(Subscriber { cursor: 1,"));
    let stream: LagStream<u64> = subscribable.subscribe_lossy().into_lag_stream();
    assert!(mobile(stream).starts_with("LagStream(Subscriber { cursor: 1,"));
    let sink: PublishSink<u64, Gating> = publisher.into_sink();
    assert!(mobile(sink).starts_with("PublishSink { publisher: Some(Publisher {"));
    let (publisher, _subscribable) = channel_mpmc::<u64>(4);
    let sink: PublishSink<_, _, MpPublisher<_, _>> = publisher.into_sink();
    assert!(mobile(sink).contains("MpPublisher"));
    let (_publisher, subscribable) = value_channel::<String>(4);
    let stream: ValueStream<String> = subscribable.subscribe().into_stream();
    assert!(mobile(stream).starts_with("ValueStream(ValueSubscriber {"));
}

/// Trial B36.
#[test]
fn streams_go_through_adapters_and_are_moved() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(64, 0);
    let streams: Vec<_> = (0..3)
        .map(|_| subscribable.subscribe().into_stream())
        .collect();
    publisher.publish_batch(&(0..50).collect::<Vec<_>>());
    drop(publisher);
    let all = select_all(streams.into_iter().map(Box::pin));
    let sums = all
        .map(|n| async move { n })
        .buffer_unordered(4)
        .ready_chunks(7);
    let sum: u64 = run(sums.fold(
        0,
        |sum, chunk| async move { sum + chunk.iter().sum::<u64>() },
    ));
    assert_eq!(sum, 3 * 49 * 50 / 2);
}

#[test]
fn a_sink_publishes_waits_for_room_and_closes() {
    let (publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    let mut sink = publisher.into_sink();
    let reader = std::thread::spawn(move || subscriber.iter().collect::<Vec<_>>());
    run(async {
        for n in 0..50 {
            sink.send(n).await.unwrap();
        }
        sink.close().await.unwrap();
    });
    assert!(reader.join().unwrap().into_iter().eq(0..50));
}

/// Whether a sink takes a message now.
fn is_ready(sink: &mut (impl Sink<u64, Error = Infallible> + Unpin)) -> bool {
    sink.poll_ready_unpin(&mut Context::from_waker(Waker::noop()))
        .is_ready()
}

#[test]
fn what_a_single_sink_takes_is_out() {
    let (publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    let mut sink = publisher.into_sink();
    sink.feed(1).now_or_never().unwrap().unwrap();
    assert!(!is_ready(&mut sink));
    assert!(sink.feed(2).now_or_never().is_none(), "the ring is full");
    drop(sink);
    assert!(subscriber.iter().eq([1]));
}

#[test]
fn sinks_of_many_publishers_share_a_ring() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    let (mut one, mut two) = (publisher.clone().into_sink(), publisher.into_sink());
    one.feed(1).now_or_never().unwrap().unwrap();
    // Both find room, and it is the same.
    assert!(is_ready(&mut one) && is_ready(&mut two));
    two.start_send_unpin(2).unwrap();
    one.start_send_unpin(3).unwrap();
    assert!(one.flush().now_or_never().is_none(), "the ring is full");
    assert!(two.flush().now_or_never().is_some() && !is_ready(&mut two));
    assert_eq!(
        (subscriber.try_recv(), subscriber.try_recv()),
        (Ok(1), Ok(2))
    );
    one.flush().now_or_never().unwrap().unwrap();
    assert_eq!(subscriber.try_recv(), Ok(3));
    run(async { two.close().await.unwrap() });
    assert!(!subscriber.is_closed());
    run(async { one.close().await.unwrap() });
    assert!(subscriber.is_closed());
}

#[test]
fn a_stream_forwards_into_a_sink() {
    let (mut source, subscribable) = channel_bounded::<u64>(16, 0);
    let stream = subscribable.subscribe().into_stream();
    let (target, elsewhere) = channel_bounded::<u64>(16, 0);
    let mut subscriber = elsewhere.subscribe();
    source.publish_batch(&(0..10).collect::<Vec<_>>());
    drop(source);
    run(stream.map(Ok).forward(target.into_sink())).unwrap();
    assert!(subscriber.iter().eq(0..10));
}
