//! Debian packages: what a stage needs beyond cargo, installed where that is possible.

use std::path::Path;
use std::sync::Once;

use crate::shell::{Failure, Outcome, Step};

/// Installs the packages that are missing. Where this machine cannot have them, gives the skip that says so.
///
/// Only root on a machine with `apt-get` installs anything.
pub fn ensure(packages: &[&str]) -> Result<Option<Outcome>, Failure> {
    let missing: Vec<&str> = packages
        .iter()
        .copied()
        .filter(|name| !is_installed(name))
        .collect();
    if missing.is_empty() {
        return Ok(None);
    }
    if !can_install() {
        let list = missing.join(" ");
        let reason = format!("needs the Debian packages {list}, installed by root with apt-get");
        return Ok(Some(Outcome::Skipped(reason)));
    }
    update()?;
    Step::new("apt-get install -y -qq --no-install-recommends")
        .args(missing)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .run()?;
    Ok(None)
}

/// Whether this process may install packages here.
pub fn can_install() -> bool {
    let root = Step::new("id -u")
        .captured()
        .is_ok_and(|(_, user)| user.trim() == "0");
    root && Path::new("/usr/bin/apt-get").exists()
}

/// Fetches the package lists, once a process.
pub fn update() -> Result<(), Failure> {
    static UPDATED: Once = Once::new();
    let mut result = Ok(());
    UPDATED.call_once(|| result = Step::new("apt-get update -qq").run());
    result
}

fn is_installed(package: &str) -> bool {
    let query = Step::new("dpkg-query --show")
        .arg("--showformat=${Status}")
        .arg(package)
        .captured();
    query.is_ok_and(|(found, status)| found && status.trim() == "install ok installed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_nobody_has_is_not_installed() {
        assert!(!is_installed("tidings-no-such-package"));
    }
}
