//! Languages without a grammar here: how their files are called.

use super::language::{Profile, TestNames};

/// One line or a few for each.
#[rustfmt::skip]
pub(super) static OTHERS: &[Profile] = &[
    Profile { name: "clojure", endings: &["clj", "cljs", "cljc", "bb"], ..Profile::NONE },
    Profile {
        name: "crystal", endings: &["cr"], interpreters: &["crystal"],
        test_names: TestNames { ends: &["_spec"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile { name: "dart", endings: &["dart"], interpreters: &["dart"], ..Profile::NONE },
    Profile {
        name: "elixir", endings: &["ex", "exs", "heex"], interpreters: &["elixir"],
        ..Profile::NONE
    },
    Profile {
        name: "erlang", endings: &["erl", "hrl", "escript"], interpreters: &["escript"],
        test_names: TestNames { ends: &["_suite"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "fsharp", endings: &["fs", "fsi", "fsx"],
        test_names: TestNames { camel_ends: &["Test", "Tests", "Specs"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "groovy", endings: &["groovy"], interpreters: &["groovy"],
        test_names: TestNames {
            camel_ends: &["Test", "Tests", "TestCase", "Spec", "IT"],
            camel_starts: &["Test"],
            ..TestNames::NONE
        },
        ..Profile::NONE
    },
    Profile {
        name: "haskell", endings: &["hs", "lhs", "hsc"], interpreters: &["runghc", "runhaskell"],
        test_names: TestNames {
            stems: &["spec"], camel_ends: &["Spec", "Test", "Tests"],
            ..TestNames::NONE
        },
        ..Profile::NONE
    },
    Profile {
        name: "julia", endings: &["jl"], interpreters: &["julia"],
        test_names: TestNames { starts: &["test_"], stems: &["runtests"], ..TestNames::NONE },
        ..Profile::NONE
    },
    // Emacs Lisp, Common Lisp, Scheme, Racket
    Profile {
        name: "lisp", endings: &["el", "lisp", "lsp", "cl", "scm", "ss", "rkt", "fnl", "hy"],
        interpreters: &["guile", "racket", "sbcl"],
        test_names: TestNames { starts: &["test-", "test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "lua", endings: &["lua", "luau"], interpreters: &["lua", "luajit"],
        test_names: TestNames { ends: &["_spec"], starts: &["test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "nim", endings: &["nim"], interpreters: &["nim"],
        test_names: TestNames { starts: &["test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "objective-c", endings: &["m", "mm"],
        test_names: TestNames {
            starts: &["test_"], camel_ends: &["Test", "Tests"],
            ..TestNames::NONE
        },
        ..Profile::NONE
    },
    Profile {
        name: "ocaml", endings: &["ml", "mli", "mll", "mly", "re", "rei", "res", "resi"],
        interpreters: &["ocaml"],
        test_names: TestNames { starts: &["test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "perl", endings: &["pl", "pm", "raku", "rakumod"], interpreters: &["perl", "raku"],
        test_names: TestNames { starts: &["test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "powershell", endings: &["ps1", "psm1"], interpreters: &["pwsh"],
        ..Profile::NONE
    },
    Profile {
        name: "r", endings: &["r"], interpreters: &["rscript"],
        test_names: TestNames {
            starts: &["test-", "test_"], stems: &["testthat"],
            ..TestNames::NONE
        },
        ..Profile::NONE
    },
    Profile {
        name: "scala", endings: &["scala", "sc"], interpreters: &["scala", "scala-cli"],
        test_names: TestNames {
            camel_ends: &["Test", "Tests", "Spec", "Specs", "Suite", "IT"],
            ..TestNames::NONE
        },
        ..Profile::NONE
    },
    Profile {
        name: "shell", endings: &["sh", "bash", "zsh", "ksh", "fish", "nu"],
        interpreters: &["bash", "dash", "fish", "ksh", "nu", "sh", "zsh"],
        test_names: TestNames { starts: &["test-", "test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "visual basic", endings: &["vb", "vbs", "bas"],
        test_names: TestNames { camel_ends: &["Test", "Tests", "Specs"], ..TestNames::NONE },
        ..Profile::NONE
    },
    Profile {
        name: "zig", endings: &["zig"],
        test_names: TestNames { starts: &["test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
    // Languages that nothing special is said about.
    Profile {
        name: "another language",
        endings: &[
            "ada", "adb", "ads", "agda", "asm", "awk", "bat", "c3", "cbl", "cfc", "cfm", "cmd",
            "cob", "coffee", "d", "elm", "f03", "f08", "f77", "f90", "f95", "gd", "gleam", "hx",
            "idr", "ino", "janet", "lean", "litcoffee", "mojo", "move", "odin", "p6", "pas", "purs",
            "rego", "roc", "rpy", "s", "sas", "sml", "sol", "sv", "svh", "tcl", "v", "vala", "vhd",
            "vhdl", "vim", "vy", "wat", "wren", "yul",
        ],
        interpreters: &["awk", "expect", "gawk", "osascript", "rdmd", "tclsh", "wish"],
        test_names: TestNames { starts: &["test_"], ..TestNames::NONE },
        ..Profile::NONE
    },
];
