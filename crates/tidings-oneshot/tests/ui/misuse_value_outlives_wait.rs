//! Nor one that was waited for.
async fn wait(announcement: tidings_oneshot::Announcement<String>) -> &'static str {
    announcement.listener().wait().await.unwrap()
}

fn main() {
    drop(wait(tidings_oneshot::Announcement::new().1));
}
