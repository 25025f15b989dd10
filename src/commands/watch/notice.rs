//! What is heard, and seen outside the terminal.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::message::Message;

/// Shows a message as a desktop notification, where the system has a program for it.
pub(super) fn on_desktop(message: &Message) {
    if let Some(command) = program(message) {
        start(command);
    }
}

/// Shows a file in the browser, where the system has a program for it.
pub(super) fn in_browser(page: &Path) {
    let mut programs = ["xdg-open", "open"].into_iter();
    if let Some(found) = programs.find_map(|name| which::which(name).ok()) {
        let mut command = Command::new(found);
        command.arg(page);
        start(command);
    }
}

fn start(mut command: Command) {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // What can't be shown is no reason to stop, and nobody waits for it.
    if let Ok(mut child) = command.spawn() {
        std::thread::spawn(move || child.wait());
    }
}

fn program(message: &Message) -> Option<Command> {
    const TITLE: &str = "git tcr";
    let text = &message.headline;
    if let Ok(found) = which::which("notify-send") {
        let mut command = Command::new(found);
        command.args(["--app-name", TITLE, "--", TITLE, text]);
        return Some(command);
    }
    let mut command = Command::new(which::which("osascript").ok()?);
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    command.arg("-e").arg(format!(
        "display notification \"{quoted}\" with title \"{TITLE}\""
    ));
    Some(command)
}
