//! A lossy subscriber cannot borrow: its message may be overwritten at any time.
fn main() {
    let (_publisher, subscribable) = tidings_ring::channel::<u64>(4);
    let _ = subscribable.subscribe().try_recv_ref();
}
