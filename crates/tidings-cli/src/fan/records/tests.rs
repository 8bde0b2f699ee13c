//! The record splitter beside a naive twin that sees the whole input at once.

use super::{Cut, Framing, Prefix, TooLong};

/// A small generator (xorshift64*), so that a failure can be repeated from its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

const U16LE: Framing = Framing::Length(Prefix {
    bytes: 2,
    big_endian: false,
});
const U32BE: Framing = Framing::Length(Prefix {
    bytes: 4,
    big_endian: true,
});
const U8: Framing = Framing::Length(Prefix {
    bytes: 1,
    big_endian: false,
});

/// The records of `input`, found with everything in sight.
fn naive(framing: Framing, input: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    let mut rest = input;
    while !rest.is_empty() {
        let len = match framing {
            Framing::Lines => rest
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(rest.len(), |at| at + 1),
            Framing::Fixed(len) => len,
            U8 => 1 + rest[0] as usize,
            U16LE => rest
                .get(..2)
                .map_or(2, |p| 2 + u16::from_le_bytes([p[0], p[1]]) as usize),
            _ => rest.get(..4).map_or(4, |p| {
                4 + u32::from_be_bytes([p[0], p[1], p[2], p[3]]) as usize
            }),
        };
        let (record, behind) = rest.split_at(len.min(rest.len()));
        records.push(record.to_vec());
        rest = behind;
    }
    records
}

/// The records of `input` when it arrives in pieces of random size.
fn in_pieces(framing: Framing, input: &[u8], random: &mut Random) -> Vec<Vec<u8>> {
    let (mut records, mut held, mut seen, mut at) = (Vec::new(), Vec::new(), 0, 0);
    loop {
        while let Ok(Cut::Record(len)) = framing.cut(&held, seen, usize::MAX) {
            records.push(held.drain(..len).collect());
            seen = 0;
        }
        seen = held.len();
        if at == input.len() {
            break;
        }
        let piece = (1 + random.below(9)).min(input.len() - at);
        held.extend_from_slice(&input[at..at + piece]);
        at += piece;
    }
    if !held.is_empty() {
        records.push(held);
    }
    records
}

#[test]
fn pieces_of_any_size_give_the_same_records() {
    for seed in 1..400 {
        let mut random = Random(seed);
        for framing in [
            Framing::Lines,
            Framing::Fixed(1),
            Framing::Fixed(7),
            U8,
            U16LE,
            U32BE,
        ] {
            let len = random.below(200);
            // Few distinct bytes: newlines are frequent, lengths are short, and runs of either occur.
            let input: Vec<u8> = (0..len)
                .map(|_| [0, 0, 0, 1, 3, b'\n', 0xff][random.below(7)])
                .collect();
            let pieces = in_pieces(framing, &input, &mut random);
            assert_eq!(pieces, naive(framing, &input), "{framing}, seed {seed}");
            assert_eq!(pieces.concat(), input, "{framing}, seed {seed}");
        }
    }
}

#[test]
fn a_record_of_exactly_the_limit_passes() {
    assert_eq!(Framing::Lines.cut(b"abc\nd", 0, 4), Ok(Cut::Record(4)));
    assert_eq!(Framing::Lines.cut(b"abcd", 0, 4), Ok(Cut::More));
    assert_eq!(U16LE.cut(b"\x02\0ab", 0, 4), Ok(Cut::Record(4)));
}

#[test]
fn a_record_over_the_limit_is_refused_as_soon_as_it_is_known() {
    assert_eq!(
        Framing::Lines.cut(b"abcd\n", 0, 4),
        Err(TooLong { bytes: Some(5) })
    );
    assert_eq!(
        Framing::Lines.cut(b"abcde", 0, 4),
        Err(TooLong { bytes: None })
    );
    assert_eq!(U16LE.cut(b"\x03\0", 0, 4), Err(TooLong { bytes: Some(5) }));
    assert_eq!(
        U32BE.cut(&[0xff; 4], 0, 1 << 20),
        Err(TooLong {
            bytes: Some(0x1_0000_0003)
        })
    );
}

#[test]
fn a_record_that_the_end_cuts_off_is_described() {
    assert_eq!(Framing::Lines.missing(b"no newline"), None);
    assert_eq!(
        Framing::Fixed(8).missing(b"abc").unwrap(),
        "the last record has 3 of 8 bytes"
    );
    assert!(
        U16LE
            .missing(b"\x05\0ab")
            .unwrap()
            .contains("4 of the 7 bytes")
    );
    assert!(
        U32BE
            .missing(b"\0\0")
            .unwrap()
            .contains("2 of the 4 bytes of its length")
    );
}
