//! Files of stubs and files with more than stubs, language by language.

use super::{change_of, code};
use crate::languages::{Code, SourceChange, StubRules, Unreadable, change, change_by};

/// Whole files made of nothing but declarations and stubs.
const STUBS: &[(&str, &str)] = &[
    #[cfg(feature = "more-languages")]
    ("swift", "let x = 4\n"),
    #[cfg(feature = "more-languages")]
    ("c", "int x = 4;\n"),
    #[cfg(feature = "more-languages")]
    ("kt", "val x = 4\n"),
    ("rb", "def f(a = run)\n  raise NotImplementedError\nend\n"),
    ("rb", "X = 4\n"),
    ("java", "class A { int x = 4; }\n"),
    ("rs", ""),
    ("rs", "\n\n"),
    ("rs", "// a comment\n/* another */\n//! doc\n"),
    (
        "rs",
        "pub mod stats;\nmod a;\npub(crate) mod b;\nuse std::collections::{BTreeMap, BTreeSet};\npub(crate) use a::*;\nextern crate alloc;\n",
    ),
    ("rs", "pub fn mean(v: &[f64]) -> f64 {\n    todo!()\n}\n"),
    (
        "rs",
        "pub fn mean(v: &[f64]) -> f64 { unimplemented!(\"later\") }\n",
    ),
    ("rs", "fn f() -> u8 { panic!(\"not implemented\") }\n"),
    (
        "rs",
        "/// Doc.\n#[must_use]\npub async fn f<T: Into<String>>(x: T) -> Result<T, E> where T: Clone { todo!(); }\n",
    ),
    ("rs", "fn f() -> impl Iterator<Item = u8> { todo!() }\n"),
    (
        "rs",
        "#[derive(Debug, Clone, PartialEq)]\npub struct P { pub x: u32, y: Vec<(u8, String)> }\npub struct U;\npub struct T(u8, String);\nenum E { A, B(u8), C { d: u8 } }\n",
    ),
    (
        "rs",
        "impl P {\n    pub fn new() -> Self { todo!() }\n    fn y(&self) -> &str { todo!() }\n}\nimpl Iterator for P { type Item = u8; fn next(&mut self) -> Option<u8> { todo!() } }\ntrait Q { fn q(&self) -> u8; fn r(&self) { todo!() } }\n",
    ),
    (
        "rs",
        "type A = Vec<u8>;\nmod m { pub fn f() { todo!() } }\n",
    ),
    ("rs", "// STUB:TDD\nfn f() -> u32 { 0 }\n"),
    ("rs", "fn f() -> Option<u32> {\n    None // STUB:TDD\n}\n"),
    (
        "py",
        "import os\nfrom .b import (c,\n  d as e)\nfrom . import *\n",
    ),
    (
        "py",
        "def f(a, b: int = 0, *, c: str | None = None, d=(), e=-1) -> list[int]:\n    \"\"\"Doc.\"\"\"\n    raise NotImplementedError\n",
    ),
    (
        "py",
        "def f():\n    raise NotImplementedError(\"later\")\n\nasync def g(): ...\n\ndef h():\n    pass\n",
    ),
    (
        "py",
        "def f():\n    raise Exception(\"not implemented yet: not implemented\")\n",
    ),
    (
        "py",
        "\"\"\"Module.\"\"\"\nfrom dataclasses import dataclass\n\n@dataclass\nclass P(Base, metaclass=M):\n    \"\"\"Doc.\"\"\"\n    x: int\n    y: dict[str, int]\n\n    @property\n    def z(self) -> int:\n        raise NotImplementedError\n\nclass E(Exception): pass\n\nclass F(Exception):\n    ...\n",
    ),
    ("py", "__all__ = [\"a\", 'b']\n"),
    ("py", "def f():  # STUB:TDD\n    return None\n"),
    ("py", "# STUB:TDD\ndef f():\n    return []\n"),
    ("py", "def f():\n    return 0  # STUB:TDD\n"),
    (
        "ts",
        "import a, { b as c } from './a';\nimport * as d from \"d\"\nimport './e'\nimport type { T } from './t'\nexport * from './x';\nexport { a, b };\nconst f = require('./fs');\nconst { g } = require(\"./g\").h\nmodule.exports = { f, g };\nexports.f = f;\n",
    ),
    (
        "ts",
        "export function add(a, b = 1, { c = null } = {}) {\n  throw new Error(\"not implemented\");\n}\n",
    ),
    (
        "ts",
        "export default async function f<T>(x: T, cb: (y: T) => void): Promise<T> {\n  throw new Error('Not implemented')\n}\n",
    ),
    (
        "ts",
        "export const add = (a: number, b: number): number => {\n  throw new Error('TODO');\n};\nconst f = async x => { throw new Error(`not implemented`) }\nlet g = function () {}\n",
    ),
    (
        "ts",
        "export interface P { x: number; f(): void }\nexport type Q = 'a' | 'b'\n  | 'c';\ntype R = { a: number }\nenum C { Red, Green }\n",
    ),
    (
        "ts",
        "export class Stack {\n  size: number\n  constructor(n = 0) {}\n  push(x: number): void { throw new Error('not implemented') }\n  get top() { throw new Error('not implemented') }\n  static async of(a) { throw new NotImplementedError() }\n}\n",
    ),
    ("ts", "function f() { return null; } // STUB:TDD\n"),
    (
        "ts",
        "exports.add = (a, b) => { throw new Error('not implemented'); };\nmodule.exports.sub = function (a) { throw new Error(\"not implemented\"); };\nmodule.exports = async (a) => { throw new Error('not implemented') };\n",
    ),
    (
        "go",
        "package calc\n\nimport (\n\t\"fmt\"\n\tx \"os\"\n)\n\ntype P struct {\n\tX int `json:\"x\"`\n}\n\ntype I interface {\n\tF(a int) error\n}\n\ntype N int\n\nfunc Add(a, b int) int {\n\tpanic(\"not implemented\")\n}\n\nfunc (p *P) M() (int, error) { panic(\"TODO\") }\n",
    ),
    (
        "java",
        "package a.b;\nimport java.util.*;\npublic class Calc implements I {\n  private int x;\n  public Calc() {}\n  @Override\n  public int add(int a, int b) { throw new UnsupportedOperationException(\"x\"); }\n  abstract int f(String type);\n}\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "kt",
        "package a\nimport b.c\nclass Calc(val x: Int = 0) {\n  fun add(a: Int): Int = TODO()\n  fun sub(a: Int): Int { TODO(\"later\") }\n}\ndata class P(val a: Int)\nenum class C { A, B }\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "cs",
        "using System;\nnamespace A;\npublic class Calc {\n  public int X { get; set; }\n  public int Add(int a) => throw new NotImplementedException();\n  public void F() { throw new NotImplementedException(); }\n}\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "swift",
        "import Foundation\nstruct P {\n  var x: Int\n  init(x: Int) { fatalError(\"not implemented\") }\n  func f() -> Int { fatalError() }\n}\nprotocol Q { func g() -> Int }\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "c",
        "#ifndef A_H\n#define A_H\n#include <stdio.h>\nint add(int a, int b);\nstruct p { int x; };\n#endif\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "c",
        "#include \"a.h\"\nint add(int a, int b) { abort(); }\nvoid f(void) { assert(0 && \"not implemented\"); }\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "cpp",
        "#pragma once\nnamespace a {\nclass B { public: B(); int f(int x = 0) const; private: int y; };\ntemplate <typename T> T g(T t) { throw std::logic_error(\"not implemented\"); }\n}\n",
    ),
    (
        "php",
        "<?php\ndeclare(strict_types=1);\nnamespace A\\B;\nuse C\\D;\nclass Calc { private int $x; public function add(int $a, ?int $b = null): int { throw new \\LogicException('Not implemented'); } }\n",
    ),
    (
        "rb",
        "require 'set'\nrequire_relative 'a/b'\n\nmodule A\n  class B < C\n    attr_reader :x\n    def f(a, b = nil, c: 1)\n      raise NotImplementedError, \"later\"\n    end\n    def g; end\n    def h = raise(NotImplementedError)\n  end\nend\n",
    ),
    ("rs", "pub const ANSWER: u8 = 42;\n"),
    ("rs", "static X: u8 = 4;\n"),
    ("rs", "enum E { A = 4 }\n"),
    ("rs", "impl P { const N: u8 = 4; }\n"),
    ("py", "def f(a=1 + 1):\n    pass\n"),
    ("py", "ANSWER = 42\n"),
    ("py", "class A:\n    x = 4\n"),
    ("ts", "export const ANSWER = 42;\n"),
    (
        "ts",
        "function f(a = b) { throw new Error('not implemented') }\n",
    ),
    ("ts", "class A { x = 4; }\n"),
    ("ts", "Array.prototype.sum = function () {};\n"),
    ("go", "var X = 4\n"),
    (
        "rs",
        "fn f() -> Option<u32> { None }\nfn g() -> Result<(), E> { Ok(()) }\nfn h() -> String { String::new() }\nfn i() -> P { P::default() }\nfn j() -> bool { false }\n",
    ),
    (
        "py",
        "def f():\n    return None\n\ndef g():\n    return []\n\ndef h():\n    return {}\n\ndef i():\n    return ''\n\ndef j(): return 0\n",
    ),
    ("py", "T = TypeVar('T')\nP = namedtuple('P', 'a b')\n"),
    ("py", "if TYPE_CHECKING:\n    from os import PathLike\n"),
    (
        "ts",
        "export const f = () => null\nexport const g = (): string => ''\nexport async function h() { return [] }\n",
    ),
    (
        "go",
        "package a\n\nfunc F() (int, error) { return 0, errors.New(\"not implemented\") }\nfunc G() P { return P{} }\nfunc H() string { return \"\" }\n",
    ),
];

/// Files with something in them that a stub has no business to hold.
const NO_STUBS: &[(&str, &str)] = &[
    ("py", "from math import floor as tax\n"),
    ("py", "from math import *\n"),
    ("py", "def f():\n    return 1\n"),
    ("py", "def f():\n    return True\n"),
    ("py", "tax = math.floor\n"),
    ("ts", "export { x } from 'lodash'\n"),
    ("ts", "export * from 'lodash'\n"),
    (
        "ts",
        "import { floor } from 'lodash'\nexport { floor as tax }\n",
    ),
    (
        "ts",
        "import floor from 'lodash/floor'\nexport default floor\n",
    ),
    ("js", "const f = require('fs')\nmodule.exports = { f }\n"),
    ("js", "module.exports = require('lodash')\n"),
    ("ts", "export const tax = Math.floor\n"),
    ("rs", "pub use std::cmp::max;\n"),
    ("rs", "use std::cmp::max as tax;\n"),
    ("rs", "#[tokio::main]\nasync fn f() {}\n"),
    ("go", "package a\n\nvar Tax = math.Floor\n"),
    ("rs", "fn f() -> u8 { 4 }\n"),
    ("rs", "fn f() -> u8 { todo!(); 4 }\n"),
    ("rs", "fn f() -> u8 { if x { todo!() } else { 4 } }\n"),
    ("rs", "fn f() -> u8 { todo!(\"{}\", save()) }\n"),
    ("rs", "fn f() -> u8 { panic!(\"never\") }\n"),
    ("rs", "fn f() -> u8 { 4 } // todo!()\n"),
    ("rs", "fn f() -> u8 { /* STUB */ 4 }\n"),
    ("rs", "// STUB:TDD\n\nfn f(a: u8, b: u8) -> u8 { a + b }\n"),
    ("rs", "fn f(a: u8, b: u8) -> u8 { a + b } // STUB:TDD\n"),
    (
        "rs",
        "fn f() -> u8 { 4 }\n// STUB:TDD\nfn g() -> u8 { 0 }\n",
    ),
    ("rs", "fn f() -> String { \"STUB:TDD\".into() }\n"),
    ("rs", "include!(\"impl.rs\");\n"),
    ("rs", "macro_rules! f { () => { 4 } }\n"),
    ("rs", "#[path = \"real.rs\"]\nmod real;\n"),
    ("rs", "fn f() { todo!()\n"),
    ("rs", "}\nfn f() { todo!() }\n"),
    ("py", "def f(a, b):\n    return a + b\n"),
    ("py", "def f(a, b): return a + b  # STUB:TDD\n"),
    ("py", "def f(): raise NotImplementedError; x()\n"),
    ("py", "def f():\n    x()\n    raise NotImplementedError\n"),
    ("py", "def f(a=compute()):\n    pass\n"),
    ("py", "def f(a=lambda: 4):\n    pass\n"),
    ("py", "def f(a=[x for x in y]):\n    pass\n"),
    ("py", "def f(a: g(4)):\n    pass\n"),
    ("py", "@cache\ndef f():\n    pass\n"),
    ("py", "@patch(\"a.b\")\ndef f():\n    pass\n"),
    ("py", "f = lambda a, b: a + b\n"),
    ("py", "class A(make()):\n    pass\n"),
    ("py", "if x:\n    import a\n"),
    ("py", "import a; a.run()\n"),
    ("py", "print('x')\n"),
    ("py", "def f():\n    raise ValueError(\"bad\")\n"),
    ("py", "def f():\n    def g():\n        pass\n"),
    ("py", "def f():\n    f\"{run()}\"\n    pass\n"),
    ("py", "def f(a, b):\n    # STUB:TDD\n    return a + b\n"),
    ("py", "exec('x')\n"),
    ("ts", "export function add(a, b) { return a + b }\n"),
    ("ts", "export const add = (a, b) => a + b;\n"),
    (
        "ts",
        "export const add = (a, b) => { throw new Error('not implemented') } && real;\n",
    ),
    (
        "ts",
        "export const add = (a, b) => { throw new Error(`not implemented ${save()}`) };\n",
    ),
    (
        "ts",
        "function f(a = compute()) { throw new Error('not implemented') }\n",
    ),
    (
        "ts",
        "function f() { save(); throw new Error('not implemented') }\n",
    ),
    ("ts", "function f() { throw new Error('bad input') }\n"),
    ("ts", "run();\n"),
    ("ts", "import('./a').then(x => x.run());\n"),
    ("ts", "const f = require('fs').readFileSync('x');\n"),
    ("ts", "module.exports = { add: (a, b) => a + b };\n"),
    ("ts", "exports.add = (a, b) => { return a + b; };\n"),
    ("ts", "module.exports = function (a) { return a; };\n"),
    (
        "ts",
        "exports.add = make(() => { throw new Error('not implemented'); });\n",
    ),
    ("ts", "class A extends mixin(b) {}\n"),
    ("ts", "@decorate\nclass A {}\n"),
    ("ts", "function f(a, b) { return a + b } // STUB:TDD\n"),
    ("ts", "export default { add(a, b) { return a + b } };\n"),
    ("go", "func Add(a, b int) int { return a + b }\n"),
    ("go", "func init() { register(); }\n"),
    ("go", "func F() { panic(\"boom\") }\n"),
    ("java", "class A { static { run(); } }\n"),
    ("java", "class A { int f() { return 4; } }\n"),
    ("java", "enum E { A { int f() { return 4; } } }\n"),
    #[cfg(feature = "more-languages")]
    ("kt", "fun f(): Int = 4\n"),
    #[cfg(feature = "more-languages")]
    ("cs", "Console.WriteLine(4);\n"),
    #[cfg(feature = "more-languages")]
    ("cs", "class A { int F() => 4; }\n"),
    #[cfg(feature = "more-languages")]
    ("c", "int f(void) { return 4; }\n"),
    #[cfg(feature = "more-languages")]
    ("c", "struct p f(void) { run(); }\n"),
    #[cfg(feature = "more-languages")]
    ("c", "#define ADD(a, b) ((a) + (b))\n"),
    #[cfg(feature = "more-languages")]
    ("c", "RUN(4);\n"),
    #[cfg(feature = "more-languages")]
    ("cpp", "struct A { A() : x(compute()) {} int x; };\n"),
    ("php", "<?php\nrun();\n"),
    ("php", "<?php\nfunction f() { return 4; }\n"),
    ("rb", "def f(a, b)\n  a + b\nend\n"),
    ("rb", "def f = 4\n"),
    ("rb", "include \"#\"; run\n"),
    ("rb", "def f\n  raise NotImplementedError if x\nend\n"),
    ("rb", "class A\n"),
    ("rb", "require 'a'; run\n"),
];

/// All that fail, so that one look shows them.
fn assert_none(failures: Vec<String>) {
    assert!(failures.is_empty(), "{}", failures.join("\n----\n"));
}

/// Files that only declare.
const DECLARATIONS: &[(&str, &str)] = &[
    (
        "py",
        "class E(Exception):\n    pass\n\nLIMIT = 3\nNAMES = ['a', 'b']\nimport os\n",
    ),
    ("py", "@dataclass\nclass P:\n    x: int\n    y: int = 0\n"),
    (
        "ts",
        "export interface A { f(): void }\nexport type B = 'a' | 'b'\nexport enum C { X, Y = 2 }\nexport const D = { a: 1 } as const\n",
    ),
    (
        "rs",
        "mod a;\nuse a::B;\n#[derive(Debug)]\nenum E { A, B(u8) }\ntrait T { fn f(&self); }\nimpl std::error::Error for E {}\n",
    ),
    (
        "go",
        "package a\n\nimport \"fmt\"\n\nvar ErrX error\n\ntype P struct{ X int }\n\nconst N = 3\n",
    ),
];

#[test]
fn files_that_only_declare() {
    for (extension, text) in DECLARATIONS {
        let found = change(None, Some(&code(extension, text))).source;
        assert_eq!(found, SourceChange::Declares, "{extension}\n{text}");
    }
}

#[test]
fn new_files_of_stubs() {
    let wrong = STUBS.iter().filter(|(extension, text)| {
        let new = code(extension, text);
        let rules = StubRules { marker: true };
        change_by(&rules, None, Some(&new)).source > SourceChange::Stub
    });
    assert_none(
        wrong
            .map(|(extension, text)| format!("{extension}\n{text}"))
            .collect(),
    );
}

#[test]
fn new_files_with_more_than_stubs() {
    let wrong = NO_STUBS.iter().filter(|(extension, text)| {
        let new = Code::read(format!("a.{extension}").as_bytes(), text.as_bytes());
        new.is_ok_and(|new| change(None, Some(&new)).source < SourceChange::Code)
    });
    assert_none(
        wrong
            .map(|(extension, text)| format!("{extension}\n{text}"))
            .collect(),
    );
}

const RUST: &str = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\nimpl P {\n    fn x(&self) -> u8 {\n        4\n    }\n}\n";
const PYTHON: &str =
    "def add(a, b):\n    return a + b\n\n\nclass P:\n    def x(self):\n        return 4\n";
const SCRIPT: &str =
    "export function add(a, b) {\n  return a + b\n}\n\nexport const o = {\n  x: 1,\n}\n";

/// extension, old text, the line after which (or 0) something is inserted, what, whether it may
const INSERTIONS: &[(&str, &str, usize, &str, bool)] = &[
    ("rs", RUST, 0, "use a::b;\n", true),
    ("rs", RUST, 3, "\nfn sub() -> u8 {\n    todo!()\n}\n", true),
    (
        "rs",
        RUST,
        8,
        "\n    fn y(&self) -> u8 {\n        todo!()\n    }\n",
        true,
    ),
    ("rs", RUST, 9, "fn f() { todo!() }\n", true),
    ("rs", RUST, 1, "    todo!();\n", false),
    ("rs", RUST, 1, "    return 4;\n", false),
    ("rs", RUST, 1, "    use a::b;\n", false),
    ("rs", RUST, 1, "    fn g() { todo!() }\n", false),
    (
        "rs",
        RUST,
        1,
        "    todo!()\n}\nfn sub(a: i32, b: i32) -> i32 {\n",
        false,
    ),
    ("rs", RUST, 0, "#[inline]\n", false),
    ("rs", RUST, 0, "/*\n", false),
    ("rs", RUST, 4, "mod m {\n", false),
    ("rs", "/*\nold\n*/\nfn f() {}\n", 2, "new\n", true),
    ("rs", "struct P {\n    x: u8,\n}\n", 2, "    y: u8,\n", true),
    ("rs", "const S: &str = \"\n\";\n", 1, "x\n", false),
    ("py", PYTHON, 0, "import os\n", true),
    (
        "py",
        PYTHON,
        2,
        "\ndef sub(a, b):\n    raise NotImplementedError\n",
        true,
    ),
    (
        "py",
        PYTHON,
        7,
        "\n    def y(self):\n        raise NotImplementedError\n",
        true,
    ),
    ("py", PYTHON, 5, "    y: int\n", true),
    ("py", PYTHON, 1, "    raise NotImplementedError\n", false),
    ("py", PYTHON, 1, "    pass\n", false),
    (
        "py",
        PYTHON,
        1,
        "    raise NotImplementedError\n\ndef sub(a, b):\n",
        false,
    ),
    ("py", PYTHON, 4, "class Q:\n    pass\n\n@dataclass\n", false),
    ("py", PYTHON, 5, "    @property\n", false),
    ("py", PYTHON, 5, "    pass\n\nclass Q:\n", false),
    ("py", PYTHON, 2, "    import os\n", false),
    ("py", "x = [\n    1,\n]\n", 2, "    2,\n", false),
    ("ts", SCRIPT, 0, "import a from './a'\n", true),
    (
        "ts",
        SCRIPT,
        3,
        "export function sub(a, b) {\n  throw new Error('not implemented')\n}\n",
        true,
    ),
    (
        "ts",
        SCRIPT,
        1,
        "  throw new Error('not implemented')\n",
        false,
    ),
    ("ts", SCRIPT, 6, "  y: 2,\n", false),
    (
        "ts",
        SCRIPT,
        1,
        "  throw new Error('not implemented')\n}\nexport function sub(a, b) {\n",
        false,
    ),
    (
        "rb",
        "class A\n  def f\n    1\n  end\nend\n",
        4,
        "\n  def g\n    raise NotImplementedError\n  end\n",
        true,
    ),
    (
        "rb",
        "class A\n  def f\n    1\n  end\nend\n",
        2,
        "    raise NotImplementedError\n",
        false,
    ),
    (
        "go",
        "package a\n\nfunc F() int {\n\treturn 4\n}\n",
        5,
        "\nfunc G() int {\n\tpanic(\"not implemented\")\n}\n",
        true,
    ),
    (
        "java",
        "class A {\n  int f() {\n    return 4;\n  }\n}\n",
        4,
        "  int g() {\n    throw new UnsupportedOperationException();\n  }\n",
        true,
    ),
    (
        "java",
        "class A {\n  int f() {\n    return 4;\n  }\n}\n",
        2,
        "    throw new UnsupportedOperationException();\n",
        false,
    ),
];

#[test]
fn insertions_are_judged_by_where_they_stand() {
    let mut wrong = Vec::new();
    for (extension, old, after, what, allowed) in INSERTIONS {
        let lines: Vec<&str> = old.split_inclusive('\n').collect();
        let (before, behind) = lines.split_at(*after);
        let new = format!("{}{what}{}", before.concat(), behind.concat());
        let path = format!("a.{extension}");
        let is_stub = Code::read(path.as_bytes(), new.as_bytes()).is_ok_and(|new| {
            let old = code(extension, old);
            change(Some(&old), Some(&new)).source < SourceChange::Code
        });
        if is_stub != *allowed {
            wrong.push(format!("{extension} {allowed}\n{new}"));
        }
    }
    assert_none(wrong);
}

#[test]
fn what_no_grammar_reads_is_no_stub() {
    let texts = [
        (
            "dart",
            "import 'dart:io';\nint add(int a) => throw UnimplementedError();\nclass A { int f() { throw UnimplementedError(); } }\n",
        ),
        (
            "scala",
            "import a.b\nobject C {\n  def f(a: Int): Int = ???\n}\n",
        ),
        (
            "ex",
            "defmodule A do\n  @moduledoc \"x\"\n  alias B.C\n  @spec f(integer) :: integer\n  def f(a), do: raise \"not implemented\"\n  def g(a) do\n    raise \"not implemented\"\n  end\nend\n",
        ),
        ("ex", "defmodule A do\n  def f(a), do: a + 1\nend\n"),
        ("hs", "\n\n"),
        ("hs", "f = undefined\n"),
        ("sh", "f() { :; }\n"),
    ];
    for (extension, text) in texts {
        let read = Code::read(format!("a.{extension}").as_bytes(), text.as_bytes());
        assert_eq!(
            read.err(),
            Some(Unreadable::NoGrammar),
            "{extension}\n{text}"
        );
    }
}

#[test]
fn what_stubs_need_may_come_with_them() {
    for (extension, text, most) in [
        (
            "py",
            "import os\nfrom a.b import (c,\n  d)\nfrom . import c\n",
            SourceChange::Stub,
        ),
        // Under another name, or as a whole, what somebody else wrote is given away.
        (
            "py",
            "import os\nfrom a.b import (c,\n  d as e)\nfrom . import *\n",
            SourceChange::Code,
        ),
        (
            "rs",
            "#[cfg(test)]\nfn f() { todo!() }\n",
            SourceChange::Stub,
        ),
    ] {
        let found = change(None, Some(&code(extension, text))).source;
        let is_code = found == SourceChange::Code;
        assert_eq!(is_code, most == SourceChange::Code, "{extension}\n{text}");
    }
    let crlf = change_of("rs", "mod a;\r\n", "mod a;\r\nfn f() { todo!() }\r\n");
    let open = change_of("rs", "mod a;", "mod a;\nfn f() { todo!() }");
    assert_eq!(
        (crlf.source, open.source),
        (SourceChange::Stub, SourceChange::Stub)
    );
}
