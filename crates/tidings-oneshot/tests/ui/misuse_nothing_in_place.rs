//! What has no size has no place to be built in.
fn main() {
    let (announcer, _announcement) = tidings_oneshot::Announcement::<()>::new();
    announcer.announce_in_place(|place| place.write(()));
}
