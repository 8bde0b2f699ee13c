//! Streams by name: stations report, a recorder misses nothing, a display shows the newest, and nobody knows the other.

use std::thread;
use tidings::ring::{TopicError, TopicMode, TopicOptions, Topics};

const STATIONS: [&str; 2] = ["seattle", "new york"];
const DAYS: i32 = 100;

fn main() -> Result<(), TopicError> {
    let weather = Topics::<i32>::new(TopicOptions::new(16));
    for station in STATIONS {
        weather.create(station, TopicOptions::new(16).mode(TopicMode::Gating))?;
    }

    let mut recorders = Vec::new();
    for station in STATIONS {
        recorders.push((station, weather.subscribe_gating(station)?));
    }
    let mut display = weather.subscribe("seattle")?;

    let stations = STATIONS.map(|station| {
        let weather = weather.clone();
        thread::spawn(move || -> Result<(), TopicError> {
            // Each day another publisher of the same stream.
            for day in 0..DAYS {
                weather.gating_publisher(station)?.publish(day % 30);
            }
            weather.remove(station)
        })
    });

    for (station, recorder) in recorders {
        let (days, warmth) = recorder
            .into_iter()
            .fold((0, 0), |(days, sum), degrees| (days + 1, sum + degrees));
        println!(
            "{station}: {days} days, {} degrees on average",
            warmth / days
        );
        assert_eq!(days, DAYS);
    }
    for station in stations {
        station.join().expect("a station panicked")?;
    }
    let newest = display.latest();
    println!(
        "the display shows {newest:?}, and missed {}",
        display.total_lagged()
    );
    assert!(weather.list().is_empty());
    Ok(())
}
