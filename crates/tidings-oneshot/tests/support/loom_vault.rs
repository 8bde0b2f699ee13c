//! Values and the memory of their channels, in a model: whatever is left, given back twice, or used afterwards, fails.
//!
//! What a model frees is filled with nonsense and kept until the execution ends, so that every later use of it fails. A
//! channel's memory is told from other memory by the alignment of its value.
#![allow(unsafe_code, reason = "an allocator, and cells of the checker's")]
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use loom::cell::UnsafeCell;
use loom::model::Builder as Model;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use tidings_core::wait::Latch;

/// Nothing else is aligned like this.
const ALIGNMENT: usize = 256;
/// What freed memory is filled with: no number that the checker knows an object by.
const NONSENSE: u8 = 0xA5;

// All coroutines of a model are one thread of the operating system.
thread_local! {
    static IN_EXECUTION: Cell<bool> = const { Cell::new(false) };
    /// Channels whose memory was not freed yet.
    static CHANNELS: Cell<isize> = const { Cell::new(0) };
    /// Values that were not dropped yet.
    static VALUES: Cell<isize> = const { Cell::new(0) };
    /// The block that was freed last, which leads to the one before.
    static FREED: Cell<*mut Block> = const { Cell::new(ptr::null_mut()) };
    /// Is read by who uses a channel, and written to when its memory is freed.
    static USE: RefCell<Option<std::rc::Rc<UnsafeCell<()>>>> = const { RefCell::new(None) };
}

/// A block that is kept.
struct Block {
    before: *mut Self,
    start: *mut u8,
    layout: Layout,
}

/// Explores the model, and sees after each execution that nothing is left.
pub fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(move || {
        USE.set(Some(std::rc::Rc::new(UnsafeCell::new(()))));
        IN_EXECUTION.set(true);
        model();
        IN_EXECUTION.set(false);
        assert_eq!(VALUES.get(), 0, "values left, or dropped twice");
        assert_eq!(CHANNELS.get(), 0, "memory left, or freed twice");
        USE.set(None);
        // SAFETY: the model is over, and with it whoever might have used the blocks.
        unsafe { empty() };
    });
}

/// Says that the channel is used here, by a handle that keeps its memory.
pub fn used() {
    let memory = USE.with_borrow(Clone::clone);
    memory.expect("a model runs").with(|_| ());
}

/// A value that counts itself, and whose users the checker watches. It has no memory of its own.
#[repr(align(256))]
pub struct Value {
    number: u32,
    users: UnsafeCell<()>,
}

const _: () = assert!(align_of::<Value>() == ALIGNMENT);

// SAFETY: that the cell is not used in a conflicting way is what loom checks.
unsafe impl Sync for Value {}

impl Value {
    pub fn new(number: u32) -> Self {
        VALUES.set(VALUES.get() + 1);
        Self {
            number,
            users: UnsafeCell::new(()),
        }
    }

    /// Reads it in its channel.
    pub fn read(&self) -> u32 {
        self.users.with(|_| ());
        used();
        self.number
    }

    /// The number of a value that is in no channel.
    pub fn into_number(self) -> u32 {
        self.end();
        std::mem::ManuallyDrop::new(self).number
    }

    fn end(&self) {
        self.users.with_mut(|_| ());
        VALUES.set(VALUES.get() - 1);
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        self.end();
        used();
    }
}

struct Vault;

#[global_allocator]
static VAULT: Vault = Vault;

// SAFETY: the system's allocator does the work; what is kept back is not handed out.
unsafe impl GlobalAlloc for Vault {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() == ALIGNMENT {
            CHANNELS.set(CHANNELS.get() + 1);
        }
        // SAFETY: the caller's duty.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        if layout.align() == ALIGNMENT {
            CHANNELS.set(CHANNELS.get() - 1);
            see_it_freed();
        }
        if IN_EXECUTION.get() && (layout.align() == ALIGNMENT || layout == Layout::new::<Latch>()) {
            // SAFETY: the caller gives the block away.
            unsafe { keep(start, layout) };
        } else {
            // SAFETY: the caller's duty.
            unsafe { System.dealloc(start, layout) };
        }
    }
}

/// What used the channel must be over. An allocator may not unwind.
fn see_it_freed() {
    let Some(memory) = USE.with_borrow(Clone::clone) else {
        return;
    };
    if catch_unwind(AssertUnwindSafe(|| memory.with_mut(|_| ()))).is_err() {
        std::process::abort();
    }
}

/// # Safety
/// The block is the caller's.
unsafe fn keep(start: *mut u8, layout: Layout) {
    // SAFETY: the caller's duty.
    unsafe { start.write_bytes(NONSENSE, layout.size()) };
    let block = Box::new(Block {
        before: FREED.get(),
        start,
        layout,
    });
    FREED.set(Box::into_raw(block));
}

/// # Safety
/// Nobody uses the blocks that were kept.
unsafe fn empty() {
    let mut freed = FREED.replace(ptr::null_mut());
    while !freed.is_null() {
        // SAFETY: `keep` put a box there.
        let block = unsafe { Box::from_raw(freed) };
        // SAFETY: the system's allocator gave the block out, and it was given away.
        unsafe { System.dealloc(block.start, block.layout) };
        freed = block.before;
    }
}
