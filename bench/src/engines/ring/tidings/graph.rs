//! Stages as managed consumers of one in-place ring, each subscribed after those whose work it needs.

use tidings::ring::{
    After, Consumer, EventPublisher, EventSubscribable, EventSubscriber, Upstream, event_channel,
};

use super::managed::consumer;
use crate::engine::graph::{Diamond, Line};
use crate::engine::ring::{Publish, Sink};
use crate::engines::ring::cells::Cells;
use crate::stage::{Stage, join};

/// Consumers after consumers.
pub struct OneRing;

/// The publisher, and the consumers, which end with it.
pub struct Head {
    publisher: EventPublisher<Cells>,
    _consumers: Vec<Consumer>,
}

impl Publish<u64> for Head {
    #[inline(always)]
    fn publish(&mut self, message: &u64) {
        self.publisher.publish(|slot| slot.set(0, *message));
    }
}

fn after(ring: &EventSubscribable<Cells>, upstreams: &[Upstream]) -> EventSubscriber<Cells, After> {
    ring.subscribe_after(upstreams)
        .expect("upstreams of this ring")
}

impl Line for OneRing {
    type Publisher = Head;

    fn start(
        capacity: usize,
        stages: [Stage; 3],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c] = stages;
        let (publisher, ring) = event_channel(capacity, Cells::default);
        let first = ring.subscribe();
        let second = after(&ring, &[first.upstream()]);
        let third = after(&ring, &[second.upstream()]);
        let consumers = vec![
            consumer(first, move |slot: &Cells| slot.set(1, a.run(slot.get(0)))),
            consumer(second, move |slot: &Cells| slot.set(2, b.run(slot.get(1)))),
            consumer(third, move |slot: &Cells| sink.message(&c.run(slot.get(2)))),
        ];
        Head {
            publisher,
            _consumers: consumers,
        }
    }
}

impl Diamond for OneRing {
    type Publisher = Head;

    fn start(
        capacity: usize,
        stages: [Stage; 4],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c, d] = stages;
        let (publisher, ring) = event_channel(capacity, Cells::default);
        let first = ring.subscribe();
        let left = after(&ring, &[first.upstream()]);
        let right = after(&ring, &[first.upstream()]);
        let last = after(&ring, &[left.upstream(), right.upstream()]);
        let consumers = vec![
            consumer(first, move |slot: &Cells| slot.set(1, a.run(slot.get(0)))),
            consumer(left, move |slot: &Cells| slot.set(2, b.run(slot.get(1)))),
            consumer(right, move |slot: &Cells| slot.set(3, c.run(slot.get(1)))),
            consumer(last, move |slot: &Cells| {
                sink.message(&d.run(join(slot.get(2), slot.get(3))));
            }),
        ];
        Head {
            publisher,
            _consumers: consumers,
        }
    }
}
