//! Linux: affinity, and mappings with what they are asked to be.
//!
//! ```text
//! I1  a mapping is `bytes` long from `start`, readable and writable, zeroed, and nobody else's until it is dropped
//! ```

#![allow(unsafe_code)] // system calls on memory

use crate::platform::{HugePages, Memory, MemoryReport, Outcome, PlatformError};
use core::ptr::{self, NonNull};
use rustix::{
    io::Errno,
    mm::{Advice, MapFlags, ProtFlags, madvise, mlock, mmap_anonymous, munmap},
    thread::{CpuSet, sched_getaffinity, sched_setaffinity},
};
use std::{fs, string::String, vec::Vec};

/// The size of most huge pages, in bytes: what mappings that want some are rounded to.
const HUGE: usize = 2 << 20;
/// A number that divides every page's size.
const PAGE: usize = 4096;

impl From<Errno> for PlatformError {
    fn from(errno: Errno) -> Self {
        Self::Os(errno.raw_os_error())
    }
}

pub(crate) fn affinity() -> Result<Vec<usize>, PlatformError> {
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU)
        .filter(|&core| set.is_set(core))
        .collect())
}

pub(crate) fn set_affinity(core: usize) -> Result<(), PlatformError> {
    if core >= CpuSet::MAX_CPU {
        return Err(Errno::INVAL.into());
    }
    let mut set = CpuSet::new();
    set.set(core);
    Ok(sched_setaffinity(None, &set)?)
}

/// Memory of its own, given back when it is dropped.
pub(crate) struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: by I1 it owns its memory, as a box does.
unsafe impl Send for Mapping {}
// SAFETY: as above; what lies in it is for its user to say.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// At least `bytes` of memory, as far as possible as `memory` wants it; `None` when there is no memory.
    pub(crate) fn new(bytes: usize, memory: &Memory) -> Option<(Self, MemoryReport)> {
        let unit = if memory.huge.is_some() { HUGE } else { PAGE };
        let bytes = bytes.checked_next_multiple_of(unit)?;
        let (mapping, explicit) = Self::map(bytes, memory)?;
        let mut report = MemoryReport {
            bytes,
            explicit_huge_pages: explicit,
            transparent_huge_pages: Outcome::NotAsked,
            numa_node: Outcome::NotAsked,
            lock: Outcome::NotAsked,
            prefault: Outcome::NotAsked,
        };
        // In this order: where pages come from, before they come.
        if memory.huge.is_some() && explicit != Outcome::Achieved {
            let told = mapping.advise(Advice::LinuxHugepage);
            report.transparent_huge_pages = match told {
                Ok(()) => Outcome::Advised,
                Err(error) => Outcome::Failed(error),
            };
        }
        if let Some(node) = memory.node {
            report.numa_node = Outcome::of(mapping.bind(node));
        }
        if memory.prefault {
            report.prefault = Outcome::of(mapping.populate());
        }
        if memory.lock {
            report.lock = Outcome::of(mapping.lock());
        }
        if report.transparent_huge_pages == Outcome::Advised && mapping.huge_bytes() > 0 {
            report.transparent_huge_pages = Outcome::Achieved;
        }
        Some((mapping, report))
    }

    /// The mapping, and what came of the wish for huge pages of the pool.
    fn map(bytes: usize, memory: &Memory) -> Option<(Self, Outcome)> {
        let mut explicit = Outcome::NotAsked;
        if memory.huge == Some(HugePages::Explicit) {
            match Self::map_with(bytes, MapFlags::HUGETLB) {
                Ok(mapping) => return Some((mapping, Outcome::Achieved)),
                Err(error) => explicit = Outcome::Failed(error),
            }
        }
        let mapping = Self::map_with(bytes, MapFlags::empty()).ok()?;
        Some((mapping, explicit))
    }

    fn map_with(bytes: usize, flags: MapFlags) -> Result<Self, PlatformError> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping, at an address of the system's choice.
        let start =
            unsafe { mmap_anonymous(ptr::null_mut(), bytes, access, MapFlags::PRIVATE | flags)? };
        let start = NonNull::new(start.cast()).ok_or(Errno::NOMEM)?;
        Ok(Self { start, bytes })
    }

    pub(crate) fn start(&self) -> NonNull<u8> {
        self.start
    }

    fn advise(&self, advice: Advice) -> Result<(), PlatformError> {
        // SAFETY: by I1; these advices change no content.
        unsafe { madvise(self.start.as_ptr().cast(), self.bytes, advice)? };
        Ok(())
    }

    fn lock(&self) -> Result<(), PlatformError> {
        // SAFETY: by I1.
        unsafe { mlock(self.start.as_ptr().cast(), self.bytes)? };
        Ok(())
    }

    /// Has every page there, writable.
    fn populate(&self) -> Result<(), PlatformError> {
        if self.advise(Advice::LinuxPopulateWrite).is_ok() {
            return Ok(());
        }
        // A system that is too old for that: touch each page.
        for offset in (0..self.bytes).step_by(PAGE) {
            // SAFETY: by I1 it is inside the mapping.
            let byte = unsafe { self.start.add(offset) };
            // SAFETY: by I1; the memory is zeroed, and so it stays.
            unsafe { byte.write_volatile(0) };
        }
        Ok(())
    }

    /// Has pages come from one NUMA node only.
    fn bind(&self, node: u32) -> Result<(), PlatformError> {
        const BITS: u32 = usize::BITS;
        if node >= BITS {
            return Err(Errno::INVAL.into());
        }
        let nodes: usize = 1 << node;
        // SAFETY: the mask is one word, of which the system is told; by I1 the range is ours.
        let result = unsafe {
            libc::syscall(
                libc::SYS_mbind,
                self.start.as_ptr(),
                self.bytes,
                libc::MPOL_BIND,
                &raw const nodes,
                // One more than there are, as the call counts.
                usize::try_from(BITS).unwrap_or(usize::MAX) + 1,
                0_usize,
            )
        };
        if result == 0 {
            Ok(())
        } else {
            let errno = std::io::Error::last_os_error().raw_os_error();
            Err(PlatformError::Os(errno.unwrap_or_default()))
        }
    }

    /// Bytes that lie on transparent huge pages by now, as the system tells; 0 when it does not.
    fn huge_bytes(&self) -> usize {
        fs::read_to_string("/proc/self/smaps")
            .ok()
            .and_then(|maps| huge_bytes_at(&maps, self.start.addr().get()))
            .unwrap_or(0)
    }
}

/// The entry `AnonHugePages` of the mapping in which the address lies.
fn huge_bytes_at(maps: &str, address: usize) -> Option<usize> {
    let range = |line: &str| -> Option<(usize, usize)> {
        let (from, rest) = line.split_once('-')?;
        let (to, _) = rest.split_once(' ')?;
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        Some((number(from)?, number(to)?))
    };
    let mut lines = maps
        .lines()
        .skip_while(|line| !range(line).is_some_and(|(from, to)| (from..to).contains(&address)));
    let entry = lines.find_map(|line| line.strip_prefix("AnonHugePages:"))?;
    let kilobytes: String = entry.chars().filter(char::is_ascii_digit).collect();
    Some(kilobytes.parse::<usize>().ok()? * 1024)
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: by I1 nobody uses it any more.
        let unmapped = unsafe { munmap(self.start.as_ptr().cast(), self.bytes) };
        debug_assert!(unmapped.is_ok(), "it was mapped by `map_with`");
    }
}

#[cfg(test)]
mod tests {
    use super::huge_bytes_at;

    #[test]
    fn the_entry_of_the_right_mapping_is_read() {
        let maps = "1000-3000 rw-p 0 0 0\nAnonHugePages:  0 kB\n4000-8000 rw-p 0 0 0\nSize: 16 kB\nAnonHugePages:  2048 kB\n";
        assert_eq!(huge_bytes_at(maps, 0x2fff), Some(0));
        assert_eq!(huge_bytes_at(maps, 0x4000), Some(2048 * 1024));
        assert_eq!(huge_bytes_at(maps, 0x9000), None);
    }
}
