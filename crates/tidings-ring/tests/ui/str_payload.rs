//! A reference is no plain data.
fn main() {
    let _ = tidings_ring::channel::<&'static str>(4);
}
