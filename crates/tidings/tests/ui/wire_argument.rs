//! The arguments of a type with parameters need a plain-data form.
use tidings::ring::Wire;

#[derive(Wire)]
struct Pair<T> {
    both: [T; 2],
}

fn main() {
    let both = [String::new(), String::new()];
    let _ = Pair { both }.to_wire();
}
