//! Listeners that come and go on a channel that says nothing for a long time: clone, poll once, drop.

use std::pin::pin;
use std::task::Context;

use super::{digest, first, measure};
use crate::engine::oneshot::{Again, Await};
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::sys::{alloc, waker};
use crate::value::Value;

/// How often the memory that is held is looked at.
const LOOK: u64 = 64;

/// Clones a listener, polls a wait of it once, drops both; the most memory that was held is noted.
pub fn churn<E: Again<T> + Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let before = alloc::tally().held();
    let (mut announcer, source) = E::open();
    let mut listener = E::listener(&mut announcer, &source);
    let waker = waker::counting(1);
    let mut context = Context::from_waker(&waker);
    let mut most = 0;
    let round = measure(
        plan,
        |_| 1,
        |number| {
            let mut other = E::again(&listener);
            let mut wait = pin!(E::wait(&mut other));
            let pending = wait.as_mut().poll(&mut context).is_pending();
            if number % LOOK == 0 {
                most = most.max(alloc::tally().held().wrapping_sub(before));
            }
            u64::from(pending)
        },
    )?;
    let _rest = E::announce(announcer, T::make(first(plan)));
    let mut wait = pin!(E::wait(&mut listener));
    let heard = wait.as_mut().poll(&mut context);
    let sum = heard.map(|heard| digest::<T>(&heard));
    let right = std::task::Poll::Ready(T::expected(first(plan)));
    verify("what a listener hears after all that", sum, right)?;
    Ok(round.with("most bytes held", most as f64))
}
