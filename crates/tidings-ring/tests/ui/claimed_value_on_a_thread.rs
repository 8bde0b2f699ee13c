//! A value that a claim lends does not follow a thread that may outlive the claim.
use tidings_ring::event_channel_mpmc;

fn main() {
    let (publisher, _subscribable) = event_channel_mpmc(4, String::new);
    let mut claim = publisher.claim(2).unwrap();
    let first = claim.get_mut(0).unwrap();
    std::thread::spawn(move || first.push('!'));
}
