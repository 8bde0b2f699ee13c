//! A value that a claim lends cannot be put aside for later.
use tidings_ring::event_channel;

struct Aside<'a>(Vec<&'a mut String>);

fn main() {
    let (mut publisher, _subscribable) = event_channel(4, String::new);
    let mut aside = Aside(Vec::new());
    {
        let mut claim = publisher.claim(2).unwrap();
        aside.0.extend(claim.get_mut(0));
    }
    aside.0[0].push('!');
}
