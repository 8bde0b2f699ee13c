//! A control room: machines publish events of several shapes as plain data, one reader acts on them, another keeps a
//! tally, and bytes that are no event are found out. Run it with `cargo run --example ring_wire -p tidings`.

use std::thread;
use tidings::ring::{Payload, Wire, WireFault, bytemuck, channel, channel_bounded};

/// Where it happened: plain data by itself.
#[derive(Clone, Copy, Debug, PartialEq, Payload, Wire)]
#[repr(C)]
struct Place {
    hall: u16,
    machine: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Wire)]
enum Level {
    Notice,
    Alarm,
}

/// What happened. The variants differ in size, `Option` and `bool` have bit patterns that are none: so it has a twin.
#[derive(Debug, PartialEq, Wire)]
enum Event {
    Started {
        place: Place,
        unattended: bool,
    },
    Measured {
        place: Place,
        degrees: f32,
        limit: Option<f32>,
    },
    Stopped(Place, Level),
}

fn day(machine: u16) -> impl Iterator<Item = Event> {
    let place = Place { hall: 7, machine };
    let measured = move |hour: u8| Event::Measured {
        place,
        degrees: 60.0 + f32::from(hour),
        limit: (hour > 5).then_some(68.0),
    };
    let started = Event::Started {
        place,
        unattended: machine > 2,
    };
    let stopped = Event::Stopped(place, Level::Alarm);
    std::iter::once(started)
        .chain((0..10).map(measured))
        .chain([stopped])
}

fn main() {
    let (mut publisher, subscribable) = channel_bounded::<EventWire>(16, 0);
    let (mut acting, mut counting) = (subscribable.subscribe(), subscribable.subscribe());

    let (too_hot, counted) = thread::scope(|scope| {
        scope.spawn(move || {
            for event in (1..=4).flat_map(day) {
                publisher.publish(event.to_wire());
            }
        });
        let acting = scope.spawn(move || {
            let events = acting.iter().map(|twin| Event::try_from(twin).expect("published as an event"));
            let too_hot = |event: &Event| matches!(event, Event::Measured { degrees, limit: Some(limit), .. } if degrees > limit);
            events.filter(too_hot).count()
        });
        let counting = scope.spawn(move || counting.iter().count());
        (acting.join().unwrap(), counting.join().unwrap())
    });
    println!("{counted} events, {too_hot} of them too hot");
    assert_eq!((counted, too_hot), (48, 4));

    // Any bytes are a twin, but not every twin is an event.
    let mut bytes = [0_u8; size_of::<EventWire>()];
    bytes[0] = 3;
    let foreign: EventWire = bytemuck::pod_read_unaligned(&bytes);
    let error = Event::try_from(foreign).unwrap_err();
    println!("foreign bytes: {error}");
    assert_eq!(
        error.fault(),
        WireFault::Variant {
            of: "Event",
            tag: 3
        }
    );

    // A place needs no twin.
    let (mut places, subscribable) = channel::<Place>(4);
    let mut newest = subscribable.subscribe();
    places.publish(Place {
        hall: 7,
        machine: 4,
    });
    assert_eq!(
        newest.latest(),
        Some(Place {
            hall: 7,
            machine: 4
        })
    );
}
