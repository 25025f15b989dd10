//! Which packages of Go hold the wanted tests, and the pattern for their names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::runners::aim::{Aim, Selection, Wanted, names};

/// What `go test` is told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct GoAim {
    /// By import path and folder; either may be empty.
    packages: BTreeSet<(String, String)>,
    /// The names of top-level tests.
    tests: BTreeSet<String>,
}

impl GoAim {
    pub(crate) fn of(aim: &Aim<'_>) -> GoAim {
        GoAim::new(aim.selection, &aim.dir)
    }

    fn new(selection: &Selection, dir: &Path) -> GoAim {
        let mut aim = GoAim::default();
        for wanted in &selection.tests {
            let import = wanted.id.split_once(" > ").map_or("", |(head, _)| head);
            let in_file = wanted.file.as_deref().map(|file| package_of(dir, file));
            let (by_file, folder) = in_file.unwrap_or_default();
            let import = if import.is_empty() {
                by_file
            } else {
                import.to_owned()
            };
            if !import.is_empty() || !folder.is_empty() {
                aim.packages.insert((import, folder));
            }
            aim.tests.extend(tests_of(wanted, dir));
        }
        aim
    }

    /// One package a line: import path, tab, folder.
    pub(crate) fn table(&self) -> String {
        let line = |(import, folder): &(String, String)| format!("{import}\t{folder}\n");
        self.packages.iter().map(line).collect()
    }

    /// The value of `-run`.
    pub(crate) fn pattern(&self) -> String {
        let names: Vec<String> = self.tests.iter().map(|name| names::escaped(name)).collect();
        format!("^({})$", names.join("|"))
    }
}

/// The top-level tests to run for a wanted one.
fn tests_of(wanted: &Wanted, dir: &Path) -> Vec<String> {
    static TEST: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^func ((?:Test|Example|Fuzz)\w*)\(").expect("the pattern is constant")
    });
    let by_id = wanted.id.split_once(" > ").map(|(_, name)| name);
    let outermost = wanted.path.first().unwrap_or(&wanted.name);
    let name = by_id
        .unwrap_or(outermost)
        .split('/')
        .next()
        .unwrap_or_default();
    if !name.is_empty() {
        return vec![names::without_number(name).to_owned()];
    }
    let file = wanted.file.as_deref().unwrap_or_default();
    let text = fs::read_to_string(dir.join(file)).unwrap_or_default();
    TEST.captures_iter(&text)
        .map(|found| found[1].to_owned())
        .collect()
}

/// The import path and the folder of the package that a file is part of.
fn package_of(dir: &Path, file: &str) -> (String, String) {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let absolute = dir
        .join(folder)
        .to_string_lossy()
        .trim_end_matches('/')
        .to_owned();
    let module = folder.ancestors().find_map(|above| {
        let text = fs::read_to_string(dir.join(above).join("go.mod")).ok()?;
        let name = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("module "))?;
        let inside = folder
            .strip_prefix(above)
            .ok()?
            .to_string_lossy()
            .into_owned();
        let name = name
            .split("//")
            .next()
            .unwrap_or(name)
            .trim()
            .trim_matches('"');
        Some(match inside.as_str() {
            "" => name.to_owned(),
            inside => format!("{name}/{inside}"),
        })
    });
    (module.unwrap_or_default(), absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_names_of_wanted_tests() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path();
        fs::create_dir_all(root.join("in/b")).expect("a new folder");
        fs::write(
            root.join("go.mod"),
            "module example.com/m // x\n\ngo 1.19\n",
        )
        .expect("a new file");
        let text = "package b\nfunc TestÄ(t *testing.T) {}\nfunc help() {}\nfunc ExampleB() {}\n";
        fs::write(root.join("in/b/b_test.go"), text).expect("a new file");
        let wanted = |id: &str, file: &str, name: &str| Wanted {
            id: id.to_owned(),
            file: (!file.is_empty()).then(|| file.to_owned()),
            name: name.to_owned(),
            path: Vec::new(),
        };
        let here = root.to_string_lossy();
        for (one, table, pattern) in [
            (
                wanted("example.com/m/a > TestA/sub_1", "a/a_test.go", "TestA"),
                format!("example.com/m/a\t{here}/a\n"),
                "^(TestA)$",
            ),
            (
                wanted("", "x_test.go", "TestX"),
                format!("example.com/m\t{here}\n"),
                "^(TestX)$",
            ),
            (
                wanted("", "in/b/b_test.go", ""),
                format!("example.com/m/in/b\t{here}/in/b\n"),
                "^(ExampleB|TestÄ)$",
            ),
            (
                wanted("example.com/m > TestY", "", ""),
                "example.com/m\t\n".into(),
                "^(TestY)$",
            ),
        ] {
            let tests = vec![one];
            let aim = GoAim::new(&Selection { tests }, root);
            assert_eq!((aim.table(), aim.pattern().as_str()), (table, pattern));
        }
    }
}
