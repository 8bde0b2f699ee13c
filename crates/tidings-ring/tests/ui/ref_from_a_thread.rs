//! A borrow does not follow a thread that may outlive its subscriber.
use tidings_ring::channel_bounded;

fn main() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(1);
    let lent = subscriber.try_recv_ref().unwrap();
    std::thread::spawn(move || assert_eq!(*lent, 1));
}
