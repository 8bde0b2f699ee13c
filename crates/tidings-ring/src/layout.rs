//! What the derives of `tidings-macros` work out while a program is compiled. No stability is promised.

use core::str;

/// Fails the compilation if a field that begins at `start` does not begin where the bytes before it `end`.
///
/// The message is "3 bytes of padding " and then `place`.
#[track_caller]
pub const fn no_gap(end: usize, start: usize, place: &str) {
    if start != end {
        let bytes = start - end;
        let unit = if bytes == 1 { " byte" } else { " bytes" };
        let message = Text::new().number(bytes).push(unit);
        panic!("{}", message.push(" of padding ").push(place).as_str());
    }
}

/// The largest of `sizes`, and 0 if there are none.
pub const fn widest(sizes: &[usize]) -> usize {
    match sizes {
        [] => 0,
        [first, rest @ ..] => {
            let rest = widest(rest);
            if *first > rest { *first } else { rest }
        }
    }
}

/// A type is the same as itself only.
pub trait Same<T>: sealed::Same<T> {}

impl<T> Same<T> for T {}

mod sealed {
    pub trait Same<T> {}
    impl<T> Same<T> for T {}
}

/// A text put together in a constant; what has no room in it is cut off.
struct Text {
    bytes: [u8; 256],
    length: usize,
}

impl Text {
    const fn new() -> Self {
        Self {
            bytes: [0; 256],
            length: 0,
        }
    }

    const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut n = 0;
        while n < text.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = text[n];
            self.length += 1;
            n += 1;
        }
        self
    }

    const fn number(self, number: usize) -> Self {
        let before = if number > 9 {
            self.number(number / 10)
        } else {
            self
        };
        let digit = [b'0' + (number % 10) as u8];
        match str::from_utf8(&digit) {
            Ok(digit) => before.push(digit),
            Err(_) => before,
        }
    }

    const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "padding", // cut in the middle of a character
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_adjoin_are_fine() {
        no_gap(8, 8, "between `a` and `b`");
    }

    #[test]
    #[should_panic(expected = "1024 bytes of padding between `a` and `b`")]
    fn a_gap_is_named_with_its_size() {
        no_gap(1, 1025, "between `a` and `b`");
    }

    #[test]
    #[should_panic(expected = "1 byte of padding after `a`")]
    fn one_byte_is_no_plural() {
        no_gap(1, 2, "after `a`");
    }

    #[test]
    fn a_text_too_long_is_cut() {
        let long = "0123456789abcdef".repeat(17);
        assert_eq!(Text::new().push(&long).as_str(), &long[..256]);
    }

    #[test]
    fn the_widest_is_found_wherever_it_stands() {
        assert_eq!([widest(&[]), widest(&[3, 9, 2]), widest(&[4])], [0, 9, 4]);
    }
}
