//! No text makes anything here panic, and what is made of a text that parses parses too.

use std::collections::BTreeSet;

use crate::languages::{
    Code, Form, HollowRequest, Scope, SourceChange, change, combine, declared_names, hollow,
    names_test_library,
};

const EXTENSIONS: [&str; 9] = ["py", "js", "ts", "tsx", "rs", "go", "java", "rb", "php"];

/// Asks everything of two versions of a file.
fn ask(extension: &str, old: &str, new: &str) {
    let path = format!("src/a.{extension}");
    let read = |text: &str| Code::read(path.as_bytes(), text.as_bytes()).ok();
    let (old, new) = (read(old), read(new));
    change(old.as_ref(), new.as_ref());
    combine(old.as_ref(), new.as_ref());
    let Some(new) = new else {
        return;
    };
    let same = change(Some(&new), Some(&new));
    assert!(same.source == SourceChange::Same && same.tests.is_none());
    new.tests();
    declared_names(&new);
    names_test_library(&new);
    let none = BTreeSet::new();
    for scope in [Scope::Hollow, Scope::Needed { changed: true }, Scope::All] {
        for form in [Form::Empty, Form::NotImplemented] {
            let request = HollowRequest {
                scope,
                form,
                first_number: 1,
                keep: &none,
                whole: &none,
            };
            let made = hollow(old.as_ref(), &new, &request);
            if old.is_none() {
                assert!(read(&made.text).is_some(), "{}", made.text);
            }
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_gets_an_answer(
        old in "(#\\[test\\]|fn f\\(\\) |def f\\(\\):\n|class A|\\{|\\}|;|\"|'|/// ```|>>> x|x|=|1|\n|    | |\\(|\\)|=>|if ){0,25}",
        more in "(fn g\\(\\) |def g\\(\\):\n|func G\\(\\) |import a|\\{|\\}|return|x|\n|    | ){0,10}",
    ) {
        let new = format!("{old}{more}");
        for extension in EXTENSIONS {
            ask(extension, &old, &new);
        }
    }
}

#[test]
fn every_beginning_of_a_file_gets_an_answer() {
    let files = [
        ("rs", include_str!("../rust/marked.rs")),
        (
            "py",
            "@a\nclass A(B):\n    \"\"\"D.\n\n    >>> x\n    1\n    \"\"\"\n    y = lambda x: 1\n    def f(self, a=1): return 'é'\ntry:\n    import a\nexcept E:\n    a = None\n",
        ),
        (
            "ts",
            "export default class A<T> extends B { static #x = (y) => y; get z(): T { return `a${b}` } }\nexport const c = { d() {}, e: 1 }, f = async () => {}\n",
        ),
        (
            "go",
            "package a\n\nimport (\n\t\"b\"\n)\n\nfunc (p *P[T]) F() (x int, err error) { defer func() {}(); return }\n",
        ),
        (
            "java",
            "class A { enum E { A { void f() {} }; E() {} } record R(int a) { R { } } }\n",
        ),
        (
            "rb",
            "class A < B\n  def f(x) = x\n  def self.g; <<~T; end\n    é\n  T\nend\n",
        ),
        (
            "php",
            "<?php\nnamespace A { class B { public function f(): ?int { return match(1) { 1 => 2 }; } } }\n",
        ),
    ];
    for (extension, text) in files {
        let step = (text.len() / 60).max(1);
        let ends = (0..=text.len())
            .step_by(step)
            .filter(|at| text.is_char_boundary(*at));
        for end in ends {
            ask(extension, text, &text[..end]);
            ask(extension, &text[..end], text);
        }
        ask(extension, "", text);
    }
}

#[test]
fn hostile_input_is_answered() {
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
        "-",
        "a.",
    ] {
        let text = piece.repeat(4_000 / piece.len());
        for extension in EXTENSIONS {
            ask(extension, piece, &text);
        }
    }
}
