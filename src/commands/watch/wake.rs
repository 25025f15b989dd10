//! Everything that can wake the watch up, on one channel.

use std::path::Path;
use std::sync::mpsc::Sender;

use crossterm::event::{Event, KeyEvent, KeyEventKind};
use rustix::event::{PollFd, PollFlags, poll};

use super::worker::Note;
use crate::error::{Error, Result};
use crate::this_process::signals::SignalWatch;

/// A reason to wake up.
#[derive(Debug)]
pub(super) enum Wake {
    /// Files changed, or the system could not say which.
    Files(notify::Result<notify::Event>),
    /// A key was pressed.
    Key(KeyEvent),
    /// The terminal has another size.
    Resized,
    /// The work goes on.
    Work(Note),
    /// Somebody wants the process to stop, or the terminal is gone.
    Stop,
}

/// From here on a signal to stop wakes the watch up instead of ending the process, so that the
/// terminal can be put back and a running test be ended.
pub(super) fn on_signals(wakes: Sender<Wake>) -> Result<()> {
    let failed = |error| Error::io("listen to", Path::new("signals"), error);
    let signals = SignalWatch::start().map_err(failed)?;
    std::thread::spawn(move || {
        loop {
            let mut fds = [PollFd::from_borrowed_fd(signals.fd(), PollFlags::IN)];
            let woken = poll(&mut fds, None);
            signals.clear();
            let interrupted = matches!(woken, Err(rustix::io::Errno::INTR));
            let over = signals.take_stop().is_some() || (woken.is_err() && !interrupted);
            if over && wakes.send(Wake::Stop).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Keys and changes of the terminal's size.
pub(super) fn on_keys(wakes: Sender<Wake>) {
    std::thread::spawn(move || {
        loop {
            let wake = match crossterm::event::read() {
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Wake::Key(key),
                Ok(Event::Resize(..)) => Wake::Resized,
                Ok(_) => continue,
                Err(_) => Wake::Stop,
            };
            let is_last = matches!(wake, Wake::Stop);
            if wakes.send(wake).is_err() || is_last {
                return;
            }
        }
    });
}
