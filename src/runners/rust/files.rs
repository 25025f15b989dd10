//! Where Rust tests live. Cargo names the root of each test binary as seen from its package, and libtest
//! names modules: neither is a file of the project by itself.

use std::fs;
use std::path::{Path, PathBuf};

use crate::rules::verdict::{Report, TestCase};

use crate::runners::cargo_test::{self, with_rooted_cargo_headers};
use crate::runners::command::Found;

/// How far below a workspace its packages are looked for.
const DEPTH: usize = 5;

/// A package, by all the names that its binaries may have.
struct Package {
    names: Vec<String>,
    /// From the root of the project.
    folder: PathBuf,
}

/// The text of `cargo test` with files as seen from the project.
pub(in crate::runners) fn rooted(dir: &Path, found: &[Found], text: &str) -> Option<String> {
    let packages = packages(dir, found);
    if packages
        .iter()
        .all(|package| package.folder.as_os_str().is_empty())
    {
        return None;
    }
    // Cargo tests a package's own code before its folder `tests`.
    let mut before: Option<usize> = None;
    let rooted = with_rooted_cargo_headers(text, &mut |source, binary| {
        let fits: Vec<usize> = (packages.iter().enumerate())
            .filter(|(_, package)| dir.join(&package.folder).join(source).is_file())
            .map(|(at, _)| at)
            .collect();
        let is_named = |at: &&usize| packages.get(**at).is_some_and(|one| one.is_named(binary));
        let at = match fits.as_slice() {
            [only] => *only,
            several => *several
                .iter()
                .find(|at| !source.starts_with("tests/") && is_named(at))
                .or_else(|| several.iter().find(|at| Some(**at) == before))?,
        };
        before = Some(at);
        let path = packages.get(at)?.folder.join(source);
        Some(path.to_string_lossy().into_owned())
    });
    Some(rooted)
}

impl Package {
    fn is_named(&self, binary: &str) -> bool {
        self.names.iter().any(|name| name == binary)
    }
}

fn packages(dir: &Path, found: &[Found]) -> Vec<Package> {
    let mut packages = Vec::new();
    for one in found.iter().filter(|one| *one.runner == cargo_test::RUNNER) {
        let root = one.dir.join(manifest_folder(&one.words));
        let manifest = fs::read_to_string(dir.join(&root).join("Cargo.toml"));
        let is_workspace = manifest.is_ok_and(|manifest| manifest.contains("[workspace"));
        collect(
            dir,
            &root,
            if is_workspace { DEPTH } else { 0 },
            &mut packages,
        );
    }
    packages
}

/// The folder that `--manifest-path` names.
fn manifest_folder(words: &[String]) -> PathBuf {
    let mut rest = words
        .iter()
        .skip_while(|word| !word.starts_with("--manifest-path"));
    let path = rest.next().and_then(|word| match word.split_once('=') {
        Some((_, path)) => Some(path),
        None => rest.next().map(String::as_str),
    });
    path.and_then(|path| Path::new(path).parent())
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

fn collect(dir: &Path, folder: &Path, depth: usize, packages: &mut Vec<Package>) {
    if let Some(names) = package_names(&dir.join(folder).join("Cargo.toml")) {
        let folder = folder.to_owned();
        packages.push(Package { names, folder });
    }
    if depth == 0 {
        return;
    }
    for entry in fs::read_dir(dir.join(folder))
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name();
        let is_skipped = name == "target" || name == "node_modules" || name == "src";
        let is_hidden = name.to_string_lossy().starts_with('.');
        if !is_skipped && !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(dir, &folder.join(name), depth - 1, packages);
        }
    }
}

/// What the binaries of a package may be called; none if it is no package.
fn package_names(manifest: &Path) -> Option<Vec<String>> {
    let manifest: toml::Table = fs::read_to_string(manifest).ok()?.parse().ok()?;
    let name_of = |table: &toml::Value| Some(table.get("name")?.as_str()?.replace('-', "_"));
    let mut names = vec![name_of(manifest.get("package")?)?];
    names.extend(manifest.get("lib").and_then(name_of));
    let binaries = manifest.get("bin").and_then(toml::Value::as_array);
    names.extend(binaries.into_iter().flatten().filter_map(name_of));
    Some(names)
}

/// Names the file of a module where the report names the root of its crate.
pub(super) fn settle(dir: &Path, report: &mut Report) {
    let module_file = |test: &TestCase<'_>| {
        let (_, path) = test.id.split_once(" > ")?;
        file_of_module(dir, test.file?, path)
    };
    let files: Vec<Option<String>> = report.tests.iter().map(|test| module_file(&test)).collect();
    if files.iter().any(Option::is_some) {
        report.tests = (report.tests.iter().zip(&files))
            .map(|(test, file)| TestCase {
                file: file.as_deref().or(test.file),
                ..test
            })
            .collect();
    }
}

/// Follows `module::tests::name` from the root of a crate as far as there are files.
fn file_of_module(dir: &Path, root: &str, path: &str) -> Option<String> {
    let mut folder = Path::new(root).parent()?.to_owned();
    let mut file = None;
    let (modules, _) = path.rsplit_once("::")?;
    for module in modules.split("::") {
        let inside = folder.join(module);
        let places = [folder.join(format!("{module}.rs")), inside.join("mod.rs")];
        let Some(found) = places.into_iter().find(|place| dir.join(place).is_file()) else {
            break;
        };
        file = Some(found.to_string_lossy().into_owned());
        folder = inside;
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runners::{formats, named};

    fn project(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for file in files {
            let path = dir.path().join(file);
            let folder = path.parent().expect("it has one");
            fs::create_dir_all(folder).expect("a new folder");
            let package = folder.file_name().expect("a name").to_string_lossy();
            let content = match file.split_once('/') {
                None => "[workspace]\nmembers = [\"crates/*\"]\n".to_owned(),
                Some(_) => format!("[package]\nname = \"{package}\"\n"),
            };
            fs::write(path, content).expect("a new file");
        }
        dir
    }

    fn runner() -> &'static crate::runners::Runner {
        named("cargo test").expect("it is on the shelf")
    }

    fn cargo_test() -> Found {
        Found {
            words: vec!["cargo".into(), "test".into()],
            ..Found::of(runner())
        }
    }

    const WORKSPACE: [&str; 8] = [
        "Cargo.toml",
        "crates/a/Cargo.toml",
        "crates/a/src/lib.rs",
        "crates/a/tests/it.rs",
        "crates/b-b/Cargo.toml",
        "crates/b-b/src/lib.rs",
        "crates/b-b/src/deep/inner.rs",
        "crates/b-b/tests/it.rs",
    ];

    fn ids_and_files(dir: &Path, text: &str) -> Vec<(String, Option<String>)> {
        let text = rooted(dir, &[cargo_test()], text).expect("a workspace");
        let mut report = formats::read_text(runner(), &text).expect("its output");
        settle(dir, &mut report);
        let tests = report.tests.iter();
        tests
            .map(|test| (test.id.to_owned(), test.file.map(str::to_owned)))
            .collect()
    }

    #[test]
    fn tests_of_the_same_name_are_told_apart_by_their_package() {
        let dir = project(&WORKSPACE);
        let block = |header: &str| {
            format!(
                "     Running {header}\n\nrunning 1 test\ntest x ... ok\n\n\
                 test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n"
            )
        };
        let text = [
            "unittests src/lib.rs (target/debug/deps/a-0123456789abcdef)",
            "tests/it.rs (target/debug/deps/it-0123456789abcdef)",
            "unittests src/lib.rs (target/debug/deps/b_b-0123456789abcdef)",
            "tests/it.rs (target/debug/deps/it-1123456789abcdef)",
        ]
        .map(block)
        .concat();
        let ids: Vec<String> = ids_and_files(dir.path(), &text)
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        assert_eq!(
            ids,
            [
                "crates/a/src/lib.rs > x",
                "crates/a/tests/it.rs > x",
                "crates/b-b/src/lib.rs > x",
                "crates/b-b/tests/it.rs > x",
            ]
        );
    }

    #[test]
    fn a_test_lives_in_the_file_of_its_module() {
        let dir = project(&WORKSPACE);
        fs::write(dir.path().join("crates/b-b/src/deep.rs"), "").expect("a new file");
        let text = "     Running unittests src/lib.rs (target/debug/deps/b_b-0123456789abcdef)\n\n\
            running 3 tests\ntest deep::inner::tests::x ... ok\ntest deep::y ... ok\ntest tests::z ... ok\n\n\
            test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        let files: Vec<_> = ids_and_files(dir.path(), text)
            .into_iter()
            .filter_map(|(_, file)| file)
            .collect();
        assert_eq!(
            files,
            [
                "crates/b-b/src/deep/inner.rs",
                "crates/b-b/src/deep.rs",
                "crates/b-b/src/lib.rs",
            ]
        );
    }

    #[test]
    fn a_package_at_the_root_has_the_files_that_cargo_names() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        fs::write(dir.path().join("Cargo.toml"), "[package]\nname = \"a\"\n").expect("a new file");
        assert_eq!(rooted(dir.path(), &[cargo_test()], "x"), None);
    }
}
