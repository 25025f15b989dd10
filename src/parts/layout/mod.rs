//! Whether two texts differ in layout and comments alone. Where that can't be told, they differ.
//!
//! For formats of data and settings; programming languages have their grammars.

mod yaml;

/// Formats whose layout and comments are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Toml,
    /// With or without comments.
    Json,
    Yaml,
    /// Lines, of which those that begin with one of these are comments.
    Lines(&'static [char]),
    Css,
    Sql,
    Makefile,
}

fn format_of(path: &[u8]) -> Option<Format> {
    let base = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let name = String::from_utf8_lossy(base).to_ascii_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    Some(match (name.as_str(), extension) {
        ("pipfile" | "cargo.lock" | "poetry.lock" | "uv.lock" | "pdm.lock", _) => Format::Toml,
        ("pipfile.lock" | "composer.lock", _) => Format::Json,
        ("makefile" | "gnumakefile", _) | (_, "mk") => Format::Makefile,
        (".gitignore" | ".dockerignore" | ".npmignore" | ".gitattributes", _) => {
            Format::Lines(&['#'])
        }
        (_, "toml") => Format::Toml,
        (_, "json" | "jsonc" | "json5") => Format::Json,
        (".mocharc" | ".nycrc" | ".babelrc" | ".swcrc", _) => Format::Json,
        (_, "yaml" | "yml") => Format::Yaml,
        (_, "ini" | "cfg" | "editorconfig") => Format::Lines(&['#', ';']),
        (_, "css") => Format::Css,
        (_, "sql") => Format::Sql,
        (_, "txt") if name.starts_with("requirements") => Format::Lines(&['#']),
        _ => return None,
    })
}

/// Whether both texts say the same, apart from layout and comments.
pub fn is_same(path: &[u8], old: &[u8], new: &[u8]) -> bool {
    if old == new {
        return true;
    }
    let Some(format) = format_of(path) else {
        return false;
    };
    match (normal(format, old), normal(format, new)) {
        (Some(old), Some(new)) => old == new,
        (_, None) | (None, _) => false,
    }
}

/// A text in the form that is compared; `None` if that is not known.
fn normal(format: Format, content: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(content).ok()?;
    match format {
        Format::Toml => toml(text),
        Format::Json => json(text),
        Format::Yaml => yaml::normal(text),
        Format::Lines(comments) => Some(lines(text, comments)),
        Format::Css => css(text),
        Format::Sql => sql(text),
        Format::Makefile => Some(makefile(text)),
    }
}

/// As values in their order: to some readers the order of keys says something.
fn toml(text: &str) -> Option<String> {
    let mut document: toml_edit::DocumentMut = text.parse().ok()?;
    plain_table(document.as_table_mut());
    let tokens = document.to_string();
    Some(
        tokens
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

fn plain_table(table: &mut toml_edit::Table) {
    table.decor_mut().clear();
    for (mut key, item) in table.iter_mut() {
        key.leaf_decor_mut().clear();
        key.dotted_decor_mut().clear();
        match item {
            toml_edit::Item::None => {}
            toml_edit::Item::Value(value) => plain_value(value),
            toml_edit::Item::Table(table) => plain_table(table),
            toml_edit::Item::ArrayOfTables(tables) => tables.iter_mut().for_each(plain_table),
        }
    }
}

fn plain_value(value: &mut toml_edit::Value) {
    match value {
        toml_edit::Value::Array(list) => {
            list.iter_mut().for_each(plain_value);
            list.set_trailing("");
            list.set_trailing_comma(false);
        }
        toml_edit::Value::InlineTable(table) => {
            for (mut key, value) in table.iter_mut() {
                key.leaf_decor_mut().clear();
                key.dotted_decor_mut().clear();
                plain_value(value);
            }
            table.fmt();
        }
        toml_edit::Value::String(_)
        | toml_edit::Value::Integer(_)
        | toml_edit::Value::Float(_)
        | toml_edit::Value::Boolean(_)
        | toml_edit::Value::Datetime(_) => {}
    }
    value.decor_mut().clear();
}

/// As it is written, so that no number is rounded and no key that comes twice is lost.
fn json(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    words(text, &[("/*", "*/"), ("//", "\n")], &['"'], "{}[],:")
}

/// A string with both of its quotes; `None` if it does not end.
fn string_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return Some(at + c.len_utf8());
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

fn lines(text: &str, comments: &[char]) -> String {
    let kept = text.lines().map(str::trim_end).filter(|line| {
        let content = line.trim_start();
        !content.is_empty() && !content.starts_with(comments)
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// Blanks say something in a makefile: only whole lines are left out.
fn makefile(text: &str) -> String {
    let mut goes_on = false;
    let kept = text.split('\n').filter(|line| {
        let is_free = !goes_on && !line.starts_with('\t') && !line.ends_with('\\');
        goes_on = line.ends_with('\\');
        !(is_free && (line.trim().is_empty() || line.trim_start().starts_with('#')))
    });
    kept.collect::<Vec<_>>().join("\n")
}

fn css(text: &str) -> Option<String> {
    words(text, &[("/*", "*/")], &['"', '\''], "{};,")
}

fn sql(text: &str) -> Option<String> {
    // `/*!` and `/*+` are read by servers; `$$` quotes whole programs.
    if text.contains("/*!") || text.contains("/*+") || text.contains("$$") {
        return None;
    }
    words(text, &[("/*", "*/"), ("--", "\n")], &['"', '\'', '`'], "")
}

/// White space as single blanks and no comments, outside of quotes; next to one of the `marks` no
/// blank says anything. `None` if a quote or a comment does not end.
fn words(text: &str, comments: &[(&str, &str)], quotes: &[char], marks: &str) -> Option<String> {
    let blank = |found: &mut String| {
        if found
            .chars()
            .next_back()
            .is_some_and(|last| last != ' ' && !marks.contains(last))
        {
            found.push(' ');
        }
    };
    let mut found = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let comment = comments.iter().find(|(open, _)| rest.starts_with(open));
        let length = if let Some((open, close)) = comment {
            let inner = rest.get(open.len()..)?;
            let end = inner.find(close).map(|at| open.len() + at + close.len());
            let end = end.or_else(|| (*close == "\n").then_some(rest.len()))?;
            blank(&mut found);
            end
        } else if quotes.contains(&first) {
            let length = string_length(rest, first)?;
            found.push_str(rest.get(..length)?);
            length
        } else if first.is_whitespace() {
            blank(&mut found);
            first.len_utf8()
        } else {
            if marks.contains(first) && found.ends_with(' ') {
                found.pop();
            }
            found.push(first);
            first.len_utf8()
        };
        rest = rest.get(length..)?;
    }
    Some(found.trim_end().to_owned())
}

#[cfg(test)]
mod tests;
