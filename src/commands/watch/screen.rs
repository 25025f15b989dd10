//! The terminal while it belongs to the watch.

use std::io::{self, Stdout, Write, stdout};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Attribute, Color, Print, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};

use super::layout::{Ink, Line, Shown, lines};
use crate::rules::Phase;

/// A screen of its own; dropped, it gives the terminal back as it was.
pub(super) struct Screen {
    out: Stdout,
}

impl Screen {
    pub(super) fn open() -> io::Result<Screen> {
        let screen = Screen { out: stdout() };
        enter()?;
        Ok(screen)
    }

    /// Draws everything; lines that are the same look the same, so nothing flickers.
    pub(super) fn draw(&mut self, shown: &Shown<'_>) -> io::Result<()> {
        let (width, height) = size()?;
        queue!(self.out, BeginSynchronizedUpdate)?;
        let drawn = lines(shown, width.into(), height.into());
        for (row, line) in (0..height).zip(&drawn) {
            queue!(self.out, MoveTo(0, row))?;
            draw_line(&mut self.out, line)?;
            queue!(self.out, Clear(ClearType::UntilNewLine))?;
        }
        queue!(self.out, EndSynchronizedUpdate)?;
        self.out.flush()
    }

    pub(super) fn bell(&mut self) -> io::Result<()> {
        self.out.write_all(b"\x07")?;
        self.out.flush()
    }

    /// Ctrl-Z: the shell gets the terminal until the watch is called back.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        leave()?;
        // All of the group, as the terminal would: the `git` that waits for this program, too.
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        enter()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If the terminal is gone there is nothing to give back.
        drop(leave());
    }
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Hide, Clear(ClearType::All))
}

fn leave() -> io::Result<()> {
    execute!(stdout(), Show, LeaveAlternateScreen)?;
    disable_raw_mode()
}

fn draw_line(out: &mut Stdout, line: &Line) -> io::Result<()> {
    for (ink, text) in line {
        match ink {
            Ink::Plain => {}
            Ink::Dim => queue!(out, SetAttribute(Attribute::Dim))?,
            Ink::Bold => queue!(out, SetAttribute(Attribute::Bold))?,
            Ink::Good => queue!(out, SetForegroundColor(Color::Green))?,
            Ink::Bad => queue!(out, SetForegroundColor(Color::Red))?,
            Ink::Phase(phase) => queue!(
                out,
                SetForegroundColor(color_of(*phase)),
                SetAttribute(Attribute::Reverse),
                SetAttribute(Attribute::Bold)
            )?,
        }
        queue!(out, Print(text), SetAttribute(Attribute::Reset))?;
    }
    Ok(())
}

fn color_of(phase: Phase) -> Color {
    match phase {
        Phase::Red => Color::Red,
        Phase::Green => Color::Green,
        Phase::Refactor => Color::Blue,
        Phase::Plan | Phase::Done => Color::Grey,
    }
}
