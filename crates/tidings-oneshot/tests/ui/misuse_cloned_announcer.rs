//! There is one announcer, unless it is made a shared one.
fn main() {
    let (announcer, _announcement) = tidings_oneshot::Announcement::<u8>::new();
    let other = announcer.clone();
    other.announce(1).unwrap();
}
