//! A Rust file as the rules see it: each line split into code and comment, and where its functions lie.
//!
//! This is a scanner, not a parser. Contents of strings are blanked, so that a rule never trips over a word in one.

/// A Rust file, read once for all rules.
#[derive(Clone)]
pub struct Source {
    /// Relative to the root, with forward slashes.
    pub path: String,
    pub lines: Vec<Line>,
    pub functions: Vec<Function>,
}

#[derive(Clone, Default)]
pub struct Line {
    pub raw: String,
    /// The line without comments, and with the contents of strings replaced by blanks.
    pub code: String,
    /// The text of its comments.
    pub comment: String,
    /// Below `#[cfg(test)]`.
    pub is_test: bool,
}

/// A function with a body; line numbers count from 0.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub first: usize,
    pub last: usize,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let mut lines = split(text);
        let functions = find_functions(&lines);
        mark_tests(&mut lines);
        Source {
            path: path.to_owned(),
            lines,
            functions,
        }
    }

    /// Whether the file belongs to a crate's library or program, not to its tests, benches or examples.
    pub fn is_shipped(&self) -> bool {
        self.path.starts_with("crates/") && self.path.contains("/src/")
    }

    /// Whether the whole file is test code.
    pub fn is_test_file(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }

    /// Lines of code, tests included, from `first` to `last`, both counted from 0.
    pub fn code_lines(&self, first: usize, last: usize) -> usize {
        self.lines[first..=last]
            .iter()
            .filter(|line| !line.code.trim().is_empty())
            .count()
    }

    /// The innermost function around a line.
    pub fn function_at(&self, line: usize) -> Option<&Function> {
        let around = self
            .functions
            .iter()
            .filter(|function| (function.first..=function.last).contains(&line));
        around.min_by_key(|function| function.last - function.first)
    }

    /// The text of its `//!` header.
    pub fn header(&self) -> String {
        let header = self
            .lines
            .iter()
            .take_while(|line| line.raw.starts_with("//!"));
        header.map(|line| format!("{}\n", line.comment)).collect()
    }

    /// Whether the comment lines directly above a line, attributes between them included, hold a word.
    pub fn comment_above_holds(&self, line: usize, word: &str) -> bool {
        let above = self.lines[..line].iter().rev();
        above
            .take_while(|line| line.is_comment() || line.code.trim_start().starts_with("#["))
            .any(|line| line.comment.contains(word))
    }
}

impl Line {
    /// A comment and nothing else.
    pub fn is_comment(&self) -> bool {
        self.code.trim().is_empty() && !self.comment.is_empty()
    }

    /// Whether the code holds a whole word.
    pub fn has_word(&self, word: &str) -> bool {
        words(&self.code).any(|found| found == word)
    }
}

/// Identifiers and keywords of a piece of code.
pub fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// What the scanner is inside of.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Code,
    LineComment,
    /// Nested this deep.
    BlockComment(u32),
    Text,
    /// Ends with a quote and this many `#`.
    RawText(usize),
}

fn split(text: &str) -> Vec<Line> {
    let mut inside = Inside::Code;
    let mut lines = Vec::new();
    for raw in text.lines() {
        if inside == Inside::LineComment {
            inside = Inside::Code;
        }
        let mut line = Line {
            raw: raw.to_owned(),
            ..Line::default()
        };
        let characters: Vec<char> = raw.chars().collect();
        let mut at = 0;
        while at < characters.len() {
            at += step(&characters[at..], &mut inside, &mut line);
        }
        lines.push(line);
    }
    lines
}

/// Consumes at least one character and says how many.
fn step(rest: &[char], inside: &mut Inside, line: &mut Line) -> usize {
    let next = |offset: usize| rest.get(offset).copied().unwrap_or(' ');
    match *inside {
        Inside::Code => return step_code(rest, inside, line),
        Inside::LineComment => line.comment.push(rest[0]),
        Inside::BlockComment(depth) => match (rest[0], next(1)) {
            ('*', '/') => {
                *inside = if depth == 1 {
                    Inside::Code
                } else {
                    Inside::BlockComment(depth - 1)
                };
                return 2;
            }
            ('/', '*') => {
                *inside = Inside::BlockComment(depth + 1);
                return 2;
            }
            (character, _) => line.comment.push(character),
        },
        Inside::Text if rest[0] == '\\' => return 2,
        Inside::Text if rest[0] == '"' => {
            *inside = Inside::Code;
            line.code.push('"');
        }
        Inside::RawText(hashes)
            if rest[0] == '"' && (1..=hashes).all(|offset| next(offset) == '#') =>
        {
            *inside = Inside::Code;
            line.code.push('"');
            return 1 + hashes;
        }
        Inside::Text | Inside::RawText(_) => line.code.push(' '),
    }
    1
}

fn step_code(rest: &[char], inside: &mut Inside, line: &mut Line) -> usize {
    let next = |offset: usize| rest.get(offset).copied().unwrap_or(' ');
    let after_word = line
        .code
        .ends_with(|c: char| c.is_alphanumeric() || c == '_');
    match (rest[0], next(1)) {
        ('/', '/') => {
            *inside = Inside::LineComment;
            line.comment.push_str("//");
            return 2;
        }
        ('/', '*') => {
            *inside = Inside::BlockComment(1);
            line.comment.push_str("/*");
            return 2;
        }
        ('"', _) => *inside = Inside::Text,
        ('r', '"' | '#') if !after_word || line.code.ends_with(['b', 'c']) => {
            let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
            if next(1 + hashes) == '"' {
                *inside = Inside::RawText(hashes);
                line.code.push('"');
                return 2 + hashes;
            }
        }
        // A character, as opposed to a lifetime.
        ('\'', '\\') => {
            let end = rest
                .iter()
                .skip(3)
                .position(|c| *c == '\'')
                .map_or(rest.len(), |end| end + 4);
            line.code.push_str("' '");
            return end;
        }
        ('\'', _) if next(2) == '\'' => {
            line.code.push_str("' '");
            return 3;
        }
        _ => {}
    }
    line.code.push(rest[0]);
    1
}

/// The line on which the braces opened at or after (`line`, `column`) are closed again, or `None` when a semicolon
/// comes before any brace.
fn end_of_block(lines: &[Line], line: usize, column: usize) -> Option<usize> {
    let (mut braces, mut brackets) = (0_i32, 0_i32);
    for (number, text) in lines.iter().enumerate().skip(line) {
        let skipped = if number == line { column } else { 0 };
        for character in text.code.chars().skip(skipped) {
            match character {
                '(' | '[' => brackets += 1,
                ')' | ']' => brackets -= 1,
                ';' if braces == 0 && brackets == 0 => return None,
                '{' => braces += 1,
                '}' => braces -= 1,
                _ => continue,
            }
            if braces == 0 && character == '}' {
                return Some(number);
            }
        }
    }
    None
}

fn find_functions(lines: &[Line]) -> Vec<Function> {
    let mut functions = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut all = words(&line.code);
        if all.by_ref().any(|word| word == "fn") {
            // A function type `fn(…)` is followed by no name; its next word is a type, and no block follows.
            let Some((column, name)) = line.code.find("fn ").zip(all.next()) else {
                continue;
            };
            let column = line.code[..column].chars().count();
            if let Some(last) = end_of_block(lines, number, column) {
                functions.push(Function {
                    name: name.to_owned(),
                    first: number,
                    last,
                });
            }
        }
    }
    functions
}

/// Marks what `#[test]` or a `#[cfg(… test …)]` stands above, together with the attribute.
fn mark_tests(lines: &mut [Line]) {
    let starts: Vec<usize> = (0..lines.len())
        .filter(|&number| is_test_attribute(&lines[number]))
        .collect();
    for start in starts {
        let last = end_of_block(lines, start + 1, 0).unwrap_or(start + 1);
        lines
            .iter_mut()
            .take(last + 1)
            .skip(start)
            .for_each(|line| line.is_test = true);
    }
}

fn is_test_attribute(line: &Line) -> bool {
    let code = line.code.trim();
    let cfg = code.starts_with("#[cfg(") && line.has_word("test");
    code == "#[test]" || cfg && !code.contains("not(test") && !code.contains("any(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_comments_and_strings_are_told_apart() {
        let source = Source::new(
            "a.rs",
            "let a = \"// no { unsafe\"; // yes\n/* one /* two */\nstill */ let b = '\"';\n",
        );
        assert_eq!(
            source.lines[0].code.trim_end(),
            "let a = \"              \";"
        );
        assert_eq!(source.lines[0].comment, "// yes");
        assert!(source.lines[1].is_comment());
        assert_eq!(source.lines[2].code.trim(), "let b = ' ';");
    }

    #[test]
    fn raw_strings_end_with_their_hashes_and_lifetimes_open_nothing() {
        let source = Source::new(
            "a.rs",
            "let a = r#\"one \" two\n{ three\"#; let b: &'a str = x;\n",
        );
        assert!(!source.lines[1].code.contains('{'));
        assert!(source.lines[1].code.contains("&'a str = x;"));
    }

    #[test]
    fn functions_are_found_with_their_last_line() {
        let text = "trait T {\n    fn none(a: [u8; 3]);\n    fn some() -> fn(u8) {\n        if x { y }\n    }\n}\n";
        let source = Source::new("a.rs", text);
        let found: Vec<_> = source
            .functions
            .iter()
            .map(|f| (f.name.as_str(), f.first, f.last))
            .collect();
        assert_eq!(found, [("some", 2, 4)]);
    }

    #[test]
    fn lines_below_cfg_test_are_marked() {
        let source = Source::new(
            "a.rs",
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n",
        );
        let marked: Vec<bool> = source.lines.iter().map(|line| line.is_test).collect();
        assert_eq!(marked, [false, true, true, true, true, false]);
    }
}
