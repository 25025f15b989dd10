//! The packages of a JavaScript workspace that a call of a package manager is about.

use globset::Glob;
use serde_json::Value;

use super::{Call, Place, Search};

/// How many folders `**` stands for at most, one in the other.
const DEPTH: usize = 4;
/// How many packages are looked at.
const PACKAGES: usize = 200;

/// Where a script runs that is asked for in packages of a workspace; empty if the call is about the package
/// it is made in, or if there is no workspace.
pub(super) fn places(search: &Search<'_>, call: &Call<'_>, at: &Place) -> Vec<Place> {
    let wanted = match call.name {
        "npm" if has_any(call, &["--workspaces", "-ws", "--ws"]) => vec!["*"],
        "npm" => call.options(&["--workspace", "-w"]),
        _ if has_any(call, &["--recursive", "-r", "--workspaces"]) => vec!["*"],
        _ => call.options(&["--filter", "-F"]),
    };
    chosen(search, &wanted, at)
}

/// The packages of a workspace with one of the names.
pub(super) fn chosen(search: &Search<'_>, wanted: &[&str], at: &Place) -> Vec<Place> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut places = packages(search, at);
    places.retain(|place| wanted.iter().any(|name| is_meant(search, name, place, at)));
    places
}

fn has_any(call: &Call<'_>, words: &[&str]) -> bool {
    words.iter().any(|word| call.has(word))
}

/// Whether a package has a name, or a place, of this form; pnpm lets dots and braces stand around it.
fn is_meant(search: &Search<'_>, wanted: &str, place: &Place, root: &Place) -> bool {
    let wanted = wanted
        .trim_matches(['.', '^', '{', '}'])
        .trim_start_matches('/');
    let manifest = search.file(place, "package.json").unwrap_or_default();
    let manifest: Value = serde_json::from_str(&manifest).unwrap_or_default();
    let name = manifest
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let folder = place.dir.strip_prefix(&root.dir).unwrap_or(&place.dir);
    wanted == "*"
        || fits(wanted, name)
        || folder.to_str().is_some_and(|folder| fits(wanted, folder))
}

fn packages(search: &Search<'_>, at: &Place) -> Vec<Place> {
    let (left_out, taken): (Vec<String>, Vec<String>) = patterns(search, at)
        .into_iter()
        .partition(|pattern| pattern.starts_with('!'));
    let mut places: Vec<Place> = Vec::new();
    for pattern in taken {
        let names: Vec<&str> = pattern
            .split('/')
            .filter(|name| !matches!(*name, "" | "."))
            .collect();
        expand(search, at.clone(), &names, &mut places);
    }
    places.retain(|place| {
        let folder = place.dir.strip_prefix(&at.dir).unwrap_or(&place.dir);
        let folder = folder.to_string_lossy();
        let is_left_out =
            |pattern: &String| fits(pattern.trim_start_matches(['!', '.', '/']), &folder);
        search.file(place, "package.json").is_some() && !left_out.iter().any(is_left_out)
    });
    places.sort_by(|one, other| one.dir.cmp(&other.dir));
    places.dedup_by(|one, other| one.dir == other.dir);
    places
}

/// The patterns of the folders that packages are in.
fn patterns(search: &Search<'_>, at: &Place) -> Vec<String> {
    let in_json = |file: &str, path: &str| -> Option<Vec<String>> {
        let manifest: Value = serde_json::from_str(&search.file(at, file)?).ok()?;
        let patterns = manifest.pointer(path)?.as_array()?;
        Some(
            patterns
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
        )
    };
    in_json("package.json", "/workspaces")
        .or_else(|| in_json("package.json", "/workspaces/packages"))
        .or_else(|| {
            search
                .file(at, "pnpm-workspace.yaml")
                .map(|yaml| pnpm_patterns(&yaml))
        })
        .or_else(|| in_json("lerna.json", "/packages"))
        .unwrap_or_default()
}

/// The list below `packages:`.
fn pnpm_patterns(yaml: &str) -> Vec<String> {
    yaml.lines()
        .skip_while(|line| line.trim_end() != "packages:")
        .skip(1)
        .map(str::trim)
        .take_while(|line| line.is_empty() || line.starts_with(['-', '#']))
        .filter_map(|line| line.strip_prefix('-'))
        .map(|pattern| pattern.trim().trim_matches(['"', '\'']).to_owned())
        .collect()
}

fn expand(search: &Search<'_>, at: Place, names: &[&str], places: &mut Vec<Place>) {
    if places.len() >= PACKAGES {
        return;
    }
    let Some((name, rest)) = names.split_first() else {
        places.push(at);
        return;
    };
    if *name == "**" {
        expand(search, at.clone(), rest, places);
        if at.dir.iter().count() < DEPTH {
            for folder in search.folders(&at) {
                expand(search, at.in_dir(&folder), names, places);
            }
        }
    } else if name.contains('*') {
        for folder in search
            .folders(&at)
            .iter()
            .filter(|folder| fits(name, folder))
        {
            expand(search, at.in_dir(folder), rest, places);
        }
    } else {
        expand(search, at.in_dir(name), rest, places);
    }
}

/// Whether a text has the form of a pattern in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    Glob::new(pattern).is_ok_and(|glob| glob.compile_matcher().is_match(text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Files, search};
    use super::*;

    #[test]
    fn scripts_of_a_workspace_are_looked_up_in_its_packages() {
        const PACKAGES: Files = &[
            (
                "package.json",
                r#"{"workspaces":["packages/*","!packages/old"],"scripts":{"test":"npm test -ws"}}"#,
            ),
            ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n"),
            (
                "packages/a/package.json",
                r#"{"name":"@x/a","scripts":{"test":"vitest run"}}"#,
            ),
            (
                "packages/b/package.json",
                r#"{"name":"bee","scripts":{"test":"mocha","unit":"jest"}}"#,
            ),
            ("packages/old/package.json", r#"{"scripts":{"test":"ava"}}"#),
            ("packages/readme.md", ""),
        ];
        let cases: &[(&str, &[(&str, &str)])] = &[
            (
                "npm test",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            (
                "npm test --workspaces",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            (
                "npm run test -ws --if-present",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            ("npm run unit -ws --if-present", &[("jest", "packages/b")]),
            ("npm test -w bee", &[("mocha", "packages/b")]),
            (
                "npm test --workspace=packages/a -w bee",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            (
                "pnpm -r test",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            ("pnpm --filter '@x/*' test", &[("vitest", "packages/a")]),
            (
                "pnpm --filter ./packages/b run unit",
                &[("jest", "packages/b")],
            ),
            ("pnpm -r exec vitest run", &[("vitest", "")]),
            (
                "yarn workspaces run test",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            (
                "yarn workspaces foreach -A run test",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            ("yarn workspace bee test", &[("mocha", "packages/b")]),
            (
                "bun run --filter '*' test",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
            (
                "lerna run test",
                &[("vitest", "packages/a"), ("mocha", "packages/b")],
            ),
        ];
        for (command, expected) in cases {
            let found = search(command, PACKAGES);
            let found: Vec<(&str, &str)> = (found.iter())
                .map(|found| (found.runner.name, found.dir.to_str().expect("it is text")))
                .collect();
            assert_eq!(found, *expected, "{command}");
        }
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, expected) in [
            ("*", "a", true),
            ("a", "a", true),
            ("a", "ab", false),
            ("@x/*", "@x/a", true),
            ("app-*-web", "app-1-web", true),
            ("app-*-web", "app-web", false),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn patterns_of_pnpm() {
        let yaml = "catalog: {}\npackages:\n  # ours\n  - 'packages/*'\n  - \"!**/old\"\n- apps/web\nonlyBuilt:\n  - x\n";
        assert_eq!(pnpm_patterns(yaml), ["packages/*", "!**/old", "apps/web"]);
    }
}
