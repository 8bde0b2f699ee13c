//! A value that is lent is not kept longer than the handle that lends it.
fn main() {
    let (announcer, announcement) = tidings_oneshot::Announcement::new();
    let listener = announcement.listener();
    announcer.announce(String::from("lent")).unwrap();
    let text = listener.get().unwrap();
    drop(listener);
    println!("{text}");
}
