//! A value that a claim lends does not outlive the claim.
use tidings_ring::event_channel;

fn main() {
    let (mut publisher, _subscribable) = event_channel(4, String::new);
    let mut claim = publisher.claim(2).unwrap();
    let first = claim.iter_mut().next().unwrap();
    claim.commit(2);
    first.push('!');
}
