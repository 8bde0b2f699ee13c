//! What a file imports from its own crate: every path that begins with `crate`, `super`, `self` or a module of its own.
//!
//! A scanner, like `source.rs`. It knows files, modules in a file, groups, and names that a module hands on; it knows no
//! globs (they lead to the module itself) and no modules that `#[path]` puts elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// A module as its names from the root of the crate.
type Path = Vec<String>;

/// One mention of a path.
struct Mention {
    /// The module in which it stands, modules inside of the file included.
    scope: Path,
    /// Its segments as written.
    segments: Path,
    /// Counted from 1.
    line: usize,
    kind: Kind,
}

#[derive(Clone, PartialEq)]
enum Kind {
    /// In an expression, a type, an attribute.
    Plain,
    /// By `use`, under this name.
    Use(String),
    /// By `pub use`, under this name.
    Reexport(String),
}

/// The files of one crate and who imports whom.
pub struct Imports {
    /// Module and path of each file.
    files: BTreeMap<Path, String>,
    /// From file to file, with the line of the first import.
    pub edges: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Imports {
    /// `sources` are those below the `src` of one crate.
    pub fn new(sources: &[&Source]) -> Self {
        let files: BTreeMap<Path, String> = sources
            .iter()
            .map(|source| (module_of(&source.path), source.path.clone()))
            .collect();
        let mentions: Vec<(&str, Vec<Mention>)> = sources
            .iter()
            .map(|source| (source.path.as_str(), mentions(source)))
            .collect();
        let mut names = BTreeMap::new();
        for mention in mentions.iter().flat_map(|(_, mentions)| mentions) {
            if let Kind::Use(name) | Kind::Reexport(name) = &mention.kind {
                names.insert((mention.scope.clone(), name.clone()), mention);
            }
        }
        let crate_ = Crate { files, names };
        let mut edges: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for (file, mentions) in &mentions {
            for mention in mentions {
                let Some(target) = crate_.file_behind(mention, 8) else {
                    continue;
                };
                let own_child = target.starts_with(&folder_of(file));
                let hands_on = matches!(mention.kind, Kind::Reexport(_)) && own_child;
                if target != *file && !hands_on {
                    let targets = edges.entry((*file).to_owned()).or_default();
                    targets.entry(target).or_insert(mention.line);
                }
            }
        }
        Imports {
            files: crate_.files,
            edges,
        }
    }

    /// The paths of all files, in order.
    pub fn files(&self) -> BTreeSet<&str> {
        self.files.values().map(String::as_str).collect()
    }
}

/// The module of a file: `crates/x/src/a/b.rs` is `a::b`, `lib.rs` and `main.rs` are the root.
fn module_of(path: &str) -> Path {
    let inner = path.split_once("/src/").map_or(path, |(_, inner)| inner);
    match inner.trim_end_matches(".rs") {
        "lib" | "main" => Vec::new(),
        inner => inner.split('/').map(str::to_owned).collect(),
    }
}

/// What the paths of a file's children begin with.
fn folder_of(path: &str) -> String {
    let stem = path.trim_end_matches(".rs");
    let root = stem.strip_suffix("/lib").or(stem.strip_suffix("/main"));
    format!("{}/", root.unwrap_or(stem))
}

/// Files, and the names that their `use` lines bring into a module.
struct Crate<'a> {
    files: BTreeMap<Path, String>,
    names: BTreeMap<(Path, String), &'a Mention>,
}

impl Crate<'_> {
    /// The file in which that stands to which a mention leads, if it is one of this crate.
    fn file_behind(&self, mention: &Mention, patience: u32) -> Option<String> {
        let (mut at, rest) = self.start(mention)?;
        for segment in rest {
            let next = [at.as_slice(), std::slice::from_ref(segment)].concat();
            if self.files.keys().any(|module| module.starts_with(&next)) {
                at = next;
                continue;
            }
            // Followed one name further: the parent of a sibling that hands the name on is not who is imported.
            let handed_on = self.names.get(&(at.clone(), segment.clone()));
            let further = handed_on.filter(|_| patience > 0);
            if let Some(file) = further.and_then(|name| self.file_behind(name, patience - 1)) {
                return Some(file);
            }
            break;
        }
        while !self.files.contains_key(&at) {
            at.pop()?;
        }
        self.files.get(&at).cloned()
    }

    /// The module where a mention begins, and the segments to follow from there.
    fn start<'m>(&self, mention: &'m Mention) -> Option<(Path, &'m [String])> {
        let mut at = mention.scope.clone();
        let mut rest = mention.segments.as_slice();
        match rest.first()?.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                while rest.get(1).is_some_and(|next| next == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
                at.pop()?;
            }
            // A module of its own; anything else is a crate, a type, or a name that a `use` has brought.
            own => {
                at.push(own.to_owned());
                if !self.files.contains_key(&at) {
                    return None;
                }
            }
        }
        Some((at, &rest[1..]))
    }
}

/// A word or a sign, with its line.
struct Token<'a> {
    text: &'a str,
    line: usize,
}

fn tokens(source: &Source) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    for (number, line) in source.lines.iter().enumerate() {
        let mut rest = if line.is_test { "" } else { line.code.trim() };
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                _ if rest.starts_with("::") => 2,
                c => c.len_utf8(),
            };
            let (text, after) = rest.split_at(length);
            found.push(Token {
                text,
                line: number + 1,
            });
            rest = after.trim_start();
        }
    }
    found
}

/// Every path that a file mentions outside its tests.
fn mentions(source: &Source) -> Vec<Mention> {
    let mut reader = Reader {
        tokens: tokens(source),
        at: 0,
        scope: module_of(&source.path),
        depth: 0,
        opened: Vec::new(),
        found: Vec::new(),
    };
    while reader.at < reader.tokens.len() {
        reader.step();
        reader.at += 1;
    }
    reader.found
}

/// Goes through the tokens of a file once.
struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    scope: Path,
    /// Braces that are open.
    depth: usize,
    /// How many were, where each module inside of the file was opened.
    opened: Vec<usize>,
    found: Vec<Mention>,
}

impl<'a> Reader<'a> {
    /// The token so many places further, or nothing.
    fn next(&self, offset: usize) -> &'a str {
        let token = self.tokens.get(self.at + offset);
        token.map_or("", |token| token.text)
    }

    /// Stands on the first token of something, and leaves on its last.
    fn step(&mut self) {
        match self.next(0) {
            "pub" => self.visible(),
            "use" => self.import(false),
            "mod" if self.next(2) == "{" => {
                self.scope.push(self.next(1).to_owned());
                self.opened.push(self.depth);
                self.depth += 1;
                self.at += 2;
            }
            "{" => self.depth += 1,
            "}" => {
                self.depth = self.depth.saturating_sub(1);
                if self.opened.last() == Some(&self.depth) {
                    self.opened.pop();
                    self.scope.pop();
                }
            }
            word if self.next(1) == "::" && word != "::" => self.path(),
            _ => {}
        }
    }

    /// `pub`, whose `(in …)` is no import, and `pub use`.
    fn visible(&mut self) {
        if self.next(1) == "(" {
            while !matches!(self.next(0), ")" | "") {
                self.at += 1;
            }
        }
        if self.next(1) == "use" {
            self.at += 1;
            self.import(true);
        }
    }

    fn import(&mut self, is_public: bool) {
        let start = self.at + 1;
        while !matches!(self.next(0), ";" | "") {
            self.at += 1;
        }
        let line = self.tokens[start - 1].line;
        let (scope, found) = (&self.scope, &mut self.found);
        tree(&self.tokens[start..self.at], &[], &mut |segments, name| {
            let kind = if is_public { Kind::Reexport } else { Kind::Use };
            found.push(Mention {
                scope: scope.clone(),
                segments,
                line,
                kind: kind(name),
            });
        });
    }

    fn path(&mut self) {
        let line = self.tokens[self.at].line;
        let mut segments = vec![self.next(0).to_owned()];
        while self.next(1) == "::" && self.next(2).starts_with(char::is_alphabetic) {
            segments.push(self.next(2).to_owned());
            self.at += 2;
        }
        self.found.push(Mention {
            scope: self.scope.clone(),
            segments,
            line,
            kind: Kind::Plain,
        });
    }
}

/// Hands every path of a `use` tree to `take`, with the name under which it comes.
fn tree(tokens: &[Token<'_>], before: &[String], take: &mut impl FnMut(Path, String)) {
    let mut path = before.to_vec();
    let mut name = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "{" => {
                for branch in branches(&tokens[at..]) {
                    tree(branch, &path, take);
                }
                return;
            }
            "as" => {
                name = tokens.get(at + 1).map(|token| token.text.to_owned());
                break;
            }
            "::" | "*" => {}
            // `{self, …}`: the module itself.
            "self" if !path.is_empty() => {}
            word => path.push(word.to_owned()),
        }
        at += 1;
    }
    let name = name.or_else(|| path.last().cloned());
    if let Some(name) = name {
        take(path, name);
    }
}

/// What stands between the commas of a group that opens with the first token.
fn branches<'a, 'b>(group: &'b [Token<'a>]) -> Vec<&'b [Token<'a>]> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 1);
    for (end, token) in group.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if token.text == "," && depth == 1 || depth == 0 {
            found.push(&group[start.min(end)..end]);
            start = end + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The imports of `crates/x/src/a.rs` in a crate that also has b, a/c, a/d and a root.
    fn imports_of_a(text: &str) -> Vec<String> {
        let texts = [
            ("lib", "mod a; mod b; pub use b::Bee;\n"),
            ("a", text),
            ("b", "pub struct Bee;\n"),
            ("a/c", "pub struct Sea;\n"),
            ("a/d", ""),
        ];
        let sources: Vec<Source> = texts
            .iter()
            .map(|(name, text)| Source::new(&format!("crates/x/src/{name}.rs"), text))
            .collect();
        let imports = Imports::new(&sources.iter().collect::<Vec<_>>());
        let of_a = imports.edges.get("crates/x/src/a.rs");
        of_a.into_iter()
            .flat_map(BTreeMap::keys)
            .map(|file| file.trim_start_matches("crates/x/src/").to_owned())
            .collect()
    }

    #[test]
    fn paths_of_every_form_are_imports() {
        assert_eq!(imports_of_a("use crate::b::Bee;\n"), ["b.rs"]);
        assert_eq!(
            imports_of_a("use super::{b::{self, Bee}, a::c::Sea as S};\n"),
            ["a/c.rs", "b.rs"]
        );
        assert_eq!(imports_of_a("fn f() { crate::b::go::<u8>() }\n"), ["b.rs"]);
        assert_eq!(
            imports_of_a("use c::Sea;\nfn f() { d::go() }\n"),
            ["a/c.rs", "a/d.rs"]
        );
        assert_eq!(imports_of_a("mod m { use super::super::b; }\n"), ["b.rs"]);
    }

    #[test]
    fn a_name_handed_on_leads_to_where_it_comes_from() {
        assert_eq!(imports_of_a("use crate::Bee;\n"), ["b.rs"]);
        assert_eq!(imports_of_a("use crate::Other;\n"), ["lib.rs"]);
    }

    #[test]
    fn declaring_and_handing_on_a_child_is_no_import() {
        for text in [
            "mod c;\n",
            "pub use c::Sea;\n",
            "pub(in crate::b) use c::Sea;\n",
            "use std::fmt;\n",
            "use other::b::Bee;\n",
            "mod m { use super::Own; }\n",
            "// crate::b::Bee\n",
            "pub(in crate::b) fn f() {}\n",
            "#[cfg(test)]\nmod tests {\n    use crate::b::Bee;\n}\n",
        ] {
            assert!(imports_of_a(text).is_empty(), "{text}");
        }
    }
}
