//! The table of consumers, live and final, and how numbers are written in it.

use console::{Alignment, Style, measure_text_width, pad_str, truncate_str};

use super::spec::Contract;

/// What the table says about one consumer.
pub struct View {
    pub name: String,
    pub contract: Contract,
    pub delivered: u64,
    /// Records a second.
    pub rate: f64,
    /// Records published that it has neither got nor missed; `None` when that is over.
    pub lag: Option<u64>,
    pub skipped: u64,
    pub state: String,
    pub tone: Tone,
}

/// How a state is coloured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Good,
    Plain,
    Warning,
    Bad,
}

const HEADER: [&str; 7] = [
    "CONSUMER",
    "CONTRACT",
    "DELIVERED",
    "PER SEC",
    "LAG",
    "SKIPPED",
    "STATE",
];

/// Names are cut to this many columns at most, and to this few at least.
const NAME: std::ops::RangeInclusive<usize> = 8..=36;

/// The lines of the table, each of at most `width` columns.
pub fn render(views: &[View], width: usize, colour: bool) -> Vec<String> {
    let cells: Vec<[String; 7]> = views.iter().map(cells).collect();
    let mut widths = HEADER.map(measure_text_width);
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = measure_text_width(cell).max(*width);
        }
    }
    let others: usize = widths[1..].iter().sum::<usize>() + 2 * (HEADER.len() - 1);
    widths[0] = widths[0].min(
        width
            .saturating_sub(others)
            .clamp(*NAME.start(), *NAME.end()),
    );
    let style = |style: Style| style.for_stderr().force_styling(colour);
    let header = line(&HEADER.map(String::from), &widths, None);
    let mut lines = vec![style(Style::new().dim()).apply_to(header).to_string()];
    for (view, row) in views.iter().zip(&cells) {
        let state = match view.tone {
            Tone::Good => Style::new().green(),
            Tone::Plain => Style::new(),
            Tone::Warning => Style::new().yellow(),
            Tone::Bad => Style::new().red().bold(),
        };
        lines.push(line(row, &widths, Some(style(state))));
    }
    lines
        .iter()
        .map(|line| truncate_str(line, width, "…").into_owned())
        .collect()
}

fn cells(view: &View) -> [String; 7] {
    let (contract, skipped) = match view.contract {
        Contract::Gating => ("gate", "-".to_string()),
        Contract::Lossy => ("tap", count(view.skipped)),
    };
    [
        plain(&view.name),
        contract.into(),
        count(view.delivered),
        quantity(view.rate),
        view.lag.map_or("-".into(), count),
        skipped,
        view.state.clone(),
    ]
}

/// One line: text to the left, numbers to the right.
fn line(cells: &[String; 7], widths: &[usize; 7], state: Option<Style>) -> String {
    let mut line = String::new();
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let numeric = (2..=5).contains(&at);
        let side = if numeric {
            Alignment::Right
        } else {
            Alignment::Left
        };
        let cell = pad_str(cell, *width, side, Some("…"));
        match &state {
            Some(style) if at == 6 => line.push_str(&style.apply_to(cell.trim_end()).to_string()),
            _ => line.push_str(&cell),
        }
        line.push_str("  ");
    }
    line.trim_end().to_string()
}

/// A name on one line, without control characters.
pub fn plain(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "?")
}

/// A whole number with a comma between groups of three digits.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A quantity with three digits that count: `97.3`, `340k`, `1.92M`.
pub fn quantity(number: f64) -> String {
    let (number, unit) = match number {
        n if n >= 999.5e6 => (n / 1e9, "G"),
        n if n >= 999.5e3 => (n / 1e6, "M"),
        n if n >= 9_999.5 => (n / 1e3, "k"),
        n => (n, ""),
    };
    three_digits(number) + unit
}

/// A number of bytes: `48.2 KiB`.
pub fn bytes(number: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut number, mut unit) = (number, 0);
    while number >= 999.5 && unit + 1 < units.len() {
        (number, unit) = (number / 1024.0, unit + 1);
    }
    if unit == 0 {
        format!("{number:.0} B")
    } else {
        format!("{} {}", three_digits(number), units[unit])
    }
}

fn three_digits(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        n if n < 9.995 => format!("{n:.2}"),
        n if n < 99.95 => format!("{n:.1}"),
        n => format!("{n:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, contract: Contract) -> View {
        let state = "running".to_string();
        View {
            name: name.into(),
            contract,
            delivered: 1_234_567,
            rate: 1.5e6,
            lag: Some(12),
            skipped: 0,
            state,
            tone: Tone::Good,
        }
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(quantity(0.0), "0");
        assert_eq!(quantity(97.25), "97.2");
        assert_eq!(quantity(9_999.0), "9999");
        assert_eq!(quantity(12_345.0), "12.3k");
        assert_eq!(quantity(999_600.0), "1.00M");
        assert_eq!(bytes(512.0), "512 B");
        assert_eq!(bytes(1023.9), "1.00 KiB");
        assert_eq!(bytes(96_438_000.0), "92.0 MiB");
    }

    #[test]
    fn columns_line_up() {
        let views = [
            view("wc -l", Contract::Gating),
            view("a much longer name than that", Contract::Lossy),
        ];
        let lines = render(&views, 200, false);
        let column = |line: &String, text| line.find(text).unwrap();
        assert_eq!(column(&lines[0], "STATE"), column(&lines[1], "running"));
        assert_eq!(
            column(&lines[1], "1,234,567"),
            column(&lines[2], "1,234,567")
        );
    }

    #[test]
    fn lines_fit_the_terminal() {
        let views = [
            view(&"long ".repeat(40), Contract::Gating),
            view("短い名前", Contract::Lossy),
        ];
        for width in [20, 40, 80, 120] {
            for line in render(&views, width, true) {
                assert!(measure_text_width(&line) <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn names_stay_on_one_line() {
        assert_eq!(
            plain("while read x\ndo\techo; done"),
            "while read x do echo; done"
        );
        assert_eq!(plain("\x1b[31mred"), "?[31mred");
    }
}
