//! Scenarios are data: what one operation is, under which contract, for which engines, against which targets.

use serde::Serialize;

use crate::round::Round;

/// What the engines of a scenario promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contract {
    /// A slow subscriber loses messages and is told how many.
    Lossy,
    /// A slow subscriber holds the publisher back.
    Lossless,
    /// One value, once; everybody gets it, whoever comes late too where the engine can.
    Once,
}

/// How the ends wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Waiting {
    /// Nobody waits: one thread.
    Nobody,
    /// Every engine spins.
    Spin,
    /// Every engine in its own way, which its row names.
    Own,
}

/// The size of one turn.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Plan {
    /// Slots of the ring (of each queue, where there is a queue a subscriber); 0 where nothing has slots.
    pub capacity: usize,
    /// How many threads or tasks publish.
    pub publishers: usize,
    /// How many receive, wait or work; `Scenario::who` says what they are.
    pub receivers: usize,
    /// Operations that are timed.
    pub operations: u64,
    /// Number of the round, which changes the messages.
    pub seed: u64,
    /// A slow engine stops after so many seconds; its cost per message is what is compared.
    pub seconds: u64,
}

/// One engine in a scenario.
pub struct Row {
    /// The engine's name.
    pub engine: &'static str,
    /// Which of its modes is used, when it has several.
    pub mode: &'static str,
    /// Takes one turn.
    pub run: fn(&Plan) -> Result<Round, String>,
}

/// What must hold.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// min(ours) ÷ min(the rival's best mode) must not be above.
    Ratio {
        /// The row that is ours.
        ours: &'static str,
        /// The engine it is compared with.
        rival: &'static str,
        /// The bound.
        at_most: f64,
    },
    /// Another number of one of our rows must not be above, in any round.
    Bound {
        /// The row that is ours.
        ours: &'static str,
        /// The name of the number.
        what: &'static str,
        /// The bound.
        at_most: f64,
        /// Whether the number is counted, so that it holds in a smoke run too.
        counted: bool,
    },
}

/// One comparison.
pub struct Scenario {
    /// The name on the command line.
    pub name: String,
    /// What one operation is.
    pub operation: &'static str,
    /// What is promised.
    pub contract: Contract,
    /// What is sent.
    pub payload: String,
    /// How the ends wait.
    pub waiting: Waiting,
    /// What the receivers are called.
    pub who: &'static str,
    /// The size of one turn.
    pub plan: Plan,
    /// At most so many rounds, for scenarios whose turn is long.
    pub most_rounds: u32,
    /// So many times the rounds that were asked for, where turns are short and their times have several modes.
    pub times: u32,
    /// The engines, ours first.
    pub rows: Vec<Row>,
    /// What must hold.
    pub targets: Vec<Target>,
}

impl Scenario {
    /// A scenario of one thread: lossy, nobody waits.
    pub fn new(name: impl Into<String>, operation: &'static str, plan: Plan) -> Self {
        Self {
            name: name.into(),
            operation,
            contract: Contract::Lossy,
            payload: "u64".into(),
            waiting: Waiting::Nobody,
            who: "subscriber(s)",
            plan,
            most_rounds: u32::MAX,
            times: 1,
            rows: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Sets the contract and the way of waiting.
    pub fn under(mut self, contract: Contract, waiting: Waiting) -> Self {
        (self.contract, self.waiting) = (contract, waiting);
        self
    }

    /// Says what is sent.
    pub fn sends(mut self, payload: impl Into<String>) -> Self {
        self.payload = payload.into();
        self
    }

    /// Adds an engine.
    pub fn row(
        mut self,
        engine: &'static str,
        mode: &'static str,
        run: fn(&Plan) -> Result<Round, String>,
    ) -> Self {
        self.rows.push(Row { engine, mode, run });
        self
    }

    /// Bounds the ratio of our row called `tidings` to the best row of a rival.
    pub fn beats(self, rival: &'static str, at_most: f64) -> Self {
        self.ratio("tidings", rival, at_most)
    }

    /// Bounds the ratio of one of our rows to the best row of that name.
    pub fn ratio(mut self, ours: &'static str, rival: &'static str, at_most: f64) -> Self {
        self.targets.push(Target::Ratio {
            ours,
            rival,
            at_most,
        });
        self
    }

    /// Bounds another number of ours.
    pub fn bounds(self, ours: &'static str, what: &'static str, at_most: f64) -> Self {
        self.bound(ours, what, at_most, false)
    }

    /// Bounds a number of ours that is counted, not timed, and so holds in a smoke run too.
    pub fn counts(self, ours: &'static str, what: &'static str, at_most: f64) -> Self {
        self.bound(ours, what, at_most, true)
    }

    fn bound(
        mut self,
        ours: &'static str,
        what: &'static str,
        at_most: f64,
        counted: bool,
    ) -> Self {
        self.targets.push(Target::Bound {
            ours,
            what,
            at_most,
            counted,
        });
        self
    }

    /// Says what the receivers are.
    pub fn among(mut self, who: &'static str) -> Self {
        self.who = who;
        self
    }

    /// Multiplies the rounds.
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Limits the rounds.
    pub fn rounds(mut self, most: u32) -> Self {
        self.most_rounds = most;
        self
    }
}
