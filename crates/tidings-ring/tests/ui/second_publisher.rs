//! There is one publisher: it is not cloned, and not shared to publish.
fn main() {
    let (publisher, _subscribable) = tidings_ring::channel::<u64>(4);
    let mut other = publisher.clone();
    other.publish(1);
    let shared = &publisher;
    shared.publish(2);
}
