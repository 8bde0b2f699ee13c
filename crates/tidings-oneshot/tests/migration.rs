//! A program written for `announcement` 0.1. With that crate in place of this one in the next line it compiles as it stands.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use tidings_oneshot::{AnnounceError, Announcement, Announcer, ListenError, Listener};

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// What a shop reads once, at its start, and every part of it needs.
#[derive(Clone, Debug, PartialEq)]
struct Prices {
    currency: String,
    by_article: HashMap<String, u32>,
}

impl Prices {
    fn read() -> Self {
        let by_article = HashMap::from([(String::from("tea"), 350), (String::from("cake"), 420)]);
        Self {
            currency: String::from("EUR"),
            by_article,
        }
    }
}

/// A part of the shop, with bounds as that crate asked for them.
struct Till<T: Clone + Send + Sync + 'static> {
    prices: Listener<T>,
}

impl<T: Clone + Send + Sync + 'static> Till<T> {
    fn new(prices: &Announcement<T>) -> Self {
        Self {
            prices: prices.listener(),
        }
    }

    fn prices_so_far(&self) -> Option<T> {
        self.prices.try_listen()
    }

    fn prices(&self) -> Result<T, ListenError> {
        self.prices.listen_blocking()
    }

    async fn prices_as_a_task(&self) -> Result<T, ListenError> {
        self.prices.listen().await
    }
}

fn open_shop() -> (Announcer<Arc<Prices>>, Announcement<Arc<Prices>>) {
    Announcement::new()
}

#[test]
fn every_till_gets_the_prices_early_or_late() {
    let (announcer, announcement) = open_shop();
    let early = Till::new(&announcement);
    assert!(early.prices_so_far().is_none() && !announcement.is_announced());
    let worker = thread::spawn(move || early.prices().map(|prices| prices.by_article["tea"]));
    announcer
        .announce(Arc::new(Prices::read()))
        .expect("nobody else announces");
    assert_eq!(worker.join().unwrap(), Ok(350));
    let late = Till::new(&announcement.clone());
    assert!(announcement.is_announced() && !announcement.is_closed());
    assert_eq!(late.prices_so_far().unwrap().currency, "EUR");
}

#[test]
fn prices_reach_tasks_of_any_runtime() {
    let (announcer, announcement) = Announcement::new();
    let till = Till::new(&announcement);
    let task = async move { till.prices_as_a_task().await };
    let announcing = thread::spawn(move || announcer.announce(Prices::read()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    assert_eq!(runtime.block_on(task), Ok(Prices::read()));
    assert_eq!(announcing.join().unwrap(), Ok(()));
}

#[test]
fn a_shop_that_closes_before_it_opened_tells_everybody() {
    let (announcer, announcement) = open_shop();
    let listeners: Vec<Listener<Arc<Prices>>> = (0..3).map(|_| announcement.listener()).collect();
    announcer.close();
    for listener in &listeners {
        match listener.listen_blocking() {
            Err(ListenError::Closed) => assert!(listener.is_closed()),
            Err(ListenError::Timeout) => panic!("no time was given"),
            Ok(prices) => panic!("nobody announced {prices:?}"),
        }
    }
    drop(open_shop().0);
}

#[test]
fn whoever_is_in_a_hurry_gives_up() {
    let (announcer, announcement) = Announcement::<u32>::new();
    let listener = announcement.listener();
    let told = listener.listen_timeout_blocking(Duration::from_millis(1));
    assert_eq!(told, Err(ListenError::Timeout));
    drop(announcer);
    let told = listener
        .clone()
        .listen_timeout_blocking(Duration::from_secs(60));
    assert_eq!(told, Err(ListenError::Closed));
    assert!(announcement.is_closed());
}

#[test]
fn errors_are_handled_as_they_were() {
    fn describe(error: &dyn std::error::Error) -> String {
        error.to_string()
    }
    let refused: AnnounceError<u32> = AnnounceError::AlreadyAnnounced(4);
    assert_eq!(refused.clone(), refused);
    assert!(!describe(&refused).is_empty() && !describe(&ListenError::Timeout).is_empty());
    assert_eq!(refused.into_inner(), 4);
    let copied = ListenError::Closed;
    assert!(copied == ListenError::Closed && format!("{copied:?}") == "Closed");
}

/// A flag that everybody in the building sees.
#[test]
fn the_bell_at_closing_time() {
    let (bell, closing_time) = Announcement::<()>::new();
    let clerks: Vec<_> = (0..4)
        .map(|_| closing_time.listener())
        .map(|bell| {
            thread::spawn(move || {
                while bell.try_listen().is_none() {
                    thread::yield_now()
                }
            })
        })
        .collect();
    if let Err(error) = bell.announce(()) {
        panic!("{error}");
    }
    clerks.into_iter().for_each(|clerk| clerk.join().unwrap());
}

/// Methods as paths, where a function is asked for.
#[test]
fn the_survey_counts_who_knows() {
    let (author, book) = Announcement::<u8>::new();
    let readers: Vec<Listener<u8>> = (0..3).map(|_| book.listener()).collect();
    assert!(!Announcement::is_announced(&book) && !Announcement::is_closed(&book));
    author.announce(7).unwrap();
    assert_eq!(readers.iter().filter_map(Listener::try_listen).count(), 3);
    let answers: Result<Vec<u8>, ListenError> =
        readers.iter().map(Listener::listen_blocking).collect();
    assert_eq!(answers, Ok(vec![7; 3]));
    assert!(!readers.iter().any(Listener::is_closed));
}
