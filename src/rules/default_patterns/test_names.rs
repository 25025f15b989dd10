//! Tests and what belongs to them, by name.

use super::{Name, among, contains, ends_with_any, is_docs, starts_with_any};
use crate::languages::Language;

/// Folders in which everything belongs to the tests.
const TEST_FOLDERS: &[&str] = &[
    "__fixtures__",
    "__golden__",
    "__image_snapshots__",
    "__mocks__",
    "__snapshots__",
    "__test__",
    "__tests__",
    "_test",
    "acceptance-tests",
    "androidtest",
    "androidunittest",
    "commontest",
    "cypress",
    "e2e",
    "fixtures",
    "functionaltest",
    "golden",
    "golden_files",
    "goldenfiles",
    "goldens",
    "integration-test",
    "integration_test",
    "integrationtest",
    "inttest",
    "iostest",
    "jstest",
    "jvmtest",
    "nativetest",
    "step_definitions",
    "test",
    "test-data",
    "test-fixtures",
    "test_data",
    "test_fixtures",
    "testdata",
    "testfixtures",
    "tests",
    "testsuite",
    "unittests",
    "wasmjstest",
];

/// `my-app-tests/`, `MyApp.Tests/`: what ends a folder's name.
const TEST_FOLDER_ENDS: &[&str] = &[
    "-tests",
    "_tests",
    ".test",
    ".tests",
    ".unittests",
    ".integrationtests",
    ".functionaltests",
    ".acceptancetests",
    ".e2etests",
    ".specs",
];

const TEST_EXTENSIONS: &[&str] = &["bats", "feature", "phpt", "robot", "slt", "t"];

const SNAPSHOT_EXTENSIONS: &[&str] = &["snap", "ambr"];

/// ApprovalTests, Verify, insta's candidates.
const SNAPSHOT_INFIXES: &[&str] = &[".approved.", ".verified.", ".snap."];

/// Recorded results that a person or a flag of the test writes.
fn is_golden(name: &Name) -> bool {
    name.extension() == b"golden" || contains(name.base(), b".golden.")
}

/// Ends of a stem that make a test of a file in any language.
const TEST_STEM_ENDS: &[&str] = &[
    "_test",
    "_tests",
    "-test",
    "-tests",
    ".test",
    ".tests",
    ".spec",
    ".specs",
    "_unittest",
    "_unittests",
    ".test-d",
    ".e2e-spec",
    "_integration_test",
];

/// A recorded result of a snapshot-testing runner, which the runner itself writes.
pub(in crate::rules) fn is_snapshot(name: &Name) -> bool {
    among(name.extension(), SNAPSHOT_EXTENSIONS)
        || SNAPSHOT_INFIXES
            .iter()
            .any(|infix| contains(name.base(), infix.as_bytes()))
        || name
            .folders()
            .iter()
            .any(|f| among(f, &["__snapshots__", "__image_snapshots__"]))
}

/// A test, or what belongs to one.
pub(in crate::rules) fn is_test(name: &Name) -> bool {
    name.components.iter().any(|part| is_test_folder(part))
        || is_in_spec_folder(name)
        || is_camel_test_folder(name)
        || among(name.extension(), TEST_EXTENSIONS)
        || is_snapshot(name)
        || is_golden(name)
        || name
            .language()
            .is_some_and(|language| is_test_name(name, language))
}

fn is_test_folder(component: &[u8]) -> bool {
    among(component, TEST_FOLDERS) || ends_with_any(component, TEST_FOLDER_ENDS)
}

/// `spec/` holds tests, their helpers and fixtures, but prose in it is prose; `specs/` is as often
/// a folder of written specifications, so only code in it is a test.
fn is_in_spec_folder(name: &Name) -> bool {
    let in_folder = |wanted: &[u8]| name.folders().iter().any(|part| part == wanted);
    let is_the_folder = name.components.len() == 1 && name.base() == b"spec";
    is_the_folder
        || (in_folder(b"spec") && !is_docs(name))
        || (in_folder(b"specs") && name.language().is_some())
}

/// `MyAppTests/` and `MyAppUITests/`, as Xcode and .NET name them.
fn is_camel_test_folder(name: &Name) -> bool {
    name.spelt
        .iter()
        .any(|part| has_camel_end(part, &["Tests"]))
}

fn is_test_name(name: &Name, language: Language) -> bool {
    let (stem, own) = (name.stem(), language.test_names());
    ends_with_any(stem, TEST_STEM_ENDS)
        || ends_with_any(stem, own.ends)
        || starts_with_any(stem, own.starts)
        || stem == b"tests"
        || (stem == b"test" && name.folders().is_empty())
        || among(stem, own.stems)
        || has_camel_end(name.spelt_stem(), own.camel_ends)
        || has_camel_start(name.spelt_stem(), own.camel_starts)
}

/// `FooTest` and `HTTPTest`; an ending all in capitals (`FooIT`) needs a small letter before it.
fn has_camel_end(stem: &[u8], ends: &[&str]) -> bool {
    ends.iter().any(|end| {
        let before = stem.strip_suffix(end.as_bytes()).and_then(<[u8]>::last);
        match before {
            None => false,
            Some(last) if end.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase) => {
                last.is_ascii_lowercase() || last.is_ascii_digit()
            }
            Some(_) => true,
        }
    })
}

fn has_camel_start(stem: &[u8], starts: &[&str]) -> bool {
    starts.iter().any(|start| {
        let mut rest = stem
            .strip_prefix(start.as_bytes())
            .unwrap_or_default()
            .iter();
        let first_is_capital = rest.next().is_some_and(u8::is_ascii_uppercase);
        first_is_capital && rest.next().is_some_and(u8::is_ascii_lowercase)
    })
}
