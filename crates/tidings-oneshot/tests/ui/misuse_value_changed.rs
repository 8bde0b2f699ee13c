//! What was announced is not changed any more.
fn main() {
    let (announcer, announcement) = tidings_oneshot::Announcement::new();
    announcer.announce(vec![1]).unwrap();
    let mut guard = announcement.listener().into_guard().unwrap();
    guard.push(2);
}
