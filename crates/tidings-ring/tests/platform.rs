//! Cores and memory: what is asked of the system, what it says, and that messages go through whatever it says.
#![cfg(all(feature = "platform", not(any(loom, miri))))]

use std::thread;
use tidings_ring::platform::{
    CoreId, HugePages, Memory, MemoryReport, Outcome, PlatformError, available_cores,
    pin_current_thread,
};
use tidings_ring::{BuildError, Builder};

/// Messages go through a ring of such memory; its report.
fn through(capacity: usize, memory: Memory) -> MemoryReport {
    let builder = Builder::new(capacity).memory(memory);
    let (mut publisher, subscribable) = builder.gating::<[u64; 3]>().unwrap();
    let mut subscriber = subscribable.subscribe();
    for n in 0..2 * capacity as u64 + 3 {
        publisher.publish([n; 3]);
        assert_eq!(subscriber.try_recv(), Ok([n; 3]));
    }
    let report = *publisher.memory().expect("it was asked for");
    assert_eq!(subscribable.memory(), Some(&report));
    assert!(report.bytes >= capacity * 32);
    report
}

/// Says loudly what this machine refuses; the report has said it, which is what is tested.
fn tell(wish: &str, outcome: Outcome) {
    match outcome {
        Outcome::Failed(error) => println!("SKIPPED: {wish} is not to be had here: {error}"),
        Outcome::NotAsked => panic!("{wish} was asked for"),
        outcome => println!("{wish}: {outcome}"),
    }
}

#[test]
fn a_thread_stays_on_the_core_it_is_pinned_to() {
    let cores = available_cores().unwrap();
    for &core in &cores {
        let seen = thread::spawn(move || {
            pin_current_thread(core).unwrap();
            available_cores().unwrap()
        });
        assert_eq!(seen.join().unwrap(), [core]);
    }
    assert_eq!(available_cores().unwrap(), cores, "only those threads");
}

#[test]
fn a_core_that_is_none_is_an_error() {
    for core in [100_000, usize::MAX] {
        let error = pin_current_thread(CoreId::new(core)).unwrap_err();
        assert!(matches!(error, PlatformError::Os(_)), "{error}");
        assert_eq!(error.to_string(), "Invalid argument (os error 22)");
    }
}

#[test]
fn what_is_not_granted_is_an_error() {
    let builder = Builder::new(4).memory(Memory::new().prefault());
    let refused = Some(BuildError::MemoryOfValues);
    assert_eq!(builder.in_place(String::new).err(), refused);
    assert_eq!(builder.in_place_mpmc(String::new).err(), refused);
    assert_eq!(builder.values::<String>().err(), refused);
}

#[test]
fn nothing_asked_is_nothing_said() {
    let (publisher, subscribable) = Builder::new(4).lossy::<u64>().unwrap();
    assert_eq!((publisher.memory(), subscribable.memory()), (None, None));
    let report = through(4, Memory::new());
    assert_eq!(
        (report.lock, report.prefault),
        (Outcome::NotAsked, Outcome::NotAsked)
    );
}

#[test]
fn each_wish_is_answered() {
    let huge = through(
        1 << 16,
        Memory::new().huge_pages(HugePages::Explicit).prefault(),
    );
    tell("explicit huge pages", huge.explicit_huge_pages);
    if huge.explicit_huge_pages != Outcome::Achieved {
        tell("transparent huge pages", huge.transparent_huge_pages);
    }
    let transparent = through(1 << 17, Memory::new().huge_pages(HugePages::Transparent));
    assert_eq!(transparent.explicit_huge_pages, Outcome::NotAsked);
    tell("transparent huge pages", transparent.transparent_huge_pages);
    tell(
        "a NUMA node",
        through(1000, Memory::new().numa_node(0)).numa_node,
    );
    tell("locked memory", through(1000, Memory::new().lock()).lock);
    assert_eq!(
        through(1000, Memory::new().prefault()).prefault,
        Outcome::Achieved
    );
}

#[test]
fn all_wishes_together_go_through_too() {
    let all = Memory::new()
        .huge_pages(HugePages::Explicit)
        .numa_node(0)
        .lock()
        .prefault();
    for capacity in [1, 3, 64, 1000] {
        let report = through(capacity, all);
        assert_eq!(report.to_string().lines().count(), 6);
        assert_ne!(report.numa_node, Outcome::NotAsked);
    }
}

#[test]
fn a_node_that_is_none_is_told() {
    let report = through(8, Memory::new().numa_node(63));
    assert!(
        matches!(report.numa_node, Outcome::Failed(PlatformError::Os(_))),
        "{report}"
    );
    let report = through(8, Memory::new().numa_node(u32::MAX));
    assert!(matches!(report.numa_node, Outcome::Failed(_)));
}

#[test]
fn absurd_capacities_are_errors_here_too() {
    for capacity in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 16] {
        let built = Builder::new(capacity).memory(Memory::new()).lossy::<u64>();
        assert!(
            matches!(built, Err(BuildError::Memory { .. })),
            "{capacity}"
        );
    }
}
