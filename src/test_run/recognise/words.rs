//! A shell line as the simple commands in it. It only has to be right where test commands are:
//! what it reads wrongly costs a machine-readable report, nothing else.

/// A part of a shell line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A program and its arguments, without redirections.
    Command(Vec<String>),
    /// A sub-shell begins: a change of directory in it ends with it.
    Open,
    /// It ends.
    Close,
}

/// Words that stand before a command without being part of it.
const KEYWORDS: [&str; 12] = [
    "!", "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}",
];

/// Splits a shell script into its simple commands.
pub(super) fn split(script: &str) -> Vec<Part> {
    let mut splitter = Splitter::default();
    let mut chars = script.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\'' => splitter.quoted(&mut chars, '\''),
            '"' => splitter.quoted(&mut chars, '"'),
            '`' => splitter.quoted(&mut chars, '`'),
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(escaped) => splitter.push(escaped),
            },
            '$' if chars.peek() == Some(&'(') => splitter.substitution(&mut chars),
            '#' if splitter.word.is_none() => {
                while chars.next_if(|&char| char != '\n').is_some() {}
            }
            '>' | '<' => {
                splitter.redirection();
                while chars
                    .next_if(|char| matches!(char, '>' | '<' | '&' | '|'))
                    .is_some()
                {}
            }
            '&' if chars.peek() == Some(&'>') => {}
            ';' | '&' | '|' | '\n' => splitter.end_command(),
            '(' => {
                splitter.end_command();
                splitter.parts.push(Part::Open);
            }
            ')' => {
                splitter.end_command();
                splitter.parts.push(Part::Close);
            }
            space if space.is_whitespace() => splitter.end_word(),
            other => splitter.push(other),
        }
    }
    splitter.end_command();
    splitter.parts
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

#[derive(Default)]
struct Splitter {
    parts: Vec<Part>,
    command: Vec<String>,
    word: Option<String>,
    /// The next word is the target of a redirection.
    skip_word: bool,
}

impl Splitter {
    fn push(&mut self, char: char) {
        self.word.get_or_insert_default().push(char);
    }

    fn quoted(&mut self, chars: &mut Chars<'_>, quote: char) {
        let word = self.word.get_or_insert_default();
        while let Some(char) = chars.next() {
            match char {
                _ if char == quote => return,
                '\\' if quote == '"' => match chars.next() {
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                    Some('\n') | None => {}
                    Some(other) => word.extend(['\\', other]),
                },
                _ => word.push(char),
            }
        }
    }

    /// Takes `$( … )` whole, as part of the word.
    fn substitution(&mut self, chars: &mut Chars<'_>) {
        let word = self.word.get_or_insert_default();
        word.push('$');
        let mut depth = 0_usize;
        for char in chars.by_ref() {
            word.push(char);
            match char {
                '(' => depth += 1,
                ')' if depth <= 1 => return,
                ')' => depth -= 1,
                _ => {}
            }
        }
    }

    fn redirection(&mut self) {
        // `2>file`: the number belongs to the redirection.
        let is_descriptor = self
            .word
            .as_ref()
            .is_some_and(|word| word.chars().all(|char| char.is_ascii_digit()));
        if is_descriptor {
            self.word = None;
        }
        self.end_word();
        self.skip_word = true;
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else {
            return;
        };
        if std::mem::take(&mut self.skip_word) {
            return;
        }
        if !(self.command.is_empty() && KEYWORDS.contains(&word.as_str())) {
            self.command.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.skip_word = false;
        if !self.command.is_empty() {
            let command = std::mem::take(&mut self.command);
            self.parts.push(Part::Command(command));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_into_commands() {
        let cases: [(&str, &[&str]); 14] = [
            ("pytest -q", &["pytest|-q"]),
            (
                "a && b || c; d & e | f\ng",
                &["a", "b", "c", "d", "e", "f", "g"],
            ),
            (
                "cd x && 'my prog' \"a b\" c\\ d",
                &["cd|x", "my prog|a b|c d"],
            ),
            ("pytest > log.txt 2>&1 -x", &["pytest|-x"]),
            ("pytest &> log", &["pytest"]),
            ("pytest 2>/dev/null | tee log", &["pytest", "tee|log"]),
            (
                "go test $(go list ./... | grep -v x)",
                &["go|test|$(go list ./... | grep -v x)"],
            ),
            ("(cd a; b)", &["(", "cd|a", "b", ")"]),
            ("if true; then pytest; fi", &["true", "pytest"]),
            ("a # b\nc", &["a", "c"]),
            ("a \\\n  b", &["a|b"]),
            ("X=1 a b#c", &["X=1|a|b#c"]),
            ("echo 'unclosed", &["echo|unclosed"]),
            ("", &[]),
        ];
        for (script, expected) in cases {
            let parts: Vec<String> = split(script)
                .into_iter()
                .map(|part| match part {
                    Part::Command(words) => words.join("|"),
                    Part::Open => "(".to_owned(),
                    Part::Close => ")".to_owned(),
                })
                .collect();
            assert_eq!(parts, expected, "{script}");
        }
    }
}
