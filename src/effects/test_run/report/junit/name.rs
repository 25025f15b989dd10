//! What a test is called, from what a runner writes in its JUnit XML.

use super::case::Case;

/// Parts of an id, empty ones left out.
pub(super) fn joined(parts: &[&str]) -> String {
    let mut id = String::with_capacity(parts.iter().map(|part| part.len() + 3).sum());
    for part in parts.iter().filter(|part| !part.is_empty()) {
        if !id.is_empty() {
            id.push_str(" > ");
        }
        id.push_str(part);
    }
    id
}

pub(super) fn relative(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

pub(super) fn file_and_title(case: &Case<'_>) -> String {
    let title = if case.classname.is_empty() || case.name.starts_with(case.classname.as_ref()) {
        case.name.to_string()
    } else {
        format!("{} {}", case.classname, case.name)
    };
    joined(&[relative(&case.file), &title])
}

/// What the ids of pytest's tests in one class begin with, kept from one test to the next.
#[derive(Default)]
pub(super) struct PytestScope {
    file: String,
    classname: String,
    prefix: String,
}

impl PytestScope {
    pub(super) fn id(&mut self, case: &Case<'_>) -> String {
        if case.classname.is_empty() {
            let (file, _) = pytest_file_and_class(case);
            return if file.is_empty() {
                case.name.to_string()
            } else {
                file
            };
        }
        if !is_same(&self.classname, &case.classname) || !is_same(&self.file, &case.file) {
            self.enter(case);
        }
        let mut id = String::with_capacity(self.prefix.len() + case.name.len());
        id.push_str(&self.prefix);
        id.push_str(&case.name);
        id
    }

    fn enter(&mut self, case: &Case<'_>) {
        let (file, class) = pytest_file_and_class(case);
        self.prefix = file + "::";
        if !class.is_empty() {
            self.prefix.push_str(&class.replace('.', "::"));
            self.prefix.push_str("::");
        }
        self.file = case.file.to_string();
        self.classname = case.classname.to_string();
    }
}

/// Whether two texts are the same. Empty ones have no address to read from: comparing them by vector
/// instructions traps in the processor and takes longer than the rest of a test.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}

/// The file of a pytest test, and what is left of its class name; without a `file`, parts that begin with
/// a capital are taken for classes.
fn pytest_file_and_class<'a>(case: &'a Case<'_>) -> (String, &'a str) {
    let classname = case.classname.as_ref();
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
pub(super) fn node_text(text: &str) -> String {
    text.replace("&quot;", "\"")
}

pub(super) fn prove_name(name: &str) -> String {
    match name.split_once(" - ") {
        Some((number, description)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            description.to_owned()
        }
        _ => format!("({name})"),
    }
}
