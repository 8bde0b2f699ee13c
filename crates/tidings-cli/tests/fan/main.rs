//! `tidings fan` from outside: the bytes it delivers, its accounts, its ends, its messages.

mod bytes;
mod ends;
mod run;
mod signals;
mod summary;
mod taps;
mod terminal;
mod usage;
