//! One subscriber lends one message at a time.
use tidings_ring::event_channel;

fn main() {
    let (_publisher, subscribable) = event_channel(4, String::new);
    let mut subscriber = subscribable.subscribe();
    let one = subscriber.try_recv_ref();
    let two = subscriber.try_recv_ref();
    drop((one, two));
}
