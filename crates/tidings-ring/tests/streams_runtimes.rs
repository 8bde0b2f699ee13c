//! Futures, streams, sinks and claims on real runtimes, all at once on one ring, and beside threads that block.
#![cfg(all(feature = "stream", feature = "std", not(any(loom, shuttle, miri))))]

#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use executor::block_on;
use futures_util::{SinkExt, StreamExt, future::join_all, stream};
use guard::ends;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::thread;
use tidings_ring::{
    Gating, MpPublisher, Subscribable, Subscriber, TryRecvError, channel_bounded,
    channel_mpmc_bounded,
};
use tokio::runtime::{Builder, Runtime};

const EACH: u64 = 2_000;
const PUBLISHERS: u64 = 4;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

fn multi_thread() -> Runtime {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(2).enable_time().build().unwrap()
}

/// Messages of publisher `who`.
fn messages(who: u64) -> impl Iterator<Item = [u64; 2]> {
    (0..EACH).map(move |n| [who, n])
}

/// Sends in the way that this publisher has.
async fn send(publisher: MpPublisher<[u64; 2], Gating>, who: u64) {
    match who % PUBLISHERS {
        0 => {
            for message in messages(who) {
                publisher.publish_async(message).await;
            }
        }
        1 => {
            let all = stream::iter(messages(who)).map(Ok::<_, Infallible>);
            all.forward(publisher.into_sink()).await.unwrap();
        }
        2 => {
            let mut sink = publisher.into_sink();
            for message in messages(who) {
                sink.send(message).await.unwrap();
            }
            sink.close().await.unwrap();
        }
        _ => {
            let mut messages = messages(who).peekable();
            while messages.peek().is_some() {
                let mut claim = publisher.claim_async(3).await.unwrap();
                claim.fill(&mut messages);
                claim.commit(3);
            }
        }
    }
}

/// Checks that each publisher's messages come in order, and all of them.
#[derive(Default)]
struct Sums([u64; PUBLISHERS as usize]);

impl Sums {
    fn add(&mut self, [who, n]: [u64; 2]) {
        assert_eq!(self.0[who as usize], n);
        self.0[who as usize] += 1;
    }

    fn end(self) {
        assert_eq!(self.0, [EACH; PUBLISHERS as usize]);
    }
}

/// Reads to the end in one of the ways that there are.
async fn hear(mut subscriber: Subscriber<[u64; 2], Gating>, how: usize) {
    let mut sums = Sums::default();
    match how % 4 {
        0 => {
            while let Ok(message) = subscriber.recv_async().await {
                sums.add(message);
            }
        }
        1 => {
            while let Ok(message) = subscriber.recv_ref_async().await {
                sums.add(*message);
            }
        }
        2 => {
            let mut stream = subscriber.into_stream();
            while let Some(message) = stream.next().await {
                sums.add(message);
            }
        }
        _ => loop {
            subscriber.wait_async().await;
            match subscriber.try_recv() {
                Ok(message) => sums.add(message),
                Err(TryRecvError::Closed) => break,
                Err(_) => {}
            }
            subscriber.drain().for_each(|message| sums.add(message));
        },
    }
    sums.end();
}

fn readers(subscribable: &Subscribable<[u64; 2], Gating>) -> Vec<Task> {
    let reader = |how| Box::pin(hear(subscribable.subscribe(), how)) as Task;
    (0..4).map(reader).collect()
}

fn writers(publisher: MpPublisher<[u64; 2], Gating>) -> Vec<Task> {
    let writer = |who| Box::pin(send(publisher.clone(), who)) as Task;
    (0..PUBLISHERS).map(writer).collect()
}

/// Everything as tasks of one runtime.
async fn crowd() {
    let (publisher, subscribable) = channel_mpmc_bounded(8, 2);
    let mut tasks = readers(&subscribable);
    tasks.extend(writers(publisher));
    let tasks: Vec<_> = tasks.into_iter().map(tokio::spawn).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[test]
fn tokio_on_several_threads() {
    ends(|| multi_thread().block_on(crowd()));
}

#[test]
fn tokio_on_one_thread() {
    ends(|| current_thread().block_on(crowd()));
}

#[test]
fn smol() {
    ends(|| {
        let (publisher, subscribable) = channel_mpmc_bounded(8, 2);
        let executor = smol::Executor::new();
        let mut tasks = readers(&subscribable);
        tasks.extend(writers(publisher));
        let tasks: Vec<_> = tasks.into_iter().map(|task| executor.spawn(task)).collect();
        smol::block_on(executor.run(join_all(tasks)));
    });
}

/// One ring, with ends on three runtimes, on executors of our own, and on threads that block.
#[test]
fn runtimes_and_threads_share_a_ring() {
    ends(|| {
        let (publisher, subscribable) = channel_mpmc_bounded(8, 2);
        let mut sides = vec![thread::spawn({
            let mut subscriber = subscribable.subscribe();
            move || {
                let mut sums = Sums::default();
                subscriber.iter().for_each(|message| sums.add(message));
                sums.end();
            }
        })];
        let mut tasks = readers(&subscribable);
        tasks.extend(writers(publisher));
        for (n, task) in tasks.into_iter().enumerate() {
            sides.push(thread::spawn(move || match n % 4 {
                0 => multi_thread().block_on(task),
                1 => current_thread().block_on(task),
                2 => smol::block_on(task),
                _ => block_on(task),
            }));
        }
        sides.into_iter().for_each(|side| side.join().unwrap());
    });
}

/// What a select drops has taken nothing, whichever side it is of: a message, a publication, a stream's next item.
#[test]
fn what_loses_a_select_loses_nothing() {
    async fn race() {
        let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
        let mut one = subscribable.subscribe();
        let mut two = subscribable.subscribe().into_stream();
        let (mut sent, mut by_one, mut by_two) = (0, 0, 0);
        while by_one < EACH || by_two < EACH {
            tokio::select! {
                () = publisher.publish_async(sent), if sent < EACH => sent += 1,
                message = one.recv_async(), if by_one < EACH => {
                    assert_eq!(message, Ok(by_one));
                    by_one += 1;
                }
                message = two.next(), if by_two < EACH => {
                    assert_eq!(message, Some(by_two));
                    by_two += 1;
                }
                () = tokio::task::yield_now() => {}
            }
        }
        assert_eq!((sent, publisher.published()), (EACH, EACH));
    }
    ends(|| {
        current_thread().block_on(race());
        multi_thread().block_on(race());
    });
}
