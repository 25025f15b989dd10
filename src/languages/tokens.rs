//! The tokens of a syntax tree: what a file says, without layout and comments.

use std::borrow::Cow;

use tree_sitter::Node;

use super::layout::is_layout;
use super::syntax::{Syntax, children, said};

/// One token and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) at: usize,
    /// The token is a name.
    pub(super) is_name: bool,
}

/// Before each statement of a block.
const STATEMENT: &str = "\u{1}";
/// After the last statement of a block.
pub(super) const BLOCK_END: &str = "\u{2}";

/// The tokens of a node. `leave_out` names nodes that are passed over.
pub(super) fn tokens_without<'t>(
    syntax: &dyn Syntax,
    node: Node<'t>,
    text: &'t str,
    leave_out: &dyn Fn(Node<'t>) -> bool,
) -> Vec<Token<'t>> {
    let mut walk = Walk {
        syntax,
        text,
        found: Vec::new(),
    };
    let mut open = vec![Step::Node(node, node.parent(), None)];
    while let Some(step) = open.pop() {
        match step {
            Step::Node(node, parent, grandparent) => {
                if !leave_out(node) {
                    walk.node(node, (parent, grandparent), &mut open);
                }
            }
            Step::Gap(from, to) => walk.gap(from, to),
            Step::End(at) => walk.push(Cow::Borrowed(BLOCK_END), at, false),
        }
    }
    walk.found
}

/// All tokens of a node.
pub(super) fn tokens<'t>(syntax: &dyn Syntax, node: Node<'t>, text: &'t str) -> Vec<Token<'t>> {
    tokens_without(syntax, node, text, &|_| false)
}

/// The texts of some tokens.
pub(super) fn texts<'a>(tokens: &'a [Token<'_>]) -> Vec<&'a str> {
    tokens.iter().map(|token| token.text.as_ref()).collect()
}

/// The tokens of a node as one text, without what tells statements apart.
pub(super) fn joined(tokens: &[Token<'_>]) -> String {
    tokens
        .iter()
        .map(|token| token.text.as_ref())
        .filter(|text| *text != STATEMENT && *text != BLOCK_END)
        .collect()
}

/// Whether two nodes say the same.
pub(super) fn same_tokens<'t>(
    syntax: &dyn Syntax,
    old: (Node<'t>, &'t str),
    new: (Node<'t>, &'t str),
) -> bool {
    let (a, b) = (tokens(syntax, old.0, old.1), tokens(syntax, new.0, new.1));
    texts(&a) == texts(&b)
}

enum Step<'t> {
    /// A node, what it stands in, and what that stands in: to ask a node for its parent walks
    /// down from the root.
    Node(Node<'t>, Option<Node<'t>>, Option<Node<'t>>),
    /// Text between two children.
    Gap(usize, usize),
    End(usize),
}

struct Walk<'s, 't> {
    syntax: &'s dyn Syntax,
    text: &'t str,
    found: Vec<Token<'t>>,
}

impl<'t> Walk<'_, 't> {
    fn push(&mut self, text: Cow<'t, str>, at: usize, is_name: bool) {
        self.found.push(Token { text, at, is_name });
    }

    fn node(
        &mut self,
        node: Node<'t>,
        (parent, grandparent): (Option<Node<'t>>, Option<Node<'t>>),
        open: &mut Vec<Step<'t>>,
    ) {
        let words = self.syntax.words();
        let kind = node.kind();
        if words.comments.contains(&kind) {
            if self.syntax.is_tool_comment(node, self.text) {
                let comment = said(node, self.text).trim();
                self.push(Cow::Borrowed(comment), node.start_byte(), false);
            }
            return;
        }
        if kind == "line_continuation" || self.syntax.is_silent(node) {
            return;
        }
        if words.strings.contains(&kind)
            && let Some(value) = plain_string(node, self.text)
        {
            self.push(Cow::Owned(value), node.start_byte(), false);
            return;
        }
        let in_block = parent.is_some_and(|parent| words.blocks.contains(&parent.kind()));
        if in_block && node.is_named() {
            self.push(Cow::Borrowed(STATEMENT), node.start_byte(), false);
        }
        if node.child_count() == 0 {
            let in_for = [parent, grandparent]
                .into_iter()
                .flatten()
                .any(|outer| outer.kind().starts_with("for"));
            self.leaf(node, in_for);
            return;
        }
        self.inner(node, parent, open);
    }

    fn leaf(&mut self, node: Node<'t>, in_for: bool) {
        let text = said(node, self.text);
        let is_free = text == ";" && self.syntax.words().free_semicolons && !in_for;
        if text.trim().is_empty() || is_free {
            return;
        }
        if node.kind() == "jsx_text" {
            let words: Vec<&str> = text.split_whitespace().collect();
            self.push(Cow::Owned(words.join(" ")), node.start_byte(), false);
            return;
        }
        let kind = node.kind();
        if matches!(kind, "string_start" | "string_end") {
            let quotes = text.replace('\'', "\"");
            self.push(Cow::Owned(quotes), node.start_byte(), false);
            return;
        }
        let is_name = node.is_named()
            && (kind.ends_with("identifier") || kind == "constant" || kind == "name");
        self.push(Cow::Borrowed(text), node.start_byte(), is_name);
    }

    /// Children, and what the grammar hides between them, in order.
    fn inner(&mut self, node: Node<'t>, parent: Option<Node<'t>>, open: &mut Vec<Step<'t>>) {
        let mut steps = Vec::new();
        let mut at = node.start_byte();
        let all = children(node);
        for (nth, child) in all.iter().enumerate() {
            if child.start_byte() > at {
                steps.push(Step::Gap(at, child.start_byte()));
            }
            if !is_layout((parent, node), &all, nth, self.text) {
                steps.push(Step::Node(*child, Some(node), parent));
            }
            at = at.max(child.end_byte());
        }
        if node.end_byte() > at {
            steps.push(Step::Gap(at, node.end_byte()));
        }
        if self.syntax.words().blocks.contains(&node.kind()) {
            steps.push(Step::End(node.end_byte().saturating_sub(1)));
        }
        open.extend(steps.into_iter().rev());
    }

    fn gap(&mut self, from: usize, to: usize) {
        let text = self.text.get(from..to).unwrap_or_default();
        let said = text.trim_matches(|c: char| c.is_whitespace() || c == '\\' || c == '\u{feff}');
        if !said.is_empty() && said != ";" {
            self.push(Cow::Borrowed(said), from, false);
        }
    }
}

/// A text without interpolation, its quotes made equal; none if it has more in it.
fn plain_string(node: Node<'_>, text: &str) -> Option<String> {
    let whole = said(node, text);
    let open = whole.find(['"', '\''])?;
    let prefix = whole.get(..open)?.to_ascii_lowercase().replace('u', "");
    let quoted = whole.get(open..)?;
    let width = match quoted.get(..3) {
        Some("\"\"\"" | "'''") if quoted.len() >= 6 => 3,
        _ => 1,
    };
    let inner = quoted.get(width..quoted.len().checked_sub(width)?)?;
    if prefix.contains(['f', 't']) {
        return None;
    }
    if prefix.contains('r') {
        return Some(format!("{prefix}\"{inner}\""));
    }
    let mut value = String::with_capacity(inner.len() + 2);
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        match (c, c == '\\') {
            (_, true) => match rest.next() {
                Some(quote @ ('"' | '\'')) => value.push(quote),
                Some(other) => value.extend(['\\', other]),
                None => value.push('\\'),
            },
            (c, false) => value.push(c),
        }
    }
    Some(format!("{prefix}\"{value}\""))
}
