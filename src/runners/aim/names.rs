//! Names of tests: which id is whose, and patterns for titles.

use std::sync::LazyLock;

use regex::Regex;

/// An id without the number that tells tests of the same name apart.
pub(crate) fn without_number(id: &str) -> &str {
    match id.rsplit_once(" #") {
        Some((plain, number))
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            plain
        }
        _ => id,
    }
}

/// Whether `id` is the wanted one, or that of a variant: a row of its table, a test inside of it.
pub(crate) fn is_same_or_variant(wanted: &str, id: &str) -> bool {
    let (wanted, id) = (without_number(wanted), without_number(id));
    let is_variant = |rest: &str| {
        let begins = ["[", "/", "::", " > ", " [", "(", " with data set "];
        rest.is_empty() || begins.iter().any(|begin| rest.starts_with(begin))
    };
    // mocha joins all titles by blanks.
    id.strip_prefix(wanted).is_some_and(is_variant)
        || (wanted.contains(" > ") && id.replace(" > ", " ") == wanted.replace(" > ", " "))
}

/// Whether a test of which the report does not tell the file may be in this one: the id begins with the file
/// or, as Go's and Python's do, with the package or module that it is part of.
pub(crate) fn may_be_in(id: &str, file: &str) -> bool {
    let head = id.split(" > ").next().unwrap_or(id);
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    if file.ends_with(".go") {
        return folder.is_empty() || head == folder || head.ends_with(&format!("/{folder}"));
    }
    if file.ends_with(".rs") && !head.ends_with(".rs") {
        // `cargo test -q` names no targets, and nextest only packages.
        return !head.starts_with("doc ");
    }
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let last = stem.rsplit('/').next().unwrap_or(stem);
    head == file
        || id.starts_with(&format!("{file}::"))
        || head
            .split(['.', '\\', ':', '$', '/'])
            .any(|part| part == last)
}

/// Whether the names in an id end in this one, inside of all of these.
pub(crate) fn has_name(id: &str, path: &[String], name: &str) -> bool {
    let id = without_number(id);
    let body = id.split_once(" > ").map_or(id, |(_, body)| body);
    let parts = parts_of(id);
    let is_named = |wanted: &str| {
        let pattern = template(wanted);
        let whole = pattern
            .as_ref()
            .and_then(|pattern| Regex::new(&format!("(?s)^(?:.* > )?(?:{pattern})$")).ok());
        body == wanted
            || body.ends_with(&format!(" > {wanted}"))
            || body.starts_with(&format!("{wanted} > "))
            || body.contains(&format!(" > {wanted} > "))
            || parts.contains(&wanted)
            || whole.is_some_and(|whole| whole.is_match(body))
    };
    let mut joined = path.to_vec();
    joined.push(name.to_owned());
    let joined = joined.join(" ");
    let is_joined = !path.is_empty() && (body == joined || body.ends_with(&format!(" {joined}")));
    is_joined
        || is_named(name)
            && path
                .iter()
                .all(|outer| is_named(outer) || id.contains(outer.as_str()))
}

/// The same for runners that put more around a name: the titles of suites, `test_0001_`.
pub(crate) fn has_name_within(id: &str, path: &[String], name: &str) -> bool {
    static AROUND: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:test_\d+_|test_|test )").expect("the pattern is constant")
    });
    let id = without_number(id);
    let title = id.rsplit(" > ").next().unwrap_or(id);
    let title = AROUND.replace(title, "").replace('_', " ");
    let name = name.replace('_', " ");
    (title == name || title.ends_with(&format!(" {name}")))
        && path.iter().all(|outer| id.contains(outer.as_str()))
}

/// All that may be a name in an id, whatever the runner puts between them.
fn parts_of(id: &str) -> Vec<&str> {
    let plain = |part| match str::split_once(part, '[') {
        Some((plain, _)) => plain.trim_end(),
        None => part,
    };
    let mut parts = Vec::new();
    for between in [" > ", "::", "/", "."] {
        parts.extend(id.split(between).flat_map(|part| [part, plain(part)]));
    }
    for part in id.split(" > ").flat_map(|part| part.split("::")) {
        parts.extend(part.split('/').next());
        parts.extend(part.split('(').next());
        parts.extend(part.split(" with data set ").next());
        // `test adds`, as ExUnit names it
        parts.extend(part.strip_prefix("test "));
    }
    parts
}

/// The pattern of a title with holes for values, `adds %i`, `adds $a`, `adds ${a}`; none if it has none.
pub(crate) fn template(title: &str) -> Option<String> {
    static HOLE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\$\{[^}]*\}|%[sdifjoOcp#$]|%\.\d+f|\$#|\$[A-Za-z_][\w.]*|#\{[^}]*\}")
            .expect("the pattern is constant")
    });
    if !HOLE.is_match(title) {
        return None;
    }
    let mut pattern = String::new();
    let mut at = 0;
    for hole in HOLE.find_iter(title) {
        pattern += &escaped(title.get(at..hole.start()).unwrap_or_default());
        pattern += ".*";
        at = hole.end();
    }
    Some(pattern + &escaped(title.get(at..).unwrap_or_default()))
}

/// A pattern for a full title, where suites and title are joined by blanks; none if every title will do.
/// It reads the same in JavaScript, Ruby, PHP and Go.
pub(crate) fn title_pattern(id: &str, path: &[String], name: &str) -> Option<String> {
    if let Some((_, titles)) = id.split_once(" > ") {
        let plain = without_number(titles);
        let mut pattern = joined(plain);
        if plain != titles {
            let number = titles.get(plain.len()..).unwrap_or_default();
            pattern += &format!("(?:{})?", escaped(number));
        }
        // What is guessed from a table has holes.
        let guess = template(plain).map(|guess| format!("|{}", guess.replace(" > ", BETWEEN)));
        return Some(format!("(?:{pattern}{})", guess.unwrap_or_default()));
    }
    if name.is_empty() {
        return None;
    }
    let outer: String = (path.iter())
        .map(|outer| {
            format!(
                "(?:.* )?{} ?",
                template(outer).unwrap_or_else(|| escaped(outer))
            )
        })
        .collect();
    let name = template(name).unwrap_or_else(|| escaped(name));
    Some(format!("{outer}(?:.* )?{name}"))
}

const BETWEEN: &str = "(?: > | )";

/// What our ids put between titles is a blank for the runner, unless it is part of a title.
fn joined(titles: &str) -> String {
    escaped(titles).replace(" > ", BETWEEN)
}

/// A text as a pattern that matches just it.
pub(crate) fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if r"\^$.|?*+()[]{}/".contains(char) {
            pattern.push('\\');
        }
        match char {
            '\n' => pattern.push_str(r"\n"),
            '\r' => pattern.push_str(r"\r"),
            '\t' => pattern.push_str(r"\t"),
            char => pattern.push(char),
        }
    }
    pattern
}
