//! A borrow does not outlive its subscriber.
use tidings_ring::channel_bounded;

fn main() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    publisher.publish(1);
    let lent = {
        let mut subscriber = subscribable.subscribe_from_oldest();
        subscriber.try_recv_ref().unwrap()
    };
    assert_eq!(*lent, 1);
}
