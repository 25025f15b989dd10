//! Whether an item that was there before only grew: by arms, members, derives, visibility.

use tree_sitter::Node;

use super::change::SourceChange;
use super::code::Code;
use super::items::Item;
use super::stub::is_stub_body;
use super::syntax::{Kind, children};
use super::tokens::{joined, same_tokens, texts, tokens};

/// Lists of what a file exports, which may grow.
const EXPORT_LISTS: &[&str] = &["__all__", "module.exports"];

/// What became of an item that both versions have.
pub(super) fn grown<'t>(old: (&'t Code, &Item<'t>), new: (&'t Code, &Item<'t>)) -> SourceChange {
    let ((old_code, old_item), (new_code, new_item)) = (old, new);
    let said = |code: &'t Code, item: &Item<'t>| code.text.get(item.range.clone());
    let is_same_text = said(old_code, old_item) == said(new_code, new_item)
        && old_item.visibility == new_item.visibility;
    if new_item.kind == Kind::Import || is_same_text {
        return SourceChange::Same;
    }
    let visibility = visibility(&old_item.visibility, &new_item.visibility);
    let attributes = attributes(old, new);
    let before = old_item.own_tokens(old_code);
    let after = new_item.own_tokens(new_code);
    let own = if texts(&before) == texts(&after) {
        SourceChange::Same
    } else {
        let growth = Growth {
            old: old_code,
            new: new_code,
            is_export_list: EXPORT_LISTS.contains(&new_item.name.as_str()),
            new_inner: &new_item.inner,
            old_inner: &old_item.inner,
        };
        match (old_item.kind, new_item.kind) {
            (Kind::Value, Kind::Value) if !growth.is_export_list => SourceChange::Code,
            _ => growth.node(old_item.node, new_item.node),
        }
    };
    own.max(visibility).max(attributes)
}

fn visibility(old: &str, new: &str) -> SourceChange {
    match (old, new) {
        _ if old == new => SourceChange::Same,
        ("", _) | (_, "pub") => SourceChange::Declares,
        _ => SourceChange::Code,
    }
}

fn attributes<'t>(
    (old_code, old): (&'t Code, &Item<'t>),
    (new_code, new): (&'t Code, &Item<'t>),
) -> SourceChange {
    let split = |code: &'t Code, item: &Item<'t>| {
        let (mut fixed, mut growing) = (Vec::new(), Vec::new());
        for attribute in &item.attributes {
            match code.syntax.growing_attribute(*attribute, &code.text) {
                Some(listed) => growing.extend(listed),
                None => fixed.push(joined(&tokens(code.syntax, *attribute, &code.text))),
            }
        }
        growing.sort();
        (fixed, growing)
    };
    let (before, after) = (split(old_code, old), split(new_code, new));
    if before == after {
        SourceChange::Same
    } else if before.0 == after.0 && before.1.iter().all(|one| after.1.contains(one)) {
        SourceChange::Declares
    } else {
        SourceChange::Code
    }
}

struct Growth<'a, 't> {
    old: &'t Code,
    new: &'t Code,
    is_export_list: bool,
    old_inner: &'a [Node<'t>],
    new_inner: &'a [Node<'t>],
}

impl<'t> Growth<'_, 't> {
    fn is_same(&self, old: Node<'t>, new: Node<'t>) -> bool {
        same_tokens(
            self.old.syntax,
            (old, &self.old.text),
            (new, &self.new.text),
        )
    }

    /// The children of a node that count.
    fn seen(&self, code: &Code, node: Node<'t>, inner: &[Node<'t>]) -> Vec<Node<'t>> {
        let words = code.syntax.words();
        children(node)
            .into_iter()
            .filter(|child| {
                !words.comments.contains(&child.kind())
                    && !words.unseen.contains(&child.kind())
                    && !words.attributes.contains(&child.kind())
                    && !inner.contains(child)
                    && !code.syntax.is_silent(*child)
            })
            .collect()
    }

    fn node(&self, old: Node<'t>, new: Node<'t>) -> SourceChange {
        if old.kind() != new.kind() {
            return SourceChange::Code;
        }
        if old.kind() == "union_type" {
            return self.more_tokens(old, new);
        }
        let before = self.seen(self.old, old, self.old_inner);
        let after = self.seen(self.new, new, self.new_inner);
        if before.is_empty() {
            let same = self.is_same(old, new);
            return match same {
                true => SourceChange::Same,
                false => SourceChange::Code,
            };
        }
        let mut change = SourceChange::Same;
        let mut rest = before.as_slice();
        for child in after {
            let Some((first, others)) = rest.split_first() else {
                change = change.max(self.extra(child));
                continue;
            };
            if self.is_same(*first, child) {
                rest = others;
                continue;
            }
            let grown = match first.kind() == child.kind() && child.child_count() > 0 {
                true => self.node(*first, child),
                false => SourceChange::Code,
            };
            if grown < SourceChange::Code {
                change = change.max(grown);
                rest = others;
            } else {
                change = change.max(self.extra(child));
            }
            if change == SourceChange::Code {
                return change;
            }
        }
        match rest.is_empty() {
            true => change,
            false => SourceChange::Code,
        }
    }

    /// For types, which do nothing: all that was said is still said.
    fn more_tokens(&self, old: Node<'t>, new: Node<'t>) -> SourceChange {
        let before = tokens(self.old.syntax, old, &self.old.text);
        let after = tokens(self.new.syntax, new, &self.new.text);
        let mut rest = after.iter();
        let all = before
            .iter()
            .all(|token| rest.any(|other| other.text == token.text));
        match all {
            true => SourceChange::Declares,
            false => SourceChange::Code,
        }
    }

    /// What an added child comes to.
    fn extra(&self, child: Node<'t>) -> SourceChange {
        let words = self.new.syntax.words();
        let kind = child.kind();
        if !child.is_named() {
            return match matches!(kind, "," | "|" | ";" | "\n" | "public") {
                true => SourceChange::Declares,
                false => SourceChange::Code,
            };
        }
        let is_member = words.added_members.contains(&kind)
            || (self.is_export_list && words.added_exports.contains(&kind));
        if is_member {
            return SourceChange::Declares;
        }
        if words.added_arms.contains(&kind) && self.is_empty_arm(child) {
            return SourceChange::Stub;
        }
        SourceChange::Code
    }

    /// Whether what stands behind an arm's pattern does nothing.
    fn is_empty_arm(&self, arm: Node<'t>) -> bool {
        let words = self.new.syntax.words();
        let parts = children(arm);
        let behind = parts
            .iter()
            .position(|part| matches!(part.kind(), "=>" | ":" | "->" | "then" | "else"))
            .map_or(0, |at| at + 1);
        parts
            .into_iter()
            .skip(behind)
            .filter(|part| part.is_named() && !words.comments.contains(&part.kind()))
            .filter(|part| !matches!(part.kind(), "break_statement" | "break"))
            .all(|part| is_stub_body(self.new, part))
    }
}
