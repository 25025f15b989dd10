//! C++.

use tree_sitter::Node;

use super::c::{
    LITERALS, PLAIN_COLLECTIONS, conditional_blocks, includes, is_plain_directive, is_plain_macro,
    item,
};
use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Edit, Found, Import, Kind, Syntax, Words, child_of_kind, children, descendant_of_kind,
    field, named_children, said,
};

/// C++.
pub(super) struct Cpp;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "cpp",
    endings: &[
        "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "cppm", "ixx",
        "cu", "cuh",
    ],
    test_names: TestNames {
        starts: &["test_"],
        camel_ends: &["Test", "Tests"],
        ..TestNames::NONE
    },
    is_in_fixture: super::googletest::is_in_fixture,
    syntaxes: &[&Cpp],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment"],
    blocks: &["translation_unit", "compound_statement", "declaration_list"],
    strings: &[],
    free_semicolons: false,
    tool_comments: &[],
    attributes: &[],
    unseen: &[],
    added_members: &["enumerator"],
    added_arms: &["case_statement"],
    computing: &["call_expression", "lambda_expression"],
    added_exports: &[],
    literals: LITERALS,
    plain_collections: PLAIN_COLLECTIONS,
    guards: &["UNIT_TEST", "TESTING"],
    test_libraries: &[
        "gtest/",
        "gmock/",
        "catch2/",
        "catch.hpp",
        "doctest",
        "boost/test/",
    ],
};

/// Macros that define a test.
const TEST_MACROS: &[&str] = &["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"];

impl Syntax for Cpp {
    fn extension(&self) -> &'static [u8] {
        b"cpp"
    }

    #[cfg(feature = "more-languages")]
    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        let is_source = matches!(
            extension,
            b"cc"
                | b"cpp"
                | b"cxx"
                | b"c++"
                | b"hh"
                | b"hpp"
                | b"hxx"
                | b"h++"
                | b"inl"
                | b"ipp"
                | b"tpp"
        );
        is_source.then(|| tree_sitter_cpp::LANGUAGE.into())
    }

    #[cfg(not(feature = "more-languages"))]
    fn grammar(&self, _extension: &[u8]) -> Option<tree_sitter::Language> {
        None
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        let body = node.child_by_field_name("body");
        let name = field(node, "name", text);
        match node.kind() {
            "class_specifier" | "struct_specifier" | "namespace_definition" if body.is_some() => {
                found.push(Found::new(Kind::Container, name, node).body(body));
            }
            "linkage_specification" => {
                found.push(Found::new(Kind::Container, "extern", node).body(body));
            }
            "template_declaration" => {
                let inner = named_children(node).into_iter().next_back();
                let before = found.len();
                if let Some(inner) = inner {
                    self.find(inner, text, found);
                }
                for one in found.iter_mut().skip(before) {
                    one.node = node;
                }
            }
            "function_definition" => found.push(function(node, text)),
            _ => found.extend(item(node, text)),
        }
    }

    fn statement_blocks<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        conditional_blocks(node)
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        let macro_name = said(item.node, text).split('(').next().unwrap_or_default();
        item.kind == Kind::Function && TEST_MACROS.contains(&macro_name.trim())
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let header = text.get(function.node.start_byte()..body.start_byte())?;
        let last = function.name.rsplit("::").next().unwrap_or(&function.name);
        // A constant is computed at build time; an exception must not leave a destructor.
        let is_kept = header.contains("constexpr")
            || header.contains("consteval")
            || header.contains("noexcept")
            || last.starts_with('~')
            || function.name == "main";
        if is_kept {
            return None;
        }
        if answer.empty
            && let Some(says) = empty_return(body, header, text)
        {
            return Some(vec![Edit::insert(
                body.start_byte() + 1,
                format!(" {says}"),
            )]);
        }
        Some(vec![
            Edit::insert(0, "#include <stdexcept>\n"),
            Edit::insert(
                body.start_byte() + 1,
                format!(" if (true) throw std::logic_error(\"{}\");", answer.message),
            ),
        ])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        includes(node, text)
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        is_plain_directive(node)
    }

    fn declares(&self, value: Node<'_>, text: &str) -> bool {
        is_plain_macro(value, text)
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(joined, "std::nullopt" | "std::string()" | "std::string{}")
            || (joined.starts_with("std::vector<")
                && (joined.ends_with("{}") || joined.ends_with("()")))
    }
}

fn function<'t>(node: Node<'t>, text: &'t str) -> Found<'t> {
    let body = node.child_by_field_name("body");
    let plain = Found::new(Kind::Function, super::c::declared(node, text), node).body(body);
    if !TEST_MACROS.contains(&plain.name.as_str()) {
        return plain;
    }
    let Some(list) = descendant_of_kind(node, &["parameter_list"]) else {
        return plain;
    };
    let given: Vec<&str> = named_children(list)
        .into_iter()
        .map(|one| said(one, text))
        .collect();
    match given.as_slice() {
        [suite, name, ..] => {
            let mut test = Found::new(Kind::Function, *name, node).body(body);
            test.owner = Some((*suite).to_owned());
            test
        }
        _ => plain,
    }
}

/// `return` of an empty value; none for references and inferred types.
fn empty_return(body: Node<'_>, header: &str, text: &str) -> Option<String> {
    let function = body.parent()?;
    let Some(kind) = function.child_by_field_name("type") else {
        return Some("if (true) return;".to_owned());
    };
    let is_inferred = said(kind, text).contains("auto") || header.contains("->");
    let declarator = function.child_by_field_name("declarator")?;
    let is_reference = declarator.kind() == "reference_declarator"
        || child_of_kind(declarator, &["&"]).is_some() && children(declarator).len() == 2;
    match (
        is_inferred || is_reference,
        said(kind, text),
        declarator.kind(),
    ) {
        (true, _, _) => None,
        (false, "void", "function_declarator") => Some("if (true) return;".to_owned()),
        (false, _, _) => Some("if (true) return {};".to_owned()),
    }
}
