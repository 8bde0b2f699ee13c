//! A wait is not kept longer than the handle it was made from.
fn main() {
    let (_announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    let wait = announcement.listener().wait();
    drop(wait);
}
