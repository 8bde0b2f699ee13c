//! A message that is shown to a closure stays there.
use tidings_ring::event_channel;

fn main() {
    let (_publisher, subscribable) = event_channel(4, String::new);
    let mut subscriber = subscribable.subscribe();
    let mut kept: Vec<&String> = Vec::new();
    subscriber.read_batch(4, |text, _| kept.push(text));
    subscriber.process(|text| text);
    drop(kept);
}
