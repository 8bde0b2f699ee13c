//! The place in which a value is built is not kept.
fn main() {
    let (announcer, _announcement) = tidings_oneshot::Announcement::<u8>::new();
    let mut kept = None;
    announcer.announce_in_place(|place| {
        let value = place.write(1);
        kept = Some(value);
        kept.as_mut().unwrap()
    });
}
