//! Every interleaving, up to the bound, of one latch, its waiters and its openers; each model beside mutants that must fail.
//!
//! A lost wake-up shows as a deadlock; a seat with two owners, or something unpublished, as a causality violation; a waker
//! with two owners, or none, as an entry in its ledger.
#![cfg(loom)]
#![allow(unsafe_code, reason = "futures that move into the checker's threads")]

#[macro_use]
#[path = "support/rows.rs"]
mod rows;
#[path = "support/bell.rs"]
mod bell;
#[path = "support/wakers/ledger.rs"]
mod ledger;
#[path = "support/loom_scene.rs"]
mod scene;

use std::sync::Mutex;
use std::task::Poll;

use ledger::Ledger;
use loom::model::Builder as Model;
use loom::sync::Arc;
use loom::thread;
use scene::{CODE, EMPTY_CODE, NEAR, Scene, TABLE, lasting, open_beside, poll, spawn};
use tidings_core::wait::Opened;

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(model);
}

fn task_waits() {
    check(|| open_beside(1, 0, [|scene| scene.wait_as_task(0)]));
}

/// Nobody gives its seat back, so the opener or the end of the latch drops the waker.
fn task_is_leaked() {
    check(|| {
        open_beside(
            1,
            0,
            [|scene| {
                let mut future = scene.latch.opened();
                let _ = scene.tasks[0].poll(&mut future);
                core::mem::forget(future);
            }],
        );
    });
}

fn two_tasks_wait() {
    check(|| {
        open_beside(
            2,
            0,
            [|scene| scene.wait_as_task(0), |scene| scene.wait_as_task(1)],
        );
    });
}

fn somebody_looks() {
    check(|| {
        open_beside(
            0,
            0,
            [|scene| {
                if let Some(code) = scene.latch.code() {
                    scene.hear(code);
                }
            }],
        );
    });
}

fn somebody_looks_while_it_is_opened_freely() {
    check(|| {
        let scene = Scene::shared(0);
        let looks = spawn(&scene, |scene| {
            if let Some(code) = scene.latch.code() {
                scene.hear(code);
            }
        });
        scene.open();
        looks.join().unwrap();
    });
}

/// The third task makes the first table.
fn third_task_waits() {
    check(|| open_beside(1, NEAR, [|scene| scene.wait_as_task(0)]));
}

/// Both make the first table, and one of them succeeds.
fn two_tasks_make_the_table() {
    check(|| {
        open_beside(
            2,
            NEAR,
            [|scene| scene.wait_as_task(0), |scene| scene.wait_as_task(1)],
        );
    });
}

/// The table is there, and one seat of it is free.
fn two_tasks_want_the_last_seat_of_a_table() {
    check(|| {
        open_beside(
            2,
            NEAR + TABLE - 1,
            [|scene| scene.wait_as_task(0), |scene| scene.wait_as_task(1)],
        );
    });
}

fn two_tasks_make_the_second_table() {
    check(|| {
        open_beside(
            2,
            NEAR + TABLE,
            [|scene| scene.look_in(0), |scene| scene.wait_as_task(1)],
        );
    });
}

/// The second group of the second table is opened, by one of them or by both.
fn two_tasks_open_a_group() {
    check(|| {
        open_beside(
            2,
            NEAR + TABLE + TABLE,
            [|scene| scene.wait_as_task(0), |scene| scene.wait_as_task(1)],
        );
    });
}

/// The task after the last one of the first table makes the second one.
fn second_table_is_made() {
    check(|| open_beside(1, NEAR + TABLE, [|scene| scene.wait_as_task(0)]));
}

fn task_gives_up() {
    check(|| open_beside(1, 0, [|scene| scene.look_in(0)]));
}

fn task_in_a_table_gives_up() {
    check(|| open_beside(1, NEAR, [|scene| scene.look_in(0)]));
}

fn task_gives_up_and_waits_again() {
    check(|| {
        open_beside(
            2,
            0,
            [|scene| {
                scene.look_in(0);
                scene.wait_as_task(1);
            }],
        );
    });
}

/// One gives up, and the other takes the same seat.
fn seat_passes_on() {
    check(|| {
        open_beside(
            2,
            NEAR - 1,
            [|scene| scene.look_in(0), |scene| scene.wait_as_task(1)],
        );
    });
}

fn seat_in_a_table_passes_on() {
    check(|| {
        open_beside(
            2,
            NEAR + TABLE - 1,
            [|scene| scene.look_in(0), |scene| scene.look_in(1)],
        );
    });
}

/// The same while nobody opens.
fn seat_passes_on_unopened() {
    check(|| {
        let scene = Scene::shared(2);
        let waiting = scene.occupy(NEAR - 1);
        let other = spawn(&scene, |scene| scene.look_in(0));
        scene.look_in(1);
        other.join().unwrap();
        drop(waiting);
    });
}

/// One has waited for long and gives up while it is opened; the other takes its seat, or is too late.
fn seat_of_an_old_waiter_passes_on() {
    check(|| {
        let scene = Scene::shared(2);
        // SAFETY: the thread that uses it is joined below.
        let lasting = unsafe { lasting(&scene) };
        let mut old = lasting.latch.opened();
        assert!(scene.tasks[0].poll(&mut old).is_pending());
        let leaver = thread::spawn(move || drop(old));
        let newcomer = spawn(&scene, |scene| scene.look_in(1));
        scene.open_reserved();
        leaver.join().unwrap();
        newcomer.join().unwrap();
    });
}

fn task_changes_its_waker() {
    check(|| {
        open_beside(
            2,
            0,
            [|scene| {
                let mut future = scene.latch.opened();
                if let Poll::Ready(code) = scene.tasks[0].poll(&mut future) {
                    return scene.hear(code);
                }
                scene.finish(1, &mut future);
            }],
        );
    });
}

fn thread_waits() {
    check(|| open_beside(0, 0, [Scene::wait_as_thread]));
}

fn two_threads_wait() {
    check(|| open_beside(0, 0, [Scene::wait_as_thread, Scene::wait_as_thread]));
}

fn thread_and_task_wait() {
    check(|| open_beside(1, 0, [Scene::wait_as_thread, |scene| scene.wait_as_task(0)]));
}

fn thread_task_and_fickle_task_wait() {
    check(|| {
        open_beside(
            2,
            NEAR - 1,
            [
                Scene::wait_as_thread,
                |scene| scene.wait_as_task(0),
                |scene| scene.look_in(1),
            ],
        );
    });
}

fn thread_waits_while_it_is_reserved() {
    check(|| {
        let scene = Scene::shared(0);
        let waiter = spawn(&scene, Scene::wait_as_thread);
        assert!(scene.latch.reserve());
        scene.open_reserved();
        waiter.join().unwrap();
    });
}

/// Two try to open it: one wins, and that one's code is heard.
fn two_openers(second: fn(&Scene) -> bool) {
    let scene = Scene::shared(1);
    let waiter = spawn(&scene, |scene| scene.wait_as_task(0));
    let other = thread::spawn({
        let scene = Arc::clone(&scene);
        move || second(&scene)
    });
    let first = open_by_reserving(&scene);
    assert!(
        first != other.join().unwrap(),
        "one wins, and the other does not"
    );
    assert_eq!(
        scene.latch.code(),
        Some(if first { CODE } else { EMPTY_CODE })
    );
    waiter.join().unwrap();
}

fn open_by_reserving(scene: &Scene) -> bool {
    let won = scene.latch.reserve();
    if won {
        scene.open_reserved();
    }
    won
}

fn two_openers_reserve() {
    check(|| {
        two_openers(|scene| {
            let won = scene.latch.reserve();
            if won {
                // SAFETY: reserved just now.
                unsafe { scene.latch.open_reserved(EMPTY_CODE) };
            }
            won
        });
    });
}

fn one_opener_reserves() {
    check(|| two_openers(|scene| scene.latch.open(EMPTY_CODE)));
}

/// A waker that, while the opener wakes it, polls and drops its sibling and opens again; another thread is after the
/// sibling too.
fn waker_meddles() {
    check(|| {
        let scene = Scene::shared(2);
        // SAFETY: the waker is woken, and the thread joined, below.
        let lasting = unsafe { lasting(&scene) };
        let sibling = std::sync::Arc::new(Mutex::new(None));
        let meddle = {
            let sibling = std::sync::Arc::clone(&sibling);
            move || {
                // Nothing is locked while the model may switch threads.
                let taken: Option<Opened<'static>> = sibling.lock().unwrap().take();
                if let Some(mut future) = taken {
                    let _ = lasting.tasks[1].poll(&mut future);
                }
            }
        };
        let meddler = Ledger::calling({
            let meddle = meddle.clone();
            move || {
                meddle();
                assert!(!lasting.latch.open(EMPTY_CODE));
                lasting.look_in(1);
            }
        });
        let mut first = lasting.latch.opened();
        assert!(poll(&mut first, &meddler.waker()).is_pending());
        let mut second = lasting.latch.opened();
        assert!(lasting.tasks[0].poll(&mut second).is_pending());
        *sibling.lock().unwrap() = Some(second);
        let other = thread::spawn(meddle);
        scene.open_reserved();
        other.join().unwrap();
        assert_eq!(meddler.wakes(), 1);
        drop(first);
    });
}

models! {
    a_waiting_task_is_woken: task_waits;
    a_leaked_task_leaves_no_waker: task_is_leaked;
    two_waiting_tasks_are_woken: two_tasks_wait;
    who_sees_it_open_sees_the_news: somebody_looks;
    who_sees_it_opened_freely_sees_the_news: somebody_looks_while_it_is_opened_freely;
    the_third_task_is_woken: third_task_waits;
    tasks_that_make_the_table_at_once_are_woken: two_tasks_make_the_table;
    the_last_seat_of_a_table_goes_to_one: two_tasks_want_the_last_seat_of_a_table;
    tasks_that_make_the_second_table_at_once_are_woken: two_tasks_make_the_second_table;
    tasks_that_open_a_group_at_once_are_woken: two_tasks_open_a_group;
    a_task_in_the_second_table_is_woken: second_table_is_made;
    who_gives_up_leaves_no_waker: task_gives_up;
    who_gives_up_in_a_table_leaves_no_waker: task_in_a_table_gives_up;
    who_gives_up_may_wait_again: task_gives_up_and_waits_again;
    a_seat_passes_to_the_next_task: seat_passes_on;
    a_seat_in_a_table_passes_to_the_next_task: seat_in_a_table_passes_on;
    a_seat_passes_on_while_nobody_opens: seat_passes_on_unopened;
    the_seat_of_an_old_waiter_passes_to_the_next_task: seat_of_an_old_waiter_passes_on;
    the_latest_waker_is_woken: task_changes_its_waker;
    a_sleeping_thread_is_woken: thread_waits;
    two_sleeping_threads_are_woken: two_threads_wait;
    a_thread_and_a_task_are_woken: thread_and_task_wait;
    three_kinds_of_waiters_are_served: thread_task_and_fickle_task_wait;
    a_thread_sleeps_on_while_it_is_reserved: thread_waits_while_it_is_reserved;
    one_of_two_that_reserve_opens: two_openers_reserve;
    one_of_a_reserver_and_an_opener_opens: one_opener_reserves;
    a_waker_may_meddle_with_its_siblings: waker_meddles;
}

mutants! {
    a_claim_that_acquires_nothing_writes_too_early: "group C1" off in seat_passes_on_unopened, "Causality violation";
    a_claim_that_acquires_nothing_misses_the_code: "group C1" off in task_waits, "told that it is open";
    a_claim_that_ignores_the_close_writes_what_is_read: "group C2" off in seat_passes_on, "Causality violation";
    a_registration_that_releases_nothing_is_read_too_early: "group R2" off in task_waits, "Causality violation";
    a_registration_that_ignores_the_close_sleeps_on: "group R3" off in task_waits, "deadlock";
    a_close_that_acquires_nothing_reads_too_early: "group K1" off in task_is_leaked, "Causality violation";
    a_close_that_releases_nothing_hides_the_code: "group K1" off in task_waits, "told that it is open";
    a_leaver_that_releases_nothing_is_overwritten: "group L2" off in seat_passes_on, "Causality violation";
    a_leaver_that_ignores_the_close_drops_twice: "group L3" off in task_gives_up, "dropped twice";
    a_table_that_is_not_marked_is_not_swept: "table G1" off in third_task_waits, "deadlock";
    a_table_made_after_the_close_is_not_swept: "table G2" off in third_task_waits, "deadlock";
    a_table_that_is_not_published_is_used_too_early: "table G3" off in two_tasks_make_the_table, "Causality violation";
    tables_that_are_not_sealed_take_who_comes_late: "table S1" off in third_task_waits, "deadlock";
    an_opener_that_releases_nothing_hides_the_news: "latch O1" off in somebody_looks, "Causality violation";
    a_free_opener_that_releases_nothing_hides_the_news: "latch O1" off in somebody_looks_while_it_is_opened_freely, "Causality violation";
    an_opener_that_wakes_no_threads_leaves_one_asleep: "latch O3" off in thread_waits, "deadlock";
    a_thread_that_is_not_marked_sleeps_on: "latch H1" off in thread_waits, "deadlock";
}
