//! What the words on something that could not be loaded tell: a name that nothing defines, a file that is
//! no valid code.

use std::sync::LazyLock;

use regex::Regex;

use super::text;
use crate::rules::verdict::LoadError;

/// Patterns for a name that is missing, and whether it is that of a module or package.
static MISSING: LazyLock<Vec<(Regex, bool)>> = LazyLock::new(|| {
    let name = [
        // Python
        r"cannot import name '([^']+)'",
        r"has no attribute '([^']+)'",
        r"name '([^']+)' is not defined",
        // JavaScript and TypeScript
        r"does not provide an export named '([^']+)'",
        r"Export named '([^']+)' not found",
        r#"No "([^"]+)" export is defined on"#,
        r#"[Nn]o matching export in "[^"]+" for import "([^"]+)""#,
        r"has no exported member (?:named )?'([^']+)'",
        r"Cannot find name '([^']+)'",
        r"Property '([^']+)' does not exist on type",
        r"(?:^|[\s.(])([A-Za-z_$][\w$]*)(?:\))? is not (?:defined|a function|a constructor)",
        // Rust
        r"cannot find (?:function|value|type|trait|macro|attribute|struct|tuple|unit|associated|method|derive)[^`]*`([^`]+)`",
        r"unresolved import `(?:[^`]*::)?([^`:]+)`",
        r"no `([^`]+)` in `",
        r"could not find `([^`]+)` in `",
        r"no (?:method|function|associated item|associated function|variant|field)[^`]*`([^`]+)`",
        r"has no field named `([^`]+)`",
        r"`([^`]+)` is not a member of trait",
        r"use of undeclared type `([^`]+)`",
        // Go
        r"undefined: (?:\w+\.)?(\w+)",
        r"has no field or method (\w+)",
        r"missing method (\w+)",
        // Java, Kotlin
        r"symbol:\s+(?:method|class|variable)\s+(\w+)",
        r"[Uu]nresolved reference:? '?(\w+)",
        // Ruby, PHP, Elixir
        r"uninitialized constant (?:[\w:]*::)?(\w+)",
        r"undefined (?:local variable or )?(?:method|function) [`']?([\w?!]+)",
        r#"Class "(?:[^"]*\\)?([^"\\]+)" not found"#,
        r"[Cc]all to undefined (?:function|method) (?:[\w\\]+::)?(\w+)\(",
        r"module (\S+) is not (?:available|loaded)",
        // C and C++
        r"['‘](\w+)['’] was not declared in this scope",
        r"use of undeclared identifier '(\w+)'",
        r"has no member named ['‘](\w+)['’]",
        r"undefined reference to [`'](\w+)",
    ];
    let package = [
        r"No module named '([^']+)'",
        r"Cannot find (?:module|package) '([^']+)'",
        r#"Failed to (?:resolve import|load url) "?([^"\s]+)"?"#,
        r#"Could not resolve "([^"]+)""#,
        r#"Module not found "?([^"\s]+)"?"#,
        r"use of (?:undeclared|unresolved) (?:crate or module|module or unlinked crate) `([^`]+)`",
        r"cannot find (?:module or crate|crate)[^`]*`([^`]+)`",
        r"can't find crate for `([^`]+)`",
        r"file not found for module `([^`]+)`",
        r"no required module provides package (\S+?)[;\s]",
        r"package (\S+) is not in (?:std|GOROOT)",
        r#"cannot find package "([^"]+)""#,
        r"package ([\w.]+) does not exist",
        r"cannot load such file -- (\S+)",
        r"fatal error: (\S+): No such file or directory",
    ];
    let with = |patterns: &[&str], is_package: bool| -> Vec<(Regex, bool)> {
        let compiled = patterns.iter().map(|pattern| text::regex(pattern));
        compiled.map(|pattern| (pattern, is_package)).collect()
    };
    let mut all = with(&package, true);
    all.extend(with(&name, false));
    all
});

/// Words that a compiler or interpreter has for text that is no code.
static NO_CODE: LazyLock<Regex> = LazyLock::new(|| {
    text::regex(
        r"SyntaxError|ParseError|(?:Expression|Identifier|Declaration) expected|invalid JS syntax|missing ',' |IndentationError|TabError|[Ss]yntax error|[Pp]arse error|Transform failed|Unexpected (?:token|identifier|end of)|error: (?:expected|unexpected|unclosed|mismatched|this file contains an unclosed|unterminated)|ERROR: (?:Expected|Unexpected|Unterminated)|expected '?\S+'?, found|error TS1\d\d\d:|(?:';'|'\)'|identifier|class, interface, enum, or record) expected|reached end of file while parsing|TokenMissingError|missing terminator|unexpected (?:token|end-of-input)|expected expression|unterminated",
    )
});

/// Places in the words of many tools; the first group that fits is the file, the second the line.
static PLACES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r#"File "([^"\n]+)", line (\d+)"#,
        r"(?m)^(?:[^\n]*?\s)?(?:file://)?([^\s:()'\x22`]+\.[A-Za-z]\w{0,4}):\[?(\d+)",
        r"(?m)^(?:[^\n]*?\s)?([^\s:()'\x22`]+\.[A-Za-z]\w{0,4})\((\d+),\d+\)",
        r"SyntaxError: ([^\s:]+\.\w+): .*?\((\d+):\d+\)",
        r"in (\S+\.php) on line (\d+)",
        r"(?s)SyntaxError: ([^\s:]+\.\w+): .*?\((\d+):\d+\)",
    ]
    .map(text::regex)
    .into()
});

/// Fills in what `words`, all that is known of the failure, tell.
pub(crate) fn explain(error: &mut LoadError, words: &str) {
    // Node and Bun call a name that is not exported a syntax error.
    let is_export =
        words.contains("does not provide an export named") || words.contains("Export named '");
    if let Some((_, module)) = words.split_once("Failed to import test module: ") {
        let module = module.split_whitespace().next().unwrap_or_default();
        error.file = Some(format!("{}.py", module.replace('.', "/")));
    }
    if NO_CODE.is_match(words) && !is_export {
        error.does_not_parse = place(words);
        if error.does_not_parse.is_some() {
            return;
        }
    }
    // The last one that speaks is the nearest to what was wanted; packages first.
    for (pattern, is_package) in MISSING.iter() {
        if let Some(found) = pattern
            .captures_iter(words)
            .last()
            .and_then(|found| found.get(1))
        {
            error.missing_name = Some(found.as_str().to_owned());
            error.missing_package = *is_package;
            return;
        }
    }
}

/// The last place that the words name.
pub(crate) fn place(words: &str) -> Option<(String, u32)> {
    let is_foreign = |file: &str| {
        [
            "node_modules/",
            "node:internal",
            "site-packages/",
            "/lib/python",
            "importlib",
        ]
        .iter()
        .any(|part| file.contains(part))
    };
    PLACES.iter().find_map(|pattern| {
        let places = pattern.captures_iter(words).filter_map(|found| {
            let file = found.get(1)?.as_str();
            let line = found.get(2)?.as_str().parse().ok()?;
            (!is_foreign(file)).then(|| (file.to_owned(), line))
        });
        // Python names the innermost place last, others name it first.
        match words.contains("File \"") {
            true => places.last(),
            false => { places }.next(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_name_is_found_in_the_words_of_each_tool() {
        for (words, name, is_package) in [
            (
                "ImportError: cannot import name 'add' from 'calc' (/p/calc.py)",
                "add",
                false,
            ),
            (
                "ModuleNotFoundError: No module named 'calc.more'",
                "calc.more",
                true,
            ),
            (
                "AttributeError: module 'calc' has no attribute 'sub'",
                "sub",
                false,
            ),
            ("NameError: name 'total' is not defined", "total", false),
            (
                "SyntaxError: The requested module './calc.js' does not provide an export named 'add'",
                "add",
                false,
            ),
            (
                "Error: Cannot find module './calc' from 'calc.test.js'",
                "./calc",
                true,
            ),
            (
                "Error: Failed to resolve import \"./calc\" from \"a.test.js\". Does the file exist?",
                "./calc",
                true,
            ),
            (
                "Error: Failed to load url ./nope.js (resolved id: ./nope.js) in /p/a.test.js.",
                "./nope.js",
                true,
            ),
            ("TypeError: (0 , calc.add) is not a function", "add", false),
            ("ReferenceError: total is not defined", "total", false),
            (
                "error TS2305: Module '\"./calc\"' has no exported member 'add'.",
                "add",
                false,
            ),
            (
                "src/lib.rs:2:14: error[E0425]: cannot find function `add` in this scope",
                "add",
                false,
            ),
            (
                "tests/it.rs:1:5: error[E0432]: unresolved import `a::deep::sub`",
                "sub",
                false,
            ),
            (
                "x.rs:1:1: error[E0433]: failed to resolve: use of unresolved module or unlinked crate `rand`",
                "rand",
                true,
            ),
            (
                "x.rs:1:1: error[E0599]: no method named `area` found for struct `Square` in the current scope",
                "area",
                false,
            ),
            (
                "x.rs:1:1: error[E0412]: cannot find type `Money` in this scope",
                "Money",
                false,
            ),
            (
                "q/q_test.go:3:27: undefined: undefinedThing",
                "undefinedThing",
                false,
            ),
            ("./q_test.go:3:27: undefined: calc.Add", "Add", false),
            (
                "a_test.go:5:4: c.Area undefined (type Circle has no field or method Area)",
                "Area",
                false,
            ),
            (
                "a.go:3:8: no required module provides package example.com/x; to add it:",
                "example.com/x",
                true,
            ),
            (
                "AppTest.java:[9,20] cannot find symbol\n  symbol:   method add(int,int)\n  location: class App",
                "add",
                false,
            ),
            (
                "NameError: uninitialized constant Calc::Money",
                "Money",
                false,
            ),
            ("LoadError: cannot load such file -- calc", "calc", true),
            ("Error: Class \"App\\Calc\" not found", "Calc", false),
        ] {
            let mut error = LoadError::default();
            explain(&mut error, words);
            assert_eq!(error.missing_name.as_deref(), Some(name), "{words}");
            assert_eq!(error.missing_package, is_package, "{words}");
            assert_eq!(error.does_not_parse, None, "{words}");
        }
    }

    #[test]
    fn the_place_of_what_is_no_code_is_found() {
        for (words, file, line) in [
            (
                "  File \"/usr/lib/python3.11/ast.py\", line 50, in parse\n    File \"/p/tests/test_a.py\", line 3\n      def (\nSyntaxError: invalid syntax",
                "/p/tests/test_a.py",
                3,
            ),
            (
                "src/lib.rs:3:1: error: expected `;`, found `}`",
                "src/lib.rs",
                3,
            ),
            (
                "SyntaxError: /p/a.js: Unexpected token (4:2)\n\n  2 | x",
                "/p/a.js",
                4,
            ),
            (
                "Error: Transform failed with 1 error:\n/p/a.ts:5:9: ERROR: Expected \")\" but found \"}\"",
                "/p/a.ts",
                5,
            ),
            ("q.go:7:2: syntax error: unexpected }", "q.go", 7),
            ("q_test.go:7:2: expected 'IDENT', found '('", "q_test.go", 7),
            (
                "file:///p/a.mjs:2\nfoo bar\n\nSyntaxError: Unexpected identifier 'bar'",
                "/p/a.mjs",
                2,
            ),
            ("/p/App.java:[3,4] ';' expected", "/p/App.java", 3),
            (
                "src/a.ts(12,5): error TS1005: ';' expected.",
                "src/a.ts",
                12,
            ),
            (
                "PHP Parse error:  syntax error, unexpected '}' in /p/Calc.php on line 9",
                "/p/Calc.php",
                9,
            ),
        ] {
            let mut error = LoadError::default();
            explain(&mut error, words);
            assert_eq!(
                error.does_not_parse,
                Some((file.to_owned(), line)),
                "{words}"
            );
            assert_eq!(error.missing_name, None, "{words}");
        }
    }

    #[test]
    fn other_words_tell_nothing() {
        for words in ["", "no db", "RuntimeError: boom", "exit status 2"] {
            let mut error = LoadError::default();
            explain(&mut error, words);
            assert_eq!(error, LoadError::default(), "{words}");
        }
    }
}
