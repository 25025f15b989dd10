//! Node: which program installs packages and runs scripts, and where tests are.

use super::{Offer, Place, Strength};

pub(crate) const LANGUAGE: &str = "javascript";

/// The program that installs packages and runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

impl Manager {
    fn named(name: &str) -> Option<Manager> {
        match name {
            "npm" => Some(Manager::Npm),
            "pnpm" => Some(Manager::Pnpm),
            "yarn" => Some(Manager::Yarn),
            "bun" => Some(Manager::Bun),
            _ => None,
        }
    }

    /// What package.json says, else whose lock file is there; a workspace has both at its root.
    pub(crate) fn of(place: &Place<'_>) -> Manager {
        let here = || Self::declared(place).or_else(|| Self::locked(place));
        let above = || {
            let root = place.root();
            Self::declared(&root).or_else(|| Self::locked(&root))
        };
        here().or_else(above).unwrap_or(Manager::Npm)
    }

    fn declared(place: &Place<'_>) -> Option<Manager> {
        let package = place.json("package.json")?;
        let field = package["packageManager"].as_str();
        let field = field.and_then(|field| field.split('@').next());
        let engine = || package["devEngines"]["packageManager"]["name"].as_str();
        Manager::named(field.or_else(engine)?)
    }

    fn locked(place: &Place<'_>) -> Option<Manager> {
        let locks = [
            ("pnpm-lock.yaml", Manager::Pnpm),
            ("pnpm-workspace.yaml", Manager::Pnpm),
            ("yarn.lock", Manager::Yarn),
            ("bun.lock", Manager::Bun),
            ("bun.lockb", Manager::Bun),
            ("package-lock.json", Manager::Npm),
            ("npm-shrinkwrap.json", Manager::Npm),
            ("bunfig.toml", Manager::Bun),
        ];
        let lock = locks.iter().find(|(file, _)| place.exists(file))?;
        Some(lock.1)
    }

    /// Runs a script of package.json.
    pub(crate) fn script(self, name: &str) -> String {
        match (self, name) {
            (Manager::Npm, "test") => "npm test".to_owned(),
            (Manager::Pnpm, "test") => "pnpm test".to_owned(),
            (Manager::Yarn, _) => format!("yarn {name}"),
            (Manager::Npm, _) => format!("npm run {name}"),
            (Manager::Pnpm, _) => format!("pnpm run {name}"),
            // `bun test` is its own runner, not the script.
            (Manager::Bun, _) => format!("bun run {name}"),
        }
    }

    /// Runs a program of an installed package.
    pub(crate) fn exec(self, program: &str) -> String {
        match self {
            Manager::Npm => format!("npx {program}"),
            Manager::Pnpm => format!("pnpm exec {program}"),
            Manager::Yarn => format!("yarn {program}"),
            Manager::Bun => format!("bunx {program}"),
        }
    }

    /// Runs the script `test` of every package of a workspace.
    pub(crate) fn everywhere(self, place: &Place<'_>) -> &'static str {
        match self {
            Manager::Npm => "npm test --workspaces --if-present",
            Manager::Pnpm => "pnpm -r test",
            Manager::Yarn if is_new_yarn(place) => "yarn workspaces foreach -A run test",
            Manager::Yarn => "yarn workspaces run test",
            Manager::Bun => "bun run --filter '*' test",
        }
    }
}

/// Whether yarn is a version after 1, which has other commands for workspaces.
fn is_new_yarn(place: &Place<'_>) -> bool {
    let declared = place.json("package.json").and_then(|package| {
        let version = package["packageManager"].as_str()?.strip_prefix("yarn@")?;
        Some(!version.starts_with("1.") && version != "1")
    });
    declared.unwrap_or_else(|| {
        place.exists(".yarnrc.yml") || place.mentions("yarn.lock", "\n__metadata:")
    })
}

/// A command for tests in JavaScript.
pub(crate) fn node(
    strength: Strength,
    command: impl Into<String>,
    why: impl Into<String>,
    file: &str,
) -> Offer {
    Offer::new(strength, Some(LANGUAGE), command, why, file)
}

/// A file that a runner would take for a test without being told.
pub(crate) fn test_file(place: &Place<'_>) -> Option<String> {
    let script = |name: &str| {
        [".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    let marked = |name: &str| {
        script(name)
            && [".test.", "_test.", "-test.", ".spec."]
                .iter()
                .any(|m| name.contains(m))
    };
    for dir in ["test", "tests", "__tests__", "src", ""] {
        let in_test_dir = !matches!(dir, "src" | "");
        let found = place
            .list(dir)
            .into_iter()
            .find(|name| marked(name) || (in_test_dir && script(name)));
        if let Some(name) = found {
            let slash = if dir.is_empty() { "" } else { "/" };
            return Some(format!("{dir}{slash}{name}"));
        }
    }
    None
}

/// The folders that a config at the root lists as its projects: quoted paths in a list of that name. A file
/// of a workspace is nothing but the list.
pub(crate) fn listed_projects(place: &Place<'_>, configs: &[&str], workspace: &str) -> Vec<String> {
    let is_workspace = |name: &str| !workspace.is_empty() && name.starts_with(workspace);
    let is_config =
        |name: &String| is_workspace(name) || configs.iter().any(|start| name.starts_with(start));
    let mut projects = Vec::new();
    for file in place.list("").into_iter().filter(is_config) {
        let text = place.read(&file).unwrap_or_default();
        let rest = match is_workspace(&file) {
            true => text.as_str(),
            false => text.split_once("projects").map_or("", |(_, rest)| rest),
        };
        let list = rest.split_once('[').map_or("", |(_, rest)| rest);
        let list = list.split(']').next().unwrap_or_default();
        let quoted = list.split(['\'', '"', '`']).skip(1).step_by(2);
        projects.extend(quoted.filter(|text| text.contains('/')).map(project_folder));
    }
    projects
}

/// The folder that a path in a list of projects stands for.
pub(crate) fn project_folder(path: &str) -> String {
    let path = path
        .trim_start_matches("<rootDir>/")
        .trim_start_matches("./");
    let last = path.rsplit('/').next().unwrap_or_default();
    match last.contains('.') && last.contains("config") {
        true => path.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned(),
        false => path.to_owned(),
    }
}
