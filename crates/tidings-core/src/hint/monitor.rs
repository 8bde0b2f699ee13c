//! Waiting for a write to a word, by the instructions that processors have for that.
//!
//! ```text
//! Wait      M1 arm: the processor watches the word's line   M2 look whether it is still worth to wait   M3 wait: ends with a
//!           write to the line, an interrupt, or after a bound
//! I1        a write between M1 and M3 ends M3 at once, so none is missed that M2 did not see
//! I2        nothing depends on M3: whoever waited looks again, and a wait that ends early or late costs time only
//! ```
//!
//! | processor | M1, M3 | found by | bound |
//! |---|---|---|---|
//! | x86-64 with WAITPKG | UMONITOR, UMWAIT (C0.1: quick to return) | CPUID 7, ECX bit 5 | [`TICKS`], or the system's own |
//! | x86-64 with MONITORX | MONITORX, MWAITX with a timer | CPUID 8000_0001, ECX bit 29 | [`TICKS`] |
//! | AArch64, Linux | LDAXR, WFE: the exclusive monitor, whose loss is an event | HWCAP_EVTSTRM | the kernel's event stream, of the order of 100 µs |
//!
//! TPAUSE is not among them: it watches nothing. Nor is WFE without a load-exclusive, which waits for the event stream alone; nor
//! WFE without an event stream, which nothing bounds. A process that has forbidden itself the time-stamp counter (`prctl`,
//! PR_SET_TSC) cannot execute UMWAIT either. Absent under Miri, loom and shuttle, and without `std`, where nobody waits as a thread.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2; AMD64 Architecture Programmer's Manual, volume 3;
//! Arm Architecture Reference Manual, "Wait for Event".

#![allow(unsafe_code, reason = "assembly")]

use crate::sync::atomic::AtomicU64;

/// The bound of a wait on x86-64, in ticks of the time-stamp counter: some microseconds.
pub const TICKS: u32 = 20_000;

/// Whether this processor can watch a word. The first call asks it.
#[inline]
#[must_use]
pub fn is_there() -> bool {
    imp::is_there()
}

/// M1 to M3, unless `goes_on` says no. Without the instructions it is `goes_on` alone.
#[inline]
pub fn wait(word: &AtomicU64, goes_on: impl FnOnce() -> bool) {
    imp::wait(core::ptr::from_ref(word).cast(), goes_on);
}

#[cfg(all(feature = "std", target_arch = "x86_64", not(any(miri, loom, shuttle))))]
mod imp {
    use super::TICKS;
    use core::arch::{asm, x86_64::__cpuid_count};
    use std::sync::OnceLock;

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Kind {
        None,
        Umwait,
        Mwaitx,
    }

    fn kind() -> Kind {
        static KIND: OnceLock<Kind> = OnceLock::new();
        *KIND.get_or_init(ask)
    }

    fn ask() -> Kind {
        const WAITPKG: u32 = 1 << 5;
        const MONITORX: u32 = 1 << 29;
        #[allow(unused_unsafe, reason = "a safe function in later compilers")]
        // SAFETY: every x86-64 processor has the instruction; a leaf that it has not reads as 0 or is not asked for.
        let leaf = |leaf, part| unsafe { __cpuid_count(leaf, part) };
        if leaf(0, 0).eax >= 7 && leaf(7, 0).ecx & WAITPKG != 0 {
            return Kind::Umwait;
        }
        if leaf(0x8000_0000, 0).eax >= 0x8000_0001 && leaf(0x8000_0001, 0).ecx & MONITORX != 0 {
            return Kind::Mwaitx;
        }
        Kind::None
    }

    pub(super) fn is_there() -> bool {
        kind() != Kind::None
    }

    #[inline]
    pub(super) fn wait(word: *const u8, goes_on: impl FnOnce() -> bool) {
        match kind() {
            Kind::None => {
                goes_on();
            }
            Kind::Umwait => {
                // SAFETY: the processor has it; it watches the line of a word that the caller borrows, and changes nothing.
                unsafe {
                    asm!("umonitor {word}", word = in(reg) word, options(nostack, preserves_flags));
                }
                if goes_on() {
                    umwait();
                }
            }
            Kind::Mwaitx => {
                // SAFETY: as above; no extensions, no hints.
                unsafe {
                    asm!("monitorx", in("rax") word, in("ecx") 0, in("edx") 0, options(nostack, preserves_flags));
                }
                if goes_on() {
                    mwaitx();
                }
            }
        }
    }

    #[cold]
    fn umwait() {
        // SAFETY: every x86-64 processor has it.
        let until = unsafe { core::arch::x86_64::_rdtsc() }.wrapping_add(u64::from(TICKS));
        // SAFETY: the processor has it; bit 0 of the control word asks for the lighter state. It changes flags only.
        unsafe {
            asm!(
                "umwait {control:e}",
                control = in(reg) 1,
                in("eax") until as u32,
                in("edx") (until >> 32) as u32,
                options(nostack),
            );
        }
    }

    #[cold]
    fn mwaitx() {
        // SAFETY: the processor has it. EAX asks for the lightest state, ECX bit 1 says that EBX is a bound; RBX is the
        // compiler's, so it is lent for a moment.
        unsafe {
            asm!(
                "xchg rbx, {ticks}",
                "mwaitx",
                "mov rbx, {ticks}",
                ticks = inout(reg) u64::from(TICKS) => _,
                in("eax") 0xf0,
                in("ecx") 2,
                options(nostack, preserves_flags),
            );
        }
    }
}

#[cfg(all(
    feature = "std",
    target_arch = "aarch64",
    target_os = "linux",
    not(any(miri, loom, shuttle))
))]
mod imp {
    use core::arch::asm;
    use std::sync::OnceLock;

    pub(super) fn is_there() -> bool {
        const EVTSTRM: usize = 1 << 2;
        static STREAM: OnceLock<bool> = OnceLock::new();
        *STREAM.get_or_init(|| rustix::param::linux_hwcap().0 & EVTSTRM != 0)
    }

    #[inline]
    pub(super) fn wait(word: *const u8, goes_on: impl FnOnce() -> bool) {
        if !is_there() {
            goes_on();
            return;
        }
        // SAFETY: a load of a word that the caller borrows; it is aligned as the instruction wants it.
        unsafe {
            asm!("ldaxr {seen}, [{word}]", seen = out(reg) _, word = in(reg) word, options(nostack, preserves_flags));
        }
        if goes_on() {
            // SAFETY: it waits for an event, and changes nothing.
            unsafe { asm!("wfe", options(nomem, nostack, preserves_flags)) };
        }
    }
}

#[cfg(not(all(
    feature = "std",
    any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_os = "linux")
    ),
    not(any(miri, loom, shuttle))
)))]
mod imp {
    pub(super) fn is_there() -> bool {
        false
    }

    #[inline]
    pub(super) fn wait(_word: *const u8, goes_on: impl FnOnce() -> bool) {
        goes_on();
    }
}
