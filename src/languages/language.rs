//! A programming language, told by the name of a file, and what can be said of its files before
//! one is read.

use std::hash::{Hash, Hasher};

use super::syntax::Syntax;

/// A language whose files are source code.
#[derive(Clone, Copy)]
pub struct Language(pub(super) &'static Profile);

/// What a language's file on the shelf says of it as a whole.
pub(super) struct Profile {
    /// In lower case.
    pub(super) name: &'static str,
    /// Endings of its files, in lower case, without the dot.
    pub(super) endings: &'static [&'static str],
    /// Programs that run it, as a first line names them.
    pub(super) interpreters: &'static [&'static str],
    /// Whether a text without an ending is written in it.
    pub(super) is_told_by: fn(&str) -> bool,
    /// How its test files are called.
    pub(super) test_names: TestNames,
    /// Where people put a test of `{folder}/{stem}.{ending}`; `{apart}` is the folder below the tests
    /// that stands for it. Empty where there is no custom.
    pub(super) test_place: &'static str,
    /// Text that marks a test in a source file; none where tests have files of their own.
    pub(super) test_marks: &'static [&'static str],
    /// Tests of single functions stand in the source file itself.
    pub(super) tests_in_source: bool,
    /// Test runners, and what translates for them, that load settings written in it.
    pub(super) runners: &'static [&'static str],
    /// Tools keep their settings in programs of it (`x.config.js`): whether such a text holds
    /// functions that others can load by name, so that it is more than settings.
    pub(super) exports_functions: Option<fn(&str) -> bool>,
    /// Whether a line (from 1) is in what runs before or after each test of a class, and in no test.
    pub(super) is_in_fixture: fn(&str, usize, &str) -> bool,
    /// Its grammars; none if nobody reads it.
    pub(super) syntaxes: &'static [&'static dyn Syntax],
}

/// How test files are called in a language, besides what is so in every one.
#[derive(Debug, Clone, Copy)]
pub struct TestNames {
    /// What ends a stem, in lower case.
    pub ends: &'static [&'static str],
    /// What begins a stem, in lower case.
    pub starts: &'static [&'static str],
    /// Whole stems, in lower case.
    pub stems: &'static [&'static str],
    /// What ends a stem as it is spelt.
    pub camel_ends: &'static [&'static str],
    /// What begins a stem as it is spelt.
    pub camel_starts: &'static [&'static str],
}

impl TestNames {
    /// Nothing of its own.
    pub(super) const NONE: TestNames = TestNames {
        ends: &[],
        starts: &[],
        stems: &[],
        camel_ends: &[],
        camel_starts: &[],
    };
}

impl Profile {
    /// A language of which nothing is known.
    pub(super) const NONE: Profile = Profile {
        name: "",
        endings: &[],
        interpreters: &[],
        is_told_by: |_| false,
        test_names: TestNames::NONE,
        test_place: "",
        test_marks: &[],
        tests_in_source: false,
        runners: &[],
        exports_functions: None,
        is_in_fixture: |_, _, _| false,
        syntaxes: &[],
    };
}

impl Language {
    /// The language of an extension in lower case, without its dot.
    pub fn of_extension(extension: &[u8]) -> Option<Language> {
        let has = |known: &[&str]| known.iter().any(|one| one.as_bytes() == extension);
        super::all().find(|language| has(language.0.endings))
    }

    /// The language of a path, by its extension.
    pub fn of_path(path: &[u8]) -> Option<Language> {
        Language::of_extension(&Language::extension(path)?)
    }

    /// The language of a program without an ending, by its text: a first line that names what runs
    /// it, or what only that language says.
    pub fn of_text(text: &str) -> Option<Language> {
        let Some(rest) = text.strip_prefix("#!") else {
            return super::all().find(|language| (language.0.is_told_by)(text));
        };
        let line = rest.lines().next().unwrap_or_default().to_ascii_lowercase();
        line.split_whitespace().find_map(|word| {
            let program = word.rsplit('/').next().unwrap_or_default();
            let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            super::all().find(|language| language.0.interpreters.contains(&program))
        })
    }

    /// The extension of a path in lower case, without its dot.
    pub fn extension(path: &[u8]) -> Option<Vec<u8>> {
        let name = path.rsplit(|b| *b == b'/').next()?;
        let dot = name.iter().rposition(|b| *b == b'.').filter(|at| *at > 0)?;
        Some(name.get(dot + 1..)?.to_ascii_lowercase())
    }

    /// How its test files are called.
    pub fn test_names(self) -> &'static TestNames {
        &self.0.test_names
    }

    /// Where people put the test of a file, where a project has none to go by.
    pub fn test_place(self, folder: &str, stem: &str, ending: &str) -> Option<String> {
        let place = self.0.test_place;
        let filled = place
            .replace("{folder}", folder)
            .replace("{apart}", &folder.replacen("src/main", "src/test", 1))
            .replace("{stem}", stem)
            .replace("{ending}", ending);
        (!place.is_empty()).then(|| filled.trim_start_matches('/').to_owned())
    }

    /// Text that marks a test in a source file; none where tests have files of their own.
    pub fn test_marks(self) -> &'static [&'static str] {
        self.0.test_marks
    }

    /// Whether tests of single functions stand in the source file itself.
    pub fn tests_stand_in_source(self) -> bool {
        self.0.tests_in_source
    }

    /// Test runners, and what translates for them, that load settings written in it.
    pub fn runners(self) -> &'static [&'static str] {
        self.0.runners
    }

    /// Test runners of any language.
    pub fn all_runners() -> impl Iterator<Item = &'static str> {
        super::all().flat_map(|language| language.0.runners.iter().copied())
    }

    /// Whether tools keep their settings in programs of it, called `x.config.js` or the like.
    pub fn holds_settings(self) -> bool {
        self.0.exports_functions.is_some()
    }

    /// Whether settings hold functions that others can load by name, so that they are more.
    pub fn exports_functions(self, text: &str) -> bool {
        self.0
            .exports_functions
            .is_some_and(|exports| exports(text))
    }

    /// Whether a line (from 1) of a test file is in what runs before or after each test of a class,
    /// and in no test. Where one line has both, nothing tells which.
    pub fn is_in_fixture(self, source: &str, line: usize, class: &str) -> bool {
        line > 0 && (self.0.is_in_fixture)(source, line, class)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Language {}

impl Hash for Language {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl std::fmt::Debug for Language {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.0.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn nothing_belongs_to_two_languages() {
        let (mut names, mut endings) = (BTreeSet::new(), BTreeSet::new());
        for language in super::super::all() {
            assert!(names.insert(language.0.name), "{language:?} twice");
            for ending in language.0.endings.iter().chain(language.0.interpreters) {
                let is_own = endings.insert((ending, language.0.name));
                let others = endings.iter().filter(|(known, _)| known == &ending);
                assert!(is_own || others.count() == 1, "{ending} twice");
            }
        }
    }

    #[test]
    fn tells_the_language_by_the_last_extension() {
        for (path, expected) in [
            ("src/a.rs", "rust"),
            ("src/A.PY", "python"),
            ("a/b.d.ts", "javascript"),
            (".rs", ""),
            ("Makefile", ""),
            ("a.rs/b", ""),
            ("a.rs.orig", ""),
        ] {
            let found = Language::of_path(path.as_bytes());
            assert_eq!(
                found.map_or("", |language| language.0.name),
                expected,
                "{path}"
            );
        }
    }
}
