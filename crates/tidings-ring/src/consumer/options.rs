//! What a consumer does when its handler panics, and how it is told to stop.

/// What becomes of a consumer whose handler panics. The panic is caught in every case, after the panic hook has run.
///
/// With `Skip` and `Restart` the handler is called again after it was unwound: what it keeps must bear that.
///
/// Only the handler's calls are covered. A panic of a hook or of a wait strategy ends the consumer, under `Detach` as that
/// does, else as `Halt` does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum PanicPolicy {
    /// The consumer ends: its subscriber leaves, whoever joins is told with the panic's message, and in a graph those who come
    /// after it end too, once they have done what it had done.
    #[default]
    Halt,
    /// The message counts as handled, the panic is counted, and the consumer goes on.
    Skip,
    /// The handler gets the same message again, at most `times` in a row; then as `Halt`.
    Restart {
        /// Further attempts at one message.
        times: u32,
    },
    /// The consumer ends, and whoever joins is told, but nobody else: those who come after it go on without it.
    Detach,
}

/// How a consumer stops before its ring has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// After every message that was published before it was told.
    Drain,
    /// After the message at hand.
    Immediate,
}
