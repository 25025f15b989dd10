use super::*;
use Language::*;

/// Whole files made of nothing but stubs.
const STUBS: &[(Language, &str)] = &[
    (Rust, ""),
    (Rust, "\n\n"),
    (Rust, "// a comment\n/* another */\n//! doc\n"),
    (
        Rust,
        "pub mod stats;\nmod a;\npub(crate) mod b;\nuse std::collections::{BTreeMap, BTreeSet};\npub(crate) use a::*;\nextern crate alloc;\n",
    ),
    (Rust, "pub fn mean(v: &[f64]) -> f64 {\n    todo!()\n}\n"),
    (
        Rust,
        "pub fn mean(v: &[f64]) -> f64 { unimplemented!(\"later\") }\n",
    ),
    (Rust, "fn f() -> u8 { panic!(\"not implemented\") }\n"),
    (
        Rust,
        "/// Doc.\n#[must_use]\npub async fn f<T: Into<String>>(x: T) -> Result<T, E> where T: Clone { todo!(); }\n",
    ),
    (Rust, "fn f() -> impl Iterator<Item = u8> { todo!() }\n"),
    (
        Rust,
        "#[derive(Debug, Clone, PartialEq)]\npub struct P { pub x: u32, y: Vec<(u8, String)> }\npub struct U;\npub struct T(u8, String);\nenum E { A, B(u8), C { d: u8 } }\n",
    ),
    (
        Rust,
        "impl P {\n    pub fn new() -> Self { todo!() }\n    fn y(&self) -> &str { todo!() }\n}\nimpl Iterator for P { type Item = u8; fn next(&mut self) -> Option<u8> { todo!() } }\ntrait Q { fn q(&self) -> u8; fn r(&self) { todo!() } }\n",
    ),
    (
        Rust,
        "type A = Vec<u8>;\nmod m { pub fn f() { todo!() } }\n",
    ),
    (Rust, "// STUB:TDD\nfn f() -> u32 { 0 }\n"),
    (Rust, "fn f() -> Option<u32> {\n    None // STUB:TDD\n}\n"),
    (
        Python,
        "import os\nfrom a.b import (c,\n  d as e)\nfrom . import *\n",
    ),
    (
        Python,
        "def f(a, b: int = 0, *, c: str | None = None, d=(), e=-1) -> list[int]:\n    \"\"\"Doc.\"\"\"\n    raise NotImplementedError\n",
    ),
    (
        Python,
        "def f():\n    raise NotImplementedError(\"later\")\n\nasync def g(): ...\n\ndef h():\n    pass\n",
    ),
    (
        Python,
        "def f():\n    raise Exception(\"not implemented yet: not implemented\")\n",
    ),
    (
        Python,
        "\"\"\"Module.\"\"\"\nfrom dataclasses import dataclass\n\n@dataclass\nclass P(Base, metaclass=M):\n    \"\"\"Doc.\"\"\"\n    x: int\n    y: dict[str, int]\n\n    @property\n    def z(self) -> int:\n        raise NotImplementedError\n\nclass E(Exception): pass\n\nclass F(Exception):\n    ...\n",
    ),
    (Python, "__all__ = [\"a\", 'b']\n"),
    (Python, "def f():  # STUB:TDD\n    return None\n"),
    (Python, "# STUB:TDD\ndef f():\n    return []\n"),
    (Python, "def f():\n    return 0  # STUB:TDD\n"),
    (
        JavaScript,
        "import a, { b as c } from './a';\nimport * as d from \"d\"\nimport './e'\nimport type { T } from './t'\nexport * from './x';\nexport { a, b };\nconst f = require('fs');\nconst { g } = require(\"g\").h\nmodule.exports = { f, g };\nexports.f = f;\n",
    ),
    (
        JavaScript,
        "export function add(a, b = 1, { c = null } = {}) {\n  throw new Error(\"not implemented\");\n}\n",
    ),
    (
        JavaScript,
        "export default async function f<T>(x: T, cb: (y: T) => void): Promise<T> {\n  throw new Error('Not implemented')\n}\n",
    ),
    (
        JavaScript,
        "export const add = (a: number, b: number): number => {\n  throw new Error('TODO');\n};\nconst f = async x => { throw new Error(`not implemented`) }\nlet g = function () {}\n",
    ),
    (
        JavaScript,
        "export interface P { x: number; f(): void }\nexport type Q = 'a' | 'b'\n  | 'c';\ntype R = { a: number }\nenum C { Red, Green }\n",
    ),
    (
        JavaScript,
        "export class Stack {\n  size: number\n  constructor(n = 0) {}\n  push(x: number): void { throw new Error('not implemented') }\n  get top() { throw new Error('not implemented') }\n  static async of(a) { throw new NotImplementedError() }\n}\n",
    ),
    (JavaScript, "function f() { return null; } // STUB:TDD\n"),
    (
        JavaScript,
        "exports.add = (a, b) => { throw new Error('not implemented'); };\nmodule.exports.sub = function (a) { throw new Error(\"not implemented\"); };\nmodule.exports = async (a) => { throw new Error('not implemented') };\n",
    ),
    (
        Go,
        "package calc\n\nimport (\n\t\"fmt\"\n\tx \"os\"\n)\n\ntype P struct {\n\tX int `json:\"x\"`\n}\n\ntype I interface {\n\tF(a int) error\n}\n\ntype N int\n\nfunc Add(a, b int) int {\n\tpanic(\"not implemented\")\n}\n\nfunc (p *P) M() (int, error) { panic(\"TODO\") }\n",
    ),
    (
        Java,
        "package a.b;\nimport java.util.*;\npublic class Calc implements I {\n  private int x;\n  public Calc() {}\n  @Override\n  public int add(int a, int b) { throw new UnsupportedOperationException(\"x\"); }\n  abstract int f(String type);\n}\n",
    ),
    (
        Kotlin,
        "package a\nimport b.c\nclass Calc(val x: Int = 0) {\n  fun add(a: Int): Int = TODO()\n  fun sub(a: Int): Int { TODO(\"later\") }\n}\ndata class P(val a: Int)\nenum class C { A, B }\n",
    ),
    (
        CSharp,
        "using System;\nnamespace A;\npublic class Calc {\n  public int X { get; set; }\n  public int Add(int a) => throw new NotImplementedException();\n  public void F() { throw new NotImplementedException(); }\n}\n",
    ),
    (
        Swift,
        "import Foundation\nstruct P {\n  var x: Int\n  init(x: Int) { fatalError(\"not implemented\") }\n  func f() -> Int { fatalError() }\n}\nprotocol Q { func g() -> Int }\n",
    ),
    (
        C,
        "#ifndef A_H\n#define A_H\n#include <stdio.h>\nint add(int a, int b);\nstruct p { int x; };\n#endif\n",
    ),
    (
        C,
        "#include \"a.h\"\nint add(int a, int b) { abort(); }\nvoid f(void) { assert(0 && \"not implemented\"); }\n",
    ),
    (
        Cpp,
        "#pragma once\nnamespace a {\nclass B { public: B(); int f(int x = 0) const; private: int y; };\ntemplate <typename T> T g(T t) { throw std::logic_error(\"not implemented\"); }\n}\n",
    ),
    (
        Php,
        "<?php\ndeclare(strict_types=1);\nnamespace A\\B;\nuse C\\D;\nclass Calc { private int $x; public function add(int $a, ?int $b = null): int { throw new \\LogicException('Not implemented'); } }\n",
    ),
    (
        Dart,
        "import 'dart:io';\nint add(int a) => throw UnimplementedError();\nclass A { int f() { throw UnimplementedError(); } }\n",
    ),
    (
        Scala,
        "import a.b\nobject C {\n  def f(a: Int): Int = ???\n}\n",
    ),
    (
        Ruby,
        "require 'set'\nrequire_relative 'a/b'\n\nmodule A\n  class B < C\n    attr_reader :x\n    def f(a, b = nil, c: 1)\n      raise NotImplementedError, \"later\"\n    end\n    def g; end\n    def h = raise NotImplementedError\n  end\nend\n",
    ),
    (
        Elixir,
        "defmodule A do\n  @moduledoc \"x\"\n  alias B.C\n  @spec f(integer) :: integer\n  def f(a), do: raise \"not implemented\"\n  def g(a) do\n    raise \"not implemented\"\n  end\nend\n",
    ),
    (Haskell, "\n\n"),
];

/// Files with something in them that a stub has no business to hold.
const NO_STUBS: &[(Language, &str)] = &[
    (Rust, "fn f() -> u8 { 4 }\n"),
    (Rust, "fn f() -> u8 { todo!(); 4 }\n"),
    (Rust, "fn f() -> u8 { if x { todo!() } else { 4 } }\n"),
    (Rust, "fn f() -> u8 { todo!(\"{}\", save()) }\n"),
    (Rust, "fn f() -> u8 { panic!(\"never\") }\n"),
    (Rust, "fn f() -> u8 { 4 } // todo!()\n"),
    (Rust, "fn f() -> u8 { /* STUB */ 4 }\n"),
    (Rust, "// STUB:TDD\n\nfn f(a: u8, b: u8) -> u8 { a + b }\n"),
    (Rust, "fn f(a: u8, b: u8) -> u8 { a + b } // STUB:TDD\n"),
    (
        Rust,
        "fn f() -> u8 { 4 }\n// STUB:TDD\nfn g() -> u8 { 0 }\n",
    ),
    (Rust, "fn f() -> String { \"STUB:TDD\".into() }\n"),
    (Rust, "pub const ANSWER: u8 = 42;\n"),
    (Rust, "static X: u8 = 4;\n"),
    (Rust, "include!(\"impl.rs\");\n"),
    (Rust, "macro_rules! f { () => { 4 } }\n"),
    (Rust, "enum E { A = 4 }\n"),
    (Rust, "impl P { const N: u8 = 4; }\n"),
    (Rust, "#[path = \"real.rs\"]\nmod real;\n"),
    (Rust, "#[cfg(test)]\nfn f() { todo!() }\n"),
    (Rust, "#[derive(Debug)]\n"),
    (Rust, "fn f() { todo!()\n"),
    (Rust, "}\nfn f() { todo!() }\n"),
    (Python, "def f(a, b):\n    return a + b\n"),
    (Python, "def f(a, b): return a + b  # STUB:TDD\n"),
    (Python, "def f(): raise NotImplementedError; x()\n"),
    (Python, "def f():\n    x()\n    raise NotImplementedError\n"),
    (Python, "def f(a=compute()):\n    pass\n"),
    (Python, "def f(a=lambda: 4):\n    pass\n"),
    (Python, "def f(a=[x for x in y]):\n    pass\n"),
    (Python, "def f(a=1 + 1):\n    pass\n"),
    (Python, "def f(a: g(4)):\n    pass\n"),
    (Python, "@cache\ndef f():\n    pass\n"),
    (Python, "@patch(\"a.b\")\ndef f():\n    pass\n"),
    (Python, "ANSWER = 42\n"),
    (Python, "f = lambda a, b: a + b\n"),
    (Python, "class A:\n    x = 4\n"),
    (Python, "class A(make()):\n    pass\n"),
    (Python, "if x:\n    import a\n"),
    (Python, "import a; a.run()\n"),
    (Python, "print('x')\n"),
    (Python, "def f():\n    raise ValueError(\"bad\")\n"),
    (Python, "def f():\n    def g():\n        pass\n"),
    (Python, "def f():\n    f\"{run()}\"\n    pass\n"),
    (Python, "def f(a, b):\n    # STUB:TDD\n    return a + b\n"),
    (Python, "exec('x')\n"),
    (JavaScript, "export function add(a, b) { return a + b }\n"),
    (JavaScript, "export const add = (a, b) => a + b;\n"),
    (
        JavaScript,
        "export const add = (a, b) => { throw new Error('not implemented') } && real;\n",
    ),
    (
        JavaScript,
        "export const add = (a, b) => { throw new Error(`not implemented ${save()}`) };\n",
    ),
    (JavaScript, "export const ANSWER = 42;\n"),
    (
        JavaScript,
        "function f(a = compute()) { throw new Error('not implemented') }\n",
    ),
    (
        JavaScript,
        "function f(a = b) { throw new Error('not implemented') }\n",
    ),
    (
        JavaScript,
        "function f() { save(); throw new Error('not implemented') }\n",
    ),
    (
        JavaScript,
        "function f() { throw new Error('bad input') }\n",
    ),
    (JavaScript, "run();\n"),
    (JavaScript, "import('./a').then(x => x.run());\n"),
    (JavaScript, "const f = require('fs').readFileSync('x');\n"),
    (JavaScript, "module.exports = { add: (a, b) => a + b };\n"),
    (JavaScript, "exports.add = (a, b) => { return a + b; };\n"),
    (JavaScript, "module.exports = function (a) { return a; };\n"),
    (
        JavaScript,
        "exports.add = make(() => { throw new Error('not implemented'); });\n",
    ),
    (JavaScript, "class A extends mixin(b) {}\n"),
    (JavaScript, "class A { x = 4; }\n"),
    (JavaScript, "@decorate\nclass A {}\n"),
    (JavaScript, "Array.prototype.sum = function () {};\n"),
    (
        JavaScript,
        "function f(a, b) { return a + b } // STUB:TDD\n",
    ),
    (
        JavaScript,
        "export default { add(a, b) { return a + b } };\n",
    ),
    (Go, "func Add(a, b int) int { return a + b }\n"),
    (Go, "var X = 4\n"),
    (Go, "func init() { register(); }\n"),
    (Go, "func F() { panic(\"boom\") }\n"),
    (Java, "class A { int x = 4; }\n"),
    (Java, "class A { static { run(); } }\n"),
    (Java, "class A { int f() { return 4; } }\n"),
    (Java, "enum E { A { int f() { return 4; } } }\n"),
    (Kotlin, "fun f(): Int = 4\n"),
    (Kotlin, "val x = 4\n"),
    (CSharp, "Console.WriteLine(4);\n"),
    (CSharp, "class A { int F() => 4; }\n"),
    (C, "int f(void) { return 4; }\n"),
    (C, "struct p f(void) { run(); }\n"),
    (C, "#define ADD(a, b) ((a) + (b))\n"),
    (C, "int x = 4;\n"),
    (C, "RUN(4);\n"),
    (Cpp, "struct A { A() : x(compute()) {} int x; };\n"),
    (Php, "<?php\nrun();\n"),
    (Php, "<?php\nfunction f() { return 4; }\n"),
    (Swift, "let x = 4\n"),
    (Ruby, "def f(a, b)\n  a + b\nend\n"),
    (Ruby, "def f = 4\n"),
    (Ruby, "X = 4\n"),
    (Ruby, "include \"#\"; run\n"),
    (Ruby, "def f\n  raise NotImplementedError if x\nend\n"),
    (Ruby, "def f(a = run)\n  raise NotImplementedError\nend\n"),
    (Ruby, "class A\n"),
    (Ruby, "require 'a'; run\n"),
    (Elixir, "defmodule A do\n  def f(a), do: a + 1\nend\n"),
    (Haskell, "f = undefined\n"),
    (Shell, "f() { :; }\n"),
];

/// All that fail, so that one look shows them.
fn assert_none(failures: Vec<String>) {
    assert!(failures.is_empty(), "{}", failures.join("\n----\n"));
}

fn describe((language, text): &(Language, &str)) -> String {
    format!("{language:?}\n{text}")
}

#[test]
fn new_files_of_stubs() {
    let wrong = STUBS
        .iter()
        .filter(|(language, text)| !grows_only_by_stubs(*language, "", text));
    assert_none(wrong.map(describe).collect());
}

#[test]
fn new_files_with_more_than_stubs() {
    let wrong = NO_STUBS
        .iter()
        .filter(|(language, text)| grows_only_by_stubs(*language, "", text));
    assert_none(wrong.map(describe).collect());
}

#[test]
fn stubs_are_stubs_at_the_end_of_any_file() {
    let whole_file_only = ["#ifndef", "package", "<?php", "\"\"\"Module"];
    let wrong = STUBS
        .iter()
        .filter(|(_, text)| !whole_file_only.iter().any(|start| text.starts_with(start)))
        .filter(|(language, text)| {
            !grows_only_by_stubs(*language, text, &format!("{text}\n{text}"))
        });
    assert_none(wrong.map(describe).collect());
}

const RUST: &str = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\nimpl P {\n    fn x(&self) -> u8 {\n        4\n    }\n}\n";
const PYTHON: &str =
    "def add(a, b):\n    return a + b\n\n\nclass P:\n    def x(self):\n        return 4\n";
const SCRIPT: &str =
    "export function add(a, b) {\n  return a + b\n}\n\nexport const o = {\n  x: 1,\n}\n";

/// language, old text, the line after which (or 0) something is inserted, what, whether it may
const INSERTIONS: &[(Language, &str, usize, &str, bool)] = &[
    (Rust, RUST, 0, "use a::b;\n", true),
    (Rust, RUST, 3, "\nfn sub() -> u8 {\n    todo!()\n}\n", true),
    (
        Rust,
        RUST,
        8,
        "\n    fn y(&self) -> u8 {\n        todo!()\n    }\n",
        true,
    ),
    (Rust, RUST, 9, "fn f() { todo!() }\n", true),
    (Rust, RUST, 1, "    todo!();\n", false),
    (Rust, RUST, 1, "    return 4;\n", false),
    (Rust, RUST, 1, "    use a::b;\n", false),
    (Rust, RUST, 1, "    fn g() { todo!() }\n", false),
    (
        Rust,
        RUST,
        1,
        "    todo!()\n}\nfn sub(a: i32, b: i32) -> i32 {\n",
        false,
    ),
    (Rust, RUST, 0, "#[inline]\n", false),
    (Rust, RUST, 0, "/*\n", false),
    (Rust, RUST, 4, "mod m {\n", false),
    (Rust, "/*\nold\n*/\nfn f() {}\n", 2, "new\n", true),
    (Rust, "struct P {\n    x: u8,\n}\n", 2, "    y: u8,\n", true),
    (Rust, "const S: &str = \"\n\";\n", 1, "x\n", false),
    (Python, PYTHON, 0, "import os\n", true),
    (
        Python,
        PYTHON,
        2,
        "\ndef sub(a, b):\n    raise NotImplementedError\n",
        true,
    ),
    (
        Python,
        PYTHON,
        7,
        "\n    def y(self):\n        raise NotImplementedError\n",
        true,
    ),
    (Python, PYTHON, 5, "    y: int\n", true),
    (Python, PYTHON, 1, "    raise NotImplementedError\n", false),
    (Python, PYTHON, 1, "    pass\n", false),
    (
        Python,
        PYTHON,
        1,
        "    raise NotImplementedError\n\ndef sub(a, b):\n",
        false,
    ),
    (
        Python,
        PYTHON,
        4,
        "class Q:\n    pass\n\n@dataclass\n",
        false,
    ),
    (Python, PYTHON, 5, "    @property\n", false),
    (Python, PYTHON, 5, "    pass\n\nclass Q:\n", false),
    (Python, PYTHON, 2, "    import os\n", false),
    (Python, "x = [\n    1,\n]\n", 2, "    2,\n", false),
    (JavaScript, SCRIPT, 0, "import a from './a'\n", true),
    (
        JavaScript,
        SCRIPT,
        3,
        "export function sub(a, b) {\n  throw new Error('not implemented')\n}\n",
        true,
    ),
    (
        JavaScript,
        SCRIPT,
        1,
        "  throw new Error('not implemented')\n",
        false,
    ),
    (JavaScript, SCRIPT, 6, "  y: 2,\n", false),
    (
        JavaScript,
        SCRIPT,
        1,
        "  throw new Error('not implemented')\n}\nexport function sub(a, b) {\n",
        false,
    ),
    (
        Ruby,
        "class A\n  def f\n    1\n  end\nend\n",
        4,
        "\n  def g\n    raise NotImplementedError\n  end\n",
        true,
    ),
    (
        Ruby,
        "class A\n  def f\n    1\n  end\nend\n",
        2,
        "    raise NotImplementedError\n",
        false,
    ),
    (
        Go,
        "package a\n\nfunc F() int {\n\treturn 4\n}\n",
        5,
        "\nfunc G() int {\n\tpanic(\"not implemented\")\n}\n",
        true,
    ),
    (
        Java,
        "class A {\n  int f() {\n    return 4;\n  }\n}\n",
        4,
        "  int g() {\n    throw new UnsupportedOperationException();\n  }\n",
        true,
    ),
    (
        Java,
        "class A {\n  int f() {\n    return 4;\n  }\n}\n",
        2,
        "    throw new UnsupportedOperationException();\n",
        false,
    ),
];

#[test]
fn insertions_are_judged_by_where_they_stand() {
    for (language, old, after, what, allowed) in INSERTIONS {
        let lines: Vec<&str> = old.split_inclusive('\n').collect();
        let (before, behind) = lines.split_at(*after);
        let new = format!("{}{what}{}", before.concat(), behind.concat());
        assert_eq!(
            grows_only_by_stubs(*language, old, &new),
            *allowed,
            "{language:?}\n{new}"
        );
    }
}

#[test]
fn nothing_existing_may_change_or_go() {
    for new in [
        "",
        "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n",
        "pub fn add(a: i32, b: i32) -> i32 {\n    todo!()\n}\n",
        "fn sub() { todo!() }\n",
    ] {
        let old = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n";
        assert!(!grows_only_by_stubs(Rust, old, new), "{new}");
    }
}

#[test]
fn line_endings_do_not_matter() {
    assert!(grows_only_by_stubs(
        Rust,
        "mod a;\r\n",
        "mod a;\r\nfn f() { todo!() }\r\n"
    ));
    assert!(grows_only_by_stubs(
        Rust,
        "mod a;",
        "mod a;\nfn f() { todo!() }"
    ));
}

#[test]
fn hostile_input_is_answered() {
    let old: String = (0..30_000).map(|n| format!("x{n}\n")).collect();
    let new: String = (0..60_000).map(|n| format!("x{}\n", n / 2)).collect();
    assert!(!grows_only_by_stubs(Rust, &old, &new));
    for piece in [
        "{(",
        "mod a { ",
        "#[",
        "'\\'",
        "=[/",
        "// STUB:TDD\n",
        "\\",
        "(",
        "x\n",
        "/*",
        "`${",
        "}\n",
        "@a\n",
        "class A:\n",
        "def f(",
        "\"",
        "\"\"\"",
        "#[test]\nfn f() {}\n",
        "#[cfg(test)] ",
        "/// ```\n",
        "#[a]\n",
        "@\"",
        "$a{",
    ] {
        let text = piece.repeat(8_000 / piece.len());
        for language in [Rust, JavaScript, Python, CSharp, Ruby] {
            grows_only_by_stubs(language, "", &text);
            grows_only_by_stubs(language, piece, &text);
            crate::rules::split::judge_content(language, "", &text);
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_gets_an_answer(
        old in "[a-z(){};:=#@'\"\n ]{0,40}",
        more in "[a-z(){};:=#@'\"\n ]{0,40}",
    ) {
        let new = format!("{old}{more}");
        for language in [Rust, Python, JavaScript, Go, Java, CSharp, Cpp, Ruby, Elixir, Php] {
            grows_only_by_stubs(language, &old, &new);
        }
    }
}
