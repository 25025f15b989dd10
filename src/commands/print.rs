//! Printing results: text for people, JSON for programs, from the same value.

use std::io::Write;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::message::Message;

/// Prints a message to standard output.
pub(crate) fn message(message: &Message) -> Result<()> {
    text(&message.render())
}

/// Prints text to standard output, without colour where it is not wanted.
pub(crate) fn text(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    finish(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Prints a value as JSON, on one line.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(value).map_err(|_| Error::internal("a result is not JSON"))?;
    let mut out = std::io::stdout().lock();
    finish(writeln!(out, "{line}").and_then(|()| out.flush()))
}

/// A reader that went away, as `head` does, is no failure.
fn finish(written: std::io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::io(
            "write to",
            std::path::Path::new("standard output"),
            error,
        )),
        _ => Ok(()),
    }
}
