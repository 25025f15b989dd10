//! The front matter of a Markdown file: the part of YAML that people write there. What is not
//! understood is an error with its line, never a guess.

use std::collections::VecDeque;

/// A value in front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Yaml {
    /// A scalar; the quotes are gone.
    Text(String),
    /// A list.
    List(Vec<Yaml>),
    /// Keys and values in their order.
    Map(Vec<(String, Yaml)>),
}

/// Front matter that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the front matter can't be read: {why}")]
pub struct BadFrontMatter {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl Yaml {
    /// The value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Yaml::Map(fields) => fields
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            Yaml::Text(_) | Yaml::List(_) => None,
        }
    }

    /// A scalar that says something.
    pub fn text(&self) -> Option<&str> {
        match self {
            Yaml::Text(text) if !text.is_empty() => Some(text),
            Yaml::Text(_) | Yaml::List(_) | Yaml::Map(_) => None,
        }
    }

    /// The items of a list; a scalar is a list of one.
    pub fn items(&self) -> &[Yaml] {
        match self {
            Yaml::List(items) => items,
            Yaml::Text(text) if text.is_empty() => &[],
            Yaml::Text(_) => std::slice::from_ref(self),
            Yaml::Map(_) => &[],
        }
    }
}

/// The front matter of a text, if it has one, and the number of lines it takes. Line ends are `\n`.
pub fn front_matter(text: &str) -> Result<(Option<Yaml>, usize), BadFrontMatter> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return Ok((None, 0));
    }
    let mut inside = VecDeque::new();
    for (at, line) in lines.enumerate() {
        let number = at + 2;
        if matches!(line.trim_end(), "---" | "...") {
            let value = block(&mut inside, 0)?;
            return match inside.front() {
                Some(left) => Err(left.bad("it is indented otherwise than the lines before")),
                None => Ok((Some(value), number)),
            };
        }
        inside.extend(Line::read(number, line)?);
    }
    Err(BadFrontMatter {
        line: 1,
        why: "it has no end: a line with `---` is missing".into(),
    })
}

/// A line that says something.
#[derive(Debug, Clone)]
struct Line<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn read(number: usize, line: &'t str) -> Result<Option<Line<'t>>, BadFrontMatter> {
        let text = line.trim_start_matches(' ');
        let read = Line {
            number,
            indent: line.len() - text.len(),
            text: text.trim_end(),
        };
        if read.text.is_empty() || read.text.starts_with('#') {
            return Ok(None);
        }
        if text.starts_with('\t') {
            return Err(read.bad("it is indented by a tab"));
        }
        Ok(Some(read))
    }

    fn bad(&self, why: &str) -> BadFrontMatter {
        BadFrontMatter {
            line: self.number,
            why: why.into(),
        }
    }

    /// What follows the dash of a list item, as a line of its own.
    fn after_dash(&self) -> Option<Line<'t>> {
        let rest = self.text.strip_prefix('-')?;
        if !rest.is_empty() && !rest.starts_with(' ') {
            return None;
        }
        let text = rest.trim_start();
        Some(Line {
            number: self.number,
            indent: self.indent + self.text.len() - text.len(),
            text,
        })
    }

    fn key_and_value(&self) -> Option<(String, &'t str)> {
        let at = match self.text.chars().next()? {
            quote @ ('"' | '\'') => self.text.get(1..)?.find(quote)? + 2,
            _ => key_end(self.text)?,
        };
        let (key, rest) = (self.text.get(..at)?, self.text.get(at..)?);
        let value = rest.trim_start().strip_prefix(':')?;
        if !value.is_empty() && !value.starts_with(' ') {
            return None;
        }
        Some((unquoted(key.trim()).to_owned(), value.trim()))
    }
}

/// Where a plain key ends: at the first colon that a space or the end of the line follows.
fn key_end(text: &str) -> Option<usize> {
    let colons = text.match_indices(':').map(|(at, _)| at);
    let mut ends = colons.filter(|at| {
        text.get(at + 1..)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    ends.next()
}

/// The value made of the lines that are indented by at least `least`.
fn block(lines: &mut VecDeque<Line<'_>>, least: usize) -> Result<Yaml, BadFrontMatter> {
    let Some(first) = lines.front().filter(|line| line.indent >= least) else {
        return Ok(Yaml::Text(String::new()));
    };
    let indent = first.indent;
    if first.after_dash().is_some() {
        list(lines, indent)
    } else if first.key_and_value().is_some() {
        map(lines, indent)
    } else {
        Err(first.bad("neither `key: value` nor `- item`"))
    }
}

fn list(lines: &mut VecDeque<Line<'_>>, indent: usize) -> Result<Yaml, BadFrontMatter> {
    let mut items = Vec::new();
    while let Some(line) = lines.front().filter(|line| line.indent == indent).cloned() {
        let Some(rest) = line.after_dash() else { break };
        lines.pop_front();
        if rest.text.is_empty() {
            items.push(block(lines, indent + 1)?);
        } else if rest.key_and_value().is_some() || rest.after_dash().is_some() {
            // A map or list that begins right after the dash.
            let inner = rest.indent;
            lines.push_front(rest);
            items.push(block(lines, inner)?);
        } else {
            items.push(scalar(&rest, rest.text)?);
        }
    }
    Ok(Yaml::List(items))
}

fn map(lines: &mut VecDeque<Line<'_>>, indent: usize) -> Result<Yaml, BadFrontMatter> {
    let mut fields: Vec<(String, Yaml)> = Vec::new();
    while let Some(line) = lines.front().filter(|line| line.indent == indent).cloned() {
        let Some((key, value)) = line.key_and_value() else {
            return Err(line.bad("not of the form `key: value`"));
        };
        if fields.iter().any(|(known, _)| *known == key) {
            return Err(line.bad(&format!("`{key}` is there twice")));
        }
        lines.pop_front();
        let value = match value {
            "" => nested(lines, indent)?,
            "|" | ">" | "|-" | ">-" | "|+" | ">+" => folded(lines, indent),
            value if value.starts_with('#') => nested(lines, indent)?,
            value => scalar(&line, value)?,
        };
        fields.push((key, value));
    }
    Ok(Yaml::Map(fields))
}

/// What belongs to a key without a value: lines that are indented more, or a list that is not.
fn nested(lines: &mut VecDeque<Line<'_>>, indent: usize) -> Result<Yaml, BadFrontMatter> {
    let is_list = |line: &Line<'_>| line.indent == indent && line.after_dash().is_some();
    match lines.front() {
        Some(line) if is_list(line) => list(lines, indent),
        Some(_) | None => block(lines, indent + 1),
    }
}

fn folded(lines: &mut VecDeque<Line<'_>>, indent: usize) -> Yaml {
    let mut text = Vec::new();
    while let Some(line) = lines.front().filter(|line| line.indent > indent) {
        text.push(line.text);
        lines.pop_front();
    }
    Yaml::Text(text.join("\n"))
}

fn scalar(line: &Line<'_>, text: &str) -> Result<Yaml, BadFrontMatter> {
    let text = without_comment(text);
    match text.chars().next() {
        Some('[') => {
            let inside = text
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'))
                .ok_or_else(|| line.bad("a list that begins with `[` has to end on its line"))?;
            if inside.contains(['[', '{']) {
                return Err(line.bad("a list inside a list"));
            }
            let items = flow_items(inside).into_iter().map(Yaml::Text).collect();
            Ok(Yaml::List(items))
        }
        Some('{' | '&' | '*' | '!' | '%' | '@' | '`') => {
            Err(line.bad("a form of YAML that is not known here; put it in quotes"))
        }
        Some(quote @ ('"' | '\'')) if text.len() < 2 || !text.ends_with(quote) => {
            Err(line.bad("a quote without its end"))
        }
        Some(_) | None => Ok(Yaml::Text(unquoted(text).to_owned())),
    }
}

fn without_comment(text: &str) -> &str {
    let text = text.trim();
    if let Some(quote @ ('"' | '\'')) = text.chars().next() {
        let end = text.get(1..).and_then(|rest| rest.find(quote));
        let rest = end.and_then(|end| text.get(end + 2..)).unwrap_or_default();
        if rest.trim_start().starts_with('#') {
            return text.get(..text.len() - rest.len()).unwrap_or(text);
        }
        return text;
    }
    text.split_once(" #")
        .map_or(text, |(value, _)| value.trim_end())
}

fn flow_items(inside: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut quote = None;
    for c in inside.chars() {
        match (quote, c) {
            (None, ',') => {
                items.push(String::new());
                continue;
            }
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None | Some(_), _) => {}
        }
        if let Some(item) = items.last_mut() {
            item.push(c);
        }
    }
    items
        .iter()
        .map(|item| unquoted(item.trim()).to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

fn unquoted(text: &str) -> &str {
    ['"', '\'']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(inside: &str) -> Yaml {
        let text = format!("---\n{inside}---\n# Title\n");
        front_matter(&text)
            .expect("it can be read")
            .0
            .expect("it is there")
    }

    fn words(value: Option<&Yaml>) -> Vec<String> {
        let items = value.expect("the key is there").items();
        items
            .iter()
            .map(|item| item.text().expect("text").to_owned())
            .collect()
    }

    #[test]
    fn what_people_write() {
        let read = read(
            "# a comment\nstatus: active   # yes\nid: \"login: 1\"\nurl: http://x/y\n\
             tags: [a, 'b, c', ]\nempty:\nlist:\n- one\n- two\nmore:\n  - x # y\n\
             note: >\n  folded\n  text\nmust_haves:\n  truths:\n    - \"it works\"\n  artifacts:\n    \
             - path: src/a.py\n      provides: add\n    - src/b.py\n",
        );
        assert_eq!(read.get("status").and_then(Yaml::text), Some("active"));
        assert_eq!(read.get("id").and_then(Yaml::text), Some("login: 1"));
        assert_eq!(read.get("url").and_then(Yaml::text), Some("http://x/y"));
        assert_eq!(words(read.get("tags")), ["a", "b, c"]);
        assert_eq!(read.get("empty").and_then(Yaml::text), None);
        assert_eq!(words(read.get("list")), ["one", "two"]);
        assert_eq!(words(read.get("more")), ["x"]);
        assert_eq!(read.get("note").and_then(Yaml::text), Some("folded\ntext"));
        let artifacts = read
            .get("must_haves")
            .and_then(|m| m.get("artifacts"))
            .unwrap();
        assert_eq!(
            artifacts.items()[0].get("path").and_then(Yaml::text),
            Some("src/a.py")
        );
        assert_eq!(artifacts.items()[1].text(), Some("src/b.py"));
    }

    #[test]
    fn where_it_ends() {
        assert_eq!(front_matter("# no\n---\n").unwrap(), (None, 0));
        assert_eq!(front_matter("").unwrap(), (None, 0));
        assert_eq!(front_matter("---\na: b\n---\n").unwrap().1, 3);
        assert_eq!(front_matter("\u{feff}---\n...\n").unwrap().1, 2);
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_line() {
        for (text, line) in [
            ("---\na: b\n", 1),
            ("---\njust words\n---\n", 2),
            ("---\na: b\n\tc: d\n---\n", 3),
            ("---\na: b\na: c\n---\n", 3),
            ("---\na: {b: c}\n---\n", 2),
            ("---\na: [b\n---\n", 2),
            ("---\na: \"b\n---\n", 2),
            ("---\na: b\n   c: d\n---\n", 3),
        ] {
            assert_eq!(front_matter(text).unwrap_err().line, line, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(---\n|[a: \\-\\[\\]{}'\"#|>é\n\t]){0,40}") {
            let _ = front_matter(&text);
            let _ = front_matter(&format!("---\n{text}\n---\n"));
        }
    }
}
