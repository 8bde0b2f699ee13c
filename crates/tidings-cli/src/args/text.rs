//! The longer texts of `--help`.

pub const TIDINGS: &str = "\
Try `tidings fan --help` for examples.";

pub const FAN: &str = "\
Sends one input (a file or standard input, cut into records) to many consumers at once: shell commands, files and \
standard output.

Each consumer is either gating or lossy. A gating consumer (--gate, --gate-file, --gate-stdout) gets every record, \
byte for byte; the input waits for the slowest of them. A lossy consumer (--tap, --tap-file, --tap-stdout) gets whole \
records as long as it keeps up, skips what it missed, and never slows anybody down; what it skipped is counted exactly.";

pub const FAN_SHORT: &str = "\
`tidings fan --help` has examples, signals and the exit status.";

pub const FAN_MORE: &str = "\
Examples:
  Count, keep a copy, and look at a sample without being slowed by the terminal:
    tidings fan access.log --gate 'wc -l' --gate-file copy.log --tap 'grep --line-buffered 500'

  Feed a pipeline and two slow checks from a live stream:
    producer | tidings fan --gate-stdout --tap ./check-a --name a --tap ./check-b --name b | consumer

  Binary records of 64 bytes, at most 10000 a second, the result for a script:
    tidings fan ticks.bin --records fixed:64 --rate 10k --gate ./store --summary json 2> summary.json

How consumers run:
  A command is run by `sh -c` in a process group of its own, with the records on its standard input, which is closed
  at the end. A live table takes in what commands print and shows it above itself; elsewhere commands write to the
  standard output and error of tidings directly.
  A consumer that closes its standard input early (`head -n 5`) has had enough: no failure if it then exits with 0.
  The same goes for a reader of standard output or of a named pipe that goes away.
  A lossy command is fed through a small pipe, so that what it reads is recent. When it is ended at the close of the
  run, records still unread in that pipe count as skipped (on Linux).
  --name must follow the consumer that it names.

Records:
  A record keeps its newline or its length prefix. A last line without newline passes as it is. A last record that the
  end of the input cuts off passes too, with a warning for fixed:BYTES and exit status 1 for length:PREFIX.

Signals:
  SIGINT and SIGTERM stop reading; consumers get 3 seconds to finish, then commands are ended (SIGTERM, after a second
  SIGKILL), the summary is printed, and the exit status is 130 or 143. A second signal ends everything at once.

Exit status:
  0   every gating consumer got every record, or ended early by itself with 0
  1   a gating consumer failed (exit status other than 0, killed by a signal, write error, --stall), the input failed,
      a record is over --max-record; with --on-exit stop also: a lossy consumer failed
  2   wrong command line
  130, 143   ended by SIGINT, SIGTERM";
