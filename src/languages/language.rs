//! The programming language of a file, told by its name.

/// A language whose files are source code. Those without rules of their own are `Unlisted`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// `.c`, `.h`
    C,
    /// `.clj` and its dialects
    Clojure,
    /// `.cpp`, `.cc`, `.hpp`, …
    Cpp,
    /// `.cr`
    Crystal,
    /// `.cs`, `.razor`
    CSharp,
    /// `.dart`
    Dart,
    /// `.ex`, `.exs`
    Elixir,
    /// `.erl`, `.hrl`
    Erlang,
    /// `.fs`, `.fsx`
    FSharp,
    /// `.go`
    Go,
    /// `.groovy`
    Groovy,
    /// `.hs`, `.lhs`
    Haskell,
    /// `.java`
    Java,
    /// JavaScript and TypeScript in all their spellings, single-file components too
    JavaScript,
    /// `.jl`
    Julia,
    /// `.kt`, `.kts`
    Kotlin,
    /// Emacs Lisp, Common Lisp, Scheme, Racket
    Lisp,
    /// `.lua`
    Lua,
    /// `.nim`
    Nim,
    /// `.m`, `.mm`
    ObjectiveC,
    /// `.ml`, `.mli`
    OCaml,
    /// `.pl`, `.pm`
    Perl,
    /// `.php`
    Php,
    /// `.ps1`, `.psm1`
    PowerShell,
    /// `.py`, `.pyi`, `.pyx`, notebooks
    Python,
    /// `.r`
    R,
    /// `.rb`, `.rake`
    Ruby,
    /// `.rs`
    Rust,
    /// `.scala`, `.sc`
    Scala,
    /// `.sh` and the other shells
    Shell,
    /// `.swift`
    Swift,
    /// `.vb`
    VisualBasic,
    /// `.zig`
    Zig,
    /// A programming language the rules say nothing special about
    Unlisted,
}

/// Extensions (lower case) of each language.
const EXTENSIONS: &[(Language, &[&str])] = &[
    (Language::C, &["c", "h"]),
    (Language::Clojure, &["clj", "cljs", "cljc", "bb"]),
    (
        Language::Cpp,
        &[
            "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "cppm",
            "ixx", "cu", "cuh",
        ],
    ),
    (Language::Crystal, &["cr"]),
    (Language::CSharp, &["cs", "csx", "razor", "cshtml"]),
    (Language::Dart, &["dart"]),
    (Language::Elixir, &["ex", "exs", "heex"]),
    (Language::Erlang, &["erl", "hrl", "escript"]),
    (Language::FSharp, &["fs", "fsi", "fsx"]),
    (Language::Go, &["go"]),
    (Language::Groovy, &["groovy"]),
    (Language::Haskell, &["hs", "lhs", "hsc"]),
    (Language::Java, &["java", "jsp"]),
    (
        Language::JavaScript,
        &[
            "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "astro", "gjs",
            "gts",
        ],
    ),
    (Language::Julia, &["jl"]),
    (Language::Kotlin, &["kt", "kts"]),
    (
        Language::Lisp,
        &["el", "lisp", "lsp", "cl", "scm", "ss", "rkt", "fnl", "hy"],
    ),
    (Language::Lua, &["lua", "luau"]),
    (Language::Nim, &["nim"]),
    (Language::ObjectiveC, &["m", "mm"]),
    (
        Language::OCaml,
        &["ml", "mli", "mll", "mly", "re", "rei", "res", "resi"],
    ),
    (Language::Perl, &["pl", "pm", "raku", "rakumod"]),
    (Language::Php, &["php", "phtml", "inc"]),
    (Language::PowerShell, &["ps1", "psm1"]),
    (
        Language::Python,
        &["py", "pyi", "pyw", "pyx", "pxd", "ipynb"],
    ),
    (Language::R, &["r"]),
    (Language::Ruby, &["rb", "rake", "ru"]),
    (Language::Rust, &["rs"]),
    (Language::Scala, &["scala", "sc"]),
    (Language::Shell, &["sh", "bash", "zsh", "ksh", "fish", "nu"]),
    (Language::Swift, &["swift"]),
    (Language::VisualBasic, &["vb", "vbs", "bas"]),
    (Language::Zig, &["zig"]),
    (
        Language::Unlisted,
        &[
            "ada",
            "adb",
            "ads",
            "agda",
            "asm",
            "awk",
            "bat",
            "c3",
            "cbl",
            "cfc",
            "cfm",
            "cmd",
            "cob",
            "coffee",
            "d",
            "elm",
            "f03",
            "f08",
            "f77",
            "f90",
            "f95",
            "gd",
            "gleam",
            "hx",
            "idr",
            "ino",
            "janet",
            "lean",
            "litcoffee",
            "mojo",
            "move",
            "odin",
            "p6",
            "pas",
            "purs",
            "rego",
            "roc",
            "rpy",
            "s",
            "sas",
            "sml",
            "sol",
            "sv",
            "svh",
            "tcl",
            "v",
            "vala",
            "vhd",
            "vhdl",
            "vim",
            "vy",
            "wat",
            "wren",
            "yul",
        ],
    ),
];

impl Language {
    /// The language of an extension in lower case, without its dot.
    pub fn of_extension(extension: &[u8]) -> Option<Language> {
        EXTENSIONS
            .iter()
            .find(|(_, known)| known.iter().any(|e| e.as_bytes() == extension))
            .map(|(language, _)| *language)
    }

    /// The language of a path, by its extension.
    pub fn of_path(path: &[u8]) -> Option<Language> {
        Language::of_extension(&Language::extension(path)?)
    }

    /// The extension of a path in lower case, without its dot.
    pub(super) fn extension(path: &[u8]) -> Option<Vec<u8>> {
        let name = path.rsplit(|b| *b == b'/').next()?;
        let dot = name.iter().rposition(|b| *b == b'.').filter(|at| *at > 0)?;
        Some(name.get(dot + 1..)?.to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_extension_belongs_to_two_languages() {
        let mut seen = BTreeSet::new();
        for (language, extensions) in EXTENSIONS {
            for extension in *extensions {
                assert!(
                    seen.insert(extension),
                    "{extension} twice, last in {language:?}"
                );
            }
        }
    }

    #[test]
    fn tells_the_language_by_the_last_extension() {
        for (path, expected) in [
            ("src/a.rs", Some(Language::Rust)),
            ("src/A.PY", Some(Language::Python)),
            ("a/b.d.ts", Some(Language::JavaScript)),
            (".rs", None),
            ("Makefile", None),
            ("a.rs/b", None),
            ("a.rs.orig", None),
        ] {
            assert_eq!(Language::of_path(path.as_bytes()), expected, "{path}");
        }
    }
}
