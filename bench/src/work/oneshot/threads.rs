//! Operating-system threads that block until the value is there. The kernel is asked whether they sleep before the
//! announcement is made.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Parts, each, first};
use crate::clock::Clock;
use crate::engine::oneshot::Block;
use crate::meter::watched;
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::sys::sleep;
use crate::value::Value;

/// Threads that hear one channel after the other.
struct Crew<E: Block<T>, T> {
    boxes: Vec<Sender<E::Listener>>,
    threads: Vec<JoinHandle<()>>,
    numbers: Vec<u64>,
    arrived: Arc<AtomicU64>,
    heard: Receiver<(Instant, Option<u64>)>,
}

impl<E: Block<T>, T: Value> Crew<E, T> {
    fn hire(count: usize) -> Result<Self, String> {
        let (mut boxes, mut threads, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let arrived = Arc::new(AtomicU64::new(0));
        let (tell, heard) = channel();
        for _ in 0..count {
            let (sender, listeners) = channel();
            let (number, its_number) = channel();
            let (arrived, tell) = (Arc::clone(&arrived), tell.clone());
            threads.push(thread::spawn(move || {
                let _ = number.send(sleep::thread());
                for mut listener in listeners {
                    arrived.fetch_add(1, Ordering::AcqRel);
                    let heard = E::block(&mut listener, Value::digest);
                    let _ = tell.send((Instant::now(), heard));
                }
            }));
            boxes.push(sender);
            numbers.push(its_number.recv().map_err(|_| "a thread did not start")?);
        }
        Ok(Self {
            boxes,
            threads,
            numbers,
            arrived,
            heard,
        })
    }

    /// Gives each thread a listener and waits until all of them sleep on it.
    fn put_to_sleep(&self) -> (E::Announcer, E::Source) {
        self.arrived.store(0, Ordering::Release);
        let (mut announcer, source) = E::open();
        for listeners in &self.boxes {
            // A thread that is gone is missed below.
            let _ = listeners.send(E::listener(&mut announcer, &source));
        }
        while self.arrived.load(Ordering::Acquire) < self.boxes.len() as u64 {
            thread::yield_now();
        }
        while !self.numbers.iter().all(|number| sleep::is_asleep(*number)) {
            thread::yield_now();
        }
        (announcer, source)
    }

    /// Waits until all have heard the value of that number; when the first and the last had it.
    fn collect(&self, number: u64) -> Result<(Instant, Instant), String> {
        let (mut ends, mut wrong) = (Vec::new(), 0);
        for _ in &self.boxes {
            let answer = self.heard.recv_timeout(Duration::from_secs(20));
            let (end, heard) = answer.map_err(|_| "a thread was not woken")?;
            ends.push(end);
            wrong += usize::from(heard != Some(T::expected(number)));
        }
        verify("threads that heard something else", wrong, 0)?;
        let (first, last) = (ends.iter().min(), ends.iter().max());
        first
            .zip(last)
            .map(|(first, last)| (*first, *last))
            .ok_or_else(|| "no threads".into())
    }

    fn dismiss(self) -> Result<(), String> {
        drop(self.boxes);
        for thread in self.threads {
            thread.join().map_err(|_| "a thread panicked")?;
        }
        Ok(())
    }
}

/// Announces until the last thread has the value.
pub fn wake<E: Block<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let crew = Crew::<E, T>::hire(plan.receivers)?;
    let mut parts = Parts::default();
    let (mut announcer_time, mut first_time) = (Duration::ZERO, Duration::ZERO);
    // The first one warms up.
    for operation in 0..=plan.operations {
        let number = first(plan) + operation;
        let (announcer, source) = crew.put_to_sleep();
        let clock = Clock::start();
        let begin = clock.begin;
        let rest = E::announce(announcer, T::make(number));
        let announced = begin.elapsed();
        let (first, last) = crew.collect(number)?;
        if operation > 0 {
            parts.add(clock.stop_at(last));
            announcer_time += announced;
            first_time += first.saturating_duration_since(begin);
        }
        drop((rest, source));
    }
    crew.dismiss()?;
    Ok(Round::new(parts.spent, plan.operations)
        .with("announcer ns", each(announcer_time, plan.operations))
        .with("first ns", each(first_time, plan.operations)))
}

/// The same, and the announcer's system calls are counted; the time means nothing here.
pub fn calls<E: Block<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let crew = Crew::<E, T>::hire(plan.receivers)?;
    let number = first(plan);
    let (announcer, source) = crew.put_to_sleep();
    let (rest, cost) = watched(move |meter| {
        let value = T::make(number);
        let clock = Clock::start();
        meter.start();
        let rest = E::announce(announcer, value);
        meter.stop();
        (clock.stop(), rest)
    })?;
    let (spent, rest) = rest;
    crew.collect(number)?;
    drop((rest, source));
    crew.dismiss()?;
    if !cost.seen {
        return Err(
            "system calls cannot be counted here: the kernel refuses seccomp listeners".into(),
        );
    }
    Ok(Round::new(spent, 1)
        .with("system calls per announce", cost.calls as f64)
        .with("allocations per announce", cost.allocations as f64))
}
