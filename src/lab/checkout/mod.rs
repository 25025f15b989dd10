//! The checkout form: a checkout of its own outside the repository, kept between experiments and
//! brought from tree to tree.

pub(super) mod copy;
mod environment;
mod git;
mod manifest;
mod sync;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::no_lab::{Doing, NoLab, Why};
use super::place::{Place, remove_all};
use super::recipes::{self, Environment};
use super::wanted::{Times, Wanted};
use manifest::Manifest;

/// How long the end of another experiment is waited for. A process that is just being started holds
/// every lock of its parent for a moment.
const PATIENCE: Duration = Duration::from_millis(500);

/// The two places between which a recipe carries things over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Roots<'a> {
    /// The worktree, without links in its path.
    pub(super) worktree: &'a Path,
    /// The checkout.
    pub(super) checkout: &'a Path,
    /// Whether a setup command makes what is missing.
    pub(super) has_setup: bool,
}

impl<'a> Roots<'a> {
    /// Both paths.
    pub(super) fn both(self) -> (&'a Path, &'a Path) {
        (self.worktree, self.checkout)
    }
}

/// The checkout of a worktree.
#[derive(Debug)]
pub(super) struct Checkout {
    /// The worktree as the user calls it.
    called: PathBuf,
    worktree: PathBuf,
    root: PathBuf,
    manifest: PathBuf,
    lock: PathBuf,
    setup: Option<String>,
    copy_limit: u64,
    /// What was left out, as it would have been too much to copy.
    pub(super) left_out: Vec<PathBuf>,
}

/// The checkout, brought to a wanted tree and held for one experiment.
#[derive(Debug)]
pub(super) struct CheckoutRoom {
    called: PathBuf,
    worktree: PathBuf,
    pub(super) root: PathBuf,
    has_setup: bool,
    shared: String,
    left_out: Vec<PathBuf>,
    _lock: File,
}

impl Checkout {
    /// Makes the checkout, or brings it up to date.
    pub(super) fn open(
        worktree: &Path,
        place: &Place,
        setup: Option<String>,
        copy_limit: u64,
    ) -> Result<Checkout, NoLab> {
        let real = worktree
            .canonicalize()
            .map_err(|error| NoLab::io(Doing::Read, worktree, &error))?;
        let mut checkout = Checkout {
            called: worktree.to_path_buf(),
            worktree: real,
            root: place.checkout.clone(),
            manifest: place.file("manifest"),
            lock: place.file("checkout.lock"),
            setup,
            copy_limit,
            left_out: Vec::new(),
        };
        checkout.left_out = match checkout.known() {
            // It is brought up to date with the next tree.
            Some(manifest) => {
                checkout.bound(&manifest)?;
                manifest.left_out
            }
            None => checkout.enter(&Wanted::default())?.left_out,
        };
        Ok(checkout)
    }

    /// What it was last brought to, unless it has to be made anew.
    fn known(&self) -> Option<Manifest> {
        let is_folder = fs::symlink_metadata(&self.root).is_ok_and(|found| found.is_dir());
        Manifest::load(&self.manifest).filter(|_| is_folder)
    }

    /// Build output that has grown too large begins anew.
    fn bound(&self, manifest: &Manifest) -> Result<(), NoLab> {
        let _lock = self.lock()?;
        for path in manifest.made.keys().map(|path| self.root.join(path)) {
            if copy::size(&path, recipes::SEED_LIMIT) > recipes::SEED_LIMIT {
                remove_all(&path).map_err(|error| NoLab::io(Doing::Remove, &path, &error))?;
            }
        }
        Ok(())
    }

    fn roots(&self) -> Roots<'_> {
        Roots {
            worktree: &self.worktree,
            checkout: &self.root,
            has_setup: self.setup.is_some(),
        }
    }

    /// Brings it to the wanted tree.
    pub(super) fn enter(&self, wanted: &Wanted) -> Result<CheckoutRoom, NoLab> {
        wanted.check()?;
        let lock = self.lock()?;
        let known = self.known();
        let is_new = known.is_none();
        // Until it is written again there is none: whoever is killed in between leaves no lie.
        remove_all(&self.manifest)
            .map_err(|error| NoLab::io(Doing::Remove, &self.manifest, &error))?;
        if is_new {
            self.begin()?;
        }
        let mut manifest = known.unwrap_or_default();
        let time = sync::sync(self.roots(), &mut manifest, self.copy_limit)?;
        let room = CheckoutRoom {
            called: self.called.clone(),
            worktree: self.worktree.clone(),
            root: self.root.clone(),
            has_setup: self.setup.is_some(),
            shared: recipes::shared(self.roots()),
            left_out: manifest.left_out.clone(),
            _lock: lock,
        };
        if let (true, Some(setup)) = (is_new, &self.setup) {
            room.run_setup(setup)?;
        }
        wanted.apply(&self.root, Times::At(time))?;
        let written = wanted.write.iter().map(|file| &file.path);
        for path in written.chain(&wanted.remove) {
            manifest.files.insert(path.clone(), None);
        }
        manifest.save(&self.manifest)?;
        Ok(room)
    }

    fn begin(&self) -> Result<(), NoLab> {
        remove_all(&self.root).map_err(|error| NoLab::io(Doing::Remove, &self.root, &error))?;
        fs::create_dir_all(&self.root).map_err(|error| NoLab::io(Doing::Write, &self.root, &error))
    }

    fn lock(&self) -> Result<File, NoLab> {
        let file =
            File::create(&self.lock).map_err(|error| NoLab::io(Doing::Lock, &self.lock, &error))?;
        let patience = Instant::now() + PATIENCE;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(Errno::WOULDBLOCK) if Instant::now() < patience => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(Errno::WOULDBLOCK) => return Err(Why::Busy.into()),
                Err(error) => return Err(NoLab::io(Doing::Lock, &self.lock, &error.into())),
            }
        }
    }
}

impl CheckoutRoom {
    fn roots(&self) -> Roots<'_> {
        Roots {
            worktree: &self.worktree,
            checkout: &self.root,
            has_setup: self.has_setup,
        }
    }

    /// The environment of a command.
    pub(super) fn environment(&self, given: Environment) -> Environment {
        let mut names = vec![self.worktree.as_path()];
        if self.called != self.worktree {
            names.push(&self.called);
        }
        environment::environment(self.roots(), &names, given)
    }

    /// Whether something that is shared with the worktree was changed by the command.
    pub(super) fn spoilt_shared(&self) -> bool {
        self.shared != recipes::shared(self.roots())
    }

    fn run_setup(&self, setup: &str) -> Result<(), NoLab> {
        let failed = |output: String| NoLab::from(Why::Setup { output });
        let output = Command::new("/bin/sh")
            .args(["-c", setup])
            .current_dir(&self.root)
            .env_clear()
            .envs(self.environment(std::env::vars_os().collect()))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        let printed = [output.stdout, output.stderr].concat();
        let end = printed.len().saturating_sub(2_000);
        Err(failed(
            String::from_utf8_lossy(&printed[end..]).into_owned(),
        ))
    }
}
