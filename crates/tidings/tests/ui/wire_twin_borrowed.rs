//! A twin is packed: its fields are copied out, not borrowed.
use tidings::ring::Wire;

#[derive(Wire)]
struct Order {
    live: bool,
    price: u64,
}

fn main() {
    let twin = Order { live: true, price: 7 }.to_wire();
    let _price = &twin.price;
}
