//! Tool calls that come together are judged as one, by the hook of the last of them.

use std::cell::Cell;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::git::own_file::in_folder;
use crate::git::repo::Repo;
use crate::person::call::{self, Begun};

/// How often a waiting call looks for the next one.
const GLANCE: Duration = Duration::from_millis(2);

/// The end of a client's call, or of a turn: its place among those that come with it, and the note
/// that the gate left when it began, which counts once. Should the one that is left to judge be
/// killed, the end of the turn is judged all the same.
#[derive(Debug)]
pub(crate) struct Turn {
    git_dir: PathBuf,
    queue: Option<Place>,
    /// The note was taken, or is for the next one.
    is_over: Cell<bool>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.begun();
    }
}

impl Turn {
    /// The end of a call; `pause` is how long to wait for the next one where calls keep coming.
    pub(crate) fn of_call(repo: &Repo, pause: Duration) -> Result<Turn> {
        let path = repo.git_dir().join("tcr").join("calls");
        let queue = (!pause.is_zero()).then(|| Place::draw(path, pause));
        let mut turn = Turn::of_end(repo);
        turn.queue = queue.transpose()?;
        Ok(turn)
    }

    /// The end of a client's turn, which waits for nobody.
    pub(crate) fn of_end(repo: &Repo) -> Turn {
        Turn {
            git_dir: repo.git_dir().to_owned(),
            queue: None,
            is_over: Cell::default(),
        }
    }

    /// Whether another call came since: its hook judges this one too, if there `is_something` to judge.
    pub(super) fn goes_to_next(&self, is_something: impl FnOnce() -> Result<bool>) -> Result<bool> {
        let is_next_due = match &self.queue {
            Some(place) => place.goes_to_next(is_something)?,
            None => false,
        };
        self.is_over.set(is_next_due || self.is_over.get());
        Ok(is_next_due)
    }

    /// Where the branch was when the call began.
    pub(super) fn begun(&self) -> Option<Begun> {
        match self.is_over.replace(true) {
            true => None,
            false => call::take(&self.git_dir),
        }
    }
}

/// A place in the queue: one byte of its file for each call.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    /// Whoever has written the last one is the last.
    ticket: u64,
    pause: Duration,
}

impl Place {
    fn draw(path: PathBuf, pause: Duration) -> Result<Place> {
        let ticket = draw_ticket(&path)?;
        Ok(Place {
            path,
            ticket,
            pause,
        })
    }

    /// A call that is alone is not kept waiting; where calls keep coming, the last of them waits for
    /// one more.
    fn goes_to_next(&self, is_something: impl FnOnce() -> Result<bool>) -> Result<bool> {
        if self.newest() == self.ticket && self.ticket > 1 && is_something()? {
            let began = Instant::now();
            while self.newest() == self.ticket && began.elapsed() < self.pause {
                std::thread::sleep(GLANCE.min(self.pause));
            }
        }
        if self.newest() > self.ticket {
            return Ok(true);
        }
        // The next one begins anew.
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io("remove", &self.path, error))
            }
            _ => Ok(false),
        }
    }

    /// The last ticket; none is left once a later call has begun to judge.
    fn newest(&self) -> u64 {
        self.path.metadata().map_or(0, |file| file.len())
    }
}

fn draw_ticket(path: &Path) -> Result<u64> {
    let io = |error| Error::io("write", path, error);
    let mut options = File::options();
    let mut file = in_folder(path, || options.append(true).create(true).open(path)).map_err(io)?;
    file.write_all(b".").map_err(io)?;
    file.stream_position().map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    fn draw(path: &Path, pause: Duration) -> Place {
        Place::draw(path.to_owned(), pause).unwrap()
    }

    fn goes_to_next(place: &Place, is_something: bool) -> bool {
        place.goes_to_next(|| Ok(is_something)).unwrap()
    }

    #[test]
    fn the_last_of_several_calls_judges_for_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tcr").join("calls");
        let (first, second) = (draw(&path, LONG), draw(&path, Duration::ZERO));
        assert!(goes_to_next(&first, true));
        assert!(!goes_to_next(&second, true));
        let later = draw(&path, LONG);
        assert!(
            !goes_to_next(&later, true),
            "it is alone, and does not wait"
        );
        assert!(
            !goes_to_next(&first, true),
            "whoever was asked to judge it has begun"
        );
    }

    #[test]
    fn the_last_waits_while_calls_keep_coming_if_there_is_something_to_judge() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("calls");
        drop(draw(&path, LONG));
        let second = draw(&path, LONG);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| goes_to_next(&second, true));
            assert!(!waits.is_finished());
            let third = draw(&path, LONG);
            assert!(waits.join().unwrap(), "the third judges for it");
            assert!(!goes_to_next(&third, false), "nothing changed: no wait");
        });
    }
}
