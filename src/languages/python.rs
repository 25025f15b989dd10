//! Python.

use std::ops::Range;

use tree_sitter::Node;

use super::items::Item;
use super::language::{Profile, TestNames};
use super::syntax::{
    Answer, Documented, Edit, Found, HiddenTest, Import, Kind, Syntax, Words, child_of_kind,
    children, descendant_of_kind, field, named_children, said,
};
use super::test_words::{Queries, TestWords};

/// Python.
pub(super) struct Python;

/// The language as a whole.
pub(super) static PROFILE: Profile = Profile {
    name: "python",
    endings: &["py", "pyi", "pyw", "pyx", "pxd", "ipynb"],
    interpreters: &["pypy", "python", "uv"],
    test_names: TestNames {
        starts: &["test_"],
        ..TestNames::NONE
    },
    test_marks: &[PROMPT],
    runners: &[
        "behave",
        "conftest",
        "nose2",
        "pytest",
        "sitecustomize",
        "tox",
        "unittest",
        "usercustomize",
    ],
    test_place: "tests/test_{stem}.py",
    syntaxes: &[&Python],
    ..Profile::NONE
};

static WORDS: Words = Words {
    comments: &["comment"],
    blocks: &["module", "block"],
    strings: &["string"],
    free_semicolons: true,
    tool_comments: &["#!", "-*- coding", "coding:", "coding=", "doctest: +SKIP"],
    attributes: &[],
    unseen: &[],
    added_members: &[],
    added_arms: &["case_clause", "elif_clause", "else_clause", "except_clause"],
    computing: &[
        "call",
        "lambda",
        "list_comprehension",
        "set_comprehension",
        "dictionary_comprehension",
        "generator_expression",
        "await",
        "named_expression",
    ],
    added_exports: &["string"],
    literals: &[
        "integer",
        "float",
        "string",
        "concatenated_string",
        "true",
        "false",
        "none",
        "ellipsis",
    ],
    plain_collections: &[
        "list",
        "tuple",
        "set",
        "dictionary",
        "pair",
        "unary_operator",
        "expression_list",
    ],
    guards: &[
        "PYTEST_CURRENT_TEST",
        "\"pytest\"insys.modules",
        "\"unittest\"insys.modules",
        "\"nose\"insys.modules",
    ],
    test_libraries: &[
        "pytest",
        "unittest",
        "_pytest",
        "nose",
        "nose2",
        "doctest",
        "hypothesis",
        "behave",
        "pluggy",
        "mock",
        "testtools",
        "twisted.trial",
        "django.test",
    ],
};

/// Decorators that add nothing of their own to what a function does.
const PLAIN_DECORATORS: &[&str] = &[
    "property",
    "staticmethod",
    "classmethod",
    "abstractmethod",
    "overload",
    "override",
    "final",
    "dataclass",
    "runtime_checkable",
    "total_ordering",
    "unique",
    "setter",
    "getter",
    "deleter",
    "define",
    "frozen",
];

/// Calls that make types and fields.
const DECLARING_CALLS: &[&str] = &[
    "TypeVar",
    "ParamSpec",
    "TypeVarTuple",
    "NewType",
    "namedtuple",
    "NamedTuple",
    "TypedDict",
    "field",
    "Field",
    "getLogger",
    "auto",
];

impl Syntax for Python {
    fn extension(&self) -> &'static [u8] {
        b"py"
    }

    fn grammar(&self, extension: &[u8]) -> Option<tree_sitter::Language> {
        matches!(extension, b"py" | b"pyi" | b"pyw").then(|| tree_sitter_python::LANGUAGE.into())
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn test_words(&self, _extension: &[u8]) -> Option<&'static TestWords> {
        Some(&TEST_WORDS)
    }

    fn find<'t>(&self, node: Node<'t>, text: &'t str, found: &mut Vec<Found<'t>>) {
        match node.kind() {
            "import_statement" | "import_from_statement" | "future_import_statement" => {
                found.push(Found::new(Kind::Import, "", node));
            }
            "decorated_definition" => {
                if let Some(inner) = node.child_by_field_name("definition") {
                    found.extend(
                        definition(inner, text).map(|f| f.mark(mark(node, text)).decorated(node)),
                    );
                }
            }
            "function_definition" | "class_definition" => found.extend(definition(node, text)),
            "type_alias_statement" => {
                found.push(Found::new(Kind::Type, field(node, "left", text), node));
            }
            "expression_statement" => found.push(expression(node, text)),
            _ => found.push(Found::new(Kind::Statement, "", node)),
        }
    }

    fn statement_blocks<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        match node.kind() {
            "if_statement" | "try_statement" | "with_statement" | "elif_clause" | "else_clause"
            | "except_clause" | "finally_clause" => children(node)
                .into_iter()
                .flat_map(|child| match child.kind() {
                    "block" => vec![child],
                    _ => self.statement_blocks(child),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    fn is_test(&self, item: &Item<'_>, text: &str) -> bool {
        let is_fixture = item
            .attributes
            .iter()
            .any(|decorator| said(*decorator, text).contains("fixture"));
        item.kind == Kind::Function && item.name.starts_with("test") && !is_fixture
    }

    fn hidden_tests(&self, root: Node<'_>, text: &str) -> Option<Vec<HiddenTest>> {
        let mut found = Vec::new();
        if text.contains(PROMPT) {
            doctests(root, text, &mut Vec::new(), &mut found);
        }
        Some(found)
    }

    fn documentation(&self, item: Option<&Item<'_>>, root: Node<'_>) -> Option<Range<usize>> {
        let body = match item {
            Some(item) => item.body?,
            None => root,
        };
        let first = named_children(body)
            .into_iter()
            .find(|child| child.kind() != "comment")?;
        match docstring(first) {
            Some(string) => Some(string.byte_range()),
            None => Some(first.start_byte()..first.start_byte()),
        }
    }

    fn is_silent(&self, node: Node<'_>) -> bool {
        docstring(node).is_some()
    }

    fn front(&self, function: &Item<'_>, text: &str, answer: &Answer) -> Option<Vec<Edit>> {
        let body = function.body?;
        if body.kind() == "lambda" {
            return lambda(body, answer);
        }
        let says = match answer.empty {
            true => "return".to_owned(),
            false => format!("raise NotImplementedError(\"{}\")", answer.message),
        };
        let statements: Vec<Node<'_>> = named_children(body)
            .into_iter()
            .filter(|child| child.kind() != "comment")
            .collect();
        let first = statements.iter().find(|child| docstring(**child).is_none());
        match (first, statements.last()) {
            (Some(first), _) => {
                let indent = indent_of(text, first.start_byte());
                let glue = indent.map_or("; ".to_owned(), |indent| format!("\n{indent}"));
                Some(vec![Edit::insert(first.start_byte(), says + &glue)])
            }
            (None, Some(last)) => {
                let indent = indent_of(text, last.start_byte());
                let glue = indent.map_or("; ".to_owned(), |indent| format!("\n{indent}"));
                Some(vec![Edit::insert(last.end_byte(), glue + &says)])
            }
            (None, None) => None,
        }
    }

    fn imports(&self, node: Node<'_>, text: &str, path: &[u8]) -> Vec<Import> {
        let module = field(node, "module_name", text);
        let is_future = node.kind() == "future_import_statement";
        let is_own = module.starts_with('.') || is_own_package(module, path);
        let one = |name: &str, spelled: String, gives_away: bool| Import {
            name: name.to_owned(),
            statement: match (module.is_empty(), is_future) {
                (_, true) => format!("from __future__ import {spelled}"),
                (true, false) => format!("import {spelled}"),
                (false, false) => format!("from {module} import {spelled}"),
            },
            from: if module.is_empty() {
                spelled
            } else {
                module.to_owned()
            },
            gives_away,
        };
        let mut found = Vec::new();
        let mut cursor = node.walk();
        for name in node.children_by_field_name("name", &mut cursor) {
            let whole = field(name, "name", text);
            let alias = field(name, "alias", text);
            found.push(match name.kind() {
                "aliased_import" => {
                    let gives_away = !module.is_empty() && !is_own && alias != whole;
                    one(alias, format!("{whole} as {alias}"), gives_away)
                }
                _ => {
                    let whole = said(name, text);
                    let bound = match module.is_empty() && !is_future {
                        true => whole.split('.').next().unwrap_or(whole),
                        false => whole,
                    };
                    one(bound, whole.to_owned(), false)
                }
            });
        }
        if child_of_kind(node, &["wildcard_import"]).is_some() {
            found.push(one("*", "*".to_owned(), !is_own));
        }
        found
    }

    fn is_plain_attribute(&self, attribute: Node<'_>, text: &str) -> bool {
        let called = said(attribute, text).trim_start_matches('@');
        let name = called.split('(').next().unwrap_or(called).trim();
        let last = name.rsplit('.').next().unwrap_or(name);
        PLAIN_DECORATORS.contains(&last)
    }

    fn is_plain_statement(&self, node: Node<'_>, text: &str) -> bool {
        match node.kind() {
            "pass_statement" => true,
            "if_statement" => field(node, "condition", text).ends_with("TYPE_CHECKING"),
            "expression_statement" => named_children(node)
                .iter()
                .all(|child| matches!(child.kind(), "ellipsis" | "string")),
            _ => false,
        }
    }

    fn declares(&self, value: Node<'_>, text: &str) -> bool {
        let name = field(value, "function", text);
        let last = name.rsplit('.').next().unwrap_or(name);
        value.kind() == "call" && DECLARING_CALLS.contains(&last)
    }

    fn is_empty_value(&self, joined: &str) -> bool {
        matches!(
            joined,
            "pass"
                | "..."
                | "dict()"
                | "list()"
                | "set()"
                | "tuple()"
                | "str()"
                | "int()"
                | "float()"
                | "bool()"
                | "b\"\""
                | "frozenset()"
                | "iter(())"
                | "iter([])"
        )
    }
}

fn definition<'t>(node: Node<'t>, text: &'t str) -> Option<Found<'t>> {
    let kind = match node.kind() {
        "class_definition" => Kind::Container,
        "function_definition" => Kind::Function,
        _ => return None,
    };
    let body = node.child_by_field_name("body");
    Some(Found::new(kind, field(node, "name", text), node).body(body))
}

/// `setter` of `@x.setter`, `overload`.
fn mark(decorated: Node<'_>, text: &str) -> String {
    children(decorated)
        .into_iter()
        .filter(|child| child.kind() == "decorator")
        .filter_map(|decorator| said(decorator, text).rsplit(['.', '@']).next())
        .find(|last| matches!(last.trim(), "setter" | "getter" | "deleter" | "overload"))
        .map(|last| last.trim().to_owned())
        .unwrap_or_default()
}

fn expression<'t>(node: Node<'t>, text: &'t str) -> Found<'t> {
    let Some(assignment) = child_of_kind(node, &["assignment"]) else {
        return Found::new(Kind::Statement, "", node);
    };
    let name = field(assignment, "left", text);
    let right = assignment.child_by_field_name("right");
    let is_name = assignment
        .child_by_field_name("left")
        .is_some_and(|left| matches!(left.kind(), "identifier" | "pattern_list"));
    match right {
        _ if !is_name => Found::new(Kind::Statement, "", node),
        None => Found::new(Kind::Type, name, node),
        Some(value) if value.kind() == "lambda" => {
            Found::new(Kind::Function, name, node).body(Some(value))
        }
        Some(value) => Found::new(Kind::Value, name, node).body(Some(value)),
    }
}

/// The string of a docstring statement.
fn docstring(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() != "expression_statement" || node.named_child_count() != 1 {
        return None;
    }
    let string = child_of_kind(node, &["string", "concatenated_string"])?;
    if descendant_of_kind(string, &["interpolation"]).is_some() {
        return None;
    }
    let parent = node.parent()?;
    let holds = parent.kind() == "module"
        || parent.parent().is_some_and(|outer| {
            matches!(outer.kind(), "function_definition" | "class_definition")
        });
    let mut before = node.prev_named_sibling();
    while let Some(comment) = before.filter(|other| other.kind() == "comment") {
        before = comment.prev_named_sibling();
    }
    (holds && before.is_none()).then_some(string)
}

/// What every line of a doctest begins with.
const PROMPT: &str = ">>>";

fn doctests(node: Node<'_>, text: &str, path: &mut Vec<String>, found: &mut Vec<HiddenTest>) {
    for child in children(node) {
        if let Some(string) = docstring(child) {
            let ranges = blocks(string, text);
            if !ranges.is_empty() {
                let mut outer = path.clone();
                found.push(HiddenTest {
                    name: outer.pop().unwrap_or_default(),
                    path: outer,
                    ranges,
                    documents: Some(match child.parent().and_then(|block| block.parent()) {
                        Some(item) => Documented::Item(item.start_byte()),
                        None => Documented::File,
                    }),
                });
            }
            continue;
        }
        let named = matches!(child.kind(), "function_definition" | "class_definition");
        if named {
            path.push(field(child, "name", text).to_owned());
        }
        if child.named_child_count() > 0 {
            doctests(child, text, path, found);
        }
        if named {
            path.pop();
        }
    }
}

/// From a line with `>>>` to the next blank line or the end of the docstring.
fn blocks(string: Node<'_>, text: &str) -> Vec<Range<usize>> {
    let whole = said(string, text);
    let quotes = whole.len() - whole.trim_end_matches(['"', '\'']).len();
    let body = whole.get(..whole.len() - quotes.min(3)).unwrap_or_default();
    let base = string.start_byte();
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let prompt = line.find(PROMPT).filter(|_| {
            line.trim()
                .trim_start_matches(['"', '\'', 'r', 'R', 'u', 'U'])
                .trim_start()
                .starts_with(PROMPT)
        });
        if let (None, Some(offset)) = (open, prompt) {
            open = Some(at + offset);
        } else if line.trim().is_empty() {
            let end = body.get(..at).map_or(at, |said| said.trim_end().len());
            found.extend(open.take().map(|start| base + start..base + end));
        }
        at += line.len();
    }
    let end = body.trim_end().len();
    found.extend(open.map(|start| base + start..base + end));
    found
}

/// The white space before a place, if nothing else stands before it on its line.
fn indent_of(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = before.rsplit('\n').next().unwrap_or(before);
    line.trim().is_empty().then_some(line)
}

fn lambda(lambda: Node<'_>, answer: &Answer) -> Option<Vec<Edit>> {
    let body = lambda.child_by_field_name("body")?;
    let says = match answer.empty {
        true => "None".to_owned(),
        false => format!(
            "(_ for _ in ()).throw(NotImplementedError(\"{}\"))",
            answer.message
        ),
    };
    Some(vec![
        Edit::insert(body.start_byte(), format!("({says} if True else (")),
        Edit::insert(body.end_byte(), "))"),
    ])
}

fn is_own_package(module: &str, path: &[u8]) -> bool {
    let first = module.split('.').next().unwrap_or(module);
    let path = String::from_utf8_lossy(path);
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    folders.contains(&first)
}

static QUERIES: Queries = Queries::new();

/// How its tests are read.
#[rustfmt::skip]
static TEST_WORDS: TestWords = TestWords {
    grammar: || tree_sitter_python::LANGUAGE.into(),
    query: r#"
        (function_definition
          name: (identifier) @test.name
          body: (block) @body
          (#match? @test.name "^test")) @test
        (function_definition name: (identifier) @function.name) @function
        (call) @call
        (assert_statement) @assertion
        (raise_statement) @failure
        (decorator) @mark
    "#,
    returns: r#"
        (function_definition
          parameters: (parameters) @parameters
          body: (block
            . (expression_statement (string))?
            . (return_statement [(string) (integer) (float)] @returned) .))
        (if_statement
          condition: (comparison_operator
            (identifier) . "==" . [(string) (integer) (float)] @compared)
          consequence: (block . (return_statement [(string) (integer) (float)] @returned)))
    "#,
    mocks: &[
        "Mock", "MagicMock", "AsyncMock", "NonCallableMock", "PropertyMock", "create_autospec",
        "mock.Mock", "mock.MagicMock", "mock.AsyncMock", "mock.create_autospec", "patch",
        "patch.object", "patch.dict", "patch.multiple", "mock.patch", "mock.patch.object",
        "mock.patch.dict", "mocker.patch", "mocker.patch.object", "mocker.patch.dict",
        "mocker.Mock", "mocker.MagicMock", "mocker.stub", "mocker.spy",
    ],
    skips_inside: &["pytest.skip", "self.skipTest"],
    skip_marks: &["pytest.mark.skip", "mark.skip", "unittest.skip", "skip"],
    asserting_marks: &["xfail", "expectedFailure", "raises"],
    capitals_construct: true,
    test_aware: &[
        "PYTEST_CURRENT_TEST", "\"pytest\" in sys.modules", "'pytest' in sys.modules",
    ],
    // `unittest` in `sys.modules` is asked for by libraries that offer helpers for it.
    errors_are_small: true,
    literals: &["string", "integer", "float"],
    values: &["string_start", "string_content", "string_end", "escape_sequence", "concatenated_string", "unary_operator", "true", "false", "none", "ellipsis", "list", "tuple", "dictionary", "set", "pair"],
    inert: &["block", "expression_statement", "pass_statement", "comment", "return_statement", "assignment", "expression_list", "identifier"],
    functions: &["function_definition", "lambda"],
    prints: &["print", "pprint", "pprint.pprint"],
    clocks: &["time", "asyncio", "trio", "anyio", "gevent", "eventlet"],
    ..TestWords::with(&QUERIES)
};
