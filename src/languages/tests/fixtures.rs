//! What runs before and after each test, by the line of a failure.

use crate::languages::Language;

fn language(path: &str) -> Language {
    Language::of_path(path.as_bytes()).expect("a known language")
}

/// The lines of a source that are in a fixture.
fn lines(path: &str, source: &str, class: &str) -> Vec<usize> {
    (1..=source.lines().count())
        .filter(|line| language(path).is_in_fixture(source, *line, class))
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
    let found = lines("a.test.js", source, "");
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
        let found = lines("a_test.cc", source, class);
        assert_eq!(found, [3, 4, 5, 6, 7, 8, 9, 12, 13, 14], "{class}");
    }
    let found = lines("a_test.cc", source, "Other");
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
    let found = lines("a_test.rb", source, "");
    assert_eq!(found, [2, 3, 4, 11, 12, 13]);
}

#[test]
fn nothing_is_made_of_what_is_not_there() {
    for path in ["a.test.js", "a_test.cc", "a_test.rb"] {
        for source in ["", ")", "}}}", "beforeEach(", "def setup"] {
            assert!(!language(path).is_in_fixture(source, 0, ""), "{source}");
            language(path).is_in_fixture(source, 9, "");
        }
    }
}
