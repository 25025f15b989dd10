//! The items of a file: functions, containers, types, values, imports, statements, in order.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::code::Code;
use super::syntax::{Found, Import, Kind, children, said};
use super::tokens::{Token, joined, tokens, tokens_without};

/// One item of a file, container or not. Members follow their container.
#[derive(Debug, Clone)]
pub(super) struct Item<'t> {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// The names of the containers around it.
    pub(super) path: Vec<String>,
    /// Unique within the file.
    pub(super) key: String,
    /// The declaration, from its first word.
    pub(super) node: Node<'t>,
    /// With decorators and attributes, without `export`.
    pub(super) range: Range<usize>,
    pub(super) attributes: Vec<Node<'t>>,
    pub(super) body: Option<Node<'t>>,
    /// Nodes that hold items of their own.
    pub(super) inner: Vec<Node<'t>>,
    /// `pub`, `export`, or nothing.
    pub(super) visibility: String,
    /// Where that stands, if it stands in the item.
    pub(super) visible: Option<Range<usize>>,
    /// The index of its container.
    pub(super) parent: Option<usize>,
    /// It stands in the test part of the file.
    pub(super) is_test_part: bool,
    pub(super) is_part: bool,
    pub(super) import: Option<Import>,
}

impl<'t> Item<'t> {
    /// What the item itself says: of a container only what stands around its members.
    pub(super) fn own_tokens(&self, code: &'t Code) -> Vec<Token<'t>> {
        tokens_without(code.syntax, self.node, &code.text, &|node| {
            self.inner.contains(&node) || self.attributes.contains(&node)
        })
    }

    /// The tokens of its body.
    pub(super) fn body_tokens(&self, code: &'t Code) -> Vec<Token<'t>> {
        self.body
            .map(|body| tokens(code.syntax, body, &code.text))
            .unwrap_or_default()
    }

    /// The path and the name.
    pub(super) fn full_name(&self) -> String {
        let mut all = self.path.clone();
        all.push(self.name.clone());
        all.join("::")
    }
}

/// All items of a file.
pub(super) fn collect(code: &Code) -> Vec<Item<'_>> {
    let mut collector = Collector {
        code,
        items: Vec::new(),
        seen: BTreeMap::new(),
    };
    collector.members(code.root(), &[], None, false);
    collector.items
}

struct Collector<'t> {
    code: &'t Code,
    items: Vec<Item<'t>>,
    seen: BTreeMap<String, usize>,
}

impl<'t> Collector<'t> {
    fn members(
        &mut self,
        body: Node<'t>,
        path: &[String],
        parent: Option<usize>,
        in_test_part: bool,
    ) {
        let words = self.code.syntax.words();
        let mut attributes = Vec::new();
        for node in children(body) {
            let kind = node.kind();
            if words.attributes.contains(&kind) {
                attributes.push(node);
                continue;
            }
            let is_nothing = words.comments.contains(&kind)
                || (!node.is_named() && kind != "identifier")
                || self.code.syntax.is_silent(node);
            if is_nothing {
                continue;
            }
            let mut found = Vec::new();
            self.code.syntax.find(node, &self.code.text, &mut found);
            let attributes = std::mem::take(&mut attributes);
            let is_test_part = in_test_part
                || self
                    .code
                    .syntax
                    .is_test_part(&attributes, node, &self.code.text);
            for one in found {
                self.item(one, &attributes, (path, parent, is_test_part));
            }
        }
    }

    fn item(
        &mut self,
        found: Found<'t>,
        attributes: &[Node<'t>],
        (path, parent, is_test_part): (&[String], Option<usize>, bool),
    ) {
        if found.kind == Kind::Import {
            let (syntax, text) = (self.code.syntax, &self.code.text);
            for import in syntax.imports(found.node, text, &self.code.path) {
                let key = format!("import {}", import.statement);
                let mut one = self.plain(&found, attributes, (path, parent, is_test_part));
                one.name = import.name.clone();
                one.key = self.numbered(key);
                one.import = Some(import);
                self.items.push(one);
            }
            return;
        }
        let mut path = path.to_vec();
        path.extend(found.owner.clone());
        let mut one = self.plain(&found, attributes, (&path, parent, is_test_part));
        let key = match found.kind {
            Kind::Statement => {
                format!(
                    "{}: {}",
                    path.join("::"),
                    joined(&one.own_tokens(self.code))
                )
            }
            _ => format!("{} {}", one.full_name(), found.mark),
        };
        one.key = self.numbered(key);
        let inner = one.inner.clone();
        self.items.push(one);
        let parent = match found.kind {
            Kind::Container => {
                path.push(found.name);
                Some(self.items.len() - 1)
            }
            _ => parent,
        };
        for body in inner {
            self.members(body, &path, parent, is_test_part);
        }
    }

    fn plain(
        &self,
        found: &Found<'t>,
        attributes: &[Node<'t>],
        (path, parent, is_test_part): (&[String], Option<usize>, bool),
    ) -> Item<'t> {
        let decorators = found.decoration.into_iter().flat_map(|outer| {
            children(outer)
                .into_iter()
                .filter(|child| child.kind() == "decorator")
        });
        let attributes: Vec<Node<'t>> = attributes.iter().copied().chain(decorators).collect();
        let start = attributes
            .iter()
            .map(Node::start_byte)
            .chain([found.node.start_byte()])
            .min()
            .unwrap_or_default();
        let inner = match found.kind {
            Kind::Container => found.body.into_iter().collect(),
            Kind::Statement => self.code.syntax.statement_blocks(found.node),
            Kind::Function | Kind::Type | Kind::Value | Kind::Import => Vec::new(),
        };
        let (visibility, visible) = self.visibility(found);
        Item {
            inner,
            visibility,
            visible,
            kind: found.kind,
            name: found.name.clone(),
            path: path.to_vec(),
            key: String::new(),
            node: found.node,
            range: start..found.node.end_byte(),
            attributes,
            body: found.body,
            parent,
            is_test_part,
            is_part: found.is_part,
            import: None,
        }
    }

    fn visibility(&self, found: &Found<'t>) -> (String, Option<Range<usize>>) {
        let unseen = self.code.syntax.words().unseen;
        let inside = children(found.node)
            .into_iter()
            .find(|child| unseen.contains(&child.kind()));
        if let Some(inside) = inside {
            let text = said(inside, &self.code.text).to_owned();
            return (text, Some(inside.byte_range()));
        }
        if found
            .decoration
            .is_some_and(|outer| outer.kind() == "export_statement")
        {
            return ("export".to_owned(), None);
        }
        (String::new(), None)
    }

    fn numbered(&mut self, key: String) -> String {
        let count = self.seen.entry(key.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => key,
            n => format!("{key}#{n}"),
        }
    }
}
