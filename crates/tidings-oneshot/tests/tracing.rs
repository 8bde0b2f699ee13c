//! Feature `tracing`: one event each time the state of a channel changes, and a subscriber that panics hurts nobody.
#![cfg(all(feature = "tracing", feature = "std", not(any(loom, shuttle))))]

#[path = "support/scene.rs"]
mod scene;

use scene::{CAUSES, end, panics};
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use tidings_oneshot::{Announcement, State, StaticAnnouncement};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Writes down the fields of each event of this crate; panics instead where it is told to.
#[derive(Clone, Default)]
struct Notes {
    lines: Arc<Mutex<Vec<String>>>,
    panics: bool,
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Notes {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "tidings::oneshot"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        assert!(!self.panics || std::thread::panicking(), "on purpose");
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.lines.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The events of `body`.
fn told(body: impl FnOnce()) -> Vec<String> {
    let notes = Notes::default();
    tracing::subscriber::with_default(notes.clone(), body);
    std::mem::take(&mut *notes.lines.lock().unwrap())
}

#[test]
fn a_life_of_a_channel_is_told_in_two_events() {
    let lines = told(|| {
        let (announcer, announcement) = Announcement::new();
        let _listeners = [announcement.listener(), announcement.listener()];
        announcer.announce(1).unwrap();
    });
    assert_eq!(
        lines,
        [
            "TRACE message=created",
            "DEBUG message=announced listeners=2"
        ]
    );
}

#[test]
fn every_close_is_told_with_its_cause() {
    for cause in CAUSES {
        let lines = told(|| {
            let (announcer, _announcement) = Announcement::<u8>::new();
            end(announcer, cause);
        });
        assert_eq!(lines[1..], [format!("DEBUG message=closed cause={cause}")]);
    }
}

#[test]
fn only_the_winner_of_several_announcers_is_told_of() {
    let lines = told(|| {
        let announcer = Announcement::new().0.into_shared();
        announcer.announce(1).unwrap();
        assert!(announcer.announce(2).is_err() && !announcer.close());
    });
    assert_eq!(lines[1..], ["DEBUG message=announced listeners=0"]);
}

#[test]
fn static_channels_are_told_of_too() {
    let lines = told(|| {
        StaticAnnouncement::new().announce(1).unwrap();
        assert!(StaticAnnouncement::<u8>::new().close());
    });
    assert_eq!(
        lines,
        [
            "DEBUG message=announced",
            "DEBUG message=closed cause=closed by a call"
        ]
    );
}

#[test]
fn a_value_that_was_not_built_is_not_told_of() {
    let lines = told(|| {
        let (announcer, _announcement) = Announcement::<u64>::new();
        panics(|| announcer.announce_in_place(|_| panic!("on purpose")));
    });
    assert_eq!(
        lines[1..],
        ["DEBUG message=closed cause=the announcer was dropped by a panic"]
    );
}

#[test]
fn a_subscriber_that_panics_leaves_nobody_waiting() {
    let channels = [(); 4].map(|()| Announcement::<u64>::new());
    let [
        (announces, first),
        (closes, second),
        (drops, third),
        (builds, fourth),
    ] = channels;
    let notes = Notes {
        panics: true,
        ..Notes::default()
    };
    tracing::subscriber::with_default(notes, || {
        panics(|| announces.announce(1));
        panics(|| closes.close());
        panics(|| drop(drops));
        panics(|| builds.announce_in_place(|place| place.write(1)));
    });
    let states = [first, second, third, fourth].map(|announcement| announcement.state());
    let [closed, dropped] = [CAUSES[0], CAUSES[1]].map(State::Closed);
    assert_eq!(
        states,
        [State::Announced, closed, dropped, State::Announced]
    );
}
