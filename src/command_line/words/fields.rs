//! Fields under construction: text together with which of its characters are globs.

/// One field of an expanded word.
#[derive(Debug, Default, Clone)]
pub(super) struct Field {
    pub(super) text: String,
    /// The text with quoted glob characters escaped.
    pub(super) pattern: String,
    pub(super) has_glob: bool,
}

/// The fields a word grows into.
#[derive(Debug, Default)]
pub(super) struct Fields {
    done: Vec<Field>,
    open: Option<Field>,
}

fn is_glob_char(c: char) -> bool {
    matches!(c, '*' | '?' | '[')
}

impl Fields {
    fn current(&mut self) -> &mut Field {
        self.open.get_or_insert_default()
    }

    pub(super) fn quoted(&mut self, text: &str) {
        let field = self.current();
        field.text.push_str(text);
        for c in text.chars() {
            if is_glob_char(c) || matches!(c, '\\' | ']' | '(' | ')' | '|' | '!' | '@' | '+') {
                field.pattern.push('\\');
            }
            field.pattern.push(c);
        }
    }

    pub(super) fn plain(&mut self, text: &str) {
        let field = self.current();
        field.text.push_str(text);
        field.pattern.push_str(text);
        field.has_glob |= text.contains(is_glob_char) || has_extended_glob(text);
    }

    /// Text from an unquoted expansion: split at the characters of `separators`.
    pub(super) fn split(&mut self, text: &str, separators: &str) {
        for (index, part) in text.split(|c| separators.contains(c)).enumerate() {
            if index > 0 {
                self.separate();
            }
            if !part.is_empty() {
                self.plain(part);
            }
        }
    }

    pub(super) fn separate(&mut self) {
        self.done.extend(self.open.take());
    }

    pub(super) fn finish(mut self) -> Vec<Field> {
        self.separate();
        self.done
    }

    /// All fields as one text, for places where no splitting happens.
    pub(super) fn join(self) -> Field {
        let mut whole = Field::default();
        for (index, field) in self.finish().into_iter().enumerate() {
            if index > 0 {
                whole.text.push(' ');
                whole.pattern.push(' ');
            }
            whole.text.push_str(&field.text);
            whole.pattern.push_str(&field.pattern);
            whole.has_glob |= field.has_glob;
        }
        whole
    }
}

fn has_extended_glob(text: &str) -> bool {
    ["@(", "+(", "!("].iter().any(|open| text.contains(open))
}
