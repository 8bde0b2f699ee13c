//! A claim does not outlive the publisher that made it.
use tidings_ring::channel_mpmc;

fn main() {
    let (publisher, _subscribable) = channel_mpmc::<u64>(4);
    let claim = publisher.claim(2).unwrap();
    drop(publisher);
    claim.commit(0);
}
