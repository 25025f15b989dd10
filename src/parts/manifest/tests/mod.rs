//! Tables of real manifests and of changes to them.

mod changes;
mod changes_of_lines;
mod samples;
mod take;

use super::*;

/// The parts that differ, as letters: dependencies, steering, about.
fn parts_of(change: &ManifestChange) -> String {
    let letters = [
        (change.dependencies, 'd'),
        (change.steering, 's'),
        (change.about, 'a'),
    ];
    letters
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, letter)| letter)
        .collect()
}

/// What a change of a text in a sample comes to.
fn parts_after(path: &str, sample: &str, old: &str, new: &str) -> String {
    assert!(sample.contains(old), "{path} does not hold {old}");
    let changed = sample.replacen(old, new, 1);
    let change = compare(
        path.as_bytes(),
        Some(sample.as_bytes()),
        Some(changed.as_bytes()),
    );
    parts_of(&change.unwrap_or_else(|error| panic!("{path}: {error}\n{changed}")))
}

/// Each row: a text of the sample, what takes its place, the parts that differ.
type Row = (&'static str, &'static str, &'static str);

fn check(path: &str, sample: &str, table: &[Row]) {
    for (old, new, expected) in table {
        let found = parts_after(path, sample, old, new);
        assert_eq!(found, *expected, "{path}: {old:?} to {new:?}");
    }
}

#[test]
fn manifests_and_lock_files_are_known_by_name() {
    for path in [
        "package.json",
        "web/package.json",
        "pyproject.toml",
        "Cargo.toml",
        "Pipfile",
        "setup.cfg",
        "pom.xml",
        "build.gradle",
        "app/build.gradle.kts",
        "settings.gradle",
        "gradle/libs.versions.toml",
        "go.mod",
        "go.work",
        "composer.json",
        "Gemfile",
        "shop.gemspec",
        "Makefile",
        "GNUmakefile",
        "rules.mk",
        "deno.jsonc",
        "gradle.properties",
    ] {
        assert!(is_manifest(path.as_bytes()), "{path}");
        assert!(!is_lock_file(path.as_bytes()), "{path}");
    }
    for path in [
        "Cargo.lock",
        "package-lock.json",
        "a/yarn.lock",
        "pnpm-lock.yaml",
        "poetry.lock",
        "uv.lock",
        "Pipfile.lock",
        "go.sum",
        "composer.lock",
        "Gemfile.lock",
        "bun.lockb",
        "deno.lock",
        "gradle.lockfile",
    ] {
        assert!(is_lock_file(path.as_bytes()), "{path}");
        assert!(!is_manifest(path.as_bytes()), "{path}");
    }
    for path in [
        "requirements.txt",
        "requirements-dev.txt",
        "requirements/test.txt",
        "constraints.txt",
    ] {
        assert!(is_dependency_list(path.as_bytes()), "{path}");
    }
    for path in [
        "src/lock.rs",
        "data.json",
        "tsconfig.json",
        "notes.txt",
        "my_package.json",
    ] {
        assert!(
            !is_manifest(path.as_bytes())
                && !is_lock_file(path.as_bytes())
                && !is_dependency_list(path.as_bytes()),
            "{path}"
        );
    }
}

#[test]
fn a_manifest_is_split_into_its_parts() {
    let split = split(b"pyproject.toml", samples::PYPROJECT.as_bytes()).expect("it is read");
    let names =
        |entries: &Entries| -> Vec<String> { entries.keys().map(|key| key.join(".")).collect() };
    assert!(names(&split.steering).contains(&"tool.pytest.ini_options.addopts".to_owned()));
    assert!(names(&split.dependencies).contains(&"project.dependencies".to_owned()));
    assert!(names(&split.about).contains(&"project.version".to_owned()));
    assert_eq!(super::split(b"notes.txt", b"x"), None);
    assert_eq!(super::split(b"package.json", b"{"), None);
}

#[test]
fn layout_and_comments_are_no_change() {
    for (path, sample) in samples::ALL {
        let spread = match *path {
            // Trailing blanks belong to the value of a property.
            "Makefile" | "gradle.properties" | ".npmrc" => sample
                .replace('\n', "\n\n")
                .replace("\n\n\t", "\n\t")
                .replace("\\\n\n", "\\\n"),
            _ => sample.replace('\n', " \n"),
        };
        let change = compare(
            path.as_bytes(),
            Some(sample.as_bytes()),
            Some(spread.as_bytes()),
        );
        assert_eq!(change, Ok(ManifestChange::default()), "{path}");
        let with_comment = match *path {
            "package.json" | "composer.json" | "deno.json" => continue,
            path if path.ends_with("gradle") || path.starts_with("go.") => {
                format!("// why\n{sample}")
            }
            "pom.xml" => sample.replacen("</project>", "<!-- why -->\n</project>", 1),
            _ => format!("# why\n{sample}"),
        };
        let change = compare(
            path.as_bytes(),
            Some(sample.as_bytes()),
            Some(with_comment.as_bytes()),
        );
        assert_eq!(change, Ok(ManifestChange::default()), "{path}");
    }
}

#[test]
fn what_cannot_be_read_is_told_with_its_line() {
    let table: &[(&str, &str, usize)] = &[
        ("package.json", "{\n  \"a\": 1,\n  \"b\": }\n", 3),
        ("package.json", "[]", 1),
        ("package.json", "", 1),
        ("package.json", "{} x", 1),
        ("composer.json", "{\n \"a\": 1,\n}\n", 2),
        ("Cargo.toml", "[package]\nname = \n", 2),
        ("pyproject.toml", "[project\n", 1),
        ("pyproject.toml", "[a]\nx = 1\nx = 2\n", 3),
        ("setup.cfg", "[metadata]\nname = x\n???\n", 3),
        ("setup.cfg", "name = x\n", 1),
        ("pom.xml", "<project>\n<build>\n</project>\n", 3),
        ("pom.xml", "<project>\n<build>", 2),
        ("go.mod", "module x\n<<<<<<< HEAD\n", 2),
        ("go.mod", "module x\nrequire (\n a v1\n", 4),
        ("build.gradle", "test {\n", 2),
        ("build.gradle", "}\n", 1),
        ("Makefile", "all:\nendif\n", 2),
    ];
    for (path, text, line) in table {
        let error = compare(path.as_bytes(), Some(b"x"), Some(text.as_bytes())).expect_err(path);
        assert_eq!(error.line, *line, "{path}: {text}: {error}");
        assert!(!error.reason.is_empty());
        assert_eq!(
            with_steering_of(path.as_bytes(), text.as_bytes(), text.as_bytes()),
            None
        );
    }
    let error = compare(b"Cargo.toml", None, Some(b"a = 1\nb = '\xff'\n")).expect_err("not UTF-8");
    assert_eq!(error.line, 2);
    // The same bytes are no change, and what is gone need not be read.
    assert_eq!(
        compare(b"package.json", Some(b"{"), Some(b"{")),
        Ok(ManifestChange::default())
    );
    let gone = compare(b"package.json", Some(b"{"), None).expect("nothing has to be read");
    assert_eq!(parts_of(&gone), "a");
}

#[test]
fn nesting_without_end_is_refused() {
    let deep = 100_000;
    let json = format!("{{\"a\":{}", "[".repeat(deep));
    assert!(compare(b"package.json", None, Some(json.as_bytes())).is_err());
    let toml = format!("a = {}", "[".repeat(deep));
    assert!(compare(b"Cargo.toml", None, Some(toml.as_bytes())).is_err());
    let xml = "<a>".repeat(deep);
    assert!(compare(b"pom.xml", None, Some(xml.as_bytes())).is_err());
    let gradle = "{".repeat(deep);
    assert!(compare(b"build.gradle", None, Some(gradle.as_bytes())).is_err());
}

#[test]
fn cut_off_anywhere_a_manifest_is_read_or_refused() {
    for (path, sample) in samples::ALL {
        for end in 0..=sample.len() {
            let cut = &sample.as_bytes()[..end];
            let _ = compare(path.as_bytes(), Some(sample.as_bytes()), Some(cut));
            let _ = with_steering_of(path.as_bytes(), cut, sample.as_bytes());
            let _ = with_steering_of(path.as_bytes(), sample.as_bytes(), cut);
        }
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(
        at in 0..samples::ALL.len(),
        cut in 0usize..400,
        middle in "[\\PC\n\t]{0,40}",
        skip in 0usize..40,
    ) {
        let (path, sample) = samples::ALL[at];
        let chars: Vec<char> = sample.chars().collect();
        let cut = cut.min(chars.len());
        let text: String = chars[..cut].iter().copied().chain(middle.chars()).chain(chars.iter().skip(cut + skip).copied()).collect();
        let _ = split(path.as_bytes(), text.as_bytes());
        let _ = compare(path.as_bytes(), Some(sample.as_bytes()), Some(text.as_bytes()));
        if let Some(made) = with_steering_of(path.as_bytes(), text.as_bytes(), sample.as_bytes()) {
            let change = compare(path.as_bytes(), Some(sample.as_bytes()), Some(&made)).expect("it is read");
            proptest::prop_assert!(!change.steering, "{:?}", change.steering_keys);
        }
    }
}
