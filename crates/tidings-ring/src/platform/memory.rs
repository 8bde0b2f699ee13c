//! What is wanted of the memory under the slots, and what was had.

use super::PlatformError;
use core::fmt;

/// What the memory of a ring's slots should be like; see [`Builder::memory`](crate::Builder::memory).
///
/// Each wish is for itself: one that is not met keeps nobody from having the others, and [`MemoryReport`] says which were.
///
/// # Examples
/// ```
/// use tidings_ring::{Builder, platform::{HugePages, Memory}};
/// let memory = Memory::new().huge_pages(HugePages::Transparent).prefault();
/// let (publisher, _subscribable) = Builder::new(1 << 16).memory(memory).lossy::<u64>()?;
/// println!("{}", publisher.memory().expect("it was asked for"));
/// # Ok::<(), tidings_ring::BuildError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    pub(crate) huge: Option<HugePages>,
    pub(crate) node: Option<u32>,
    pub(crate) lock: bool,
    pub(crate) prefault: bool,
}

/// Pages that are larger than usual, so that a large ring needs fewer entries of the processor's address cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HugePages {
    /// From the pool that the administrator has set aside (`vm.nr_hugepages`); if that has none left, transparent ones are
    /// asked for instead.
    Explicit,
    /// Whatever the system can put together.
    Transparent,
}

impl Memory {
    /// No wish but that the memory is a mapping of its own.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            huge: None,
            node: None,
            lock: false,
            prefault: false,
        }
    }

    /// On huge pages.
    #[must_use]
    pub const fn huge_pages(mut self, pages: HugePages) -> Self {
        self.huge = Some(pages);
        self
    }

    /// From this NUMA node only.
    #[must_use]
    pub const fn numa_node(mut self, node: u32) -> Self {
        self.node = Some(node);
        self
    }

    /// Never written out to disk (`mlock`).
    #[must_use]
    pub const fn lock(mut self) -> Self {
        self.lock = true;
        self
    }

    /// There before the first message, not when it comes.
    #[must_use]
    pub const fn prefault(mut self) -> Self {
        self.prefault = true;
        self
    }
}

/// What came of a wish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It was not asked for.
    NotAsked,
    /// It is so.
    Achieved,
    /// The system was told, and may do it when the memory is used: transparent huge pages that are not prefaulted.
    Advised,
    /// It is not so.
    Failed(PlatformError),
}

impl Outcome {
    /// Of a request that was made.
    pub(crate) fn of(result: Result<(), PlatformError>) -> Self {
        match result {
            Ok(()) => Self::Achieved,
            Err(error) => Self::Failed(error),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => f.write_str("not asked for"),
            Self::Achieved => f.write_str("yes"),
            Self::Advised => f.write_str("advised"),
            Self::Failed(error) => write!(f, "no: {error}"),
        }
    }
}

/// What the memory of a ring's slots is like, wish by wish, when the ring was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MemoryReport {
    /// Bytes of the mapping.
    pub bytes: usize,
    /// Whether it lies on huge pages from the pool.
    pub explicit_huge_pages: Outcome,
    /// Whether it lies on transparent huge pages, at least in part. Asked for also where the pool had none.
    pub transparent_huge_pages: Outcome,
    /// Whether it comes from the NUMA node.
    pub numa_node: Outcome,
    /// Whether it is locked.
    pub lock: Outcome,
    /// Whether it is all there.
    pub prefault: Outcome,
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            bytes,
            explicit_huge_pages,
            transparent_huge_pages,
            numa_node,
            lock,
            prefault,
        } = self;
        writeln!(f, "bytes: {bytes}")?;
        writeln!(f, "explicit huge pages: {explicit_huge_pages}")?;
        writeln!(f, "transparent huge pages: {transparent_huge_pages}")?;
        writeln!(f, "NUMA node: {numa_node}")?;
        writeln!(f, "locked: {lock}")?;
        write!(f, "prefaulted: {prefault}")
    }
}
