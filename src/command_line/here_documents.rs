//! Two things the parser gets wrong, rewritten before it sees them.
//!
//! It loses `$(…)` and `${…}` that follow a here-document on its line: so each document becomes a
//! here-string with a mark in it, and the text behind the mark is kept here. And it takes two
//! subshells, `( (a); b )`, for arithmetic: so a command that does nothing is put between.

use super::words::extent;

/// Encloses the number of a here-document in the rewritten command; a noncharacter, like
/// [`super::text::UNKNOWN`].
pub(super) const MARK: char = '\u{10FFFD}';

/// How deep substitutions may nest while here-documents are looked for.
const MAX_DEPTH: usize = 60;

/// A here-document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HereDocument {
    pub(super) text: String,
    /// Whether parameters and commands in it are expanded.
    pub(super) expands: bool,
}

/// The number behind a mark.
pub(super) fn number(word: &str) -> Option<usize> {
    word.strip_prefix(MARK)?.strip_suffix(MARK)?.parse().ok()
}

/// The command with marks in place of its here-documents, which are added to `documents`.
pub(super) fn take_out(command: &str, documents: &mut Vec<HereDocument>) -> Result<String, String> {
    if !command.contains("<<") && !has_nested_subshell(command) {
        return Ok(command.to_owned());
    }
    let mut reader = Reader {
        text: command,
        at: 0,
        rewritten: String::with_capacity(command.len()),
        documents,
    };
    reader.commands(0)?;
    Ok(reader.rewritten)
}

/// Whether a bracket follows another with at most blanks between them.
fn has_nested_subshell(command: &str) -> bool {
    command.match_indices('(').any(|(at, _)| {
        let after = command.get(at + 1..).unwrap_or("");
        after.trim_start().starts_with('(')
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    rewritten: String,
    documents: &'a mut Vec<HereDocument>,
}

struct Tag {
    word: String,
    number: usize,
    strips_tabs: bool,
}

fn check_depth(depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("its brackets nest deeper than {MAX_DEPTH}"));
    }
    Ok(())
}

const UNCLOSED: &str = "a quote, bracket or here-document in it is not closed";

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Copies up to an index.
    fn copy_to(&mut self, end: usize) {
        let end = (end.min(self.text.len())..=self.text.len())
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(self.text.len());
        self.rewritten
            .push_str(self.text.get(self.at..end).unwrap_or(""));
        self.at = end;
    }

    /// Copies up to what closes a construct, which `end_of` finds.
    fn copy_closed(
        &mut self,
        opener: usize,
        end_of: impl Fn(&str, usize) -> Option<usize>,
    ) -> Result<(), String> {
        let end = end_of(self.text, self.at + opener).ok_or(UNCLOSED)?;
        self.copy_to(end);
        Ok(())
    }

    /// Commands, up to the end or to the bracket that closes the substitution they are in.
    fn commands(&mut self, depth: usize) -> Result<(), String> {
        check_depth(depth)?;
        let mut open = 0usize;
        let mut pending: Vec<Tag> = Vec::new();
        let mut at_word_start = true;
        while let Some(byte) = self.byte(0) {
            let starts_word = at_word_start;
            at_word_start = matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'(' | b'&' | b'|');
            match byte {
                b'\\' => self.copy_to(self.at + 2),
                b'\'' => self.copy_closed(1, extent::single_quoted)?,
                b'"' => self.double_quoted(depth)?,
                b'`' => {
                    self.copy_closed(1, |text, from| extent::escaped_until(text, from, b'`'))?
                }
                b'$' => self.dollar(depth, true)?,
                b'#' if starts_word => {
                    let length = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.copy_to(self.at + length);
                }
                b'<' if self.rest().starts_with("<<<") => self.copy_to(self.at + 3),
                b'<' if self.byte(1) == Some(b'<') => pending.extend(self.opener()),
                b'\n' => {
                    self.copy_to(self.at + 1);
                    for tag in pending.drain(..) {
                        self.body(&tag)?;
                    }
                }
                b'(' => match self.arithmetic() {
                    Some(end) => self.copy_to(end),
                    None => {
                        open += 1;
                        check_depth(open)?;
                        self.copy_to(self.at + 1);
                        if starts_word && self.rest().trim_start().starts_with('(') {
                            self.rewritten.push_str(" :; ");
                        }
                    }
                },
                b')' if open == 0 && depth > 0 => break,
                // At the top a bracket that closes nothing ends a pattern of `case`.
                b')' => {
                    open = open.saturating_sub(1);
                    self.copy_to(self.at + 1);
                }
                _ => self.copy_to(self.at + 1),
            }
        }
        if pending.is_empty() {
            Ok(())
        } else {
            Err(UNCLOSED.to_owned())
        }
    }

    /// The end of `((…))` at this place.
    fn arithmetic(&self) -> Option<usize> {
        if self.byte(1) != Some(b'(') {
            return None;
        }
        let inner_end = extent::command(self.text, self.at + 2)?;
        (self.text.as_bytes().get(inner_end) == Some(&b')')).then_some(inner_end + 1)
    }

    fn double_quoted(&mut self, depth: usize) -> Result<(), String> {
        check_depth(depth)?;
        self.copy_to(self.at + 1);
        loop {
            match self.byte(0).ok_or(UNCLOSED)? {
                b'\\' => self.copy_to(self.at + 2),
                b'"' => {
                    self.copy_to(self.at + 1);
                    return Ok(());
                }
                b'`' => {
                    self.copy_closed(1, |text, from| extent::escaped_until(text, from, b'`'))?;
                }
                b'$' => self.dollar(depth + 1, false)?,
                _ => self.copy_to(self.at + 1),
            }
        }
    }

    /// `${…}`: substitutions in it may hold here-documents, too.
    fn braced(&mut self, depth: usize, quotes_count: bool) -> Result<(), String> {
        check_depth(depth)?;
        self.copy_to(self.at + 2);
        loop {
            match self.byte(0).ok_or(UNCLOSED)? {
                b'\\' => self.copy_to(self.at + 2),
                b'}' => {
                    self.copy_to(self.at + 1);
                    return Ok(());
                }
                b'\'' if quotes_count => self.copy_closed(1, extent::single_quoted)?,
                b'"' => self.double_quoted(depth)?,
                b'`' => {
                    self.copy_closed(1, |text, from| extent::escaped_until(text, from, b'`'))?
                }
                b'$' => self.dollar(depth + 1, quotes_count)?,
                _ => self.copy_to(self.at + 1),
            }
        }
    }

    fn dollar(&mut self, depth: usize, quotes_count: bool) -> Result<(), String> {
        match self.byte(1) {
            Some(b'\'') if quotes_count => {
                self.copy_closed(2, |text, from| extent::escaped_until(text, from, b'\''))
            }
            Some(b'{') => self.braced(depth, quotes_count),
            Some(b'(') => {
                self.copy_to(self.at + 1);
                if let Some(end) = self.arithmetic() {
                    self.copy_to(end);
                    return Ok(());
                }
                self.copy_to(self.at + 1);
                self.commands(depth + 1)?;
                match self.byte(0) {
                    Some(b')') => {
                        self.copy_to(self.at + 1);
                        Ok(())
                    }
                    _ => Err(UNCLOSED.to_owned()),
                }
            }
            _ => {
                self.copy_to(self.at + 1);
                Ok(())
            }
        }
    }

    /// `<<TAG`: a here-string takes its place.
    fn opener(&mut self) -> Option<Tag> {
        let strips_tabs = self.byte(2) == Some(b'-');
        let start = self.at + 2 + usize::from(strips_tabs);
        let rest = self.text.get(start..)?;
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let Some((word, quoted, length)) = tag_word(rest.get(blanks..).unwrap_or("")) else {
            self.copy_to(self.at + 2);
            return None;
        };
        let number = self.documents.len();
        self.rewritten
            .push_str(&format!("<<< {MARK}{number}{MARK}"));
        self.at = start + blanks + length;
        self.documents.push(HereDocument {
            text: String::new(),
            expands: !quoted,
        });
        Some(Tag {
            word,
            number,
            strips_tabs,
        })
    }

    /// The lines up to the tag.
    fn body(&mut self, tag: &Tag) -> Result<(), String> {
        let mut text = String::new();
        loop {
            if self.rest().is_empty() {
                return Err(UNCLOSED.to_owned());
            }
            let (line, length) = match self.rest().find('\n') {
                Some(end) => (self.rest().get(..end).unwrap_or(""), end + 1),
                None => (self.rest(), self.rest().len()),
            };
            let line = match tag.strips_tabs {
                true => line.trim_start_matches('\t'),
                false => line,
            };
            let is_end = line == tag.word;
            if !is_end {
                text.push_str(line);
                text.push('\n');
            }
            self.at += length;
            if is_end {
                break;
            }
        }
        if let Some(document) = self.documents.get_mut(tag.number) {
            document.text = text;
        }
        Ok(())
    }
}

/// The word of a tag without its quotes, whether it had some, and how long it is as written.
fn tag_word(text: &str) -> Option<(String, bool, usize)> {
    let mut word = String::new();
    let mut quoted = false;
    let mut open: Option<char> = None;
    let mut chars = text.char_indices();
    let mut length = text.len();
    while let Some((at, c)) = chars.next() {
        match (open, c) {
            (Some(quote), _) if c == quote => open = None,
            (Some(_), _) => word.push(c),
            (None, '\'' | '"') => {
                open = Some(c);
                quoted = true;
            }
            (None, '\\') => {
                quoted = true;
                word.extend(chars.next().map(|(_, c)| c));
            }
            (None, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')') => {
                length = at;
                break;
            }
            (None, _) => word.push(c),
        }
    }
    (length > 0 && open.is_none()).then_some((word, quoted, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(command: &str) -> (String, Vec<String>) {
        let mut documents = Vec::new();
        let rewritten = take_out(command, &mut documents).unwrap_or_else(|why| why);
        let texts = documents.into_iter().map(|document| document.text);
        (rewritten.replace(MARK, "@"), texts.collect())
    }

    #[test]
    fn documents_become_marks() {
        for (command, rewritten, texts) in [
            ("cat <<E\na\nE\nls", "cat <<< @0@\nls", vec!["a\n"]),
            (
                "cat <<E|tee ${x}\na\nE\n",
                "cat <<< @0@|tee ${x}\n",
                vec!["a\n"],
            ),
            (
                "cat <<A <<'B'\n1\nA\n2\nB\n",
                "cat <<< @0@ <<< @1@\n",
                vec!["1\n", "2\n"],
            ),
            ("cat <<-E\n\ta\n\tE\n", "cat <<< @0@\n", vec!["a\n"]),
            (
                "echo \"$(cat <<E\nit's (\nE\n)\"",
                "echo \"$(cat <<< @0@\n)\"",
                vec!["it's (\n"],
            ),
            ("cat << \"a b\"\nx\na b\n", "cat <<< @0@\n", vec!["x\n"]),
            ("cat <<<x", "cat <<<x", vec![]),
            (
                "echo $((1<<2)) '<<E' \"<<E\" # <<E",
                "echo $((1<<2)) '<<E' \"<<E\" # <<E",
                vec![],
            ),
            ("(( x = 1 << 2 ))\nls", "(( x = 1 << 2 ))\nls", vec![]),
            (
                "case x in a) cat <<E\n1\nE\n;; esac",
                "case x in a) cat <<< @0@\n;; esac",
                vec!["1\n"],
            ),
            ("( (a); b )", "( :;  (a); b )", vec![]),
            ("((a); (b))", "( :; (a); (b))", vec![]),
            ("(( 1 + (2) ))", "(( 1 + (2) ))", vec![]),
            (
                "cat <<A $(cat <<B\nb\nB\n)\na\nA\n",
                "cat <<< @0@ $(cat <<< @1@\n)\n",
                vec!["a\n", "b\n"],
            ),
            ("a <<E && b\nx\nE\nc", "a <<< @0@ && b\nc", vec!["x\n"]),
        ] {
            let (found, documents) = taken(command);
            assert_eq!(found, rewritten, "{command}");
            assert_eq!(documents, texts, "{command}");
        }
    }

    #[test]
    fn a_document_that_is_not_closed_is_refused() {
        for command in ["cat <<E", "cat <<E\nx", "echo $(cat <<E\nx)"] {
            assert!(take_out(command, &mut Vec::new()).is_err(), "{command}");
        }
    }
}
