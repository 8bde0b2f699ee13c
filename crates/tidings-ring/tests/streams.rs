//! A subscriber as a stream, a publisher as a sink.
#![cfg(all(feature = "stream", not(loom)))]

use futures_util::{FutureExt, Sink, SinkExt, StreamExt, stream::select_all};
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
use tidings_ring::{Lagged, channel, channel_bounded, channel_mpmc_bounded};

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
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

/// Trial F09.
#[test]
fn a_dropped_stream_keeps_no_waker() {
    let (_publisher, subscribable) = channel::<u64>(2);
    let nobody = Arc::new(Nobody);
    let waker = Waker::from(Arc::clone(&nobody));
    let mut stream = subscribable.subscribe().into_stream();
    assert!(
        stream
            .poll_next_unpin(&mut Context::from_waker(&waker))
            .is_pending()
    );
    drop(stream);
    drop(waker);
    assert_eq!(Arc::strong_count(&nobody), 1);
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
