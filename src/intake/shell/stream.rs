//! What flows between commands: text, found out only when somebody asks.

use std::rc::Rc;

use super::{limits, text};

/// The output of a command, or what waits on its standard input.
#[derive(Clone)]
pub(super) enum Stream<'c> {
    /// Text that is at hand, perhaps with unknown stretches.
    Text(String),
    /// Text that costs something to find out, such as the listing of a directory tree.
    Lazy(Rc<dyn Fn() -> String + 'c>),
}

impl<'c> Stream<'c> {
    pub(super) fn unknown() -> Self {
        Stream::Text(text::unknown())
    }

    pub(super) fn empty() -> Self {
        Stream::Text(String::new())
    }

    pub(super) fn text(&self) -> String {
        match self {
            Stream::Text(text) => text.clone(),
            Stream::Lazy(find_out) => find_out(),
        }
    }

    /// The text if it is at hand and fully known.
    pub(super) fn known(&self) -> Option<&str> {
        match self {
            Stream::Text(text) if text::is_known(text) => Some(text),
            Stream::Text(_) | Stream::Lazy(_) => None,
        }
    }

    /// The stream after a filter; `filter` sees nothing of what is unknown.
    pub(super) fn map(self, filter: impl Fn(&str) -> String + 'c) -> Self {
        match self {
            Stream::Text(text) => Stream::Text(filter(&text)),
            Stream::Lazy(find_out) => Stream::Lazy(Rc::new(move || filter(&find_out()))),
        }
    }

    /// This stream with `other` after it.
    pub(super) fn then(self, other: Self) -> Self {
        match (self, other) {
            (Stream::Text(first), second) if first.is_empty() => second,
            (first, Stream::Text(second)) if second.is_empty() => first,
            (Stream::Text(first), Stream::Text(second))
                if first.len() + second.len() > limits::MAX_VALUE =>
            {
                Stream::unknown()
            }
            (Stream::Text(first), Stream::Text(second)) => Stream::Text(first + &second),
            (first, second) => Stream::Lazy(Rc::new(move || first.text() + &second.text())),
        }
    }
}
