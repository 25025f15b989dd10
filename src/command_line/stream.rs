//! What flows between commands: text, found out only when somebody asks.

use std::rc::Rc;

use super::{limits, text};

/// The output of a command, or what waits on its standard input.
#[derive(Clone)]
pub(super) enum Stream<'c> {
    /// Text that is at hand, perhaps with unknown stretches.
    Text(String),
    /// Text that costs something to find out, such as the listing of a directory tree.
    Lazy(Later<'c>),
}

/// How to find a text out.
#[derive(Clone)]
pub(super) struct Later<'c> {
    find_out: Rc<dyn Fn() -> String + 'c>,
    /// How many others it is made of, one inside the other.
    depth: usize,
}

/// Streams that are made of one another; the stack grows with them.
const MAX_DEPTH: usize = 500;

impl<'c> Stream<'c> {
    pub(super) fn unknown() -> Self {
        Stream::Text(text::unknown())
    }

    pub(super) fn empty() -> Self {
        Stream::Text(String::new())
    }

    /// Text that is found out when somebody asks for it.
    pub(super) fn lazy(find_out: impl Fn() -> String + 'c) -> Self {
        Stream::made_of(0, find_out)
    }

    fn made_of(depth: usize, find_out: impl Fn() -> String + 'c) -> Self {
        match depth <= MAX_DEPTH {
            true => Stream::Lazy(Later {
                find_out: Rc::new(find_out),
                depth,
            }),
            false => Stream::unknown(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Stream::Text(_) => 0,
            Stream::Lazy(later) => later.depth,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Stream::Text(text) => text.clone(),
            Stream::Lazy(later) => (later.find_out)(),
        }
    }

    /// How much text is at hand.
    pub(super) fn len(&self) -> usize {
        match self {
            Stream::Text(text) => text.len(),
            Stream::Lazy(_) => 0,
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
            Stream::Lazy(later) => {
                Stream::made_of(later.depth + 1, move || filter(&(later.find_out)()))
            }
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
            (first, second) => {
                let depth = first.depth().max(second.depth()) + 1;
                Stream::made_of(depth, move || first.text() + &second.text())
            }
        }
    }
}
