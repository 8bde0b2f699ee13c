//! There is no way back from plain data without a check.
use tidings::ring::Wire;

#[derive(Wire)]
struct Order {
    live: bool,
}

fn main() {
    let order = Order { live: true };
    let twin = OrderWire::from(order);
    let _ = Order::from(twin);
}
