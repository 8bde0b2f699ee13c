//! Opens the files that consumers write, and refuses those that must not be written: the input, and a file that
//! another consumer writes.
//!
//! A file has many names, and a name that leads nowhere yet may turn out to be another one's. So identities are
//! compared when all files are open, and only then is any of them truncated.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use super::spec::{Spec, Target};

/// Why the outputs cannot be used.
pub enum Refusal {
    /// Writing them would destroy something.
    Conflict(String),
    /// The output of this consumer cannot be opened.
    Unwritable(usize, io::Error),
}

/// What tells a regular file from all others.
type Identity = (u64, u64);

/// Opens the output of each consumer, truncated; `None` for a command, and for a named pipe, which opens when somebody
/// reads it.
pub fn open(specs: &[Spec], input: &File) -> Result<Vec<Option<File>>, Refusal> {
    let mut outputs = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let output = match &spec.target {
            Target::Command(_) => Ok(None),
            Target::File(path) => open_file(path),
            Target::Stdout => stdout().map(Some),
        };
        outputs.push(output.map_err(|error| Refusal::Unwritable(index, error))?);
    }
    check(specs, &outputs, input).map_err(Refusal::Conflict)?;
    for (index, (spec, output)) in specs.iter().zip(&outputs).enumerate() {
        if let (Target::File(_), Some(file)) = (&spec.target, output) {
            truncate(file).map_err(|error| Refusal::Unwritable(index, error))?;
        }
    }
    Ok(outputs)
}

/// Opens the file at `path` as it is, unless it is a named pipe.
fn open_file(path: &Path) -> io::Result<Option<File>> {
    if path.metadata().is_ok_and(|data| data.file_type().is_fifo()) {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    options.open(path).map(Some)
}

fn stdout() -> io::Result<File> {
    let copy = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    Ok(File::from(copy))
}

fn truncate(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    Ok(())
}

/// Compares every regular file with the input and with those before it. Devices and named pipes may be shared.
fn check(specs: &[Spec], outputs: &[Option<File>], input: &File) -> Result<(), String> {
    let input = identity(input);
    let mut known: Vec<(Identity, String)> = Vec::new();
    for (spec, output) in specs.iter().zip(outputs) {
        let Some(file) = output.as_ref().and_then(identity) else {
            continue;
        };
        let shown = match &spec.target {
            Target::Stdout => "standard output".to_string(),
            target => target.to_string(),
        };
        if Some(file) == input {
            return Err(format!("{shown} is the input; writing it would destroy it"));
        }
        if let Some((_, other)) = known.iter().find(|(other, _)| *other == file) {
            return Err(format!(
                "two consumers would write the one file {shown} ({other})"
            ));
        }
        known.push((file, shown));
    }
    Ok(())
}

fn identity(file: &File) -> Option<Identity> {
    let regular = |data: Metadata| data.is_file().then(|| (data.dev(), data.ino()));
    file.metadata().ok().and_then(regular)
}
