//! What of a file of GoogleTest runs before or after each test. Read by its braces alone: the grammar
//! is large, and not in every build.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What stands between two braces.
struct Block {
    is_fixture: bool,
    is_test: bool,
    is_class: bool,
}

/// Whether a line (from 1) is in a fixture of a class and in no test.
pub(super) fn is_in_fixture(source: &str, line: usize, class: &str) -> bool {
    let code = without_literals(source);
    let mut open: Vec<Block> = Vec::new();
    let mut head = String::new();
    for (number, text) in (1..).zip(code.lines().take(line)) {
        let (mut fixture, mut test) = (false, false);
        let mut note = |block: &Block| {
            fixture |= block.is_fixture;
            test |= block.is_test;
        };
        open.iter().for_each(&mut note);
        for c in text.chars().chain([' ']) {
            match c {
                '{' => {
                    let block = Block::of(&head, open.last(), class);
                    note(&block);
                    open.push(block);
                }
                '}' => drop(open.pop()),
                ';' => {}
                c => {
                    head.push(c);
                    continue;
                }
            }
            head.clear();
        }
        if number == line {
            return fixture && !test;
        }
    }
    false
}

impl Block {
    /// `void SetUp() override`, `Fixture::Fixture()`, `TEST_F(Fixture, Name)`, and in a class
    /// `Fixture()`.
    fn of(head: &str, outer: Option<&Block>, class: &str) -> Block {
        static FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^[^(]*?([~:]?)\s*(\w+)\s*\(").expect("the pattern is constant")
        });
        static CLASS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^[^(]*\b(?:class|struct)\b[^(]*$").expect("the pattern is constant")
        });
        let found = FUNCTION.captures(head);
        let part = |at| found.as_ref().and_then(|found| found.get(at));
        let name = part(2).map_or("", |name| name.as_str());
        // GoogleTest writes `Instance/Fixture` and `Fixture/0` where a fixture is used more than once.
        let is_own_class = !name.is_empty() && class.split('/').any(|part| part == name);
        let is_declared = part(1).is_some_and(|mark| !mark.is_empty())
            || outer.is_some_and(|outer| outer.is_class);
        #[rustfmt::skip]
        const FIXTURES: &[&str] = &[
            "SetUp", "TearDown", "SetUpTestSuite", "TearDownTestSuite", "SetUpTestCase",
            "TearDownTestCase",
        ];
        const TESTS: &[&str] = &["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"];
        Block {
            is_fixture: FIXTURES.contains(&name) || (is_own_class && is_declared),
            is_test: TESTS.contains(&name),
            is_class: CLASS.is_match(head),
        }
    }
}

/// The text with blanks for comments, directives and what stands in quotes, line by line.
fn without_literals(source: &str) -> String {
    static LITERAL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r#"(?m)//.*$|(?s:/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#.*$"#,
        )
        .expect("the pattern is constant")
    });
    let blank = |found: &Captures<'_>| "\n".repeat(found[0].matches('\n').count());
    LITERAL.replace_all(source, blank).into_owned()
}
