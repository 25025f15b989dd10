//! Whether a line of a test file belongs to what runs before or after each test, for runners that tell no
//! more of a failure than its place.

use std::sync::LazyLock;

use regex::Regex;

use super::scan::{Kind, Token, tokens};
use crate::languages::Language;

/// What a piece of a test file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Fixture,
    Test,
    Other,
}

/// Whether a line, counted from 1, is in a fixture of the tests of `class`, and in no test. Where one line has
/// both, nothing tells which.
pub fn is_in_fixture(language: Language, source: &str, line: usize, class: &str) -> bool {
    let Some(line) = line.checked_sub(1) else {
        return false;
    };
    let roles = match language {
        Language::JavaScript => around(language, source, line, &|before, _| script_role(before)),
        Language::C | Language::Cpp => around(language, source, line, &|before, brackets| {
            cpp_role(before, brackets, class)
        }),
        Language::Ruby => ruby_roles(source, line),
        _ => return false,
    };
    roles.contains(&Role::Fixture) && !roles.contains(&Role::Test)
}

/// A bracket that is open, and what stands inside of it.
struct Bracket {
    role: Role,
    is_class: bool,
}

/// The roles of all brackets that are open somewhere on a line.
fn around(
    language: Language,
    source: &str,
    line: usize,
    role: &dyn Fn(&[Token<'_>], &[Bracket]) -> Role,
) -> Vec<Role> {
    let mut code = tokens(language, source);
    code.retain(|token| !matches!(token.kind, Kind::Comment | Kind::Directive));
    let mut open: Vec<Bracket> = Vec::new();
    let mut found: Option<Vec<Role>> = None;
    for (at, token) in code.iter().enumerate() {
        if token.line > line {
            break;
        }
        if token.line == line && found.is_none() {
            found = Some(roles_of(&open));
        }
        if token.kind != Kind::Punct {
            continue;
        }
        match token.text {
            "(" | "{" | "[" => {
                let before = code.get(..=at).unwrap_or_default();
                let bracket = Bracket {
                    role: role(before, &open),
                    is_class: is_class(before),
                };
                if let Some(found) = &mut found {
                    found.push(bracket.role);
                }
                open.push(bracket);
            }
            ")" | "}" | "]" => {
                open.pop();
            }
            _ => {}
        }
    }
    found.unwrap_or_else(|| roles_of(&open))
}

fn roles_of(open: &[Bracket]) -> Vec<Role> {
    open.iter().map(|bracket| bracket.role).collect()
}

/// `beforeEach(`, `test(`, `it.only(`; the last token is the bracket.
fn script_role(before: &[Token<'_>]) -> Role {
    let [.., name, bracket] = before else {
        return Role::Other;
    };
    match name.text {
        _ if name.kind != Kind::Word || !bracket.is("(") => Role::Other,
        "beforeEach" | "afterEach" | "beforeAll" | "afterAll" => Role::Fixture,
        "test" | "it" => Role::Test,
        _ => Role::Other,
    }
}

/// `void SetUp() override {`, `Fixture::Fixture() {`, `TEST_F(Fixture, Name) {`.
fn cpp_role(before: &[Token<'_>], open: &[Bracket], class: &str) -> Role {
    let head = head(before);
    let Some(parenthesis) = head.iter().position(|token| token.is("(")) else {
        return Role::Other;
    };
    let Some((name, outer)) = (head.get(..parenthesis)).and_then(|head| head.split_last()) else {
        return Role::Other;
    };
    // GoogleTest writes `Instance/Fixture` and `Fixture/0` where a fixture is used more than once.
    let is_own_class = class.split('/').any(|part| part == name.text);
    // `Fixture() {` in the class, or `Fixture::~Fixture() {` outside of it.
    let is_declared = match outer.last() {
        Some(token) if token.is("~") || token.is(":") => true,
        _ => open.last().is_some_and(|bracket| bracket.is_class),
    };
    match name.text {
        "SetUp" | "TearDown" | "SetUpTestSuite" | "TearDownTestSuite" | "SetUpTestCase"
        | "TearDownTestCase" => Role::Fixture,
        "TEST" | "TEST_F" | "TEST_P" | "TYPED_TEST" | "TYPED_TEST_P" => Role::Test,
        _ if is_own_class && is_declared => Role::Fixture,
        _ => Role::Other,
    }
}

/// What stands before an opening brace, back to the statement or block before.
fn head<'a, 't>(before: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let Some((bracket, before)) = before.split_last() else {
        return &[];
    };
    if !bracket.is("{") {
        return &[];
    }
    let is_end = |token: &Token<'_>| token.is(";") || token.is("{") || token.is("}");
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    before.get(start..).unwrap_or_default()
}

fn is_class(before: &[Token<'_>]) -> bool {
    let head = head(before);
    let has = |word: &str| head.iter().any(|token| token.is(word));
    (has("class") || has("struct")) && !has("(")
}

/// The innermost definition or block around a line, by how far lines are set in.
fn ruby_roles(source: &str, line: usize) -> Vec<Role> {
    static FIXTURE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"^\s*(?:def (?:(?:before_|after_)?(?:setup|teardown))\b|(?:before|after|setup|teardown)\b.*(?:\bdo\b|\{))",
        )
        .expect("the pattern is constant")
    });
    static TEST: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*(?:def |(?:it|test|specify|should)\b)").expect("the pattern is constant")
    });
    let lines: Vec<&str> = source.lines().take(line + 1).collect();
    let mut inner = usize::MAX;
    for text in lines.iter().rev().filter(|text| !text.trim().is_empty()) {
        let indent = text.len() - text.trim_start().len();
        if indent >= inner {
            continue;
        }
        inner = indent;
        if FIXTURE.is_match(text) {
            return vec![Role::Fixture];
        }
        if TEST.is_match(text) {
            return vec![Role::Test];
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a source that are in a fixture.
    fn lines(language: Language, source: &str, class: &str) -> Vec<usize> {
        (1..=source.lines().count())
            .filter(|line| is_in_fixture(language, source, *line, class))
            .collect()
    }

    #[test]
    fn hooks_of_scripts() {
        let source = "import { test } from 'bun:test';
beforeEach(() => { connect(); });
describe('beforeEach(', () => {
  afterEach(async () => {
    if (x) { // )
      expect(')').toBe(2);
    }
  });
  test('beforeEach(', () => {
    expect(1).toBe(2);
  });
  it.each([1])('x', () => { f(); });
});
function f() { g(); }
beforeAll(f); test('y', () => g());
";
        let found = lines(Language::JavaScript, source, "");
        assert_eq!(found, [2, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn functions_of_googletest() {
        let source = "class Fix : public ::testing::Test {
 protected:
  Fix() { ADD_FAILURE(); }
  void SetUp() override {
    if (x) {
      ASSERT_EQ(1, 2);
    }
  }
  void TearDown() override { EXPECT_TRUE(false); }
  void check() { EXPECT_TRUE(false); }
};
Fix::~Fix() {
  EXPECT_TRUE(false);
}
struct Helper {
  Helper() { EXPECT_TRUE(false); }
};
TEST_F(Fix, SetUp) {
  Fix fix(1);
  EXPECT_EQ(SetUp(), 4);
}
";
        for class in ["Fix", "Fix/0", "Some/Fix"] {
            let found = lines(Language::Cpp, source, class);
            assert_eq!(found, [3, 4, 5, 6, 7, 8, 9, 12, 13, 14], "{class}");
        }
        let found = lines(Language::Cpp, source, "Other");
        assert_eq!(found, [4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn methods_and_blocks_of_ruby() {
        let source = "class ATest < Minitest::Test
  def setup
    assert_equal 1,
      2
  end
  def test_setup
    assert true
  end
end
describe 'x' do
  before { assert_equal 1, 3 }
  after do
    flunk
  end
  it('does') { assert true }
end
";
        let found = lines(Language::Ruby, source, "");
        assert_eq!(found, [2, 3, 4, 11, 12, 13]);
    }

    #[test]
    fn nothing_is_made_of_what_is_not_there() {
        for language in [Language::JavaScript, Language::Cpp, Language::Ruby] {
            for source in ["", ")", "}}}", "beforeEach(", "def setup"] {
                assert!(!is_in_fixture(language, source, 0, ""), "{source}");
                is_in_fixture(language, source, 9, "");
            }
        }
    }
}
