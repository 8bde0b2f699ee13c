//! The longer texts of `--help`, at most 78 columns wide.

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
  Count lines, keep a copy, and watch for errors without being slowed by that:
    tidings fan access.log --gate 'wc -l' --gate-file copy.log \\
        --tap 'grep --line-buffered \" 500 \"' --name errors

  Stay in a pipeline, and run two checks beside it on what they can take:
    producer | tidings fan --gate-stdout --tap ./check-a --tap ./check-b | consumer

  Records of 64 bytes, at most 10000 a second, the result for a script:
    tidings fan ticks.bin --records fixed:64 --rate 10k --gate ./store \\
        --summary json 2> summary.json

Consumers:
  A command runs under `sh -c`, in a process group of its own, with the records
  on its standard input, which is closed at the end. While a live table is up,
  what commands print is shown above it, line by line; otherwise they write to
  the standard output and standard error of tidings directly.

  A command that stops reading early, as `head -n 5` does, has had enough: that
  is no failure if it exits with 0. The same goes for a reader of standard
  output or of a named pipe that goes away.

  A lossy command is fed through a small pipe, so that what it reads is recent.
  It gets whole records, except that one of more than 4 KiB may be cut when the
  consumer is ended. If it is ended at the close of the run, records that it
  left unread in that pipe count as skipped (on Linux).

Records:
  A record keeps its newline or its length prefix. A last line without newline
  passes as it is. A last record that the end of the input cuts off passes too,
  with a warning for fixed:BYTES, with exit status 1 for length:PREFIX.

Signals:
  SIGINT, SIGTERM, SIGQUIT and SIGHUP (unless ignored, as under nohup) stop the
  reading. Consumers get 3 seconds to finish; then commands and all that they
  have started are ended (SIGTERM, one second later SIGKILL). The summary is
  printed. A second signal ends everything at once.

Exit status:
  0    every gating consumer got every record, or ended early with status 0
  1    a gating consumer failed: exit status other than 0, killed by a signal,
       write error, or taken off by --stall; or the input cannot be read, or a
       record is over --max-record; with --on-exit stop, also if the consumer
       that stopped the run is a lossy one that failed
  2    wrong command line
  129  ended by SIGHUP
  130  ended by SIGINT
  131  ended by SIGQUIT
  143  ended by SIGTERM";
