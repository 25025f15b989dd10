//! Hollow functions, language by language.

use std::collections::BTreeSet;

use super::code;
use crate::languages::{Code, Form, HollowRequest, Hollowed, Scope, hollow, numbers_in};

fn hollowed(extension: &str, old: &str, new: &str, scope: Scope, form: Form) -> Hollowed {
    let none = BTreeSet::new();
    let old = (!old.is_empty()).then(|| code(extension, old));
    let request = HollowRequest {
        scope,
        form,
        first_number: 7,
        keep: &none,
        whole: &none,
    };
    let made = hollow(old.as_ref(), &code(extension, new), &request);
    let parsed = Code::read(format!("a.{extension}").as_bytes(), made.text.as_bytes());
    assert!(parsed.is_ok(), "{parsed:?}\n{}", made.text);
    made
}

/// extension, function, with "not implemented: tcr 7", with an empty value
const FORMS: &[(&str, &str, &str, &str)] = &[
    (
        "py",
        "def f(): return 1\n",
        "def f(): raise NotImplementedError(\"not implemented: tcr 7\"); return 1\n",
        "def f(): return; return 1\n",
    ),
    (
        "py",
        "def f():\n    \"\"\"Doc.\"\"\"\n    # why\n    if x:\n        yield 1\n",
        "def f():\n    \"\"\"Doc.\"\"\"\n    # why\n    raise NotImplementedError(\"not implemented: tcr 7\")\n    if x:\n        yield 1\n",
        "def f():\n    \"\"\"Doc.\"\"\"\n    # why\n    return\n    if x:\n        yield 1\n",
    ),
    (
        "py",
        "def f():\n    \"doc\"\n",
        "def f():\n    \"doc\"\n    raise NotImplementedError(\"not implemented: tcr 7\")\n",
        "def f():\n    \"doc\"\n    return\n",
    ),
    (
        "py",
        "f = lambda x: x\n",
        "f = lambda x: ((_ for _ in ()).throw(NotImplementedError(\"not implemented: tcr 7\")) if True else (x))\n",
        "f = lambda x: (None if True else (x))\n",
    ),
    (
        "js",
        "const f = x => x + 1\n",
        "const f = x => { throw new Error(\"not implemented: tcr 7\"); return (x + 1); }\n",
        "const f = x => { return; return (x + 1); }\n",
    ),
    (
        "ts",
        "function f(x: number): number { return x }\n",
        "function f(x: number): number { if (true as boolean) throw new Error(\"not implemented: tcr 7\"); return x }\n",
        "function f(x: number): number { if (true as boolean) return undefined as never; return x }\n",
    ),
    (
        "ts",
        "class A extends B { constructor() { super(1) } }\n",
        "class A extends B { constructor() { if (true as boolean) throw new Error(\"not implemented: tcr 7\"); super(1) } }\n",
        "class A extends B { constructor() { if (true as boolean) throw new Error(\"not implemented: tcr 7\"); super(1) } }\n",
    ),
    (
        "ts",
        "class A { set v(x: number) { this.x = x } }\n",
        "class A { set v(x: number) { if (true as boolean) throw new Error(\"not implemented: tcr 7\"); this.x = x } }\n",
        "class A { set v(x: number) { if (true as boolean) return; this.x = x } }\n",
    ),
    (
        "rs",
        "fn f() -> Result<Vec<u8>, E> { g() }\n",
        "fn f() -> Result<Vec<u8>, E> { if true { panic!(\"not implemented: tcr 7\") } g() }\n",
        "fn f() -> Result<Vec<u8>, E> { if true { return Ok(Vec::new()) } g() }\n",
    ),
    (
        "rs",
        "#[derive(Default)]\nstruct P;\nfn f() -> P { g() }\n",
        "#[derive(Default)]\nstruct P;\nfn f() -> P { if true { panic!(\"not implemented: tcr 7\") } g() }\n",
        "#[derive(Default)]\nstruct P;\nfn f() -> P { if true { return Default::default() } g() }\n",
    ),
    (
        "rs",
        "fn f() -> impl Iterator<Item = u8> { g() }\n",
        "fn f() -> impl Iterator<Item = u8> { if true { panic!(\"not implemented: tcr 7\") } g() }\n",
        "fn f() -> impl Iterator<Item = u8> { if true { panic!(\"not implemented: tcr 7\") } g() }\n",
    ),
    (
        "go",
        "package a\n\nfunc F(x int) (string, T, error) { return g(x) }\n",
        "package a\n\nfunc F(x int) (string, T, error) { if true { panic(\"not implemented: tcr 7\") }; return g(x) }\n",
        "package a\n\nfunc F(x int) (string, T, error) { if true { return \"\", *new(T), nil }; return g(x) }\n",
    ),
    (
        "java",
        "class A { A() { super(1); } }\n",
        "class A { A() { super(1); if (true) throw new UnsupportedOperationException(\"not implemented: tcr 7\"); } }\n",
        "class A { A() { super(1); if (true) throw new UnsupportedOperationException(\"not implemented: tcr 7\"); } }\n",
    ),
    (
        "java",
        "class A { boolean f() { return true; } }\n",
        "class A { boolean f() { if (true) throw new UnsupportedOperationException(\"not implemented: tcr 7\"); return true; } }\n",
        "class A { boolean f() { if (true) return false; return true; } }\n",
    ),
    (
        "rb",
        "def f(x)\n  x + 1\nend\n",
        "def f(x)\n  raise NotImplementedError, \"not implemented: tcr 7\"; x + 1\nend\n",
        "def f(x)\n  return; x + 1\nend\n",
    ),
    (
        "rb",
        "def f = 4\n",
        "def f = (raise NotImplementedError, \"not implemented: tcr 7\"; 4)\n",
        "def f = nil && (4)\n",
    ),
    (
        "rb",
        "def f; end\n",
        "def f; raise NotImplementedError, \"not implemented: tcr 7\"; end\n",
        "def f; return; end\n",
    ),
    (
        "php",
        "<?php\nfunction f(): ?int { return 1; }\n",
        "<?php\nfunction f(): ?int { throw new \\LogicException(\"not implemented: tcr 7\"); return 1; }\n",
        "<?php\nfunction f(): ?int { return null; return 1; }\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "c",
        "int f(int x) { return x; }\n",
        "int f(int x) { { extern void perror(const char *); extern void abort(void); if (1) { perror(\"not implemented: tcr 7\"); abort(); } } return x; }\n",
        "int f(int x) { if (1) return 0; return x; }\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "cpp",
        "int f(int x) { return x; }\n",
        "#include <stdexcept>\nint f(int x) { if (true) throw std::logic_error(\"not implemented: tcr 7\"); return x; }\n",
        "int f(int x) { if (true) return {}; return x; }\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "cs",
        "class A { int F(int a) => a; }\n",
        "class A { int F(int a) { if (true) throw new System.NotImplementedException(\"not implemented: tcr 7\"); return a; } }\n",
        "class A { int F(int a) { if (true) return default; return a; } }\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "kt",
        "fun f(x: Int): Int = x\n",
        "fun f(x: Int): Int = if (true) throw NotImplementedError(\"not implemented: tcr 7\") else (x)\n",
        "fun f(x: Int): Int = if (true) 0 else (x)\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "swift",
        "func f(x: Int) -> Int { return x }\n",
        "func f(x: Int) -> Int { if true { fatalError(\"not implemented: tcr 7\") }; return x }\n",
        "func f(x: Int) -> Int { if true { return 0 }; return x }\n",
    ),
];

#[test]
fn each_form_goes_in_front_of_the_body() {
    for (extension, text, says, empty) in FORMS {
        let made = hollowed(extension, "", text, Scope::All, Form::NotImplemented);
        assert_eq!(made.text, *says);
        let numbers: Vec<u32> = made.functions.iter().map(|one| one.number).collect();
        assert_eq!(
            (numbers, made.functions.iter().all(|one| one.hollowed)),
            (vec![7], true)
        );
        let made = hollowed(extension, "", text, Scope::All, Form::Empty);
        assert_eq!(made.text, *empty);
    }
}

/// Functions that keep their body whatever is asked.
const KEPT: &[(&str, &str)] = &[
    ("rs", "impl Drop for P { fn drop(&mut self) { f() } }\n"),
    (
        "rs",
        "impl std::fmt::Debug for P { fn fmt(&self) -> R { f() } }\n",
    ),
    (
        "rs",
        "impl<T> fmt::Display for P<T> { fn fmt(&self) -> R { f() } }\n",
    ),
    ("rs", "trait T { fn f(&self); }\n"),
    ("rs", "#[cfg(test)]\nmod tests { fn f() { g() } }\n"),
    (
        "go",
        "package a\n\nfunc init() { f() }\n\nfunc main() { f() }\n",
    ),
    (
        "ts",
        "run(() => 1)\nexport const x = memo(function f() { return 1 })\n",
    ),
    (
        "ts",
        "abstract class A { abstract f(): void }\nfunction g(): void\n",
    ),
    #[cfg(feature = "more-languages")]
    (
        "cpp",
        "constexpr int f() { return 1; }\nstruct A { ~A() { g(); } };\nint main() { g(); }\n",
    ),
    ("py", "run(lambda: 1)\nx = map(lambda y: y, z)\n"),
];

#[test]
fn what_must_not_panic_does_nothing_instead() {
    for (text, empty) in [
        (
            "impl fmt::Display for P { fn fmt(&self) -> fmt::Result { f() } }\n",
            "impl fmt::Display for P { fn fmt(&self) -> fmt::Result { if true { return Ok(()) } f() } }\n",
        ),
        (
            "impl Drop for P { fn drop(&mut self) { f() } }\n",
            "impl Drop for P { fn drop(&mut self) { if true { return } f() } }\n",
        ),
    ] {
        let made = hollowed("rs", "", text, Scope::Hollow, Form::Empty);
        assert_eq!(made.text, empty);
        let made = hollowed("rs", "", text, Scope::Hollow, Form::NotImplemented);
        assert_eq!(made.text, text);
    }
}

#[test]
fn what_must_run_keeps_its_body() {
    for (extension, text) in KEPT {
        let made = hollowed(extension, "", text, Scope::All, Form::NotImplemented);
        assert_eq!((made.text.as_str(), made.functions), (*text, vec![]));
    }
}

/// extension, old, new, hollow
const PAIRS: &[(&str, &str, &str, &str)] = &[
    // Decorators, signature and defaults are those of the old file, and so are values.
    (
        "py",
        "R = 1\n\n@a\ndef f(x=R):\n    return x\n",
        "R = 2\n\n@b\ndef f(x=R, y=2):\n    return y\n\ndef g():\n    return 3\n",
        "R = 1\n\n@a\ndef f(x=R):\n    return x\n\ndef g():\n    raise NotImplementedError(\"not implemented: tcr 8\")\n    return 3\n",
    ),
    // Names that the old body needs come back: an import, a function, a method.
    (
        "py",
        "import os\nimport re\n\ndef h(x):\n    return re.sub(x)\n\nclass A:\n    def f(self):\n        return self.g(h)\n    def g(self):\n        return 1\n",
        "import os\n\nclass A:\n    def f(self):\n        return 2\n",
        "import re\nimport os\n\ndef h(x):\n    return re.sub(x)\n\nclass A:\n    def f(self):\n        return self.g(h)\n\n    def g(self):\n        return 1\n\n",
    ),
    // What nobody needs stays away.
    (
        "py",
        "def h():\n    return 1\n\ndef f():\n    return 1\n",
        "def f():\n    return 2\n",
        "def f():\n    return 1\n",
    ),
    // Comments and layout are no change.
    (
        "rs",
        "fn f() { g(1) }\n",
        "// why\nfn f() {\n    g(1)\n}\n",
        "// why\nfn f() {\n    g(1)\n}\n",
    ),
    // The old function is as visible as the new one; lifetimes make no other impl.
    (
        "rs",
        "fn f() -> u8 { 1 }\nimpl<'a> P<'a> { fn g(&self) { a() } }\n",
        "pub fn f() -> u8 { 2 }\nimpl P<'_> { pub fn g(&self) { b() } }\n",
        "pub fn f() -> u8 { 1 }\nimpl P<'_> { pub fn g(&self) { a() } }\n",
    ),
    (
        "ts",
        "function f() { return 1 }\nconst g = () => 1\n",
        "export function f() { return 2 }\nexport function g() { return 2 }\n",
        "export function f() { return 1 }\nexport const g = () => 1\n",
    ),
    (
        "ts",
        "class A { get v() { return 1 } set v(x) { a(x) } static v() { return 1 } }\n",
        "class A { get v() { return 2 } set v(x) { a(x) } static v() { return 3 } }\n",
        "class A { get v() { return 1 } set v(x) { a(x) } static v() { return 1 } }\n",
    ),
    // In Go the new body stays behind the old one, so that no import is unused.
    (
        "go",
        "package a\n\nfunc F() int { return 1 }\n",
        "package a\n\nimport \"b\"\n\nfunc F() int { return b.C() }\n",
        "package a\n\nimport \"b\"\n\nfunc F() int { if true { return 1 \n}; return b.C() }\n",
    ),
];

#[test]
fn what_the_old_file_has_is_taken_from_it() {
    for (extension, old, new, expected) in PAIRS {
        let made = hollowed(extension, old, new, Scope::Hollow, Form::NotImplemented);
        assert_eq!(made.text, *expected, "{extension}");
    }
}

#[test]
fn values_are_counted() {
    let made = hollowed(
        "py",
        "A = 1\nB = 2\n",
        "A = 2\nB = 2\nC = 3\n",
        Scope::Hollow,
        Form::Empty,
    );
    assert_eq!(
        (made.text.as_str(), made.replaced_values),
        ("A = 1\nB = 2\nC = 3\n", 1)
    );
}

#[test]
fn numbers_do_not_depend_on_what_is_kept() {
    let old = code("py", "def a():\n    return 1\n");
    let new = code(
        "py",
        "def a():\n    return 2\n\ndef b():\n    return 3\n\ndef c():\n    return 4\n",
    );
    let (keep, whole) = (BTreeSet::from([2]), BTreeSet::from([1]));
    let request = HollowRequest {
        scope: Scope::Hollow,
        form: Form::NotImplemented,
        first_number: 1,
        keep: &keep,
        whole: &whole,
    };
    let made = hollow(Some(&old), &new, &request);
    let said: Vec<(u32, &str, bool, usize)> = made
        .functions
        .iter()
        .map(|one| (one.number, one.name.as_str(), one.hollowed, one.line))
        .collect();
    assert_eq!(
        said,
        [(1, "a", true, 1), (2, "b", false, 4), (3, "c", true, 7)]
    );
    assert_eq!(
        made.text,
        "def a():\n    raise NotImplementedError(\"not implemented: tcr 1\")\n    return 2\n\ndef b():\n    return 3\n\ndef c():\n    raise NotImplementedError(\"not implemented: tcr 3\")\n    return 4\n"
    );
    assert_eq!(made.functions[2].text_lines, 8..11);
}

#[test]
fn needed_leaves_the_rest_as_it_is() {
    let old = "fn a() { x(1) }\nfn b() { x(2) }\n";
    let new = "fn a() { x(3) }\nfn moved() { x(2) }\nfn c() { x(4) }\nfn d() { todo!() }\n";
    let names = |changed| -> Vec<String> {
        let made = hollowed("rs", old, new, Scope::Needed { changed }, Form::Empty);
        made.functions.into_iter().map(|one| one.name).collect()
    };
    assert_eq!(names(false), ["c"]);
    assert_eq!(names(true), ["a", "c"]);
}

#[test]
fn numbers_are_found_in_what_a_run_printed() {
    let output = "E  NotImplementedError: not implemented: tcr 12\nthread 'x' panicked: not implemented: tcr 3\nnot implemented: tcr x\nnot implemented";
    assert_eq!(numbers_in(output), BTreeSet::from([3, 12]));
}
