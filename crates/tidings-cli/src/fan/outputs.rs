//! Files that must not be written: the input, and one that another consumer writes.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::spec::{Spec, Target};

/// A file that is written or read already: its path, and its identity where it exists.
type Known<'a> = (&'a Path, Option<(u64, u64)>);

/// Refuses to truncate the input, or to write two consumers into one file.
pub fn check(specs: &[Spec], input: &File) -> Result<(), String> {
    let input = input.metadata().ok().and_then(identity);
    let mut known: Vec<Known<'_>> = Vec::new();
    for spec in specs {
        let Target::File(path) = &spec.target else {
            continue;
        };
        let shown = path.display();
        let metadata = path.metadata().ok();
        let exists = metadata.is_some();
        let file = metadata.and_then(identity);
        if file.is_some() && file == input {
            return Err(format!("{shown} is the input; writing it would destroy it"));
        }
        // Devices and named pipes may be shared.
        if exists && file.is_none() {
            continue;
        }
        let same = |other: &&Known<'_>| other.0 == path || file.is_some() && other.1 == file;
        if let Some((other, _)) = known.iter().find(same) {
            return Err(format!(
                "two consumers would write the one file {shown} ({})",
                other.display()
            ));
        }
        known.push((path, file));
    }
    Ok(())
}

/// What tells a regular file from all others.
fn identity(metadata: Metadata) -> Option<(u64, u64)> {
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}
