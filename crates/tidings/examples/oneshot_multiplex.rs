//! Many callers ask for few keys: those who ask for the same at the same time share one request and one answer. A request for
//! which nobody waits any more is given up, and when the service closes, everybody who waits is told. Run it with
//! `cargo run --example oneshot_multiplex -p tidings`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tidings::oneshot::{Announced, Announcement, Announcer, ListenError, Listener, WeakListener};

/// Not `Clone`: each caller gets a guard on the same one.
#[derive(Debug)]
struct Answer(String);

struct Client {
    /// The service that is to be spared answers when its doors are open; by then all the callers have come.
    doors: Listener<()>,
    /// Requests under way. Weak: what only this map knows of is not kept, nor gone on with.
    under_way: Mutex<HashMap<String, WeakListener<Answer>>>,
}

impl Client {
    fn new(doors: Listener<()>) -> Arc<Self> {
        let under_way = Mutex::default();
        Arc::new(Self { doors, under_way })
    }

    /// A listener of the request for `key` that is under way; or of a new one, with the announcer for its answer.
    fn join(&self, key: &str) -> (Listener<Answer>, Option<Announcer<Answer>>) {
        let mut under_way = self.under_way.lock().expect("nobody panics in here");
        let known = under_way.get(key).and_then(WeakListener::upgrade);
        // One that ended without an answer is not joined but asked again.
        if let Some(listener) = known.filter(|listener| !listener.is_closed()) {
            return (listener, None);
        }
        // Entries of requests that are over, and that nobody holds the answer of, go here.
        under_way.retain(|_, request| request.upgrade().is_some());
        let (announcer, announcement) = Announcement::new();
        let listener = announcement.listener();
        under_way.insert(key.to_owned(), listener.downgrade());
        (listener, Some(announcer))
    }

    /// The request itself; whether it was answered. It is given up when everybody who waited for it has gone, or
    /// when the doors will never open: then the announcer is dropped, which tells those who wait.
    async fn ask(&self, key: &str, announcer: Announcer<Answer>) -> bool {
        tokio::select! {
            doors = self.doors.wait() => {
                let answer = Answer(format!("all about {key}"));
                doors.is_ok() && announcer.announce(answer).is_ok()
            }
            () = announcer.abandoned() => false,
        }
    }

    /// What callers use.
    async fn get(self: Arc<Self>, key: &'static str) -> Result<Announced<Answer>, ListenError> {
        let (listener, announcer) = self.join(key);
        if let Some(announcer) = announcer {
            println!("asks for {key}");
            // In a task of its own: callers come and go, the first one too.
            tokio::spawn(async move { self.ask(key, announcer).await });
        }
        listener.await
    }
}

#[tokio::main]
async fn main() {
    let (open, doors) = Announcement::new();
    let client = Client::new(doors.listener());

    // A caller who goes before the answer is there; nobody else has asked for the same.
    let (listener, announcer) = client.join("dust");
    let request = tokio::spawn({
        let client = Arc::clone(&client);
        async move { client.ask("dust", announcer.expect("the first")).await }
    });
    drop(listener);
    let is_answered = request.await.expect("has not panicked");
    println!("dust: answered? {is_answered}");
    assert!(!is_answered);

    let keys = ["earth", "wind", "fire"];
    let calls: Vec<_> = (0..60)
        .map(|n| tokio::spawn(Arc::clone(&client).get(keys[n % 3])))
        .collect();
    open.announce(()).expect("the only announcer");
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.expect("has not panicked").expect("is answered"));
    }
    println!("60 callers got {:?} …", answers[0].0);

    let (open, doors) = Announcement::new();
    let call = tokio::spawn(Client::new(doors.listener()).get("water"));
    open.close();
    let told = call.await.expect("has not panicked").map(|_| ());
    println!("a service that closes: {told:?}");
    assert_eq!(told, Err(ListenError::Closed));
}
