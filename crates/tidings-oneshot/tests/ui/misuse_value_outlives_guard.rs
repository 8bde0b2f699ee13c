//! Neither is one that a guard lends.
fn main() {
    let (announcer, announcement) = tidings_oneshot::Announcement::new();
    announcer.announce(String::from("lent")).unwrap();
    let guard = announcement.listener().into_guard().unwrap();
    let text: &str = &guard;
    drop(guard);
    println!("{text}");
}
