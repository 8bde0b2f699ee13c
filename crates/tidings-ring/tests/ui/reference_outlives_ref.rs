//! What a borrow shows does not outlive the borrow.
use tidings_ring::channel_bounded;

fn main() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(1);
    let lent = subscriber.try_recv_ref().unwrap();
    let value: &u64 = &lent;
    drop(lent);
    assert_eq!(*value, 1);
}
