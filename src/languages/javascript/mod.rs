//! JavaScript and TypeScript.

mod names;
mod tested;

use tree_sitter::Node;

use self::names::{imports, is_require, outside_names};
use crate::languages::fixtures::{Frame, is_in_fixture};
use crate::languages::items::Item;
use crate::languages::language::{Profile, TestNames};
use crate::languages::syntax::{
    Answer, Edit, Found, HiddenTest, Import, Kind, Syntax, TestCall, Words, child_of_kind,
    children, field, named_children, said,
};
use crate::languages::test_words::TestWords;

/// JavaScript, or TypeScript where types may be written.
pub(super) struct JavaScript {
    /// Files of this sort may hold types.
    pub(super) is_typed: bool,
}

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "javascript",
    endings: &[
        "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "astro", "gjs",
        "gts",
    ],
    interpreters: &["bun", "deno", "gjs", "node", "nodejs", "ts-node", "tsx"],
    test_names: TestNames {
        ends: &["_spec", "-spec", ".cy", ".e2e", "-e2e", ".pw"],
        starts: &["test-", "test_"],
        ..TestNames::NONE
    },
    test_marks: &["import.meta.vitest"],
    runners: &[
        "ava",
        "babel",
        "cucumber",
        "cypress",
        "jasmine",
        "jest",
        "karma",
        "mocha",
        "nyc",
        "playwright",
        "qunit",
        "vite",
        "vitest",
        "wdio",
    ],
    exports_functions: Some(exports_functions),
    is_in_fixture: |source, line, _| is_in_fixture(&JavaScript { is_typed: true }, source, line),
    test_place: "{folder}/{stem}.test.{ending}",
    syntaxes: &[
        &JavaScript { is_typed: true },
        &JavaScript { is_typed: false },
    ],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment", "html_comment"],
    blocks: &["program", "statement_block", "class_body"],
    strings: &["string"],
    free_semicolons: true,
    tool_comments: &[
        "@jest-environment",
        "@vitest-environment",
        "@jest-config",
        "@ts-ignore",
        "@ts-expect-error",
        "@ts-nocheck",
        "@ts-check",
        "@jsx",
        "/// <reference",
    ],
    attributes: &["decorator"],
    unseen: &["accessibility_modifier"],
    added_members: &[
        "property_signature",
        "method_signature",
        "enum_assignment",
        "property_identifier",
        "call_signature",
        "construct_signature",
        "index_signature",
    ],
    added_arms: &["switch_case", "switch_default"],
    computing: &[
        "call_expression",
        "new_expression",
        "await_expression",
        "yield_expression",
        "arrow_function",
        "function_expression",
        "assignment_expression",
        "template_substitution",
    ],
    added_exports: &["shorthand_property_identifier"],
    literals: &[
        "number",
        "string",
        "template_string",
        "true",
        "false",
        "null",
        "undefined",
        "regex",
        "property_identifier",
        "type_identifier",
        "predefined_type",
    ],
    plain_collections: &[
        "array",
        "object",
        "pair",
        "unary_expression",
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
    ],
    guards: &[
        "NODE_ENV===\"test\"",
        "NODE_ENV==\"test\"",
        "NODE_ENV!==\"test\"",
        "NODE_ENV!=\"test\"",
        "\"test\"===process.env.NODE_ENV",
        "process.env.VITEST",
        "process.env.JEST_WORKER_ID",
        "import.meta.vitest",
        "import.meta.env.VITEST",
        "import.meta.env.MODE===\"test\"",
    ],
    test_libraries: &[
        "vitest",
        "jest",
        "@jest/",
        "@jest",
        "node:test",
        "mocha",
        "chai",
        "ava",
        "tap",
        "tape",
        "jasmine",
        "qunit",
        "@testing-library",
        "@playwright/test",
        "bun:test",
        "sinon",
        "uvu",
        "cypress",
        "@vitest",
    ],
};

const TEST_CALLS: &[&str] = &[
    "test", "it", "fit", "xit", "xtest", "ftest", "specify", "xspecify", "bench",
];
const GROUP_CALLS: &[&str] = &[
    "describe",
    "fdescribe",
    "xdescribe",
    "suite",
    "context",
    "xcontext",
];

impl Syntax for JavaScript {
    fn extension(&self) -> &'static [u8] {
        if self.is_typed { b"tsx" } else { b"js" }
    }

    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        match (extension, self.is_typed) {
            (b"ts" | b"mts" | b"cts", true) => {
                Some(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into())
            }
            (b"tsx", true) => Some(tree_sitter_typescript::LANGUAGE_TSX.into()),
            (b"js" | b"mjs" | b"cjs" | b"jsx", false) => {
                Some(tree_sitter_javascript::LANGUAGE.into())
            }
            _ => None,
        }
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn test_words(&self, extension: &[u8]) -> Option<&'static TestWords> {
        Some(match extension {
            b"ts" | b"mts" | b"cts" => &tested::TYPESCRIPT,
            _ => &tested::TSX,
        })
    }

    fn frames_tests(&self, node: Node<'_>, text: &str) -> Option<Frame> {
        let called = node
            .child_by_field_name("function")
            .filter(|_| node.kind() == "call_expression")?;
        let name = match called.kind() {
            "member_expression" => field(called, "property", text),
            _ => said(called, text),
        };
        match name {
            "beforeEach" | "afterEach" | "beforeAll" | "afterAll" => Some(Frame::Fixture),
            "test" | "it" => Some(Frame::Test),
            _ => None,
        }
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        find(node, text, found);
    }

    fn is_test_part(&self, _attributes: &[Node<'_>], node: Node<'_>, text: &str) -> bool {
        is_vitest_block(node, text)
    }

    fn test_call<'t>(&self, node: Node<'t>, text: &'t str) -> Option<TestCall<'t>> {
        test_call(node, text)
    }

    /// Other uses of `import.meta.vitest` can't be told from source.
    fn hidden_tests(&self, root: Node<'_>, text: &str) -> Option<Vec<HiddenTest>> {
        if !text.contains("vitest") {
            return Some(Vec::new());
        }
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if is_vitest_block(node, text) {
                continue;
            }
            if node.kind() == "member_expression" && said(node, text) == "import.meta.vitest" {
                return None;
            }
            open.extend(named_children(node));
        }
        Some(Vec::new())
    }

    fn front(&self, function: &Item<'_>, _text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        let says = self.says(function, answer);
        if body.kind() != "statement_block" {
            return Some(vec![
                Edit::insert(body.start_byte(), format!("{{ {says} return (")),
                Edit::insert(body.end_byte(), "); }"),
            ]);
        }
        let at = named_children(body)
            .into_iter()
            .filter(|child| child.kind() != "comment")
            .take_while(|child| is_directive(*child))
            .map(|child| child.end_byte())
            .last()
            .unwrap_or(body.start_byte() + 1);
        Some(vec![Edit::insert(at, format!(" {says}"))])
    }

    fn imports(&self, node: Node<'_>, text: &str, _path: &[u8]) -> Vec<Import> {
        imports(node, text)
    }

    fn is_plain_attribute(&self, _attribute: Node<'_>, _text: &str) -> bool {
        false
    }

    fn is_plain_statement(&self, node: Node<'_>, _text: &str) -> bool {
        is_directive(node)
    }

    /// What is exported under its own name is declared where it stands.
    fn declares(&self, value: Node<'_>, text: &str) -> bool {
        let Some(parent) = value.parent() else {
            return false;
        };
        let left = field(parent, "left", text);
        let is_export = left == "module.exports"
            || left.starts_with("exports.")
            || left.starts_with("module.exports.")
            || parent.kind() == "export_statement";
        let is_own = |node: Node<'_>| {
            matches!(node.kind(), "identifier" | "shorthand_property_identifier")
                && !outside_names(value, text).contains(&said(node, text))
        };
        match (is_export, value.kind()) {
            (true, "identifier") => is_own(value),
            (true, "object") => named_children(value).into_iter().all(is_own),
            (true | false, _) => false,
        }
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(
            joined,
            "newMap()"
                | "newSet()"
                | "newArray()"
                | "newObject()"
                | "Promise.resolve()"
                | "Promise.resolve(null)"
                | "Promise.resolve(undefined)"
                | "Promise.resolve([])"
                | "Promise.resolve({})"
                | "Promise.resolve(\"\")"
                | "Promise.resolve(0)"
                | "Promise.resolve(false)"
                | "Object.create(null)"
                | "newUint8Array()"
                | "undefinedasnever"
                | "undefinedasany"
                | "nullasany"
                | "null!"
                | "<></>"
        )
    }
}

impl JavaScript {
    fn says(&self, function: &Item<'_>, answer: &Answer) -> String {
        let is_derived = function.name == "constructor" && in_derived_class(function.node);
        let is_setter = children(function.node)
            .iter()
            .any(|child| child.kind() == "set");
        let says = match answer.empty && !is_derived {
            true if is_setter || function.name == "constructor" => "return;".to_owned(),
            true if self.is_typed => "return undefined as never;".to_owned(),
            true => "return;".to_owned(),
            false => format!("throw new Error(\"{}\");", answer.message),
        };
        match self.is_typed {
            true => format!("if (true as boolean) {says}"),
            false => says,
        }
    }
}

fn in_derived_class(method: Node<'_>) -> bool {
    method
        .parent()
        .and_then(|body| body.parent())
        .is_some_and(|class| child_of_kind(class, &["class_heritage"]).is_some())
}

fn is_directive(node: Node<'_>) -> bool {
    node.kind() == "expression_statement"
        && named_children(node)
            .iter()
            .all(|child| child.kind() == "string")
}

fn is_vitest_block(node: Node<'_>, text: &str) -> bool {
    node.kind() == "if_statement"
        && node.child_by_field_name("alternative").is_none()
        && field(node, "condition", text).trim_matches(['(', ')', ' ']) == "import.meta.vitest"
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

fn find<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    let name = field(node, "name", text);
    let body = node.child_by_field_name("body");
    let one = match node.kind() {
        "import_statement" => Found::new(Kind::Import, "", node),
        "export_statement" => return export(node, text, found),
        "function_declaration" | "generator_function_declaration" => {
            Found::new(Kind::Function, name, node).body(body)
        }
        "function_signature" | "method_signature" | "abstract_method_signature" => {
            Found::new(Kind::Function, name, node).mark("signature")
        }
        "class_declaration" | "abstract_class_declaration" => {
            Found::new(Kind::Container, name, node)
                .body(body)
                .decorated(node)
        }
        "internal_module" | "module" => Found::new(Kind::Container, name, node).body(body),
        "lexical_declaration" | "variable_declaration" => return variables(node, text, found),
        "interface_declaration" | "type_alias_declaration" | "enum_declaration" => {
            Found::new(Kind::Type, name, node)
        }
        "ambient_declaration" => {
            let inner = named_children(node).into_iter().next().unwrap_or(node);
            Found::new(Kind::Type, field(inner, "name", text), node).mark("declare")
        }
        "method_definition" => Found::new(Kind::Function, name, node)
            .body(body)
            .mark(mark(node)),
        "field_definition" => {
            let name = field(node, "property", text);
            value(name, node, node.child_by_field_name("value"), text)
                .mark(mark(node))
                .decorated(node)
        }
        "public_field_definition" => value(name, node, node.child_by_field_name("value"), text)
            .mark(mark(node))
            .decorated(node),
        "index_signature" => Found::new(Kind::Type, said(node, text), node),
        "pair" => {
            let key = field(node, "key", text);
            value(key, node, node.child_by_field_name("value"), text)
        }
        "shorthand_property_identifier" => Found::new(Kind::Type, said(node, text), node),
        "expression_statement" => return expression(node, text, found),
        "empty_statement" => return,
        _ => Found::new(Kind::Statement, "", node),
    };
    found.push(one);
}

fn mark(node: Node<'_>) -> String {
    let marks: Vec<&str> = children(node)
        .iter()
        .map(Node::kind)
        .filter(|kind| matches!(*kind, "static" | "get" | "set"))
        .collect();
    marks.join(" ")
}

/// A value by what it is: a function, a class, an object with functions, or plain.
fn value<'t>(name: &str, node: Node<'t>, value: Option<Node<'t>>, text: &'t str) -> Found<'t> {
    match value {
        None => Found::new(Kind::Type, name, node),
        Some(value) if is_function(value) => {
            Found::new(Kind::Function, name, node).body(value.child_by_field_name("body"))
        }
        Some(value) if value.kind() == "class" => {
            Found::new(Kind::Container, name, node).body(value.child_by_field_name("body"))
        }
        Some(value) if holds_functions(value) => {
            Found::new(Kind::Container, name, node).body(Some(value))
        }
        Some(value) if is_require(value, text) => Found::new(Kind::Import, "", node),
        Some(value) => Found::new(Kind::Value, name, node).body(Some(value)),
    }
}

fn holds_functions(object: Node<'_>) -> bool {
    object.kind() == "object"
        && named_children(object).into_iter().any(|child| {
            child.kind() == "method_definition"
                || child.child_by_field_name("value").is_some_and(is_function)
        })
}

fn variables<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    let declarators: Vec<Node<'t>> = named_children(node)
        .into_iter()
        .filter(|child| child.kind() == "variable_declarator")
        .collect();
    let is_part = declarators.len() > 1;
    for declarator in declarators {
        let whole = if is_part { declarator } else { node };
        let name = field(declarator, "name", text);
        let content = declarator.child_by_field_name("value");
        let mut one = value(name, whole, content, text).part(is_part);
        if one.kind == Kind::Import {
            one.node = declarator;
        }
        found.push(one);
    }
}

fn export<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    if let Some(declaration) = node.child_by_field_name("declaration") {
        let before = found.len();
        find(declaration, text, found);
        for one in found.iter_mut().skip(before) {
            one.decoration = Some(node);
            if one.name.is_empty() && one.kind != Kind::Import {
                one.name = "default".to_owned();
            }
        }
        return;
    }
    if let Some(content) = node.child_by_field_name("value") {
        found.push(value("default", content, Some(content), text).decorated(node));
        return;
    }
    let lists = child_of_kind(node, &["export_clause", "namespace_export", "*"]).is_some();
    let kind = if lists { Kind::Import } else { Kind::Statement };
    found.push(Found::new(kind, "", node));
}

fn expression<'t>(node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
    if let Some(module) = child_of_kind(node, &["internal_module", "module"]) {
        return find(module, text, found);
    }
    let assigned = child_of_kind(node, &["assignment_expression"]).and_then(|assignment| {
        let left = assignment.child_by_field_name("left")?;
        let right = assignment.child_by_field_name("right")?;
        (left.kind() == "member_expression").then_some((said(left, text), right))
    });
    found.push(match assigned {
        Some((name, right)) => match value(name, node, Some(right), text) {
            found if found.kind == Kind::Import => Found::new(Kind::Statement, "", node),
            found => found,
        },
        None => Found::new(Kind::Statement, "", node),
    });
}

fn test_call<'t>(node: Node<'t>, text: &'t str) -> Option<TestCall<'t>> {
    if node.kind() != "call_expression" {
        return None;
    }
    let words = callee(node.child_by_field_name("function")?, text);
    let is_group = match words.as_slice() {
        [first, ..] if GROUP_CALLS.contains(first) => true,
        ["test" | "it", rest @ ..] if rest.contains(&"describe") => true,
        ["QUnit", "module", ..] => true,
        [first, ..] if TEST_CALLS.contains(first) => false,
        ["QUnit" | "Deno", "test", ..] => false,
        _ => return None,
    };
    let given = named_children(node.child_by_field_name("arguments")?);
    let title = title(*given.first()?, text)?;
    let body = given
        .iter()
        .copied()
        .find(|one| is_function(*one))
        .and_then(|function| function.child_by_field_name("body"));
    let is_test = body.is_some()
        || given.iter().any(|one| one.kind() == "object")
        || words.iter().any(|word| matches!(*word, "todo" | "skip"))
        || given.get(1).is_some_and(|one| one.kind() == "identifier");
    (is_test).then_some(TestCall {
        title,
        is_group,
        body,
    })
}

/// The names in what is called, from the first: `it.each(…)` is `it`, `each`.
fn callee<'t>(node: Node<'_>, text: &'t str) -> Vec<&'t str> {
    let mut words = Vec::new();
    let mut next = Some(node);
    while let Some(node) = next {
        next = match node.kind() {
            "member_expression" => {
                words.push(field(node, "property", text));
                node.child_by_field_name("object")
            }
            "call_expression" => node.child_by_field_name("function"),
            "identifier" => {
                words.push(said(node, text));
                None
            }
            _ => return Vec::new(),
        };
    }
    words.reverse();
    words
}

fn title(node: Node<'_>, text: &str) -> Option<String> {
    let whole = said(node, text);
    match node.kind() {
        "string" | "template_string" => {
            let inner = whole.get(1..whole.len().checked_sub(1)?)?;
            Some(
                inner
                    .replace("\\'", "'")
                    .replace("\\\"", "\"")
                    .replace("\\`", "`"),
            )
        }
        "object" => named_children(node)
            .into_iter()
            .find(|pair| field(*pair, "key", text) == "name")
            .and_then(|pair| title(pair.child_by_field_name("value")?, text)),
        "identifier" | "member_expression" => Some(whole.to_owned()),
        _ => None,
    }
}

/// Functions that others can load by name: settings are one value, exported as such.
fn exports_functions(text: &str) -> bool {
    const STARTS: &[&str] = &["export function", "export async function", "export class"];
    text.lines().any(|line| {
        STARTS.iter().any(|start| line.starts_with(start)) || exports_a_function_value(line)
    })
}

/// `export const f = (x) => …`, `exports.f = function …`.
fn exports_a_function_value(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "export const ",
        "export let ",
        "exports.",
        "module.exports.",
    ];
    let rest = STARTS.iter().find_map(|start| line.strip_prefix(start));
    rest.and_then(|rest| rest.split_once('='))
        .map(|(_, value)| value.trim_start())
        .is_some_and(|value| {
            value.starts_with("function") || value.starts_with("async ") || value.contains("=>")
        })
}
