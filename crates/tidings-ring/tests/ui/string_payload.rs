//! A `String` owns memory and cannot be copied byte by byte; `event_channel` is for it.
fn main() {
    let _ = tidings_ring::channel::<String>(4);
}
