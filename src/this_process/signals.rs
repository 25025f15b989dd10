//! Wake-ups of a running test, and of a long watch: a child ended, or somebody wants us to stop. And
//! moments in which that has to wait.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use signal_hook::SigId;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// Signals with which somebody asks this process to stop.
const STOP_SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Catches signals for as long as it lives; afterwards they do what they always did.
pub(crate) struct SignalWatch {
    wake: UnixStream,
    stop: Arc<AtomicUsize>,
    registered: Vec<SigId>,
    _hold: DefaultsHeld,
}

impl SignalWatch {
    pub(crate) fn start() -> io::Result<SignalWatch> {
        let (wake, waker) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let mut watch = SignalWatch {
            wake,
            stop: Arc::new(AtomicUsize::new(0)),
            registered: Vec::with_capacity(1 + 2 * STOP_SIGNALS.len()),
            _hold: DefaultsHeld::new(),
        };
        for &signal in &HEEDED.signals {
            let number = usize::try_from(signal).unwrap_or_default();
            watch.registered.push(flag::register_usize(
                signal,
                Arc::clone(&watch.stop),
                number,
            )?);
            watch
                .registered
                .push(low_level::pipe::register(signal, waker.try_clone()?)?);
        }
        watch
            .registered
            .push(low_level::pipe::register(SIGCHLD, waker)?);
        Ok(watch)
    }

    /// Becomes readable when a signal came.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }

    /// Takes the wake-ups, so that the next poll waits for a new one.
    pub(crate) fn clear(&self) {
        let mut bytes = [0; 64];
        while matches!((&self.wake).read(&mut bytes), Ok(read) if read == bytes.len()) {}
    }

    /// The signal that asked us to stop, once for each time one came.
    pub(crate) fn take_stop(&self) -> Option<i32> {
        let signal = self.stop.swap(0, Ordering::SeqCst);
        i32::try_from(signal).ok().filter(|&signal| signal != 0)
    }
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            low_level::unregister(id);
        }
    }
}

/// While one of these lives, a signal that would end this process waits: a moment in which git finds a
/// lock of ours is not the one to end in.
pub(crate) struct Unbroken(Option<DefaultsHeld>);

impl Unbroken {
    pub(crate) fn begin() -> Unbroken {
        Unbroken(DefaultsHeld::alone())
    }
}

impl Drop for Unbroken {
    fn drop(&mut self) {
        let Some(held) = self.0.take() else { return };
        drop(held);
        let last = HEEDED.last.swap(0, Ordering::SeqCst);
        if let Some(signal) = i32::try_from(last).ok().filter(|&signal| signal != 0) {
            // Where that is not known there is nothing to do.
            drop(low_level::emulate_default_handler(signal));
        }
    }
}

/// The signals we listen to. signal-hook can't give a signal back to the system once it was taken,
/// so between two runs a handler of ours does what the system would have done.
struct Heeded {
    signals: Vec<i32>,
    act_as_default: Arc<AtomicBool>,
    /// The last one that came.
    last: Arc<AtomicUsize>,
}

static HEEDED: LazyLock<Heeded> = LazyLock::new(|| {
    let ignored = ignored_signals();
    let act_as_default = Arc::new(AtomicBool::new(true));
    let last = Arc::new(AtomicUsize::new(0));
    let signals = STOP_SIGNALS
        .into_iter()
        // `nohup` and background jobs start us with some ignored: that stays so.
        .filter(|signal| ignored & (1 << (signal - 1)) == 0)
        .filter(|&signal| {
            let number = usize::try_from(signal).unwrap_or_default();
            flag::register_conditional_default(signal, Arc::clone(&act_as_default)).is_ok()
                && flag::register_usize(signal, Arc::clone(&last), number).is_ok()
        })
        .collect();
    Heeded {
        signals,
        act_as_default,
        last,
    }
});

/// The bit mask of ignored signals; none are known where there is no `/proc`.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

static RUNS: Mutex<usize> = Mutex::new(0);

/// While one of these lives, stop signals do not end this process.
struct DefaultsHeld;

impl DefaultsHeld {
    fn new() -> DefaultsHeld {
        let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        *runs += 1;
        HEEDED.act_as_default.store(false, Ordering::SeqCst);
        DefaultsHeld
    }

    /// `None` if another one lives, which sees to the signals itself.
    fn alone() -> Option<DefaultsHeld> {
        let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        if *runs > 0 {
            return None;
        }
        *runs += 1;
        HEEDED.last.store(0, Ordering::SeqCst);
        HEEDED.act_as_default.store(false, Ordering::SeqCst);
        Some(DefaultsHeld)
    }
}

impl Drop for DefaultsHeld {
    fn drop(&mut self) {
        let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        *runs -= 1;
        HEEDED.act_as_default.store(*runs == 0, Ordering::SeqCst);
    }
}
