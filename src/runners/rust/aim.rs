//! Which targets of a Rust package hold the wanted tests, and what they are called in them.
//!
//! A package is never named to cargo: that would change the features that its dependencies are built with.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::runners::aim::{Aim, Selection, Wanted, names};
use crate::runners::command::Found;

/// A wanted test of a target.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    /// The name of the test binary, without its hash.
    binary: String,
    /// Whether the binary has a main function of its own and knows no names of tests.
    own_main: bool,
    /// The name as libtest gave it; may be empty.
    exact: String,
    /// The module that its file is.
    module: String,
    /// Its name, with the modules in that file around it.
    inner: String,
}

/// What `cargo test` and nextest are told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CargoAim {
    /// Options that choose targets; empty if one of them is not known.
    targets: BTreeSet<Vec<String>>,
    lines: Vec<Line>,
    /// Words in the names of wanted doctests.
    doctests: Vec<String>,
}

impl CargoAim {
    pub(crate) fn of(aim: &Aim<'_>, found: &Found) -> CargoAim {
        CargoAim::new(aim.selection, &aim.dir, found)
    }

    fn new(selection: &Selection, dir: &Path, found: &Found) -> CargoAim {
        let mut aim = CargoAim::default();
        let mut all_known = true;
        for wanted in &selection.tests {
            if wanted.id.starts_with("doc ") {
                let name = wanted.id.split_once(" > ").map_or("", |(_, name)| name);
                // rustdoc takes the words of a filter for several, and the line is where it stood before.
                let name = name.split(" (line ").next().unwrap_or(name);
                let mut words = name.split_whitespace().filter(|word| *word != "-");
                aim.doctests.extend(words.next_back().map(str::to_owned));
                continue;
            }
            let targets = targets_of(wanted, dir);
            all_known &= !targets.is_empty();
            for target in targets {
                aim.lines.push(target.line(wanted));
                aim.targets.insert(target.option);
            }
        }
        if !all_known || chooses_targets(&found.words) {
            aim.targets.clear();
            if !all_known {
                let any = Target::default();
                aim.lines = selection.tests.iter().map(|one| any.line(one)).collect();
            }
        }
        aim
    }

    /// The options that choose targets, as words for a shell.
    pub(crate) fn targets(&self) -> String {
        let words: Vec<&str> = self.targets.iter().flatten().map(String::as_str).collect();
        words.join(" ")
    }

    /// The names of the wanted doctests, for a shell.
    pub(crate) fn doctests(&self) -> String {
        let quoted = self.doctests.iter().map(|name| shell_quoted(name));
        quoted.collect::<Vec<_>>().join(" ")
    }

    /// Whether anything but doctests is wanted.
    pub(crate) fn has_tests(&self) -> bool {
        !self.lines.is_empty() || self.doctests.is_empty()
    }

    /// The wanted tests for the program that starts test binaries: one a line, fields between tabs.
    pub(crate) fn table(&self) -> String {
        let mut table = String::new();
        for line in &self.lines {
            let own_main = if line.own_main { "main" } else { "" };
            let fields = [
                &line.binary,
                own_main,
                &line.exact,
                &line.module,
                &line.inner,
            ];
            writeln!(table, "{}", fields.join("\t")).expect("a string takes every write");
        }
        table
    }

    /// The same as an expression for nextest.
    pub(crate) fn filterset(&self) -> String {
        let mut parts = Vec::new();
        for line in &self.lines {
            let has = |name: &str| format!("test(/(^|::){}(::|$)/)", names::escaped(name));
            let below = |module: &str| format!("test(/^{}::/)", names::escaped(module));
            parts.push(
                match (
                    line.exact.as_str(),
                    line.module.as_str(),
                    line.inner.as_str(),
                ) {
                    ("", "", "") => "all()".to_owned(),
                    ("", module, "") => below(module),
                    ("", "", inner) => has(inner),
                    ("", module, inner) => format!("({} & {})", below(module), has(inner)),
                    (exact, _, _) => has(exact),
                },
            );
        }
        parts.join(" | ")
    }
}

/// Text as one word for a shell.
pub(super) fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn chooses_targets(words: &[String]) -> bool {
    const CHOOSING: [&str; 11] = [
        "--lib",
        "--bin",
        "--bins",
        "--test",
        "--tests",
        "--example",
        "--examples",
        "--bench",
        "--benches",
        "--all-targets",
        "--doc",
    ];
    let words = words.iter().take_while(|word| *word != "--");
    words
        .map(|word| word.split('=').next().unwrap_or(word))
        .any(|word| CHOOSING.contains(&word))
}

/// A target that may hold a test.
#[derive(Debug, Default, PartialEq, Eq)]
struct Target {
    /// How cargo is told to build it alone.
    option: Vec<String>,
    binary: String,
    own_main: bool,
    /// The module that a file is, from the root of the target.
    module: String,
}

impl Target {
    fn line(&self, wanted: &Wanted) -> Line {
        let exact = wanted.id.split_once(" > ").map_or("", |(_, name)| name);
        let exact = names::without_number(exact).to_owned();
        let mut inner: Vec<&str> = wanted.path.iter().map(String::as_str).collect();
        if !wanted.name.is_empty() {
            inner.push(&wanted.name);
        }
        Line {
            binary: self.binary.clone(),
            own_main: self.own_main,
            exact,
            module: self.module.clone(),
            inner: inner.join("::"),
        }
    }
}

/// The targets that may hold a wanted test; empty if nothing tells.
fn targets_of(wanted: &Wanted, dir: &Path) -> Vec<Target> {
    // What a report named is the root of a target, and knows better than the file.
    let head = wanted.id.split_once(" > ").map(|(head, _)| head);
    let root = head.filter(|head| head.ends_with(".rs") && dir.join(head).is_file());
    let Some(file) = root.map(str::to_owned).or_else(|| wanted.file.clone()) else {
        return Vec::new();
    };
    let Some((folder, manifest)) = package_of(dir, &file) else {
        return Vec::new();
    };
    let Ok(inside) = Path::new(&file).strip_prefix(&folder) else {
        return Vec::new();
    };
    let package = Package {
        dir: dir.join(&folder),
        manifest,
    };
    package.targets(&inside.to_string_lossy(), root.is_some())
}

/// The nearest package above a file: its folder from the project's, and its manifest.
fn package_of(dir: &Path, file: &str) -> Option<(PathBuf, toml::Table)> {
    Path::new(file).ancestors().skip(1).find_map(|folder| {
        let text = fs::read_to_string(dir.join(folder).join("Cargo.toml")).ok()?;
        let manifest: toml::Table = text.parse().ok()?;
        manifest
            .contains_key("package")
            .then(|| (folder.to_owned(), manifest))
    })
}

struct Package {
    dir: PathBuf,
    manifest: toml::Table,
}

impl Package {
    /// The targets that a file may be part of, by its path in the package.
    fn targets(&self, file: &str, is_root: bool) -> Vec<Target> {
        for (section, option, folder) in [
            ("test", "--test", "tests"),
            ("example", "--example", "examples"),
            ("bin", "--bin", "src/bin"),
        ] {
            if let Some(target) = self.in_folder(section, option, folder, file) {
                return vec![target];
            }
        }
        if !file.starts_with("src/") && self.path_of("lib").is_none() {
            return Vec::new();
        }
        let mut targets = Vec::new();
        let lib = self
            .path_of("lib")
            .unwrap_or_else(|| "src/lib.rs".to_owned());
        if self.dir.join(&lib).is_file() && !(is_root && file != lib) {
            targets.push(self.target(vec!["--lib".into()], &self.lib_name(), false, &lib, file));
        }
        if self.dir.join("src/main.rs").is_file() && !(is_root && file != "src/main.rs") {
            let name = self.name();
            let option = vec!["--bin".into(), name.clone()];
            targets.push(self.target(option, &name, false, "src/main.rs", file));
        }
        targets
    }

    /// The target of one of the folders that cargo looks into, or of a section that names its path.
    fn in_folder(&self, section: &str, option: &str, folder: &str, file: &str) -> Option<Target> {
        let named = self.named(section);
        let of = |name: &str, root: &str| {
            let own = named.iter().find(|table| text(table, "name") == Some(name));
            let own_main = own.is_some_and(|table| {
                table.get("harness").and_then(toml::Value::as_bool) == Some(false)
            });
            let option = vec![option.to_owned(), name.to_owned()];
            self.target(option, name, own_main, root, file)
        };
        let by_path = |is_it: &dyn Fn(&str) -> bool| {
            let mut fitting = named.iter().filter_map(|table| {
                let name = text(table, "name")?;
                let usual = format!("{folder}/{name}.rs");
                let path = text(table, "path").unwrap_or(&usual).to_owned();
                is_it(&path).then(|| of(name, &path))
            });
            let first = fitting.next();
            first.filter(|_| fitting.next().is_none())
        };
        if let Some(target) = by_path(&|path| path == file) {
            return Some(target);
        }
        let rest = file.strip_prefix(&format!("{folder}/"))?;
        match rest.split_once('/') {
            None => {
                let is_automatic = self.is_automatic(section);
                let name = rest.strip_suffix(".rs").filter(|_| is_automatic);
                name.map(|name| of(name, file)).or_else(|| {
                    // A module of the only root beside it.
                    by_path(&|path| Path::new(path).parent() == Path::new(file).parent())
                })
            }
            Some((name, _)) => {
                let root = format!("{folder}/{name}/main.rs");
                if self.dir.join(&root).is_file() {
                    return Some(of(name, &root));
                }
                by_path(&|path| {
                    let parent = Path::new(path).parent();
                    parent.is_some_and(|parent| Path::new(file).starts_with(parent))
                })
            }
        }
    }

    fn target(
        &self,
        option: Vec<String>,
        name: &str,
        own_main: bool,
        root: &str,
        file: &str,
    ) -> Target {
        let folder = Path::new(root).parent().unwrap_or(Path::new(""));
        let module = if root == file {
            String::new()
        } else {
            module_of(
                Path::new(file)
                    .strip_prefix(folder)
                    .unwrap_or(Path::new("")),
            )
        };
        Target {
            option,
            binary: name.replace('-', "_"),
            own_main,
            module,
        }
    }

    fn is_automatic(&self, section: &str) -> bool {
        let switch = format!("auto{section}s");
        let package = self.manifest.get("package");
        let value = package.and_then(|package| package.get(switch.as_str())?.as_bool());
        value.unwrap_or(true)
    }

    fn named(&self, section: &str) -> Vec<&toml::Value> {
        let tables = self.manifest.get(section).and_then(toml::Value::as_array);
        tables.into_iter().flatten().collect()
    }

    fn path_of(&self, section: &str) -> Option<String> {
        text(self.manifest.get(section)?, "path").map(str::to_owned)
    }

    fn name(&self) -> String {
        let package = self.manifest.get("package");
        let name = package.and_then(|package| text(package, "name"));
        name.unwrap_or_default().to_owned()
    }

    fn lib_name(&self) -> String {
        let own = self.manifest.get("lib").and_then(|lib| text(lib, "name"));
        own.map_or_else(|| self.name(), str::to_owned)
    }
}

fn text<'a>(table: &'a toml::Value, key: &str) -> Option<&'a str> {
    table.get(key)?.as_str()
}

/// `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module_of(file: &Path) -> String {
    let mut parts: Vec<String> = (file.with_extension("").iter())
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    parts.pop_if(|last| last == "mod");
    parts.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runners::named;

    fn aim(files: &[(&str, &str)], words: &str, wanted: &[(&str, &str, &str)]) -> CargoAim {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for (file, text) in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a new folder");
            fs::write(path, text).expect("a new file");
        }
        let tests = wanted.iter().map(|(id, file, name)| Wanted {
            id: (*id).to_owned(),
            file: (!file.is_empty()).then(|| (*file).to_owned()),
            name: (*name).to_owned(),
            path: Vec::new(),
        });
        let selection = Selection {
            tests: tests.collect(),
        };
        let found = Found {
            words: words.split(' ').map(str::to_owned).collect(),
            ..Found::of(named("cargo test").expect("it is on the shelf"))
        };
        CargoAim::new(&selection, dir.path(), &found)
    }

    const A: (&str, &str) = ("Cargo.toml", "[package]\nname = 'a-b'\n");
    const ONE_TEST: &str =
        "[package]\nname = 'a'\nautotests = false\n[[test]]\nname = 'it'\npath = 'tests/main.rs'\n";

    #[test]
    fn targets_and_names_of_wanted_tests() {
        let lib = ("src/lib.rs", "");
        let main = ("src/main.rs", "");
        let it = ("tests/it.rs", "");
        let test = "cargo test";
        type Case<'a> = (
            &'a [(&'a str, &'a str)],
            &'a str,
            (&'a str, &'a str, &'a str),
            &'a str,
            &'a str,
        );
        let cases: [Case<'_>; 12] = [
            (
                &[A, lib],
                test,
                ("src/lib.rs > t::x", "src/lib.rs", "x"),
                "--lib",
                "a_b\t\tt::x\t\tx\n",
            ),
            (
                &[A, lib, main],
                test,
                ("src/lib.rs > t::x", "", ""),
                "--lib",
                "a_b\t\tt::x\t\t\n",
            ),
            (
                &[A, lib, main],
                test,
                ("", "src/c/d.rs", "x"),
                "--bin a-b --lib",
                "a_b\t\t\tc::d\tx\na_b\t\t\tc::d\tx\n",
            ),
            (
                &[A, lib, it],
                test,
                ("", "tests/it.rs", "x"),
                "--test it",
                "it\t\t\t\tx\n",
            ),
            (
                &[A, lib, it],
                test,
                ("tests/it.rs > x #2", "tests/it.rs", "x"),
                "--test it",
                "it\t\tx\t\tx\n",
            ),
            (
                &[A, ("tests/big/main.rs", "")],
                test,
                ("", "tests/big/part/mod.rs", ""),
                "--test big",
                "big\t\t\tpart\t\n",
            ),
            (
                &[("Cargo.toml", ONE_TEST), ("tests/main.rs", "")],
                test,
                ("", "tests/part.rs", "x"),
                "--test it",
                "it\t\t\tpart\tx\n",
            ),
            (
                &[
                    (
                        "Cargo.toml",
                        "[package]\nname='a'\n[[test]]\nname='it'\nharness=false\n",
                    ),
                    it,
                ],
                test,
                ("tests/it.rs", "tests/it.rs", ""),
                "--test it",
                "it\tmain\t\t\t\n",
            ),
            // the command says itself which targets
            (
                &[A, lib, it],
                "cargo test --all-targets",
                ("", "tests/it.rs", "x"),
                "",
                "it\t\t\t\tx\n",
            ),
            // nothing tells
            (
                &[A, lib],
                test,
                ("", "tests/common/x.rs", "x"),
                "",
                "\t\t\t\tx\n",
            ),
            (&[lib], test, ("", "src/lib.rs", "x"), "", "\t\t\t\tx\n"),
            (
                &[
                    ("Cargo.toml", "[workspace]"),
                    ("c/Cargo.toml", A.1),
                    ("c/tests/it.rs", ""),
                ],
                test,
                ("c/tests/it.rs > m::x", "c/tests/it.rs", "x"),
                "--test it",
                "it\t\tm::x\t\tx\n",
            ),
        ];
        for (files, words, wanted, targets, table) in cases {
            let aim = aim(files, words, &[wanted]);
            assert_eq!(
                (aim.targets().as_str(), aim.table().as_str()),
                (targets, table),
                "{wanted:?}"
            );
        }
    }

    #[test]
    fn doctests_are_named_without_their_lines() {
        let aim = aim(
            &[A],
            "cargo test",
            &[("doc a > src/lib.rs - f's (line 3)", "", "")],
        );
        assert_eq!(aim.doctests(), r"'f'\''s'");
        assert!(!aim.has_tests());
    }

    #[test]
    fn nextest_gets_an_expression() {
        let aim = aim(
            &[A, ("src/lib.rs", "")],
            "cargo nextest run",
            &[("a-b > t::x", "src/lib.rs", "x")],
        );
        assert_eq!(aim.filterset(), "test(/(^|::)t::x(::|$)/)");
    }
}
