//! A struct with padding bytes is no payload: those bytes have no value to copy.
use tidings_ring::{NoUninit, channel};

#[derive(Clone, Copy, bytemuck::NoUninit)]
#[repr(C)]
struct Padded {
    small: u8,
    large: u64,
}

fn main() {
    let _: &dyn Fn() = &|| drop(channel::<Padded>(4));
    fn needs<T: NoUninit>() {}
    needs::<Padded>();
}
