//! Reads single values out of a parsed TOML file, noting what is wrong with each and where.

use std::ops::{Range, RangeInclusive};

use globset::GlobBuilder;
use toml::Spanned;
use toml::de::{DeString, DeValue};

use super::error::{Findings, Hint};
use super::keys::{Scope, listed, nearest};
use super::removed::instead_of;
use super::template::{PLACEHOLDERS, Piece, pieces};
use super::value::{Choice, CommandLine};

pub(super) type Key<'a> = Spanned<DeString<'a>>;
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// Each method gives the value of a key, or nothing after noting what is wrong with it.
pub(super) struct Reader {
    findings: Findings,
}

impl Reader {
    pub(super) fn new() -> Self {
        Reader {
            findings: Findings::new(),
        }
    }

    pub(super) fn into_findings(self) -> Findings {
        self.findings
    }

    /// Notes a problem that needs no hint.
    pub(super) fn problem(&mut self, span: Range<usize>, what: String) {
        self.findings.add(span, what, Hint::Nothing);
    }

    /// Notes a problem and the way out of it.
    pub(super) fn problem_with_hint(&mut self, span: Range<usize>, what: String, hint: String) {
        self.findings.add(span, what, Hint::Text(hint));
    }

    pub(super) fn unknown_key(&mut self, scope: Scope, key: &Key<'_>) {
        let wrong = key.get_ref();
        let could_be = matches!(scope, Scope::Top | Scope::Project);
        if let (true, Some(instead)) = (could_be, instead_of(wrong)) {
            let what = format!("`{wrong}` is no longer a key");
            return self.problem_with_hint(key.span(), what, instead.to_owned());
        }
        self.findings.add(
            key.span(),
            format!("unknown key `{wrong}`"),
            Hint::RightKey(scope, wrong.to_string()),
        );
    }

    pub(super) fn wrong_type(&mut self, key: &Key<'_>, value: &Value<'_>, expected: &str) {
        let (name, given) = (key.get_ref(), a_type(value));
        self.problem(
            value.span(),
            format!("`{name}` must be {expected}, not {given}"),
        );
    }

    pub(super) fn flag(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "`true` or `false`");
        }
        flag
    }

    pub(super) fn number(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
        range: RangeInclusive<u32>,
    ) -> Option<u32> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_type(key, value, &expected);
            return None;
        };
        let number = u32::from_str_radix(integer.as_str(), integer.radix())
            .ok()
            .filter(|n| range.contains(n));
        if number.is_none() {
            let name = key.get_ref();
            self.problem(
                value.span(),
                format!("`{name}` must be {expected}, not `{integer}`"),
            );
        }
        number
    }

    /// A string without NUL, which no command line, path or message can hold.
    pub(super) fn text<'v>(&mut self, key: &Key<'_>, value: &'v Value<'_>) -> Option<&'v str> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(key, value, "a string");
            return None;
        };
        if text.contains('\0') {
            let name = key.get_ref();
            self.problem(value.span(), format!("`{name}` holds a NUL character"));
            return None;
        }
        Some(text)
    }

    pub(super) fn choice<T: Choice>(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<T> {
        let names = T::CHOICES.iter().map(|(name, _)| *name);
        let Some(given) = value.get_ref().as_str() else {
            self.wrong_type(key, value, &format!("one of {}", listed(names)));
            return None;
        };
        let chosen = T::CHOICES.iter().find(|(name, _)| *name == given);
        if chosen.is_none() {
            let allowed = listed(names.clone());
            let hint = match nearest(given, names) {
                Some(right) => format!("did you mean `{right}`? allowed: {allowed}"),
                None => format!("allowed: {allowed}"),
            };
            let what = format!("`{}` can't be `{given}`", key.get_ref());
            self.problem_with_hint(value.span(), what, hint);
        }
        chosen.map(|(_, value)| *value)
    }

    /// The elements of an array, each read by `read`; nothing unless all are right.
    pub(super) fn list<T>(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
        mut read: impl FnMut(&mut Self, &Key<'_>, &Value<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "an array");
            return None;
        };
        let all: Vec<Option<T>> = array.iter().map(|item| read(self, key, item)).collect();
        all.into_iter().collect()
    }

    /// A command; `Some(None)` if it is empty, which takes one from a lower layer away.
    pub(super) fn command(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
    ) -> Option<Option<CommandLine>> {
        if !value.get_ref().is_array() && !value.get_ref().is_str() {
            self.wrong_type(key, value, "a string or an array of strings");
            return None;
        }
        if value.get_ref().is_str() {
            let line = self.text(key, value)?;
            let given = !line.trim().is_empty();
            return Some(given.then(|| CommandLine::Shell(line.to_owned())));
        }
        let args = self.list(key, value, |reader, key, item| {
            reader.text(key, item).map(str::to_owned)
        })?;
        if args.first().is_none_or(|program| program.is_empty()) {
            let name = key.get_ref();
            self.problem_with_hint(
                value.span(),
                format!("`{name}` names no program"),
                format!("`{name} = [\"program\", \"argument\"]`, or `\"\"` for none"),
            );
            return None;
        }
        Some(Some(CommandLine::Args(args)))
    }

    /// Path patterns, kept as they are written.
    pub(super) fn patterns(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<Vec<String>> {
        self.list(key, value, Self::pattern)
    }

    fn pattern(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
        let given = self.text(key, value)?;
        let body = given.strip_prefix("./").unwrap_or(given).trim_matches('/');
        let why_not = if given.starts_with('!') {
            Some("starts with `!`: patterns can't take paths out")
        } else if body.is_empty() {
            Some("names nothing")
        } else if body.split('/').any(|part| part == "..") {
            Some("holds `..`: paths begin at the root")
        } else {
            None
        };
        if let Some(why_not) = why_not {
            let name = key.get_ref();
            let what = format!("`{name}` has the pattern `{given}`, which {why_not}");
            self.problem(value.span(), what);
            return None;
        }
        self.glob(key, value)
    }

    /// A glob that compiles.
    pub(super) fn glob(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
        let glob = self.text(key, value)?;
        match GlobBuilder::new(glob).empty_alternates(true).build() {
            Ok(_) => Some(glob.to_owned()),
            Err(error) => {
                let (name, kind) = (key.get_ref(), error.kind());
                let what = format!("`{name}` has a bad pattern `{glob}`: {kind}");
                self.problem(value.span(), what);
                None
            }
        }
    }

    /// A path inside the repository, in its one spelling; `.` is the folder it starts from.
    pub(super) fn inside_path(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
        hint: &str,
    ) -> Option<String> {
        let given = self.text(key, value)?;
        let outside = given.is_empty()
            || given.starts_with('/')
            || given.split('/').any(|part| part == "..")
            || given.split('/').next().is_some_and(is_drive);
        if outside {
            let what = format!("`{}` can't be `{given}`", key.get_ref());
            self.problem_with_hint(value.span(), what, hint.to_owned());
            return None;
        }
        let parts: Vec<&str> = given
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .collect();
        Some(match parts.is_empty() {
            true => ".".to_owned(),
            false => parts.join("/"),
        })
    }

    /// A file inside the repository; `Some(None)` if it is empty.
    pub(super) fn file(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<Option<String>> {
        let given = self.text(key, value)?;
        if given.is_empty() {
            return Some(None);
        }
        let hint = "give one file inside the repository: `build/junit.xml`";
        if given.ends_with(['/', '.']) || given.contains(['*', '?']) {
            let what = format!("`{}` can't be `{given}`", key.get_ref());
            self.problem_with_hint(value.span(), what, hint.to_owned());
            return None;
        }
        self.inside_path(key, value, hint).map(Some)
    }

    /// A regular expression that compiles; `Some(None)` if it is empty.
    pub(super) fn regex(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<Option<String>> {
        let given = self.text(key, value)?;
        if let Err(error) = regex::Regex::new(given) {
            let what = format!(
                "`{}` is not a regular expression: {}",
                key.get_ref(),
                last_line(&error.to_string())
            );
            self.problem(value.span(), what);
            return None;
        }
        Some((!given.is_empty()).then(|| given.to_owned()))
    }

    /// A commit message whose placeholders are known.
    pub(super) fn message_template(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
        let given = self.text(key, value)?;
        let name = key.get_ref();
        if given.trim().is_empty() {
            self.problem(value.span(), format!("`{name}` must not be empty"));
            return None;
        }
        let mut right = true;
        for piece in pieces(given) {
            let Piece::Placeholder(word) = piece else {
                continue;
            };
            if !PLACEHOLDERS.contains(&word) {
                right = false;
                self.problem_with_hint(
                    value.span(),
                    format!("`{name}` knows no `{{{word}}}`"),
                    "allowed: `{phase}`, `{cycle}`, `{tests}`, `{files}`".to_owned(),
                );
            }
        }
        right.then(|| given.to_owned())
    }
}

/// The regex crate draws the place over several lines and names the reason in the last.
fn last_line(message: &str) -> &str {
    let last = message.trim_end().lines().last().unwrap_or(message);
    last.strip_prefix("error: ").unwrap_or(last)
}

/// Whether a path starts like `C:` or `\\server`.
fn is_drive(first: &str) -> bool {
    let mut chars = first.chars();
    let letter = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    (letter && chars.next() == Some(':')) || first.starts_with('\\')
}

fn a_type(value: &Value<'_>) -> &'static str {
    match value.get_ref() {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "`true` or `false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
