//! A board is read through handles; it is not made and not moved.
fn main() {
    let (_announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    let _board = *announcement;
}
