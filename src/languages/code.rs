//! One parsed file.

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::items::{Item, collect};
use super::language::Language;
use super::syntax::Syntax;
use super::tokens::{texts, tokens};

/// Beyond this nobody wrote it by hand.
const MOST_BYTES: usize = 5 * 1024 * 1024;

/// Syntax trees deeper than this are generated, and would cost too much stack.
const DEEPEST: usize = 1_000;

/// A parser that has reported so often and is not done has lost its way.
const PATIENCE: usize = 1_000_000;

/// Why a file can't be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// Its language has no grammar here.
    NoGrammar,
    /// It is not UTF-8.
    NotText,
    /// It is too long or too deeply nested.
    TooLarge,
    /// It does not parse.
    Syntax {
        /// The first line (from 1) that does not.
        line: usize,
    },
}

/// One parsed file.
pub struct Code {
    pub(super) text: String,
    pub(super) path: Vec<u8>,
    language: Language,
    pub(super) syntax: &'static dyn Syntax,
    tree: Tree,
    /// Where its test part stands, once that was asked.
    pub(super) test_part: OnceLock<Option<Vec<Range<usize>>>>,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Code")
            .field("language", &self.language())
            .field("bytes", &self.text.len())
            .finish()
    }
}

impl Code {
    /// Parses a file. The grammar is chosen by the path's extension.
    pub fn read(path: &[u8], content: &[u8]) -> Result<Code, Unreadable> {
        let extension = Language::extension(path).ok_or(Unreadable::NoGrammar)?;
        let (language, syntax) = super::syntax_for(&extension).ok_or(Unreadable::NoGrammar)?;
        if content.len() > MOST_BYTES {
            return Err(Unreadable::TooLarge);
        }
        let text = std::str::from_utf8(content).map_err(|_| Unreadable::NotText)?;
        let tree = parse(syntax, &extension, text).ok_or(Unreadable::NoGrammar)?;
        if is_too_deep(&tree) {
            return Err(Unreadable::TooLarge);
        }
        if let Some(line) = first_error(tree.root_node()) {
            return Err(Unreadable::Syntax { line });
        }
        Ok(Code {
            text: text.to_owned(),
            path: path.to_owned(),
            language,
            syntax,
            tree,
            test_part: OnceLock::new(),
        })
    }

    /// The language it is written in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether both say the same: layout and comments don't count, except comments that a tool
    /// reads.
    pub fn same_code(&self, other: &Code) -> bool {
        if self.text == other.text {
            return true;
        }
        let (a, b) = (
            tokens(self.syntax, self.root(), &self.text),
            tokens(other.syntax, other.root(), &other.text),
        );
        self.language() == other.language() && texts(&a) == texts(&b)
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(super) fn items(&self) -> Vec<Item<'_>> {
        collect(self)
    }

    /// The line (from 1) of a place.
    pub(super) fn line_of(&self, at: usize) -> usize {
        line_of(&self.text, at)
    }
}

/// The line (from 1) of a place in a text.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// Parses a text, errors and all.
pub(super) fn parse(syntax: &dyn Syntax, extension: &[u8], text: &str) -> Option<Tree> {
    parse_by(&syntax.grammar(extension)?, text)
}

/// Parses a text by a grammar, errors and all; nothing if it takes too long.
pub(super) fn parse_by(grammar: &tree_sitter::Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut looks = 0;
    let mut give_up = |_: &ParseState| {
        looks += 1;
        match looks > PATIENCE {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut give_up);
    let rest = |at: usize| text.as_bytes().get(at..).unwrap_or_default();
    parser.parse_with_options(&mut |at, _| rest(at), None, Some(options))
}

fn is_too_deep(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    loop {
        if cursor.depth() as usize > DEEPEST {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// The first line (from 1) that does not parse.
pub(crate) fn first_error(root: Node<'_>) -> Option<usize> {
    if !root.has_error() {
        return None;
    }
    let mut node = root;
    loop {
        if node.is_error() || node.is_missing() {
            return Some(node.start_position().row + 1);
        }
        let mut cursor = node.walk();
        let wrong = node
            .children(&mut cursor)
            .find(|child| child.has_error() || child.is_missing());
        match wrong {
            Some(child) => node = child,
            None => return Some(node.start_position().row + 1),
        }
    }
}
