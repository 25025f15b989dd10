//! What is plain enough for a stub: imports, signatures, data, bodies, values.

use super::brace::function_words;
use super::says_not_implemented;
use crate::languages::Language;
use crate::rules::scan::{Kind, Token};

pub(super) fn is_import(language: Language, header: &[&Token<'_>], leading: &str) -> bool {
    let plain = header.iter().all(|token| {
        matches!(token.kind, Kind::Word | Kind::Literal)
            || matches!(token.text, "{" | "}" | "," | "." | "*" | ":" | "\\")
            || (language == Language::Go && matches!(token.text, "(" | ")"))
            || (language == Language::Php && matches!(token.text, "(" | ")"))
    });
    let known = match language {
        Language::Rust => matches!(leading, "use" | "extern"),
        Language::JavaScript => leading == "import" || is_reexport(header),
        Language::Go | Language::Java | Language::Kotlin | Language::Scala | Language::Groovy => {
            matches!(leading, "import" | "package")
        }
        Language::Swift => leading == "import",
        Language::CSharp | Language::Cpp => leading == "using",
        Language::Php => {
            matches!(
                leading,
                "use" | "namespace" | "require" | "require_once" | "include_once"
            )
        }
        Language::Dart => matches!(leading, "import" | "export" | "library" | "part"),
        _ => false,
    };
    plain && known
}

fn is_reexport(header: &[&Token<'_>]) -> bool {
    let exports = header.first().is_some_and(|token| token.is("export"));
    let braces = header.iter().any(|token| token.is("{"));
    let from = header.iter().any(|token| token.is("from"));
    let one_name = matches!(header, [_, b, c] if b.is("default") && c.kind == Kind::Word);
    exports && (braces || from || one_name)
}

pub(super) fn is_require(value: &[Token<'_>]) -> bool {
    matches!(value, [a, b, c, d, rest @ ..]
        if a.is("require") && b.is("(") && c.kind == Kind::Literal && d.is(")")
            && rest.iter().all(|t| t.kind == Kind::Word || t.is(".")))
}

/// The words of a header that stand in no brackets.
pub(super) fn outside_brackets<'t>(header: &[&Token<'t>]) -> Vec<&'t str> {
    let mut depth = 0usize;
    let mut words = Vec::new();
    for token in header {
        match (token.kind, token.text) {
            (Kind::Punct, "(" | "[" | "{") => depth += 1,
            (Kind::Punct, ")" | "]" | "}") => depth = depth.saturating_sub(1),
            (Kind::Word, word) if depth == 0 => words.push(word),
            _ => {}
        }
    }
    words
}

/// A signature whose default values are plain, so that nothing is computed in it.
pub(super) fn is_plain_signature(language: Language, header: &[&Token<'_>]) -> bool {
    let initialises = matches!(language, Language::Cpp | Language::CSharp)
        && header
            .windows(3)
            .any(|w| matches!(w, [a, b, c] if a.is(")") && b.is(":") && !c.is(":")));
    let computes = header.iter().enumerate().any(|(at, token)| {
        let is_arrow = |offset: usize| header.get(offset).is_some_and(|t| t.is(">"));
        token.is("=")
            && !is_arrow(at + 1)
            && !is_plain_default(language, header.get(at + 1..).unwrap_or_default())
    });
    !initialises && !computes
}

/// What follows an `=` in a signature, up to the next parameter.
fn is_plain_default(language: Language, after: &[&Token<'_>]) -> bool {
    let ends = |token: Option<&&Token<'_>>| {
        token.is_none_or(|t| matches!(t.text, "," | ")" | "}" | ">" | "]"))
    };
    match after {
        // `impl Iterator<Item = Foo>`: a type, not a value.
        [_, ..] if language == Language::Rust => true,
        [open, close, rest @ ..] if matches!((open.text, close.text), ("[", "]") | ("{", "}")) => {
            ends(rest.first())
        }
        [value, rest @ ..] => {
            let plain = matches!(value.kind, Kind::Number | Kind::Literal)
                || matches!(
                    value.text,
                    "true" | "false" | "null" | "nil" | "undefined" | "NULL" | "nullptr"
                );
            let template = value.text.starts_with('`');
            plain && !template && ends(rest.first())
        }
        [] => false,
    }
}

/// Fields and variants without values.
pub(super) fn is_plain_data(body: &[Token<'_>], language: Language) -> bool {
    let holds_code = body
        .windows(2)
        .any(|w| matches!(w, [a, b] if a.is(")") && b.is("{")));
    let speaks = body.iter().any(|token| {
        token.is("=")
            || (token.kind == Kind::Word
                && (function_words(language).contains(&token.text) && language != Language::Go
                    || matches!(
                        token.text,
                        "return" | "if" | "for" | "while" | "throw" | "match"
                    )))
    });
    !holds_code && !speaks && is_balanced(body)
}

fn is_balanced(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0usize;
    for token in tokens.iter().filter(|token| token.kind == Kind::Punct) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ => {}
        }
    }
    depth == 0
}

/// Nothing, or one statement that says "not implemented" and does nothing else.
pub(super) fn is_stub_body(language: Language, body: &[Token<'_>]) -> bool {
    let body = match body {
        [statement @ .., end] if end.is(";") => statement,
        whole => whole,
    };
    let (call, arguments) = match split_call(body) {
        Some(parts) => parts,
        None => return body.is_empty() || (language == Language::Scala && is_three_marks(body)),
    };
    let words: Vec<&str> = call
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .map(|token| token.text)
        .collect();
    let only_names = call
        .iter()
        .all(|t| t.kind == Kind::Word || matches!(t.text, "." | ":" | "\\" | "!" | "@"));
    let only_text = arguments
        .iter()
        .all(|t| t.kind == Kind::Literal && !t.text.contains("${"));
    let says_so = arguments.iter().any(|t| says_not_implemented(t.text));
    if !only_names {
        return false;
    }
    match words.as_slice() {
        ["todo" | "unimplemented"] => language == Language::Rust && only_text,
        ["TODO"] => language == Language::Kotlin && only_text,
        ["panic"] => matches!(language, Language::Rust | Language::Go) && only_text && says_so,
        ["fatalError" | "preconditionFailure"] => {
            language == Language::Swift && only_text && (says_so || arguments.is_empty())
        }
        ["throw", "new", .., name] | ["throw", .., name] => {
            only_text && (says_so || says_not_implemented(name))
        }
        ["abort" | "terminate"] | ["std", "abort" | "terminate"] => arguments.is_empty(),
        ["assert"] => {
            says_so
                && arguments
                    .iter()
                    .all(|t| t.kind == Kind::Literal || matches!(t.text, "0" | "false" | "!" | "&"))
        }
        _ => false,
    }
}

fn is_three_marks(body: &[Token<'_>]) -> bool {
    body.len() == 3 && body.iter().all(|token| token.is("?"))
}

/// `name(arguments)`, where the parentheses close at the very end.
fn split_call<'b, 't>(body: &'b [Token<'t>]) -> Option<(&'b [Token<'t>], &'b [Token<'t>])> {
    let open = body.iter().position(|token| token.is("("))?;
    let arguments = body.get(open + 1..body.len().checked_sub(1)?)?;
    let closes = body.last().is_some_and(|token| token.is(")"));
    (closes && is_balanced(arguments)).then_some((body.get(..open)?, arguments))
}

/// A value that no one can take for an answer: a literal, nothing, an empty collection.
pub(super) fn is_trivial_value(body: &[Token<'_>]) -> bool {
    let mut words: Vec<&str> = body
        .iter()
        .map(|token| match token.kind {
            Kind::Number => "0",
            Kind::Literal if !token.text.contains("${") => "0",
            _ => token.text,
        })
        .collect();
    if words.last() == Some(&";") {
        words.pop();
    }
    if words.first() == Some(&"return") {
        words.remove(0);
    }
    if words.first() == Some(&"-") && words.len() > 1 {
        words.remove(0);
    }
    let text = words.concat();
    matches!(
        text.as_str(),
        "" | "0"
            | "true"
            | "false"
            | "null"
            | "nil"
            | "undefined"
            | "None"
            | "()"
            | "[]"
            | "{}"
            | "Ok(())"
            | "Default::default()"
            | "String::new()"
            | "Vec::new()"
            | "vec![]"
            | "nullptr"
            | "NULL"
            | "0,nil"
            | "nil,nil"
            | "Some(0)"
            | "Ok(0)"
            | "NaN"
    )
}
