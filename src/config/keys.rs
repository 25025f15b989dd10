//! Every key of the config, as data: for the hints in error messages and for the documentation.

/// Where a key is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// At the top of the file, before the first table.
    Top,
    /// Under `[validator]`.
    Validator,
    /// Under `[smells]`: a rule each, of `Rule::ALL`.
    Smells,
    /// Under each `[[project]]`.
    Project,
}

/// What is said about one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyDoc {
    /// Where it is written.
    pub scope: Scope,
    /// Its name.
    pub name: &'static str,
    /// Its default as TOML; empty if there is none to write, then `about` says what holds.
    pub default: &'static str,
    /// A value that could be given, as TOML.
    pub example: &'static str,
    /// One line on what it does.
    pub about: &'static str,
}

const fn key(
    scope: Scope,
    name: &'static str,
    default: &'static str,
    example: &'static str,
    about: &'static str,
) -> KeyDoc {
    KeyDoc {
        scope,
        name,
        default,
        example,
        about,
    }
}

use Scope::{Project, Smells, Top, Validator};

/// Every key, in the order the documentation shows them.
#[rustfmt::skip]
pub const KEYS: &[KeyDoc] = &[
    key(Top, "enabled", "true", "false", "whether git tcr acts in this repository at all"),
    key(Top, "mode", "\"both\"", "\"tcr\"", "how much is enforced: both (gate and loop), tdd (gate only), tcr (loop only: green is committed, red is taken back at once), relaxed (only changes of frozen files are taken back), observe (only records), off"),
    key(Top, "test", "", "\"npm test\"", "the command that runs the tests: a line for the shell, or an array of arguments; detected if not given"),
    key(Top, "lint", "\"\"", "\"ruff check\"", "a command that must be clean before a green or refactor commit"),
    key(Top, "tests", "", "[\"tests/**\", \"*_test.py\"]", "which files are tests; replaces the built-in patterns"),
    key(Top, "source", "", "[\"src/**\"]", "which files are source; replaces the built-in patterns"),
    key(Top, "harness", "[]", "[\"test-setup.js\"]", "more files that steer how tests run; guarded like tests"),
    key(Top, "protected", "[]", "[\"deploy/**\"]", "more files that agents may never write"),
    key(Top, "exempt", "[]", "[\"generated/**\"]", "files that are always writable and never judged: generated code, migrations"),
    key(Top, "commit_message", "\"WIP\"", "\"{phase} {cycle}: {files}\"", "the message of commits on the WIP branch; knows {phase} {cycle} {tests} {files}"),
    key(Top, "debounce_ms", "100", "250", "how long `watch`, and an agent's calls that keep coming, wait for further changes before the tests run, in milliseconds"),
    key(Top, "show_test_output", "true", "false", "whether messages quote the output of the tests"),
    key(Top, "test_output_limit", "500", "2000", "how many characters of test output a message quotes; the rest of the message is not counted"),
    key(Top, "timeout_s", "120", "600", "how long one test run may take, in seconds"),
    key(Top, "trigger", "\"edit\"", "\"turn\"", "what makes the loop run: edit (each tool call), turn (end of the agent's turn), manual (only `git tcr run`)"),
    key(Top, "patience", "5", "0", "how many tries failing work has before it is taken back; 0 for strict TCR: at once"),
    key(Top, "needed", "\"warn\"", "\"block\"", "what happens on the way out to added code that no test needs: warn (it is named), block (it is refused)"),
    key(Top, "setup", "\"\"", "\"npm ci\"", "a command that makes a fresh checkout of the repository ready for the tests; empty where none is needed"),
    key(Top, "report", "\"\"", "\"build/junit.xml\"", "a JUnit XML file that the test command itself writes, from the root of the repository; empty if it writes none"),
    key(Top, "red_confirm", "\"\"", "\"FAILED.*assert\"", "a regular expression; output that matches it is a valid red where no report can be read"),
    key(Top, "red_needs", "", "\"stub\"", "what a failing test must show to count: error (any; default without a spec), stub, assertion (default with one)"),
    key(Top, "branches", "[\"*\"]", "[\"feat/*\"]", "the branches git tcr acts on; `*` matches slashes too"),
    key(Top, "validator", "", "{ command = \"review-tests\" }", "the table `[validator]`: a program that judges tests before they are frozen"),
    key(Top, "smells", "", "{ no_assertion = \"block\" }", "the table `[smells]`: what a finding does, by rule: block (the step is not committed), warn (it is shown), off"),
    key(Top, "project", "", "[{ path = \"packages/a\" }]", "the tables `[[project]]`: parts of a monorepo with tests of their own"),

    key(Validator, "command", "\"\"", "\"review-tests\"", "the program: JSON in, JSON verdict out"),
    key(Validator, "on", "[\"freeze\"]", "[\"freeze\", \"green\"]", "when it is asked: freeze, green"),
    key(Validator, "timeout_s", "300", "60", "how long it may take, in seconds"),

    key(Smells, "implementation_first", "\"warn\"", "\"off\"", "source that was there before any test for it"),
    key(Smells, "test_after", "\"warn\"", "\"off\"", "a test that came after what it tests and never failed"),
    key(Smells, "unasked_source", "\"warn\"", "\"off\"", "far more source in a green step than its tests ask for"),
    key(Smells, "copied_value", "\"warn\"", "\"off\"", "the value a test expects, returned for the very input of the test"),
    key(Smells, "test_aware_source", "\"warn\"", "\"off\"", "source that behaves differently while it is tested"),
    key(Smells, "no_assertion", "\"warn\"", "\"off\"", "a test that looks at nothing"),
    key(Smells, "tautology", "\"block\"", "\"off\"", "an assertion that can't fail"),
    key(Smells, "skipped_test", "\"warn\"", "\"off\"", "a test that does not run"),
    key(Smells, "focused_test", "\"block\"", "\"off\"", "a test that keeps the others from running"),
    key(Smells, "sleeping_test", "\"warn\"", "\"off\"", "a test that waits for the clock"),
    key(Smells, "many_mocks", "\"warn\"", "\"off\"", "more than 3 mocks in one test"),
    key(Smells, "many_assertions", "\"warn\"", "\"off\"", "more than 25 assertions in one test"),
    key(Smells, "many_behaviours", "\"warn\"", "\"off\"", "more than 10 rounds of acting and asserting in one test"),

    key(Project, "path", "", "\"packages/a\"", "the project's folder, from the root of the repository"),
    key(Project, "test", "", "\"npm test\"", "the command that runs the project's tests, in its folder; the one at the top if not given"),
    key(Project, "lint", "\"\"", "\"npx eslint .\"", "a command that must be clean before a green or refactor commit"),
    key(Project, "tests", "", "[\"spec/**\"]", "which of the project's files are tests; patterns start at its folder"),
    key(Project, "source", "", "[\"lib/**\"]", "which of the project's files are source; patterns start at its folder"),
    key(Project, "harness", "[]", "[\"setup.js\"]", "more files of the project that steer how tests run"),
    key(Project, "exempt", "[]", "[\"dist/**\"]", "files of the project that are always writable and never judged"),
    key(Project, "needs", "[]", "[\".\"]", "paths of the projects this one builds on; a failing test there unlocks source here"),
    key(Project, "timeout_s", "", "600", "how long the project's tests may take, in seconds; the one at the top if not given"),
    key(Project, "red_confirm", "", "\"not ok\"", "as at the top, for the project's tests; the one at the top if not given"),
    key(Project, "report", "\"\"", "\"build/junit.xml\"", "a JUnit XML file that the project's test command itself writes, from the project's folder"),
];

impl Scope {
    /// The names of its keys.
    pub fn keys(self) -> impl Iterator<Item = &'static str> + Clone {
        KEYS.iter().filter(move |k| k.scope == self).map(|k| k.name)
    }

    fn place(self) -> &'static str {
        match self {
            Top => "at the top, before the first `[table]`",
            Validator => "under `[validator]`",
            Smells => "under `[smells]`",
            Project => "under `[[project]]`",
        }
    }
}

/// What to tell someone who wrote a key that is not known in `scope`.
pub(super) fn hint_for_unknown(scope: Scope, wrong: &str) -> String {
    let elsewhere = |k: &&KeyDoc| k.scope != scope && k.name == wrong;
    if let Some(known) = KEYS.iter().find(elsewhere) {
        return format!("`{wrong}` belongs {}", known.scope.place());
    }
    match nearest(wrong, scope.keys()) {
        Some(right) => format!("did you mean `{right}`?"),
        None => format!("known keys: {}", listed(scope.keys())),
    }
}

/// The name a person most likely meant, if one is near enough.
pub(super) fn nearest<'a>(
    wrong: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let folded = |s: &str| s.to_lowercase().replace(['_', '-', ' '], "");
    let given = folded(wrong);
    let by_distance = names
        .clone()
        .map(|name| (strsim::damerau_levenshtein(&given, &folded(name)), name))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= (given.chars().count() / 3).max(1));
    // `test_command`, `timeout_seconds`: the right word with something added.
    let by_start = || {
        names
            .filter(|name| given.starts_with(&folded(name)))
            .max_by_key(|name| name.len())
    };
    by_distance.map(|(_, name)| name).or_else(by_start)
}

/// Names in backticks with commas between.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key() {
        let cases = [
            ("tets", Some("test")),
            ("Tests", Some("tests")),
            ("timeout", Some("timeout_s")),
            ("timeout-s", Some("timeout_s")),
            ("commitMessage", Some("commit_message")),
            ("test_command", Some("test")),
            ("projects", Some("project")),
            ("red-needs", Some("red_needs")),
            ("protecte", Some("protected")),
            ("colour", None),
            ("", None),
        ];
        for (wrong, right) in cases {
            assert_eq!(nearest(wrong, Scope::Top.keys()), right, "{wrong}");
        }
    }

    #[test]
    fn a_key_of_another_place_is_sent_there() {
        assert_eq!(
            hint_for_unknown(Scope::Top, "needs"),
            "`needs` belongs under `[[project]]`"
        );
        assert_eq!(
            hint_for_unknown(Scope::Validator, "mode"),
            "`mode` belongs at the top, before the first `[table]`"
        );
        assert_eq!(
            hint_for_unknown(Scope::Validator, "colour"),
            "known keys: `command`, `on`, `timeout_s`"
        );
    }

    #[test]
    fn every_key_is_described_once() {
        for (i, doc) in KEYS.iter().enumerate() {
            assert!(
                !doc.about.is_empty() && !doc.about.ends_with('.'),
                "{doc:?}"
            );
            assert!(!doc.about.contains('\n'), "{doc:?}");
            let twins = KEYS.iter().skip(i + 1);
            assert!(
                !twins
                    .clone()
                    .any(|k| (k.scope, k.name) == (doc.scope, doc.name)),
                "{doc:?}"
            );
        }
    }
}
