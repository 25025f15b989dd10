//! Printing results: text for people, JSON for programs, from the same value.

use clap::Args;
use std::io::Write;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::message::Message;

/// How many entries a list shows where nobody asks for more.
pub(crate) const LISTED: usize = 50;

/// How facts are printed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OutputArgs {
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

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

/// A list in JSON on one line, item by item, so that it need not be in memory.
pub(crate) struct JsonList {
    out: std::io::BufWriter<std::io::Stdout>,
    separator: &'static str,
}

impl JsonList {
    pub(crate) fn new() -> JsonList {
        JsonList {
            out: std::io::BufWriter::new(std::io::stdout()),
            separator: "[",
        }
    }

    /// Adds an item that is JSON already; false if nobody reads any more.
    pub(crate) fn push(&mut self, item: &str) -> Result<bool> {
        let separator = std::mem::replace(&mut self.separator, ",");
        still_read(write!(self.out, "{separator}{item}"))
    }

    pub(crate) fn end(mut self) -> Result<()> {
        let open = if self.separator == "[" { "[" } else { "" };
        finish(writeln!(self.out, "{open}]").and_then(|()| self.out.flush()))
    }
}

fn finish(written: std::io::Result<()>) -> Result<()> {
    still_read(written).map(drop)
}

/// Whether somebody still reads: a reader that went away, as `head` does, is no failure.
pub(crate) fn still_read(written: std::io::Result<()>) -> Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Error::io(
            "write to",
            std::path::Path::new("standard output"),
            error,
        )),
    }
}
