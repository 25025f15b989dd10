//! Programs that run a task in many packages: turbo, Nx, lerna. They leave out packages at will, and print
//! what a task said earlier instead of running it again, unless told not to.

use serde_json::Value;

use super::{
    Call, Package, PackageRunner, Place, RUNNERS, Runner, Search, Sign, skip_options, task_runners,
    workspaces,
};

/// Looks into the packages that a program runs tasks of; `false` if it is none of these programs.
pub(super) fn look(search: &mut Search<'_>, call: &Call<'_>, at: &Place) -> bool {
    match call.name {
        "turbo" => look_into_turbo(search, call, at),
        "nx" => look_into_nx(search, call, at),
        "lerna" => look_into_lerna(search, call, at),
        _ => return false,
    }
    true
}

/// `turbo run test lint --filter=web`, `turbo test`.
fn look_into_turbo(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    const WITH_VALUE: [&str; 5] = ["-F", "--filter", "--concurrency", "--cwd", "--env-mode"];
    let at = &call
        .option(&["--cwd"])
        .map_or_else(|| at.clone(), |dir| at.in_dir(dir));
    let mut rest = call.arguments.split(|word| word == "--").next();
    let mut tasks = Vec::new();
    while let Some((task, after)) =
        rest.and_then(|words| skip_options(words, &WITH_VALUE).split_first())
    {
        tasks.push(task.as_str());
        rest = Some(after);
    }
    let places = chosen_or_all(search, &call.options(&["-F", "--filter"]), at);
    let lets_end = call
        .arguments
        .iter()
        .any(|word| word.starts_with("--continue"));
    for task in tasks.into_iter().filter(|task| *task != "run") {
        // `web#test` is the task of one package.
        let task = task.rsplit('#').next().unwrap_or(task);
        for place in &places {
            let package = Package {
                by: PackageRunner::Turbo,
                prefix: format!("{}:{task}: ", name_of(search, place)),
                lets_end: (!lets_end).then_some("--continue"),
            };
            let place = in_package(place, package);
            task_runners::package_script(search, task, &place);
        }
    }
}

/// `lerna run test`.
fn look_into_lerna(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    const WITH_VALUE: [&str; 2] = ["--scope", "--concurrency"];
    let Some(("run", rest)) = call.positional(&WITH_VALUE) else {
        return;
    };
    let Some(name) = skip_options(rest, &WITH_VALUE).first() else {
        return;
    };
    for place in workspaces::chosen(search, &["*"], at) {
        let package = Package {
            by: PackageRunner::Lerna,
            prefix: format!("{}: ", name_of(search, &place)),
            lets_end: (!call.has("--no-bail")).then_some("--no-bail"),
        };
        let place = in_package(&place, package);
        task_runners::package_script(search, name, &place);
    }
}

/// `nx test web`, `nx run web:test`, `nx run-many -t test lint`, `nx affected --target=test`.
fn look_into_nx(search: &mut Search<'_>, call: &Call<'_>, at: &Place) {
    const WITH_VALUE: [&str; 5] = ["-t", "--target", "--targets", "-c", "--configuration"];
    let Some((sub, rest)) = call.positional(&WITH_VALUE) else {
        return;
    };
    let first = skip_options(rest, &WITH_VALUE).first().map(String::as_str);
    let (targets, project): (Vec<&str>, Option<&str>) = match sub {
        "run-many" | "affected" => (targets_of(call), None),
        "run" => match first.and_then(|task| task.split_once(':')) {
            Some((project, target)) => (
                vec![target.split(':').next().unwrap_or(target)],
                Some(project),
            ),
            None => return,
        },
        target => (vec![target], first),
    };
    let mut places = nx_projects(search, at);
    if let Some(project) = project
        && let Some(one) = places
            .iter()
            .find(|place| name_of(search, place) == project)
    {
        places = vec![one.clone()];
    }
    for place in places {
        let package = Package {
            by: PackageRunner::Nx,
            prefix: format!("{}: ", name_of(search, &place)),
            lets_end: None,
        };
        let place = in_package(&place, package);
        for target in &targets {
            look_into_target(search, target, &place);
        }
    }
}

/// The values of `-t`, which may be several words, or one with commas.
fn targets_of<'a>(call: &Call<'a>) -> Vec<&'a str> {
    let names = ["-t", "--target", "--targets"];
    let mut targets: Vec<&str> = (call.options(&names).into_iter())
        .flat_map(|value| value.split(','))
        .collect();
    let more = (call.arguments.iter())
        .skip_while(|word| !names.contains(&word.as_str()))
        .skip(2)
        .take_while(|word| !word.starts_with('-'));
    targets.extend(more.map(String::as_str));
    targets
}

fn nx_projects(search: &Search<'_>, at: &Place) -> Vec<Place> {
    let mut places = workspaces::chosen(search, &["*"], at);
    for parent in ["apps", "libs", "packages"] {
        let parent = at.in_dir(parent);
        let folders = search.folders(&parent);
        places.extend(folders.iter().map(|folder| parent.in_dir(folder)));
    }
    // The root is a project only if it says so.
    let manifest = search.file(at, "package.json").unwrap_or_default();
    if search.file(at, "project.json").is_some() || manifest.contains("\"nx\"") {
        places.push(at.clone());
    }
    places.retain(|place| {
        search
            .first_file(place, &["project.json", "package.json"])
            .is_some()
    });
    places.sort_by(|one, other| one.dir.cmp(&other.dir));
    places.dedup_by(|one, other| one.dir == other.dir);
    places
}

fn look_into_target(search: &mut Search<'_>, name: &str, at: &Place) {
    let in_file = |file: &str, path: &str| -> Option<Value> {
        let manifest: Value = serde_json::from_str(&search.file(at, file)?).ok()?;
        manifest.pointer(path).cloned()
    };
    let configured = in_file("project.json", &format!("/targets/{name}"))
        .or_else(|| in_file("package.json", &format!("/nx/targets/{name}")));
    if let Some(target) = configured {
        look_into_executor(search, name, &target, at);
    } else if !task_runners::package_script(search, name, at) && name == "test" {
        // Plugins make this target of the runners' own config.
        guess_by_config(search, at);
    }
}

fn look_into_executor(search: &mut Search<'_>, name: &str, target: &Value, at: &Place) {
    let text = |path: &str| target.pointer(path).and_then(Value::as_str);
    let executor = text("/executor").unwrap_or_default();
    let is_by = |runner: &&&Runner| runner.executors.iter().any(|word| executor.contains(word));
    if let Some(runner) = RUNNERS.iter().find(is_by) {
        let words = [executor.to_owned()];
        let call = Call {
            program: executor,
            name: executor,
            arguments: &words,
            assignments: &[],
        };
        search.add(runner, Sign::Guess, &call, at);
    }
    let listed = target
        .pointer("/options/commands")
        .and_then(Value::as_array);
    let commands = (listed.into_iter().flatten())
        .filter_map(|one| one.as_str().or_else(|| one.get("command")?.as_str()))
        .chain(text("/command"))
        .chain(text("/options/command"));
    let commands: Vec<&str> = commands.collect();
    if !commands.is_empty() {
        // Nx runs commands at the root of the workspace, unless told otherwise.
        let place = Place {
            dir: Place::default()
                .in_dir(text("/options/cwd").unwrap_or_default())
                .dir,
            ..at.clone()
        };
        let key = format!("{name} of {}", at.dir.display());
        search.task("nx", &key, Some(commands.join("\n")), &place);
    }
    task_runners::package_script(search, text("/options/script").unwrap_or(name), at);
}

fn guess_by_config(search: &mut Search<'_>, at: &Place) {
    const ENDS: [&str; 6] = ["ts", "mts", "cts", "js", "mjs", "cjs"];
    for runner in RUNNERS.iter().filter(|runner| !runner.executors.is_empty()) {
        let has = |config: &&str| {
            let names = ENDS.map(|end| format!("{config}{end}"));
            names.iter().any(|name| search.file(at, name).is_some())
        };
        let by_plugin = runner
            .executors
            .iter()
            .map(|word| format!("{word}.config."));
        if runner.configs.iter().any(has) || by_plugin.into_iter().any(|start| has(&&*start)) {
            let call = Call {
                program: runner.name,
                name: runner.name,
                arguments: &[],
                assignments: &[],
            };
            search.add(runner, Sign::Guess, &call, at);
        }
    }
}

fn chosen_or_all(search: &Search<'_>, wanted: &[&str], at: &Place) -> Vec<Place> {
    let chosen = workspaces::chosen(search, wanted, at);
    match chosen.is_empty() {
        true => workspaces::chosen(search, &["*"], at),
        false => chosen,
    }
}

fn in_package(place: &Place, package: Package) -> Place {
    Place {
        branches: true,
        package: Some(package),
        ..place.clone()
    }
}

/// The name of a package, or else of its folder.
pub(super) fn name_of(search: &Search<'_>, place: &Place) -> String {
    let named = ["project.json", "package.json"].iter().find_map(|file| {
        let manifest: Value = serde_json::from_str(&search.file(place, file)?).ok()?;
        Some(manifest.get("name")?.as_str()?.to_owned())
    });
    let folder = || place.dir.file_name()?.to_str().map(str::to_owned);
    named.or_else(folder).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::Found;
    use super::super::tests::{Files, search};

    const PACKAGES: Files = &[
        (
            "package.json",
            r#"{"workspaces":["packages/*"],"scripts":{"test":"turbo run test"}}"#,
        ),
        (
            "packages/a/package.json",
            r#"{"name":"@x/a","scripts":{"test":"vitest run"}}"#,
        ),
        (
            "packages/b/package.json",
            r#"{"name":"b","scripts":{"test":"mocha","unit":"jest"}}"#,
        ),
        (
            "libs/c/project.json",
            r#"{"name":"c","targets":{"test":{"executor":"@nx/jest:jest"},
                "e2e":{"executor":"nx:run-commands","options":{"commands":["pytest e2e"],"cwd":"libs/c"}},
                "unit":{"command":"node --test libs/c"}}}"#,
        ),
        ("libs/d/project.json", r#"{"name":"d"}"#),
        ("libs/d/vite.config.ts", ""),
    ];

    #[test]
    fn tasks_of_packages_are_looked_into() {
        let a = ("vitest", "packages/a", "@x/a:test: ");
        let b = ("mocha", "packages/b", "b:test: ");
        let c = ("jest", "libs/c", "c: ");
        let d = ("vitest", "libs/d", "d: ");
        let (nx_a, nx_b) = (
            ("vitest", "packages/a", "@x/a: "),
            ("mocha", "packages/b", "b: "),
        );
        let unit = [("node:test", "", "c: "), ("jest", "packages/b", "b: ")];
        for (command, expected) in [
            ("turbo run test", &[a, b][..]),
            ("npm test", &[a, b]),
            ("npx turbo lint test --filter=b -- --watch", &[b]),
            ("turbo run test -F '@x/*'", &[a]),
            ("turbo run test --filter '[main]'", &[a, b]),
            ("turbo run b#unit", &[("jest", "packages/b", "b:unit: ")]),
            ("turbo run build", &[]),
            ("nx run-many -t test", &[c, d, nx_a, nx_b]),
            ("nx run-many --targets=lint,unit", &unit),
            ("npx nx affected -t lint unit", &unit),
            ("nx test c", &[c]),
            ("nx run @x/a:test", &[nx_a]),
            ("nx run c:e2e:ci", &[("pytest", "libs/c", "c: ")]),
            ("nx graph", &[]),
            ("lerna run test", &[nx_a, nx_b]),
        ] {
            let found = search(command, PACKAGES);
            let prefix = |one: &Found| one.package.as_ref().map(|package| package.prefix.clone());
            let seen: Vec<_> = (found.iter())
                .map(|one| {
                    (
                        one.runner.name,
                        one.dir.to_str().expect("it is text"),
                        prefix(one),
                    )
                })
                .collect();
            let expected: Vec<_> = (expected.iter())
                .map(|(runner, dir, prefix)| (*runner, *dir, Some((*prefix).to_owned())))
                .collect();
            assert_eq!(seen, expected, "{command}");
            assert!(found.iter().all(|one| !one.sure), "{command}");
        }
    }

    #[test]
    fn programs_that_stop_the_others_are_known() {
        for (command, expected) in [
            ("turbo run test", Some("--continue")),
            ("turbo run test --continue", None),
            ("turbo run test --continue=always", None),
            ("lerna run test", Some("--no-bail")),
            ("lerna run test --no-bail", None),
            ("nx run-many -t test", None),
        ] {
            for one in search(command, PACKAGES) {
                let lets_end = one.package.and_then(|package| package.lets_end);
                assert_eq!(lets_end, expected, "{command}");
            }
        }
    }
}
