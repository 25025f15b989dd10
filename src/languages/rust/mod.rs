//! Rust.

mod marked;
mod tested;

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::items::Item;
use crate::languages::language::Profile;
use crate::languages::syntax::{
    Answer, Edit, Found, HiddenTest, Import, Kind, Syntax, Words, children, descendant_of_kind,
    field, named_children, said,
};
use crate::languages::test_words::TestWords;

/// Rust.
pub(super) struct Rust;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "rust",
    endings: &["rs"],
    interpreters: &["rust-script"],
    test_marks: &["#[test", "test]", "(test)", "::test", "```"],
    tests_in_source: true,
    runners: &["nextest"],
    syntaxes: &[&Rust],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["line_comment", "block_comment"],
    blocks: &["source_file", "block", "declaration_list"],
    strings: &[],
    free_semicolons: false,
    tool_comments: &[],
    attributes: &["attribute_item"],
    unseen: &["visibility_modifier"],
    added_members: &[
        "field_declaration",
        "enum_variant",
        "attribute_item",
        "associated_type",
        "function_signature_item",
    ],
    added_arms: &["match_arm"],
    computing: &["call_expression", "macro_invocation", "closure_expression"],
    added_exports: &[],
    literals: &[
        "integer_literal",
        "float_literal",
        "string_literal",
        "raw_string_literal",
        "char_literal",
        "boolean_literal",
        "negative_literal",
        "unit_expression",
    ],
    plain_collections: &[
        "array_expression",
        "tuple_expression",
        "reference_expression",
        "unary_expression",
        "parenthesized_expression",
    ],
    guards: &[
        "cfg(not(test))",
        "cfg!(test)",
        "cfg!(not(test))",
        "cfg(not(doctest))",
    ],
    test_libraries: &[
        "proptest",
        "quickcheck",
        "rstest",
        "test",
        "insta",
        "mockall",
        "trybuild",
        "libtest_mimic",
        "assert_cmd",
    ],
};

/// Attributes that bring no code along, by the first part of their path.
const PLAIN_ATTRIBUTES: &[&str] = &[
    "allow",
    "arg",
    "async_trait",
    "cfg",
    "cfg_attr",
    "clap",
    "clippy",
    "cold",
    "command",
    "default",
    "deny",
    "deprecated",
    "derive",
    "diagnostic",
    "doc",
    "error",
    "expect",
    "forbid",
    "from",
    "inline",
    "must_use",
    "non_exhaustive",
    "repr",
    "rustfmt",
    "serde",
    "source",
    "track_caller",
    "warn",
];

/// Traits whose functions run while a failing test is reported, or while it unwinds.
const MUST_NOT_PANIC: &[&str] = &["Drop", "Debug", "Display"];

impl Syntax for Rust {
    fn extension(&self) -> &'static [u8] {
        b"rs"
    }

    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        (extension == b"rs").then(|| tree_sitter_rust::LANGUAGE.into())
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn test_words(&self, _extension: &[u8]) -> Option<&'static TestWords> {
        Some(&tested::TEST_WORDS)
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        let body = node.child_by_field_name("body");
        let name = field(node, "name", text);
        let one = match node.kind() {
            "use_declaration" | "extern_crate_declaration" => Found::new(Kind::Import, "", node),
            "function_item" => Found::new(Kind::Function, name, node).body(body),
            "function_signature_item" => Found::new(Kind::Function, name, node).mark("signature"),
            "impl_item" => Found::new(Kind::Container, impl_name(node, text), node).body(body),
            "trait_item" => Found::new(Kind::Container, name, node).body(body),
            "foreign_mod_item" => Found::new(Kind::Container, "extern", node).body(body),
            "mod_item" => match body {
                Some(_) => Found::new(Kind::Container, name, node).body(body),
                None => Found::new(Kind::Type, name, node).mark("mod"),
            },
            "struct_item" | "enum_item" | "union_item" | "type_item" | "associated_type" => {
                Found::new(Kind::Type, name, node)
            }
            "const_item" | "static_item" => {
                Found::new(Kind::Value, name, node).body(node.child_by_field_name("value"))
            }
            "empty_statement" => return,
            _ => Found::new(Kind::Statement, "", node),
        };
        found.push(one);
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        item.kind == Kind::Function
            && item
                .attributes
                .iter()
                .any(|attribute| marked::is_test_attribute(*attribute, text))
    }

    fn is_test_part(&self, attributes: &[Node<'_>], node: Node<'_>, text: &str) -> bool {
        marked::is_test_part(attributes, node, text)
    }

    fn hidden_tests(&self, root: Node<'_>, text: &str) -> Option<Vec<HiddenTest>> {
        marked::hidden(root, text)
    }

    fn documentation(&self, item: Option<&Item<'_>>, root: Node<'_>) -> Option<Range<usize>> {
        marked::documentation(item, root)
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let is_bound = must_not_panic(function);
        if is_bound && !(answer.empty && answer.unheard) {
            return None;
        }
        let body = function.body?;
        let empty = match answer.empty {
            // What `fmt` returns goes by many names.
            true if is_bound && function.name == "fmt" => Some("return Ok(())".to_owned()),
            true => empty_return(function.node, text),
            false => None,
        };
        let says = empty.unwrap_or_else(|| format!("panic!(\"{}\")", answer.message));
        let at = named_children(body)
            .into_iter()
            .take_while(|child| child.kind() == "inner_attribute_item")
            .map(|child| child.end_byte())
            .last()
            .unwrap_or(body.start_byte() + 1);
        Some(vec![Edit::insert(at, format!(" if true {{ {says} }}"))])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        let visibility = children(node)
            .into_iter()
            .find(|child| child.kind() == "visibility_modifier")
            .map_or("", |child| said(child, text));
        if node.kind() == "extern_crate_declaration" {
            let name = field(node, "name", text);
            return vec![Import {
                name: name.to_owned(),
                statement: said(node, text).to_owned(),
                from: name.to_owned(),
                gives_away: !visibility.is_empty(),
            }];
        }
        let mut found = Vec::new();
        if let Some(argument) = node.child_by_field_name("argument") {
            uses(argument, "", text, &mut found);
        }
        let may_give_away =
            visibility == "pub" || found.iter().any(|(path, _)| path.contains(" as "));
        let modules = match may_give_away {
            true => own_modules(node, text),
            false => Vec::new(),
        };
        found
            .into_iter()
            .map(|(path, name)| {
                let plain = path.split(" as ").next().unwrap_or(&path);
                let last = plain.rsplit("::").next().unwrap_or(plain);
                let is_renamed = path.contains(" as ") && name != last && name != "_";
                let gives_away = (visibility == "pub" || is_renamed) && !is_own(plain, &modules);
                let space = if visibility.is_empty() { "" } else { " " };
                Import {
                    statement: format!("{visibility}{space}use {path};"),
                    from: plain.to_owned(),
                    name,
                    gives_away,
                }
            })
            .collect()
    }

    fn is_plain_attribute(&self, attribute: Node<'_>, text: &str) -> bool {
        let inside = said(attribute, text).trim_start_matches(['#', '!', '[']);
        let path = inside
            .split(['(', '=', ']'])
            .next()
            .unwrap_or(inside)
            .trim();
        let first = path.split("::").next().unwrap_or(path);
        PLAIN_ATTRIBUTES.contains(&first)
    }

    fn growing_attribute(&self, attribute: Node<'_>, text: &str) -> Option<Vec<String>> {
        let inside = said(attribute, text).trim_start_matches(['#', '[']).trim();
        let listed = inside.strip_prefix("derive")?;
        let listed = listed
            .trim()
            .trim_start_matches('(')
            .trim_end_matches([']', ')', ' ', '\n']);
        let names = listed.split(',').map(|name| name.trim().to_owned());
        Some(names.filter(|name| !name.is_empty()).collect())
    }

    fn is_plain_statement(&self, node: Node<'_>, text: &str) -> bool {
        node.kind() == "inner_attribute_item" && self.is_plain_attribute(node, text)
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        let inner = ["Ok(", "Box::new(", "Rc::new(", "Arc::new("]
            .iter()
            .find_map(|start| joined.strip_prefix(start)?.strip_suffix(')'));
        if let Some(inner) = inner {
            return matches!(
                inner,
                "()" | "None" | "0" | "0.0" | "false" | "\"\"" | "vec![]"
            ) || self.is_empty_value(inner);
        }
        if matches!(
            joined,
            "vec![]"
                | "&[]"
                | "[]"
                | "\"\".to_string()"
                | "\"\".to_owned()"
                | "\"\".into()"
                | "String::from(\"\")"
                | "Cow::Borrowed(\"\")"
                | "std::iter::empty()"
                | "iter::empty()"
                | "Duration::ZERO"
        ) {
            return true;
        }
        let path = joined.strip_suffix("::default()");
        let made = joined.strip_suffix("::new()").filter(|kind| {
            let last = kind.rsplit("::").next().unwrap_or(kind);
            matches!(
                last,
                "String"
                    | "Vec"
                    | "HashMap"
                    | "HashSet"
                    | "BTreeMap"
                    | "BTreeSet"
                    | "VecDeque"
                    | "PathBuf"
                    | "OsString"
                    | "BinaryHeap"
            )
        });
        let is_path = |kind: &str| {
            kind.chars()
                .all(|c| c.is_alphanumeric() || matches!(c, ':' | '_' | '<' | '>'))
        };
        path.or(made).is_some_and(is_path)
    }
}

/// Whether a function runs while a failing test is reported, or while it unwinds.
fn must_not_panic(function: &Item<'_>) -> bool {
    let container = function.path.last().map_or("", String::as_str);
    let implemented = container.strip_prefix("impl ");
    let name = implemented.and_then(|rest| Some(rest.split_once(" for ")?.0));
    name.is_some_and(|name| {
        let last = name.rsplit("::").next().unwrap_or(name);
        MUST_NOT_PANIC.contains(&last)
    })
}

/// `impl Trait for Type`, without lifetimes and parameters of the block.
fn impl_name(node: Node<'_>, text: &str) -> String {
    let of = |name: &str| {
        node.child_by_field_name(name)
            .map(|part| without_lifetimes(part, text))
    };
    let kind = of("type").unwrap_or_default();
    match of("trait") {
        Some(name) => format!("impl {name} for {kind}"),
        None => format!("impl {kind}"),
    }
}

fn without_lifetimes(node: Node<'_>, text: &str) -> String {
    let mut said_all = String::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind() {
            "lifetime" | "line_comment" | "block_comment" => {}
            _ if node.child_count() == 0 => said_all.push_str(said(node, text)),
            _ => open.extend(children(node).into_iter().rev()),
        }
    }
    let mut cleaned = said_all;
    for (from, to) in [("<,", "<"), (",>", ">"), ("<>", ""), (",,", ",")] {
        while cleaned.contains(from) {
            cleaned = cleaned.replace(from, to);
        }
    }
    cleaned
}

/// Each path of a `use`, with the name it binds.
fn uses(node: Node<'_>, before: &str, text: &str, found: &mut Vec<(String, String)>) {
    let joined = |path: &str| match (before.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (false, true) => before.to_owned(),
        (false, false) => format!("{before}::{path}"),
    };
    match node.kind() {
        "scoped_use_list" => {
            let path = joined(field(node, "path", text));
            if let Some(list) = node.child_by_field_name("list") {
                uses(list, &path, text, found);
            }
        }
        "use_list" => {
            for child in named_children(node) {
                uses(child, before, text, found);
            }
        }
        "use_as_clause" => {
            let alias = field(node, "alias", text);
            let path = joined(field(node, "path", text));
            found.push((format!("{path} as {alias}"), alias.to_owned()));
        }
        "use_wildcard" => found.push((joined(said(node, text)), "*".to_owned())),
        "self" if !before.is_empty() => {
            let name = before.rsplit("::").next().unwrap_or(before);
            found.push((before.to_owned(), name.to_owned()));
        }
        "line_comment" | "block_comment" => {}
        _ => {
            let path = joined(said(node, text));
            let name = path.rsplit("::").next().unwrap_or(&path).to_owned();
            found.push((path, name));
        }
    }
}

/// The modules and types that the file declares at top level.
fn own_modules<'t>(node: Node<'_>, text: &'t str) -> Vec<&'t str> {
    let mut root = node;
    while let Some(parent) = root.parent() {
        root = parent;
    }
    named_children(root)
        .into_iter()
        .filter(|child| matches!(child.kind(), "mod_item" | "enum_item"))
        .map(|child| field(child, "name", text))
        .collect()
}

fn is_own(path: &str, modules: &[&str]) -> bool {
    let first = path
        .trim_start_matches("::")
        .split("::")
        .next()
        .unwrap_or(path);
    matches!(first, "crate" | "self" | "super") || modules.contains(&first)
}

/// `return` with the empty value of the return type; none if it has none that is known.
fn empty_return(function: Node<'_>, text: &str) -> Option<String> {
    let Some(kind) = function.child_by_field_name("return_type") else {
        return Some("return".to_owned());
    };
    let is_const = children(function)
        .iter()
        .any(|child| child.kind() == "function_modifiers" && said(*child, text).contains("const"));
    let value = empty_of(kind, text, is_const)?;
    Some(match value.as_str() {
        "()" => "return".to_owned(),
        value => format!("return {value}"),
    })
}

fn empty_of(kind: Node<'_>, text: &str, is_const: bool) -> Option<String> {
    let whole = said(kind, text);
    let value = match kind.kind() {
        "unit_type" => "()",
        "primitive_type" => match whole {
            "bool" => "false",
            "f32" | "f64" => "0.0",
            "char" => "'\\0'",
            "str" => return None,
            _ => "0",
        },
        "reference_type" => match kind.child_by_field_name("type")?.kind() {
            "primitive_type" if whole.ends_with("str") => "\"\"",
            "array_type" if !whole.contains(';') && !whole.contains("mut ") => "&[]",
            _ => return None,
        },
        "tuple_type" => {
            let all: Option<Vec<String>> = named_children(kind)
                .into_iter()
                .map(|one| empty_of(one, text, is_const))
                .collect();
            return Some(format!("({},)", all?.join(", ")));
        }
        "type_identifier" => match whole {
            "String" => "String::new()",
            name if has_default(kind, name, text) && !is_const => "Default::default()",
            _ => return None,
        },
        "generic_type" => return generic(kind, text, is_const),
        _ => return None,
    };
    Some(value.to_owned())
}

fn generic(kind: Node<'_>, text: &str, is_const: bool) -> Option<String> {
    let name = field(kind, "type", text);
    let last = name.rsplit("::").next().unwrap_or(name);
    let first = || {
        let arguments = kind.child_by_field_name("type_arguments")?;
        empty_of(*named_children(arguments).first()?, text, is_const)
    };
    match last {
        "Option" => Some("None".to_owned()),
        "Vec" => Some("Vec::new()".to_owned()),
        "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "VecDeque" | "BinaryHeap" => {
            (!is_const).then(|| "Default::default()".to_owned())
        }
        "Result" => Some(format!("Ok({})", first()?)),
        "Box" if !is_const => Some(format!("Box::new({})", first()?)),
        _ => None,
    }
}

/// Whether the file shows that a type has a default.
fn has_default(node: Node<'_>, name: &str, text: &str) -> bool {
    let mut root = node;
    while let Some(parent) = root.parent() {
        root = parent;
    }
    let mut derives = false;
    for child in named_children(root) {
        match child.kind() {
            "attribute_item" => derives |= said(child, text).contains("Default"),
            "line_comment" | "block_comment" => {}
            "struct_item" | "enum_item" if derives && field(child, "name", text) == name => {
                return true;
            }
            "impl_item" if field(child, "trait", text).ends_with("Default") => {
                let found = child
                    .child_by_field_name("type")
                    .and_then(|kind| descendant_of_kind(kind, &["type_identifier"]));
                if found.is_some_and(|kind| said(kind, text) == name) {
                    return true;
                }
                derives = false;
            }
            _ => derives = false,
        }
    }
    false
}
