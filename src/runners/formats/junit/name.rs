//! What a test is called, from what a runner writes in its JUnit XML.

use std::borrow::Cow;
use std::iter::once;

use super::Suite;
use super::case::Case;
use super::dialect::Dialect;

impl Dialect {
    /// What a test is called, as its runner would call it.
    pub(super) fn id<'a>(self, ids: &'a mut Ids, case: &Case, suites: &[Suite]) -> &'a str {
        let name = case.name.as_str();
        let suite = suites.last().map_or("", |suite| suite.name.as_str());
        match self {
            Dialect::Pytest => ids.pytest(case),
            Dialect::Deno => ids.joined([relative(&case.classname), name]),
            Dialect::Rspec | Dialect::Jest => ids.joined([relative(&case.file), name.trim()]),
            Dialect::Mocha => ids.joined([relative(&case.file), &title(case)]),
            Dialect::PhpUnit => ids.joined([&case.class, name]),
            Dialect::CTest => ids.joined([name]),
            Dialect::Bun => {
                let outer = (suites.iter())
                    .filter(|suite| !suite.is_root && suite.name != suite.file)
                    .map(|suite| suite.name.as_str());
                ids.joined(once(case.file.as_str()).chain(outer).chain(once(name)))
            }
            Dialect::Node => {
                let titles: Vec<String> = (suites.iter())
                    .filter(|suite| !suite.is_root)
                    .map(|suite| node_text(&suite.name))
                    .chain(once(node_text(name)))
                    .collect();
                ids.joined(once(case.file.as_str()).chain(titles.iter().map(String::as_str)))
            }
            Dialect::Prove => ids.joined([suite, &prove_name(name)]),
            Dialect::Bats | Dialect::GTest | Dialect::Nextest | Dialect::Vitest => {
                ids.joined([&case.classname, name])
            }
            Dialect::Other if case.classname == name => ids.joined([name]),
            Dialect::Other if !case.classname.is_empty() => ids.joined([&case.classname, name]),
            Dialect::Other if case.file.is_empty() => ids.joined([suite, name]),
            Dialect::Other => ids.joined([relative(&case.file), name]),
        }
    }

    /// The file that a test is in, where that is told.
    pub(super) fn file<'a>(self, case: &'a Case, suites: &'a [Suite]) -> Option<&'a str> {
        let file = match self {
            Dialect::Vitest | Dialect::Deno => case.classname.as_str(),
            _ if case.file.is_empty() => suites
                .iter()
                .rev()
                .find(|suite| !suite.file.is_empty())
                .map_or("", |suite| suite.file.as_str()),
            _ => case.file.as_str(),
        };
        (!file.is_empty()).then(|| relative(file))
    }
}

pub(super) fn relative(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// The title of a mocha test; its class name is the title that it had of old.
pub(super) fn title<'a>(case: &'a Case) -> Cow<'a, str> {
    if case.classname.is_empty() || case.name.starts_with(case.classname.as_str()) {
        Cow::Borrowed(&case.name)
    } else {
        Cow::Owned(format!("{} {}", case.classname, case.name))
    }
}

/// Writes ids, each in the place of the one before.
#[derive(Default)]
pub(super) struct Ids {
    id: String,
    /// How much of the id is the same for all of pytest's tests in one class, and which class that is.
    prefix: usize,
    file: String,
    classname: String,
}

impl Ids {
    /// Parts of an id, empty ones left out.
    pub(super) fn joined<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) -> &str {
        self.id.clear();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if !self.id.is_empty() {
                self.id.push_str(" > ");
            }
            self.id.push_str(part);
        }
        &self.id
    }

    /// The id that pytest gives a test.
    pub(super) fn pytest(&mut self, case: &Case) -> &str {
        if case.classname.is_empty() {
            self.classname.clear();
            let (file, _) = pytest_file_and_class(case);
            return match file.is_empty() {
                true => self.joined([case.name.as_str()]),
                false => self.joined([file.as_str()]),
            };
        }
        if !is_same(&self.classname, &case.classname) || !is_same(&self.file, &case.file) {
            self.enter(case);
        }
        self.id.truncate(self.prefix);
        self.id.push_str(&case.name);
        &self.id
    }

    fn enter(&mut self, case: &Case) {
        let (file, class) = pytest_file_and_class(case);
        self.id = file + "::";
        if !class.is_empty() {
            self.id.push_str(&class.replace('.', "::"));
            self.id.push_str("::");
        }
        self.prefix = self.id.len();
        self.file.clone_from(&case.file);
        self.classname.clone_from(&case.classname);
    }
}

/// Whether two texts are the same. Empty ones have no address to read from: comparing them by vector
/// instructions traps in the processor and takes longer than the rest of a test.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}

/// The file of a pytest test, and what is left of its class name; without a `file`, parts that begin with
/// a capital are taken for classes.
fn pytest_file_and_class(case: &Case) -> (String, &str) {
    let classname = case.classname.as_str();
    if case.file.is_empty() {
        let class_at = classname
            .match_indices('.')
            .map(|(at, _)| at + 1)
            .find(|at| {
                classname
                    .get(*at..)
                    .is_some_and(|rest| rest.starts_with(char::is_uppercase))
            });
        let (module, class) = match class_at {
            Some(at) => (
                classname.get(..at - 1).unwrap_or(classname),
                classname.get(at..).unwrap_or_default(),
            ),
            None => (classname, ""),
        };
        return (module.replace('.', "/") + ".py", class);
    }
    let file = case.file.replace('\\', "/");
    let module = file.strip_suffix(".py").unwrap_or(&file).replace('/', ".");
    // A test inherited from a class in another file has another module.
    let class = classname.strip_prefix(module.as_str()).map_or_else(
        || pytest_class_of(classname),
        |rest| rest.trim_start_matches('.'),
    );
    (file, class)
}

fn pytest_class_of(classname: &str) -> &str {
    match classname.rsplit_once('.') {
        Some((_, last)) if last.starts_with(char::is_uppercase) => last,
        _ => "",
    }
}

/// Node escapes quotes twice.
fn node_text(text: &str) -> String {
    text.replace("&quot;", "\"")
}

fn prove_name(name: &str) -> String {
    match name.split_once(" - ") {
        Some((number, description)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            description.to_owned()
        }
        _ => format!("({name})"),
    }
}
