//! Where things are: the checkout, its packages, the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages that the model checks, sanitizers and portability checks are about.
pub const CONCURRENT: &[&str] = &["tidings-core", "tidings-oneshot", "tidings-ring"];

/// Packages that a user may put into a program of any kind: no standard library, oldest compiler.
pub const LIBRARIES: &[&str] = &[
    "tidings-core",
    "tidings-oneshot",
    "tidings-ring",
    "tidings-macros",
    "tidings",
];

/// The target triple of this machine, as far as the stages that need one care.
pub const HOST: &str = "x86_64-unknown-linux-gnu";

/// The checkout this program was built from.
pub struct Project {
    pub root: PathBuf,
}

impl Project {
    pub fn here() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("xtask lies in the workspace");
        Project {
            root: root.to_owned(),
        }
    }

    /// The folder of a package of this workspace.
    pub fn package(&self, name: &str) -> PathBuf {
        self.root.join("crates").join(name)
    }

    /// The target folder of a stage that builds with flags of its own, so that builds do not evict each other.
    pub fn target(&self, stage: &str) -> PathBuf {
        let base =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        self.root.join(base).join(stage)
    }

    /// Names of the test files of a package, without `.rs`, sorted.
    pub fn tests(&self, package: &str) -> Vec<String> {
        self.sources(package, "tests")
    }

    /// Names of the examples of a package, without `.rs`, sorted.
    pub fn examples(&self, package: &str) -> Vec<String> {
        self.sources(package, "examples")
    }

    fn sources(&self, package: &str, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.package(package).join(folder)) else {
            return Vec::new();
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut names: Vec<String> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        names.sort();
        names
    }

    /// Every file that git tracks or would track, relative to the root.
    pub fn files(&self) -> Vec<PathBuf> {
        let list = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .current_dir(&self.root)
            .output()
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default();
        list.lines()
            .map(PathBuf::from)
            .filter(|path| self.root.join(path).is_file())
            .collect()
    }
}

/// `-p A -p B …` for a cargo command line.
pub fn select(packages: &[&str]) -> Vec<String> {
    packages
        .iter()
        .flat_map(|name| ["-p".to_owned(), (*name).to_owned()])
        .collect()
}
