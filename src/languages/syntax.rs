//! What a language's file tells the shared machinery.

use std::ops::Range;

use tree_sitter::Node;

use super::fixtures::Frame;
use super::items::Item;
use super::test_words::TestWords;

/// One language: its grammar, what its nodes mean, and how its functions are hollowed.
pub(super) trait Syntax: Sync {
    /// The extension whose grammar reads most of the language.
    fn extension(&self) -> &'static [u8];

    /// The grammar for files with this extension (lower case); none if it has none.
    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language>;

    /// The words and kinds of nodes of the language.
    fn words(&self) -> &'static Words;

    /// How the tests in files with this extension are read for what is wrong with them.
    fn test_words(&self, _extension: &[u8]) -> Option<&'static TestWords> {
        None
    }

    /// What runs before or after each test, and what is one, where a failure tells its place alone.
    fn frames_tests(&self, _node: Node<'_>, _text: &str) -> Option<Frame> {
        None
    }

    /// Says what a child of a file, or of a container's body, is.
    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>);

    /// Whether a function is a test.
    fn is_test(&self, _item: &Item<'_>, _text: &str) -> bool {
        false
    }

    /// Whether an item stands in the test part of a source file.
    fn is_test_part(&self, _attributes: &[Node<'_>], _node: Node<'_>, _text: &str) -> bool {
        false
    }

    /// A call that declares a test or a group of tests.
    fn test_call<'t>(&self, _node: Node<'t>, _text: &'t str) -> Option<TestCall<'t>> {
        None
    }

    /// Tests in comments, docstrings and macros, which no item shows.
    fn hidden_tests(&self, _root: Node<'_>, _text: &str) -> Option<Vec<HiddenTest>> {
        Some(Vec::new())
    }

    /// Where an item's documentation stands, or the file's; an empty range where it would.
    fn documentation(&self, _item: Option<&Item<'_>>, _root: Node<'_>) -> Option<Range<usize>> {
        None
    }

    /// Whether a tool reads a comment.
    fn is_tool_comment(&self, comment: Node<'_>, text: &str) -> bool {
        let said = said(comment, text);
        let marks = self.words().tool_comments;
        marks.iter().any(|mark| said.contains(mark))
    }

    /// Whether a node says nothing to the program: a docstring.
    fn is_silent(&self, _node: Node<'_>) -> bool {
        false
    }

    /// What a function says before its first statement; none if it must keep its body.
    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>>;

    /// The old function in the new one's place.
    fn old_function(&self, old: (&Item<'_>, &str), new: (&Item<'_>, &str)) -> Vec<Edit> {
        vec![whole_item(old, new)]
    }

    /// The names that an import binds.
    fn imports(&self, _node: Node<'_>, _text: &str, _path: &[u8]) -> Vec<Import> {
        Vec::new()
    }

    /// The blocks of a statement that may hold items.
    fn statement_blocks<'t>(&self, _node: Node<'t>) -> Vec<Node<'t>> {
        Vec::new()
    }

    /// Whether a decorator or attribute of an added item brings no code along.
    fn is_plain_attribute(&self, _attribute: Node<'_>, _text: &str) -> bool {
        true
    }

    /// What an attribute lists, if it may list more than before.
    fn growing_attribute(&self, _attribute: Node<'_>, _text: &str) -> Option<Vec<String>> {
        None
    }

    /// Whether a value that is no literal only declares: a type made by a call.
    fn declares(&self, _value: Node<'_>, _text: &str) -> bool {
        false
    }

    /// Whether an added statement only declares.
    fn is_plain_statement(&self, _node: Node<'_>, _text: &str) -> bool {
        false
    }

    /// Whether the joined tokens of a value are an empty one in this language only.
    fn is_empty_value(&self, _joined: &str) -> bool {
        false
    }
}

/// Words and kinds of nodes of a language.
pub(super) struct Words {
    /// Kinds of comments.
    pub(super) comments: &'static [&'static str],
    /// Kinds whose children stand each on its own, so that where one ends counts.
    pub(super) blocks: &'static [&'static str],
    /// Kinds of texts whose quotes may be of either sort.
    pub(super) strings: &'static [&'static str],
    /// Semicolons between statements are layout.
    pub(super) free_semicolons: bool,
    /// Comments that a tool reads contain one of these.
    pub(super) tool_comments: &'static [&'static str],
    /// Kinds that stand before an item and belong to it.
    pub(super) attributes: &'static [&'static str],
    /// Kinds that don't change what an existing item does.
    pub(super) unseen: &'static [&'static str],
    /// Kinds that may be added within an existing item without a body to look at.
    pub(super) added_members: &'static [&'static str],
    /// Kinds of arms and branches that may be added if what they do is empty.
    pub(super) added_arms: &'static [&'static str],
    /// Kinds that compute something, which a plain signature does not.
    pub(super) computing: &'static [&'static str],
    /// Kinds that may be added to a list of what a file exports.
    pub(super) added_exports: &'static [&'static str],
    /// Kinds of plain values.
    pub(super) literals: &'static [&'static str],
    /// Kinds that are plain if all their parts are.
    pub(super) plain_collections: &'static [&'static str],
    /// Joined tokens by which source asks whether it is being tested.
    pub(super) guards: &'static [&'static str],
    /// First parts of the names of test libraries.
    pub(super) test_libraries: &'static [&'static str],
}

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A function or method, with a body or without.
    Function,
    /// A class, module or block of members.
    Container,
    /// A type without code of its own.
    Type,
    /// A constant or variable.
    Value,
    /// One name that an import binds.
    Import,
    /// Anything else that is done at load.
    Statement,
}

/// What a node was found to be.
pub(super) struct Found<'t> {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// Tells apart what has the same name: `get`, `static`, a declaration without a body.
    pub(super) mark: String,
    /// The declaration, from its first word.
    pub(super) node: Node<'t>,
    /// What stands before the declaration and belongs to it.
    pub(super) decoration: Option<Node<'t>>,
    /// The body of a function or container, the value of a value.
    pub(super) body: Option<Node<'t>>,
    /// One of several in a statement.
    pub(super) is_part: bool,
    /// A method's type where it is written elsewhere.
    pub(super) owner: Option<String>,
}

impl<'t> Found<'t> {
    pub(super) fn new(kind: Kind, name: impl Into<String>, node: Node<'t>) -> Found<'t> {
        Found {
            kind,
            name: name.into(),
            mark: String::new(),
            node,
            decoration: None,
            body: None,
            is_part: false,
            owner: None,
        }
    }

    pub(super) fn body(mut self, body: Option<Node<'t>>) -> Found<'t> {
        self.body = body;
        self
    }

    pub(super) fn mark(mut self, mark: impl Into<String>) -> Found<'t> {
        self.mark = mark.into();
        self
    }

    pub(super) fn part(mut self, is_part: bool) -> Found<'t> {
        self.is_part = is_part;
        self
    }

    pub(super) fn decorated(mut self, outer: Node<'t>) -> Found<'t> {
        self.decoration = Some(outer);
        self
    }
}

/// One name that an import binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// The name in this file; `*` for all.
    pub(super) name: String,
    /// An import of this name alone.
    pub(super) statement: String,
    /// Where it comes from.
    pub(super) from: String,
    /// It takes something from outside the project and gives it away under a name of this file.
    pub(super) gives_away: bool,
}

/// A call that declares a test or a group.
pub(super) struct TestCall<'t> {
    pub(super) title: String,
    pub(super) is_group: bool,
    /// The function with the test's or group's content.
    pub(super) body: Option<Node<'t>>,
}

/// A test that stands in no item of its own.
pub(super) struct HiddenTest {
    pub(super) name: String,
    pub(super) path: Vec<String>,
    /// Where it stands, in one or more pieces.
    pub(super) ranges: Vec<Range<usize>>,
    /// What it documents, so that it can't stand without it; none for a test that stands alone.
    pub(super) documents: Option<Documented>,
}

/// What a test in documentation documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Documented {
    /// The file.
    File,
    /// The declaration that begins there.
    Item(usize),
    /// Something within an item, which can't be found by its key.
    Inside,
}

/// What a hollow function answers.
pub(super) struct Answer {
    /// The text that it says.
    pub(super) message: String,
    /// An empty value where there is one.
    pub(super) empty: bool,
    /// Also where nothing may be raised, so that its number is never heard.
    pub(super) unheard: bool,
}

/// A piece of a text that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    pub(super) fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit {
            range: at..at,
            text: text.into(),
        }
    }
}

/// The old item as a whole, as visible as the new one is.
pub(super) fn whole_item(old: (&Item<'_>, &str), new: (&Item<'_>, &str)) -> Edit {
    let ((old, old_text), (new, _)) = (old, new);
    let piece = |range: Range<usize>| old_text.get(range).unwrap_or_default();
    let text = match (&old.visible, &new.visible) {
        (Some(range), _) if old.visibility != new.visibility => {
            let rest = piece(range.end..old.range.end);
            let rest = if new.visibility.is_empty() {
                rest.trim_start()
            } else {
                rest
            };
            format!(
                "{}{}{rest}",
                piece(old.range.start..range.start),
                new.visibility
            )
        }
        (None, Some(_)) => format!(
            "{}{} {}",
            piece(old.range.start..old.node.start_byte()),
            new.visibility,
            piece(old.node.start_byte()..old.range.end)
        ),
        (Some(_) | None, _) => piece(old.range.clone()).to_owned(),
    };
    Edit {
        range: new.range.clone(),
        text,
    }
}

/// The text of a node.
pub(super) fn said<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The text of a node's field.
pub(super) fn field<'t>(node: Node<'_>, name: &str, text: &'t str) -> &'t str {
    node.child_by_field_name(name)
        .map_or("", |child| said(child, text))
}

/// All children of a node, in order.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The named children of a node, in order.
pub(super) fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The first child of a kind.
pub(super) fn child_of_kind<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    children(node)
        .into_iter()
        .find(|child| kinds.contains(&child.kind()))
}

/// The first node of a kind at or below a node.
pub(super) fn descendant_of_kind<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut open = vec![node];
    while let Some(next) = open.pop() {
        if kinds.contains(&next.kind()) {
            return Some(next);
        }
        open.extend(children(next).into_iter().rev());
    }
    None
}
