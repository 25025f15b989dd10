//! `fish`: its blocks end in `end`, and its substitutions need no dollar. The text is put into the
//! words of the other shells; what still does not read like them is not understood.

/// The text as other shells would spell it.
pub(super) fn as_posix(text: &str) -> String {
    let mut lines = Vec::new();
    let mut closers = Vec::new();
    for statement in statements(text) {
        lines.push(translated(statement.trim(), &mut closers));
    }
    lines.join("\n")
}

/// The parts of a text between its line ends and semicolons, but for those in quotes and brackets.
fn statements(text: &str) -> Vec<&str> {
    let mut quote = None;
    let mut depth = 0usize;
    let mut escaped = false;
    text.split(|c: char| {
        if std::mem::take(&mut escaped) {
            return false;
        }
        match (quote, c) {
            (_, '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        quote.is_none() && depth == 0 && matches!(c, ';' | '\n')
    })
    .collect()
}

fn translated(statement: &str, closers: &mut Vec<&'static str>) -> String {
    let (word, rest) = statement
        .split_once(char::is_whitespace)
        .unwrap_or((statement, ""));
    let rest = rest.trim();
    match word {
        "for" | "while" => {
            closers.push("done");
            format!("{word} {}; do :", with_dollars(rest))
        }
        "if" => {
            closers.push("fi");
            format!("if {}; then :", translated(rest, &mut Vec::new()))
        }
        "else" if rest.is_empty() => "else :".to_owned(),
        "else" => format!(
            "elif {}; then :",
            with_dollars(rest.trim_start_matches("if "))
        ),
        "begin" | "switch" => {
            closers.push("}");
            "{ :".to_owned()
        }
        "case" => ":".to_owned(),
        "function" => {
            closers.push("}");
            let name = rest.split_whitespace().next().unwrap_or("_");
            format!("{name}() {{ :")
        }
        "end" => format!("{} {}", closers.pop().unwrap_or("end"), with_dollars(rest)),
        // Whether the one before succeeds is not known, so either may run.
        "and" | "or" => translated(rest, closers),
        "not" => format!("! {}", translated(rest, closers)),
        "set" => assignment(rest),
        _ => match statement.strip_suffix("| source") {
            Some(before) => format!("{}| sh", with_dollars(before)),
            None => with_dollars(statement),
        },
    }
}

/// `set -gx NAME VALUE…`; asking for a variable, or erasing it, assigns nothing.
fn assignment(rest: &str) -> String {
    let mut options = String::new();
    let mut rest = rest;
    while let Some((option, after)) = rest.split_once(char::is_whitespace) {
        if !option.starts_with('-') {
            break;
        }
        options.push_str(option);
        rest = after.trim();
    }
    let (name, values) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if name.is_empty() || options.contains(['e', 'q', 'n']) && !options.contains("--") {
        return ":".to_owned();
    }
    // A list is what its words are split into again.
    if values.contains(' ') && !values.contains(['"', '\'', '(']) {
        return format!("{name}='{values}'");
    }
    let exports = if options.contains('x') { "export " } else { "" };
    format!("{exports}{name}={}", with_dollars(values))
}

/// `(command)` becomes `$(command)`, and the arguments of a function get their other name.
fn with_dollars(text: &str) -> String {
    let mut found = String::new();
    let mut quote = None;
    let mut before = ' ';
    for c in text.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '(') if before != '$' => found.push('$'),
            _ => {}
        }
        found.push(c);
        before = c;
    }
    let first = (1..=9).fold(found, |text, at| {
        text.replace(&format!("$argv[{at}]"), &format!("${at}"))
    });
    first.replace("$argv", "\"$@\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_substitutions() {
        for (fish, posix) in [
            (
                "for f in a b; rm $f; end",
                "for f in a b; do :\nrm $f\ndone ",
            ),
            (
                "if true; ls; else; rm x; end",
                "if true; then :\nls\nelse :\nrm x\nfi ",
            ),
            ("begin; ls; end > x", "{ :\nls\n} > x"),
            ("set -gx A b; echo (pwd)", "export A=b\necho $(pwd)"),
            ("function f; rm $argv; end", "f() { :\nrm \"$@\"\n} "),
            ("true; and rm x", "true\nrm x"),
            ("echo 'a;b' \"(c)\"", "echo 'a;b' \"(c)\""),
        ] {
            assert_eq!(as_posix(fish), posix);
        }
    }
}
