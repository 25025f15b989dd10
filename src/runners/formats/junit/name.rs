//! What a test is called, from what a runner writes in its JUnit XML.

use super::case::Case;

pub(crate) fn relative(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// Writes ids, each in the place of the one before.
#[derive(Default)]
pub(crate) struct Ids {
    id: String,
    /// How much of the id is the same for all of pytest's tests in one class, and which class that is.
    prefix: usize,
    file: String,
    classname: String,
}

impl Ids {
    /// Parts of an id, empty ones left out.
    pub(crate) fn joined<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) -> &str {
        self.id.clear();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if !self.id.is_empty() {
                self.id.push_str(" > ");
            }
            self.id.push_str(part);
        }
        &self.id
    }

    /// An id that begins as all those of a class and file do, which is only asked for when they change.
    pub(crate) fn below(&mut self, case: &Case, beginning: fn(&Case) -> String) -> &str {
        if !is_same(&self.classname, &case.classname) || !is_same(&self.file, &case.file) {
            self.id = beginning(case);
            self.prefix = self.id.len();
            self.file.clone_from(&case.file);
            self.classname.clone_from(&case.classname);
        }
        self.id.truncate(self.prefix);
        self.id.push_str(&case.name);
        &self.id
    }

    /// Forgets the class that the last one was below.
    pub(crate) fn leave(&mut self) {
        self.classname.clear();
    }
}

/// Whether two texts are the same. Empty ones have no address to read from: comparing them by vector
/// instructions traps in the processor and takes longer than the rest of a test.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}
