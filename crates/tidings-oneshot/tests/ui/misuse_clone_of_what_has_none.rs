//! Only what can be cloned is listened to by a clone.
struct Plain;

fn main() {
    let (_announcer, announcement) = tidings_oneshot::Announcement::<Plain>::new();
    let _ = announcement.listener().listen_blocking();
}
