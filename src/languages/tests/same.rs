//! What counts as the same code, what tests a file holds, and what a change does to them.

use std::collections::BTreeMap;

use super::{change_of, code};
use crate::languages::{
    Code, Language, SourceChange, Unreadable, change, declared_names, names_test_library,
    same_but_for_names,
};

/// extension, one text, another, whether they say the same
const SAME: &[(&str, &str, &str, bool)] = &[
    ("py", "x = f(1,2)\n", "# why\nx = f(1,\n      2)\n", true),
    ("py", "x = 'a'\n", "x = \"a\"\n", true),
    ("py", "x = 'it\\'s'\n", "x = \"it's\"\n", true),
    ("py", "x = 'a'\n", "x = b'a'\n", false),
    ("py", "x = 'a'\n", "x = 'a '\n", false),
    (
        "py",
        "if a:\n    b()\nc()\n",
        "if a:\n    b()\n    c()\n",
        false,
    ),
    (
        "py",
        "if a:\n    b()\n    c()\n",
        "if a:\n  b(); c()\n",
        true,
    ),
    (
        "py",
        "def f():\n    \"\"\"Doc.\"\"\"\n    return 1\n",
        "def f():\n    return 1\n",
        true,
    ),
    ("py", "x = 1\n", "#!/usr/bin/python\nx = 1\n", false),
    ("py", "x = 1  # noqa\n", "x = 1\n", true),
    ("py", "x = f'{a}'\n", "x = f'{b}'\n", false),
    ("ts", "f('a');\n", "f(\"a\")\n", true),
    (
        "ts",
        "function f() { return\n 1 }\n",
        "function f() { return 1 }\n",
        false,
    ),
    ("ts", "f(1) // x\n", "/* y */ f(1)\n", true),
    ("ts", "f(1)\n", "// @ts-expect-error\nf(1)\n", false),
    (
        "ts",
        "f(1)\n",
        "/** @jest-environment jsdom */\nf(1)\n",
        false,
    ),
    ("ts", "f(`a b`)\n", "f(`a  b`)\n", false),
    ("ts", "for (a;;) {}\n", "for (;a;) {}\n", false),
    (
        "tsx",
        "const a = <b>c d</b>\n",
        "const a = <b>\n  c d\n</b>\n",
        true,
    ),
    (
        "rs",
        "fn f() { a() }\n",
        "/// Doc.\nfn f() {\n    a()\n}\n",
        true,
    ),
    ("rs", "fn f() { a() }\n", "fn f() { a(); }\n", false),
    (
        "rs",
        "const S: &str = \"a b\";\n",
        "const S: &str = \"a  b\";\n",
        false,
    ),
    (
        "go",
        "package a\n\nfunc F() { a(); b() }\n",
        "package a\n\nfunc F() {\n\ta()\n\tb()\n}\n",
        true,
    ),
    (
        "go",
        "package a\n",
        "//go:build linux\n\npackage a\n",
        false,
    ),
    ("go", "package a\n\n// A comment.\n", "package a\n", true),
    (
        "go",
        "package a\n\nfunc ExampleF() {\n\tf()\n\t// Output: 1\n}\n",
        "package a\n\nfunc ExampleF() {\n\tf()\n\t// Output: 2\n}\n",
        false,
    ),
    (
        "java",
        "class A { int f() { return 1; } }\n",
        "class A {\n  // x\n  int f() { return 1; }\n}\n",
        true,
    ),
    ("rb", "def f; 1; end\n", "def f\n  1 # x\nend\n", true),
    ("rb", "x = <<~A\n  a\nA\n", "x = <<~A\n  b\nA\n", false),
    ("php", "<?php\nf(1); // x\n", "<?php\n\nf(1);\n", true),
    ("py", "x = f(1, 2)\n", "x = f(\n    1,\n    2,\n)\n", true),
    ("py", "x = {'a': 1}\n", "x = {\n    'a': 1,\n}\n", true),
    ("py", "x = (a)\n", "x = (a,)\n", false),
    ("py", "x = a[1]\n", "x = a[1,]\n", false),
    (
        "py",
        "return a + b\n",
        "return (\n    a\n    + b\n)\n",
        true,
    ),
    (
        "py",
        "return f(a), b\n",
        "return (\n    f(a),\n    b,\n)\n",
        true,
    ),
    ("py", "return ()\n", "return\n", false),
    ("py", "x = a * (b + c)\n", "x = a * b + c\n", false),
    ("py", "x = f'{a}'\n", "x = f\"{a}\"\n", true),
    ("py", "x = f'{a}'\n", "x = f'''{a}'''\n", false),
    (
        "ts",
        "f([1, 2], { a })\n",
        "f(\n  [1, 2],\n  { a, },\n)\n",
        true,
    ),
    ("ts", "f([1])\n", "f([1, ,])\n", false),
    ("ts", "a.map(x => x)\n", "a.map((x) => x)\n", true),
    ("ts", "a.map((x = 1) => x)\n", "a.map((x) => x)\n", false),
    ("ts", "a.map((x) => ({}))\n", "a.map((x) => {})\n", false),
    (
        "tsx",
        "const a = <b />\n",
        "const a = (\n  <b />\n)\n",
        true,
    ),
    ("ts", "let x = (a, b)\n", "let x = a, b\n", false),
    (
        "rs",
        "fn f() -> S { S { a, b } }\n",
        "fn f() -> S {\n    S {\n        a,\n        b,\n    }\n}\n",
        true,
    ),
    (
        "rs",
        "fn f() { m!(a) }\n",
        "fn f() {\n    m!(\n        a,\n    )\n}\n",
        true,
    ),
    ("rs", "fn f() { m!((a)) }\n", "fn f() { m!((a,)) }\n", false),
    (
        "rs",
        "fn f() -> (u8,) { (1,) }\n",
        "fn f() -> (u8,) { (1) }\n",
        false,
    ),
    (
        "rs",
        "fn f() { match a { 1 => b(), _ => {} } }\n",
        "fn f() { match a { 1 => b(), _ => {}, } }\n",
        true,
    ),
    (
        "go",
        "package a\n\nvar x = f(1, 2)\n",
        "package a\n\nvar x = f(\n\t1,\n\t2,\n)\n",
        true,
    ),
];

#[test]
fn layout_and_comments_do_not_count() {
    for (extension, one, other, same) in SAME {
        let (a, b) = (code(extension, one), code(extension, other));
        assert_eq!(a.same_code(&b), *same, "{extension}\n{one}\n{other}");
        if *same && !a.is_mixed() {
            let change = change(Some(&a), Some(&b));
            assert_eq!(change.source, SourceChange::Same, "{one}\n{other}");
            assert!(change.tests.is_none(), "{one}\n{other}");
        }
    }
}

/// extension, file, tests as `path > name @ line`
const TESTS: &[(&str, &str, &[&str])] = &[
    (
        "py",
        "@pytest.fixture\ndef test_db(): pass\n\n@mark\ndef test_a():\n    pass\n\nclass TestB:\n    async def test_c(self):\n        pass\n    def helper(self): pass\n",
        &["test_a @ 5", "TestB > test_c @ 9"],
    ),
    (
        "py",
        "class A:\n    def f(self):\n        \"\"\"\n        >>> f()\n        1\n\n        >>> g()\n        \"\"\"\n",
        &["A > f @ 4"],
    ),
    (
        "ts",
        "import { it } from 'vitest'\ndescribe('a', () => {\n  it('b', () => {})\n  describe.skip(`c`, function () { test.each([1])('d %s', async (x) => {}) })\n})\nit.todo('e')\nnew RegExp('x').test('y')\nDeno.test({ name: 'g', fn() {} })\n",
        &["a > b @ 3", "a > c > d %s @ 4", "e @ 6", "g @ 8"],
    ),
    (
        "ts",
        "export const a = 1\nif (import.meta.vitest) {\n  const { it } = import.meta.vitest\n  it('x', () => {})\n}\n",
        &["x @ 4"],
    ),
    (
        "rs",
        "/// ```\n/// f();\n/// ```\npub fn f() {}\n#[cfg(test)]\nmod tests {\n    fn helper() {}\n    #[test]\n    fn a() {}\n    #[tokio::test]\n    async fn b() {}\n}\n",
        &["f @ 1", "tests > a @ 9", "tests > b @ 11"],
    ),
    (
        "rs",
        "mod tests {\n    proptest! {\n        #[test]\n        fn p(x in 0..9) { f(x) }\n    }\n}\n",
        &["tests > p @ 2"],
    ),
    (
        "go",
        "package a\n\nfunc TestA(t *testing.T) {}\nfunc Testify() {}\nfunc (s *Suite) TestB() {}\nfunc ExampleF() {}\nfunc helper() {}\n",
        &["TestA @ 3", "Suite > TestB @ 5", "ExampleF @ 6"],
    ),
    (
        "java",
        "class ATest {\n  @Test\n  void a() {}\n  @org.junit.jupiter.params.ParameterizedTest @ValueSource(ints = 1)\n  void b(int x) {}\n  void c() {}\n  @Nested class D { @Test void e() {} }\n}\n",
        &["ATest > a @ 2", "ATest > b @ 4", "ATest > D > e @ 7"],
    ),
    (
        "rb",
        "RSpec.describe A do\n  context 'b' do\n    it 'c' do\n      x\n    end\n    specify { y }\n  end\nend\nclass T < Minitest::Test\n  def test_d; end\nend\n",
        &["A > b > c @ 3", "A > b >  @ 6", "T > test_d @ 10"],
    ),
    (
        "php",
        "<?php\nclass ATest extends TestCase {\n  public function testA() {}\n  #[Test]\n  public function b() {}\n  /** @test */\n  public function c() {}\n  public function d() {}\n}\nit('e', function () {});\ndescribe('f', function () { test('g', fn () => 1); });\n",
        &[
            "ATest > testA @ 3",
            "ATest > b @ 4",
            "ATest > c @ 7",
            "e @ 10",
            "f > g @ 11",
        ],
    ),
];

#[test]
fn tests_are_found_where_they_stand() {
    for (extension, text, expected) in TESTS {
        let found: Vec<String> = code(extension, text)
            .tests()
            .into_iter()
            .map(|test| {
                let mut all = test.path;
                all.push(test.name);
                format!("{} @ {}", all.join(" > "), test.line)
            })
            .collect();
        assert_eq!(found, *expected, "{extension}\n{text}");
    }
}

/// extension, old, new: added / changed / removed / other
const CHANGES: &[(&str, &str, &str, &str)] = &[
    (
        "py",
        "def test_a():\n    assert 1\n",
        "def test_a():\n    assert 2\n",
        "/test_a//",
    ),
    (
        "py",
        "def test_a():\n    assert 1\n",
        "def test_a():\n    assert 1\n\ndef test_b():\n    assert 1\n",
        "test_b///",
    ),
    (
        "py",
        "def test_a(): pass\n",
        "import os\ndef test_a(): pass\n",
        "///other",
    ),
    (
        "py",
        "def test_a(): pass\n",
        "@skip\ndef test_a(): pass\n",
        "/test_a//",
    ),
    (
        "py",
        "class TestA:\n    def test_b(self): pass\n",
        "@skip\nclass TestA:\n    def test_b(self): pass\n",
        "/test_b//",
    ),
    (
        "py",
        "def test_a(): pass\n",
        "class TestB:\n    def test_c(self): pass\n",
        "test_c//test_a/",
    ),
    (
        "py",
        "class TestA:\n    def setUp(self): x()\n    def test_b(self): pass\n",
        "class TestA:\n    def setUp(self): y()\n    def test_b(self): pass\n",
        "///other",
    ),
    (
        "ts",
        "it('a', () => { b(1) })\n",
        "it('a', () => { b(2) })\n",
        "/a//",
    ),
    (
        "ts",
        "it('a', () => {})\n",
        "it('a', () => {})\ndescribe('x', () => {\n  it('b', () => {})\n})\n",
        "b///",
    ),
    (
        "ts",
        "describe('x', () => { it('b', () => {}) })\n",
        "describe.skip('x', () => { it('b', () => {}) })\n",
        "/b//",
    ),
    (
        "ts",
        "describe('x', () => { beforeEach(() => a()); it('b', () => {}) })\n",
        "describe('x', () => { beforeEach(() => c()); it('b', () => {}) })\n",
        "///other",
    ),
    (
        "go",
        "package a\n\nfunc TestA(t *testing.T) { f(1) }\n",
        "package a\n\nfunc TestA(t *testing.T) { f(2) }\nfunc h() {}\n",
        "/TestA//other",
    ),
    (
        "rs",
        "fn f() {}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn a() { f() }\n}\n",
        "fn f() { 1 }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn a() { f() }\n    #[test]\n    #[ignore]\n    fn b() { f() }\n}\n",
        "b///",
    ),
    (
        "rs",
        "#[cfg(test)]\nmod tests {\n    fn h() {}\n    #[test]\n    fn a() { h() }\n}\n",
        "#[cfg(test)]\nmod tests {\n    fn h() { g() }\n    #[test]\n    fn a() { h() }\n}\n",
        "///other",
    ),
    (
        "py",
        "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n",
        "def f():\n    \"\"\"Prose.\n    >>> f()\n    2\n    \"\"\"\n",
        "/f//",
    ),
    (
        "rb",
        "describe A do\n  it 'a' do\n    x\n  end\nend\n",
        "describe A do\n  it 'a' do\n    y\n  end\n  it 'b' do\n  end\nend\n",
        "b/a//",
    ),
    (
        "java",
        "class T { @Test void a() { f(1); } }\n",
        "class T { @Test void a() { f(2); } @Test void b() {} }\n",
        "b/a//",
    ),
];

#[test]
fn changes_of_tests_are_told_apart() {
    for (extension, old, new, expected) in CHANGES {
        let found = change_of(extension, old, new).tests;
        let names = |tests: &[crate::languages::Test]| -> String {
            let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
            names.join(",")
        };
        let other = if found.other { "other" } else { "" };
        let said = format!(
            "{}/{}/{}/{other}",
            names(&found.added),
            names(&found.changed),
            names(&found.removed)
        );
        assert_eq!(said, *expected, "{extension}\n{old}\n{new}");
    }
}

/// extension, old, new, what it does to source
const GROWTH: &[(&str, &str, &str, SourceChange)] = &[
    (
        "rs",
        "enum E { A }\n",
        "enum E { A, B }\n",
        SourceChange::Declares,
    ),
    (
        "rs",
        "#[derive(Debug)]\nstruct S { a: u8 }\n",
        "#[derive(Debug, Clone)]\npub struct S { pub a: u8, b: u8 }\n",
        SourceChange::Declares,
    ),
    (
        "rs",
        "struct S { a: u8 }\n",
        "struct S { a: u16 }\n",
        SourceChange::Code,
    ),
    (
        "rs",
        "#[derive(Debug, Clone)]\nstruct S;\n",
        "#[derive(Debug)]\nstruct S;\n",
        SourceChange::Code,
    ),
    ("rs", "pub fn f() {}\n", "fn f() {}\n", SourceChange::Code),
    (
        "rs",
        "fn f(e: E) -> u8 { match e { E::A => 1 } }\n",
        "fn f(e: E) -> u8 { match e { E::A => 1, E::B => todo!() } }\n",
        SourceChange::Stub,
    ),
    (
        "rs",
        "fn f(e: E) -> u8 { match e { E::A => 1 } }\n",
        "fn f(e: E) -> u8 { match e { E::A => 1, E::B => 2 } }\n",
        SourceChange::Code,
    ),
    (
        "rs",
        "use a::b;\n",
        "use a::{b, c};\n",
        SourceChange::Declares,
    ),
    ("rs", "use a::{b, c};\n", "use a::b;\n", SourceChange::Code),
    (
        "rs",
        "const A: u8 = 1;\n",
        "const A: u8 = 2;\n",
        SourceChange::Code,
    ),
    (
        "rs",
        "trait T { fn a(&self); }\n",
        "trait T { fn a(&self); fn b(&self); }\n",
        SourceChange::Declares,
    ),
    (
        "rs",
        "impl A { fn a(&self) { x() } }\nimpl A { fn b(&self) { y() } }\n",
        "impl A { fn b(&self) { y() } fn a(&self) { x() } }\nimpl A {}\n",
        SourceChange::Same,
    ),
    (
        "py",
        "from a import b\n",
        "from a import b, c\n",
        SourceChange::Declares,
    ),
    (
        "py",
        "__all__ = ['a']\n",
        "__all__ = ['a', 'b']\n",
        SourceChange::Declares,
    ),
    ("py", "X = ['a']\n", "X = ['a', 'b']\n", SourceChange::Code),
    (
        "py",
        "def f(a):\n    return 1\n",
        "def f(a, b=1):\n    return 1\n",
        SourceChange::Code,
    ),
    (
        "py",
        "def f(x):\n    match x:\n        case 1:\n            return 1\n",
        "def f(x):\n    match x:\n        case 1:\n            return 1\n        case 2:\n            raise NotImplementedError\n",
        SourceChange::Stub,
    ),
    (
        "py",
        "class A:\n    def f(self): return 1\n",
        "class A:\n    x: int\n    def f(self): return 1\n    def g(self): ...\n",
        SourceChange::Stub,
    ),
    (
        "py",
        "class A: pass\n",
        "class A(B): pass\n",
        SourceChange::Code,
    ),
    (
        "ts",
        "interface A { x: number }\n",
        "export interface A { x: number; y: string }\n",
        SourceChange::Declares,
    ),
    (
        "ts",
        "type A = 'a' | 'b'\n",
        "type A = 'a' | 'b' | 'c'\n",
        SourceChange::Declares,
    ),
    (
        "ts",
        "enum A { X }\n",
        "enum A { X, Y }\n",
        SourceChange::Declares,
    ),
    (
        "ts",
        "function f(x) { switch (x) { case 1: return 1 } }\n",
        "function f(x) { switch (x) { case 1: return 1; case 2: throw new Error('not implemented') } }\n",
        SourceChange::Stub,
    ),
    (
        "ts",
        "import { a } from 'b'\n",
        "import { a, c } from 'b'\n",
        SourceChange::Declares,
    ),
    (
        "ts",
        "export { a } from './b'\n",
        "export { a, c } from './b'\n",
        SourceChange::Declares,
    ),
    (
        "js",
        "module.exports = { a }\n",
        "module.exports = { a, b }\n",
        SourceChange::Declares,
    ),
    (
        "ts",
        "export function f() {}\n",
        "function f() {}\n",
        SourceChange::Code,
    ),
    (
        "ts",
        "function f() { return a.map((x) => x) }\n",
        "function f() { return a.map((x) => x, y) }\n",
        SourceChange::Code,
    ),
    (
        "go",
        "package a\n\ntype P struct{ X int }\n",
        "package a\n\ntype P struct {\n\tX int\n\tY int\n}\n",
        SourceChange::Declares,
    ),
    (
        "go",
        "package a\n\nfunc F(x int) int { switch x { case 1: return 1 }; return 0 }\n",
        "package a\n\nfunc F(x int) int { switch x { case 1: return 1\n case 2: panic(\"not implemented\") }; return 0 }\n",
        SourceChange::Stub,
    ),
    (
        "java",
        "enum E { A }\n",
        "enum E { A, B }\n",
        SourceChange::Declares,
    ),
    (
        "php",
        "<?php\nenum E { case A; }\n",
        "<?php\nenum E { case A; case B; }\n",
        SourceChange::Declares,
    ),
];

#[test]
fn what_is_there_may_only_grow() {
    for (extension, old, new, expected) in GROWTH {
        assert_eq!(
            change_of(extension, old, new).source,
            *expected,
            "{extension}\n{old}\n{new}"
        );
    }
}

#[test]
fn a_file_that_goes_is_code() {
    let old = code("py", "x = 1\n");
    assert_eq!(change(Some(&old), None).source, SourceChange::Code);
    let empty = code("py", "");
    assert_eq!(change(None, Some(&empty)).source, SourceChange::Same);
}

#[test]
fn source_that_asks_whether_it_is_tested_is_noticed() {
    for (extension, old, new, expected) in [
        ("rs", "fn f() {}\n", "#[cfg(not(test))]\nfn f() {}\n", true),
        (
            "rs",
            "fn f() {}\n",
            "fn f() { if cfg!(test) { 1 } else { 2 } }\n",
            true,
        ),
        (
            "rs",
            "fn f() {}\n",
            "fn f() {}\n#[cfg(test)]\nmod tests { fn g() { cfg!(test) } }\n",
            false,
        ),
        ("py", "x = 1\n", "x = 'pytest' in sys.modules\n", true),
        (
            "ts",
            "a()\n",
            "if (process.env.NODE_ENV === 'test') a()\n",
            true,
        ),
        (
            "go",
            "package a\n",
            "package a\n\nvar x = testing.Testing()\n",
            true,
        ),
    ] {
        assert_eq!(change_of(extension, old, new).new_guard, expected, "{new}");
    }
}

#[test]
fn declared_names_are_those_of_items() {
    let names = |extension, text| -> Vec<String> {
        declared_names(&code(extension, text)).into_iter().collect()
    };
    assert_eq!(
        names(
            "py",
            "import os\nX = 1\ndef f(): pass\nclass A:\n    def g(self): pass\n"
        ),
        ["A", "X", "f", "g"]
    );
    assert_eq!(
        names(
            "go",
            "package a\n\nconst (\n\tA = 1\n\tB = 2\n)\n\nfunc (p P) F() {}\n"
        ),
        ["A", "B", "F"]
    );
    assert_eq!(
        names(
            "ts",
            "export const a = () => 1, b = 2\nexport class C { d() {} }\n"
        ),
        ["C", "a", "b", "d"]
    );
}

#[test]
fn tests_may_differ_by_renamed_names_only() {
    let renamed: BTreeMap<String, String> = [("tax".to_owned(), "duty".to_owned())].into();
    for (old, new, same) in [
        ("assert tax(1) == 2\n", "assert duty(1) == 2\n", true),
        ("assert tax(1) == 2\n", "assert duty(1) == 3\n", false),
        ("assert tax(1) == 2\n", "assert tax(1) == 2\n", false),
        ("assert tax(duty) == 2\n", "assert duty(duty) == 2\n", false),
        (
            "assert tax('tax') == 2\n",
            "assert duty('duty') == 2\n",
            false,
        ),
        ("assert other(1)\n", "assert duty(1)\n", false),
    ] {
        assert_eq!(
            same_but_for_names(
                old,
                new,
                Language::of_extension(b"py").expect("known"),
                &renamed
            ),
            same,
            "{old}{new}"
        );
    }
}

#[test]
fn test_libraries_are_seen_in_imports() {
    for (extension, text, expected) in [
        ("py", "import pytest\n", true),
        ("py", "from unittest import mock\n", true),
        ("py", "def f():\n    import pytest\n", true),
        ("py", "import pytestify\n", false),
        ("ts", "import { it } from 'vitest'\n", true),
        ("js", "const t = require('node:test')\n", true),
        ("ts", "import x from './vitest'\n", false),
        ("go", "package a\n\nimport \"testing\"\n", true),
        ("rs", "use proptest::prelude::*;\n", true),
        ("rs", "#[cfg(test)]\nuse proptest::prelude::*;\n", false),
        ("java", "import org.junit.Test;\nclass A {}\n", true),
        ("rb", "require 'rspec'\n", true),
        ("php", "<?php\nuse PHPUnit\\Framework\\TestCase;\n", true),
    ] {
        assert_eq!(
            names_test_library(&code(extension, text)),
            expected,
            "{text}"
        );
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    let read = |path: &str, content: &[u8]| Code::read(path.as_bytes(), content).err();
    assert_eq!(read("a.txt", b""), Some(Unreadable::NoGrammar));
    assert_eq!(read("a.vue", b""), Some(Unreadable::NoGrammar));
    assert_eq!(read("a.py", b"\xff"), Some(Unreadable::NotText));
    assert_eq!(
        read("a.py", b"x = 1\ndef f(:\n"),
        Some(Unreadable::Syntax { line: 2 })
    );
    assert_eq!(
        read("a.rs", b"fn f() {\n"),
        Some(Unreadable::Syntax { line: 1 })
    );
    assert_eq!(
        read("a.py", &vec![b'#'; 6_000_000]),
        Some(Unreadable::TooLarge)
    );
    let deep = "[".repeat(3_000) + &"]".repeat(3_000);
    assert_eq!(read("a.py", deep.as_bytes()), Some(Unreadable::TooLarge));
}
