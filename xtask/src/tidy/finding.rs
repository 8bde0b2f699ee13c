//! What a rule reports.

use std::fmt;

/// A place that breaks a rule, or comes close.
#[derive(Debug)]
pub struct Finding {
    file: String,
    /// Counted from 1; 0 when the file as a whole is meant.
    line: usize,
    message: String,
    pub is_warning: bool,
}

impl Finding {
    pub fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Finding {
            file: file.to_owned(),
            line,
            message: message.into(),
            is_warning: false,
        }
    }

    pub fn warning(self) -> Self {
        Finding {
            is_warning: true,
            ..self
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_warning { "warning" } else { "error" };
        let line = if self.line == 0 {
            String::new()
        } else {
            format!(":{}", self.line)
        };
        write!(f, "{kind}: {}{line}: {}", self.file, self.message)
    }
}
