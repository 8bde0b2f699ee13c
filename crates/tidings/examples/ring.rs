//! One sensor, two readers: a recorder that must not lose a frame, and a display that must not slow
//! anybody. Run it with `cargo run --example ring -p tidings`.

use std::{thread, time::Duration};
use tidings::ring::{bytemuck, channel_bounded};

const FRAMES: u32 = 10_000;

/// A reading of six axes.
#[derive(Clone, Copy, bytemuck::NoUninit)]
#[bytemuck(crate = "tidings::ring::bytemuck")]
#[repr(C)]
struct Frame {
    number: u32,
    axes: [f32; 6],
}

fn measure(number: u32) -> Frame {
    let time = number as f32 / 100.0;
    Frame {
        number,
        axes: [1.0, 0.5, 0.25, 2.0, 4.0, 8.0].map(|rate| (rate * time).sin()),
    }
}

fn main() {
    let (mut sensor, subscribable) = channel_bounded::<Frame>(256, 0);
    let mut recorder = subscribable.subscribe();
    let mut display = subscribable.subscribe_lossy();

    thread::scope(|scope| {
        scope.spawn(move || {
            for number in 0..FRAMES {
                sensor.publish(measure(number));
            }
            // The sensor goes here, and with it the ring ends.
        });
        scope.spawn(move || {
            let mut peak = 0.0_f32;
            while let Ok(frame) = recorder.recv_ref() {
                peak = frame
                    .axes
                    .iter()
                    .fold(peak, |peak, axis| peak.max(axis.abs()));
            }
            println!(
                "\nrecorder: {} frames, peak {peak:.3}",
                recorder.total_received()
            );
            assert_eq!(recorder.total_received(), u64::from(FRAMES));
        });
        scope.spawn(move || {
            while display.recv().is_ok() {
                // The newest frame is what counts; drawing it takes a moment.
                if let Some(frame) = display.latest() {
                    print!(
                        "\rdisplay: frame {:>6}  x {:+.2}",
                        frame.number, frame.axes[0]
                    );
                }
                thread::sleep(Duration::from_millis(1));
            }
            let (shown, skipped) = (display.total_received(), display.total_lagged());
            println!("\ndisplay: {shown} frames shown, {skipped} skipped");
            assert_eq!(shown + skipped, u64::from(FRAMES));
        });
    });
}
