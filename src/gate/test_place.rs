//! Where the test of a source file belongs, by the project's own pattern.

use crate::languages::Language;
use crate::outcome::gate::TestPlace;

/// What test files are called: around the name of what they test.
const AFFIXES: &[(&str, &str)] = &[
    ("test_", ""),
    ("", "_test"),
    ("", "_spec"),
    ("", ".test"),
    ("", ".spec"),
    ("", "Tests"),
    ("", "Test"),
    ("", "Spec"),
];

/// A path in pieces.
struct Name<'p> {
    folder: &'p str,
    stem: &'p str,
    ending: &'p str,
}

impl<'p> Name<'p> {
    fn of(path: &'p str) -> Name<'p> {
        let (folder, base) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, ending) = base.rsplit_once('.').unwrap_or((base, ""));
        let (_, parent) = folder.rsplit_once('/').unwrap_or(("", folder));
        let stem = match stem {
            "__init__" if !parent.is_empty() => parent,
            stem => stem,
        };
        Name {
            folder,
            stem,
            ending,
        }
    }

    /// The affixes of a test file, and what is left of its name.
    fn taken_apart(&self) -> Option<(&'static str, &'static str, &'p str)> {
        AFFIXES.iter().find_map(|(before, after)| {
            let core = self.stem.strip_prefix(before)?.strip_suffix(after)?;
            (!core.is_empty()).then_some((*before, *after, core))
        })
    }
}

/// Where a test of `source` belongs, beside the test files that are known.
pub(super) fn test_place<'k>(source: &str, known: impl Iterator<Item = &'k str>) -> TestPlace {
    let own = Name::of(source);
    if Language::of_path(source.as_bytes()).is_some_and(Language::tests_stand_in_source) {
        return TestPlace::Inside(source.to_owned());
    }
    let alike: Vec<&str> = known
        .filter(|path| is_like(Name::of(path).ending, own.ending))
        .collect();
    let is_its_own = |path: &&&str| {
        let name = Name::of(path);
        let core = name.taken_apart().map_or(name.stem, |(_, _, core)| core);
        core.eq_ignore_ascii_case(own.stem)
    };
    if let Some(path) = alike.iter().find(is_its_own) {
        return TestPlace::File((*path).to_owned());
    }
    let nearest = alike.iter().max_by_key(|path| in_common(path, source));
    match nearest.and_then(|path| like(&own, path)) {
        Some(path) => TestPlace::File(path),
        None => by_custom(&own),
    }
}

/// Named and placed as another test is.
fn like(own: &Name<'_>, test: &str) -> Option<String> {
    let other = Name::of(test);
    let (before, after, _) = other.taken_apart()?;
    let is_apart = is_test_folder(other.folder);
    let folder = match is_apart {
        true if other.folder.contains("src/test/") => {
            own.folder.replacen("src/main", "src/test", 1)
        }
        true => other.folder.to_owned(),
        false => own.folder.to_owned(),
    };
    Some(joined(
        &folder,
        &format!("{before}{}{after}.{}", own.stem, other.ending),
    ))
}

fn is_test_folder(folder: &str) -> bool {
    let names = ["test", "tests", "spec", "specs", "__tests__"];
    folder.split('/').any(|part| names.contains(&part))
}

/// What people do in a language, where the project has no test to go by.
fn by_custom(own: &Name<'_>) -> TestPlace {
    let place = Language::of_extension(own.ending.as_bytes())
        .and_then(|language| language.test_place(own.folder, own.stem, own.ending));
    place.map_or(TestPlace::Anywhere, TestPlace::File)
}

/// Endings of one language count as one.
fn is_like(one: &str, other: &str) -> bool {
    let language = Language::of_extension(one.as_bytes());
    one == other || language.is_some() && language == Language::of_extension(other.as_bytes())
}

fn joined(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// How much of their beginning two paths share.
fn in_common(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_belongs_where_the_project_has_its_tests() {
        for (source, known, expected) in [
            ("shop/tax.py", "", "tests/test_tax.py"),
            (
                "shop/tax.py",
                "tests/unit/test_money.py",
                "tests/unit/test_tax.py",
            ),
            (
                "shop/tax.py",
                "tests/unit/test_tax.py",
                "tests/unit/test_tax.py",
            ),
            (
                "shop/tax/__init__.py",
                "tests/test_money.py",
                "tests/test_tax.py",
            ),
            ("shop/tax.py", "shop/money_test.py", "shop/tax_test.py"),
            ("src/tax.ts", "src/money.spec.ts", "src/tax.spec.ts"),
            ("src/tax.ts", "test/money.test.ts", "test/tax.test.ts"),
            ("src/tax.ts", "tests/test_money.py", "src/tax.test.ts"),
            ("tax.go", "money_test.go", "tax_test.go"),
            ("a/tax.go", "", "a/tax_test.go"),
            (
                "src/main/java/shop/Tax.java",
                "src/test/java/shop/MoneyTest.java",
                "src/test/java/shop/TaxTest.java",
            ),
            ("lib/tax.rb", "spec/money_spec.rb", "spec/tax_spec.rb"),
            ("src/Tax.php", "", "tests/TaxTest.php"),
        ] {
            let known = known.split_whitespace();
            let expected = TestPlace::File(expected.to_owned());
            assert_eq!(test_place(source, known), expected, "{source}");
        }
        let inside = TestPlace::Inside("src/tax.rs".into());
        assert_eq!(test_place("src/tax.rs", std::iter::empty()), inside);
        assert_eq!(
            test_place("tax.hs", std::iter::empty()),
            TestPlace::Anywhere
        );
    }
}
