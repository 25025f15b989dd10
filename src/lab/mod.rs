//! The lab: a place to run tests on any tree without the worktree being touched.
//!
//! Two forms behind one interface. *Overlay*: the worktree at its own path in private namespaces,
//! with a throw-away upper layer. *Checkout*: a checkout of its own outside the repository, with
//! dependency folders carried over by recipes. It knows nothing of rules, phases and reports.

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "some of it serves the overlay form alone")
)]

mod checkout;
mod git_dirs;
mod no_lab;
#[cfg(target_os = "linux")]
mod overlay;
#[cfg(not(target_os = "linux"))]
#[path = "no_overlay.rs"]
mod overlay;
mod place;
mod recipes;
mod trial;
mod wanted;
#[cfg(target_os = "linux")]
mod watch;
#[cfg(not(target_os = "linux"))]
#[path = "no_watch.rs"]
mod watch;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use no_lab::{Doing, NoLab, NotCarried, Step, Why};
pub use overlay::stage;
pub use trial::{Doubt, Results, Said, Trial, Trusted, all_broken};
pub use wanted::{Kind, Wanted, WantedFile};

use checkout::{Checkout, CheckoutRoom};
use overlay::{Overlay, OverlayRoom};
use place::Place;
use watch::Watch;

/// How a lab is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The worktree at its own path, with an upper layer.
    Overlay,
    /// A checkout of its own.
    Checkout,
}

/// What steers how a lab is made.
#[derive(Debug, Clone)]
pub struct Options {
    /// Our own program, whose hidden command plays the inner stages.
    pub program: PathBuf,
    /// The user's folder for caches.
    pub cache: PathBuf,
    /// One form alone; otherwise the overlay where it works, else the checkout.
    pub form: Option<Form>,
    /// A command that is run once in a checkout after it was made.
    pub setup: Option<String>,
    /// How many bytes of ignored files a checkout may copy.
    pub copy_limit: u64,
}

impl Options {
    /// The usual ones.
    pub fn new(program: PathBuf, cache: PathBuf) -> Options {
        Options {
            program,
            cache,
            form: None,
            setup: None,
            copy_limit: 500_000_000,
        }
    }
}

/// A place to run tests on any tree of one worktree.
#[derive(Debug)]
pub struct Lab {
    worktree: PathBuf,
    place: Place,
    made: Made,
    no_overlay: Option<Why>,
}

#[derive(Debug)]
enum Made {
    Overlay(Overlay),
    Checkout(Checkout),
}

impl Lab {
    /// Overlay where the system allows it (it is really tried), else checkout, else why there is
    /// none.
    pub fn open(worktree: &Path, options: &Options) -> Result<Lab, NoLab> {
        let worktree = &std::path::absolute(worktree)
            .map_err(|error| NoLab::io(Doing::Read, worktree, &error))?;
        let place = Place::open(&options.cache, worktree)?;
        let overlay = || Overlay::open(worktree, &options.program, &place).map(Made::Overlay);
        let checkout = || {
            let setup = options.setup.clone();
            Checkout::open(worktree, &place, setup, options.copy_limit).map(Made::Checkout)
        };
        let mut no_overlay = None;
        let made = match options.form {
            Some(Form::Overlay) => overlay()?,
            Some(Form::Checkout) => checkout()?,
            None => match overlay() {
                Ok(made) => made,
                Err(NoLab { why: overlay }) => {
                    let made = checkout().map_err(|NoLab { why }| Why::Neither {
                        overlay: Box::new(overlay.clone()),
                        checkout: Box::new(why),
                    })?;
                    no_overlay = Some(overlay);
                    made
                }
            },
        };
        Ok(Lab {
            worktree: worktree.clone(),
            place,
            made,
            no_overlay,
        })
    }

    /// Which form it has.
    pub fn form(&self) -> Form {
        match &self.made {
            Made::Overlay(_) => Form::Overlay,
            Made::Checkout(_) => Form::Checkout,
        }
    }

    /// Why it is a checkout, where an overlay was tried first.
    pub fn no_overlay(&self) -> Option<&Why> {
        self.no_overlay.as_ref()
    }

    /// Ignored files that are not in the lab, as they would be too much to copy.
    pub fn left_out(&self) -> &[PathBuf] {
        match &self.made {
            Made::Overlay(_) => &[],
            Made::Checkout(checkout) => &checkout.left_out,
        }
    }

    /// Ready to run: a room with the wanted tree. The worktree is never touched.
    pub fn enter(&self, wanted: &Wanted) -> Result<Room, NoLab> {
        let watch = Watch::begin(&self.worktree);
        match &self.made {
            Made::Overlay(overlay) => Ok(Room {
                dir: self.worktree.clone(),
                inner: Inner::Overlay(overlay.enter(&self.place, wanted)?),
                watch,
            }),
            Made::Checkout(checkout) => {
                let room = checkout.enter(wanted)?;
                Ok(Room {
                    dir: room.root.clone(),
                    inner: Inner::Checkout(room),
                    // To copy a file was to open it.
                    watch: watch.and_then(Watch::count_opened),
                })
            }
        }
    }

    /// Removes everything on disk that belongs to a worktree's lab.
    pub fn remove(worktree: &Path, cache: &Path) -> Result<(), NoLab> {
        Place::remove(cache, worktree)
    }
}

/// One experiment. Each start of a command sees the wanted tree anew. Dropped, it is cleaned up.
#[derive(Debug)]
pub struct Room {
    dir: PathBuf,
    watch: Option<Watch>,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Overlay(OverlayRoom),
    Checkout(CheckoutRoom),
}

/// What happened while a room was used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Files of the worktree that were changed meanwhile, or in a checkout opened: the experiment
    /// is void.
    pub opened: Vec<PathBuf>,
    /// What tests wrote, where that is known.
    pub wrote: Vec<PathBuf>,
    /// Whether there was a watch at all.
    pub watched: bool,
    /// The room could not be made ready at a start of the command: it never ran.
    pub failed: Option<NoLab>,
}

impl Room {
    /// Where the command runs.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Words in front of the user's command. The thread that starts it has to outlive it.
    pub fn prefix(&self) -> &[OsString] {
        match &self.inner {
            Inner::Overlay(room) => &room.prefix,
            Inner::Checkout(_) => &[],
        }
    }

    /// The environment of the command.
    pub fn environment(&self, given: Vec<(OsString, OsString)>) -> Vec<(OsString, OsString)> {
        match &self.inner {
            Inner::Overlay(room) => room.environment(given),
            // To ask the user's tools about the worktree may be to open a file there.
            Inner::Checkout(room) => match &self.watch {
                Some(watch) => watch.except(|| room.environment(given)),
                None => room.environment(given),
            },
        }
    }

    /// Ends it and says what was seen.
    pub fn finish(self) -> Seen {
        let watched = self.watch.is_some();
        let mut opened = self.watch.map(Watch::end).unwrap_or_default();
        match self.inner {
            Inner::Checkout(room) => {
                if room.spoilt_shared() {
                    opened.push(PathBuf::from("."));
                }
                Seen {
                    opened,
                    watched,
                    ..Seen::default()
                }
            }
            Inner::Overlay(room) => Seen {
                opened,
                wrote: room.wrote(),
                watched,
                failed: room.failure(),
            },
        }
    }
}
