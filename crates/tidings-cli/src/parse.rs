//! Values on the command line: sizes, durations, rates, record formats.

use std::time::Duration;

use crate::fan::records::{Framing, Prefix};

/// A number of bytes: `512`, `64K`, `1M`, `2GiB` (powers of 1024).
pub fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = split_unit(text);
    let factor: usize = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 1,
        "k" | "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err("expected a number of bytes such as 512, 64K or 1M".into()),
    };
    let number: usize = number
        .parse()
        .map_err(|_| "expected a number of bytes such as 512, 64K or 1M")?;
    match number.checked_mul(factor) {
        Some(0) => Err("must be at least 1".into()),
        Some(bytes) => Ok(bytes),
        None => Err("too large".into()),
    }
}

/// A span of time: `2s`, `250ms`, `1m`, `1h`, `1.5s`; a bare number counts seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a span of time such as 2s, 250ms or 1m".to_string();
    let (number, unit) = split_unit(text);
    let seconds: f64 = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| expected())
}

/// Records a second: `1000`, `10k`, `1.5M/s` (powers of 1000).
pub fn rate(text: &str) -> Result<f64, String> {
    let expected = "expected records a second such as 500, 10k or 1.5M/s";
    let (number, unit) = split_unit(text.trim_end_matches("/s"));
    let factor = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return Err(expected.into()),
    };
    let rate = factor * number.parse::<f64>().map_err(|_| expected)?;
    if rate.is_finite() && rate >= 0.001 {
        Ok(rate)
    } else {
        Err("must be at least 0.001 a second".into())
    }
}

/// A record format: `lines`, `fixed:N`, `length:u16le` …
pub fn framing(text: &str) -> Result<Framing, String> {
    let expected = "expected lines, fixed:BYTES or length:u8, u16le, u16be, u32le, u32be";
    match text.split_once(':') {
        None if text == "lines" => Ok(Framing::Lines),
        Some(("fixed", bytes)) => size(bytes).map(Framing::Fixed),
        Some(("length", prefix)) => Ok(Framing::Length(match prefix {
            "u8" => Prefix {
                bytes: 1,
                big_endian: false,
            },
            "u16le" => Prefix {
                bytes: 2,
                big_endian: false,
            },
            "u16be" => Prefix {
                bytes: 2,
                big_endian: true,
            },
            "u32le" => Prefix {
                bytes: 4,
                big_endian: false,
            },
            "u32be" => Prefix {
                bytes: 4,
                big_endian: true,
            },
            _ => return Err(expected.into()),
        })),
        _ => Err(expected.into()),
    }
}

/// Parts the leading number of `text` from the unit behind it.
fn split_unit(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_count_in_powers_of_1024() {
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("64K"), Ok(65_536));
        assert_eq!(size("1MiB"), Ok(1 << 20));
        for bad in [
            "",
            "0",
            "K",
            "1X",
            "-1",
            "1.5M",
            "99999999999999999999",
            "18446744073709551615G",
        ] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_take_units_and_fractions() {
        assert_eq!(duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        for bad in ["", "s", "-1s", "1d", "1e400h", "99999999999999999999999h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rates_count_in_powers_of_1000() {
        assert_eq!(rate("500"), Ok(500.0));
        assert_eq!(rate("10k/s"), Ok(10_000.0));
        assert_eq!(rate("1.5M"), Ok(1_500_000.0));
        for bad in ["", "0", "fast", "/s", "-3", "1T"] {
            assert!(rate(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn record_formats_read_back_as_they_print() {
        for text in [
            "lines",
            "fixed:16",
            "length:u8",
            "length:u16le",
            "length:u16be",
            "length:u32le",
            "length:u32be",
        ] {
            assert_eq!(framing(text).unwrap().to_string(), text);
        }
        for bad in [
            "",
            "line",
            "fixed",
            "fixed:0",
            "fixed:x",
            "length:",
            "length:u64le",
            "length:i8",
        ] {
            assert!(framing(bad).is_err(), "{bad}");
        }
    }
}
