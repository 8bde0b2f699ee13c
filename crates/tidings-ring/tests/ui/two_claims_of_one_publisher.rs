//! A single publisher does nothing else while its claim is open.
use tidings_ring::channel;

fn main() {
    let (mut publisher, _subscribable) = channel::<u64>(4);
    let mut claim = publisher.claim(2).unwrap();
    publisher.publish(1);
    claim.fill([2, 3]);
}
