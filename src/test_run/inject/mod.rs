//! Asks the runners behind a command for machine-readable reports, and reads them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::environment::Variable;
use crate::rules::verdict::Exit;
use crate::runners::aim::Aim;
use crate::runners::ask::{Asking, Join, Setting, Way};
use crate::runners::command::{Found, PackageRunner};
use crate::runners::formats::{Format, Reading};
use crate::runners::{RUNNERS, Runner};

/// Our folder for one run, and the environment that points the runners to it.
#[derive(Debug)]
pub(super) struct Injection {
    folder: tempfile::TempDir,
    variables: Vec<Variable>,
    asked: Vec<&'static Runner>,
}

impl Injection {
    /// Prepares to ask the runners in `found`, and to aim them; `None` if none of them can be asked. `again`:
    /// what was asked of a runner before did not work.
    pub(super) fn prepare(
        found: &[Found],
        environment: &[Variable],
        aim: Option<&Aim<'_>>,
        again: &dyn Fn(&Runner) -> bool,
    ) -> io::Result<Option<Injection>> {
        if found.iter().all(|found| !found.reachable) {
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("git-tcr-").tempdir()?;
        if !is_plain(folder.path()) {
            return Ok(None);
        }
        let mut injection = Injection {
            variables: environment.to_vec(),
            asked: Vec::new(),
            folder,
        };
        for one in found {
            let runs = found.iter().filter(|other| other.runner == one.runner);
            let again = again(one.runner);
            if !(again || one.runner.writes_one_file) || runs.count() == 1 {
                injection.ask(one, aim, again)?;
            }
        }
        let packages = found.iter().filter_map(|one| one.package.as_ref());
        for setting in packages.flat_map(|package| to_run_all(package.by)) {
            apply(&mut injection.variables, &setting);
        }
        if injection.asked.is_empty() && found.iter().all(|one| one.package.is_none()) {
            return Ok(None);
        }
        let out = injection.out();
        fs::create_dir(&out)?;
        injection.variables.push(("GIT_TCR_OUT".into(), out.into()));
        if let Some(aim) = aim {
            let path = injection.folder.path().join("aim.json");
            fs::write(&path, aim.document())?;
            injection
                .variables
                .push(("GIT_TCR_AIM".into(), path.into()));
        }
        Ok(Some(injection))
    }

    fn ask(&mut self, found: &Found, aim: Option<&Aim<'_>>, again: bool) -> io::Result<()> {
        if self.asks(found.runner) {
            return Ok(());
        }
        let variables = &self.variables;
        let variable = |name: &str| {
            value_of(variables, name)
                .map(|value| value.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        let Some(Way {
            settings,
            reporters,
        }) = way(
            found,
            self.folder.path(),
            &self.out(),
            &variable,
            aim,
            again,
        )
        else {
            return Ok(());
        };
        for reporter in reporters {
            let path = self.folder.path().join(reporter.path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, reporter.content)?;
            if reporter.is_program {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
        for setting in &settings {
            apply(&mut self.variables, setting);
        }
        self.asked.push(found.runner);
        Ok(())
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// Whether a runner was asked for a report.
    pub(super) fn asks(&self, runner: &Runner) -> bool {
        self.asked.contains(&runner)
    }

    /// The environment for the run.
    pub(super) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Whether the output of a run without a report speaks of what we added to it. Where all went well it may
    /// just name our folder.
    pub(super) fn is_blamed(&self, output: &str, exit: &Exit) -> bool {
        let folder = self.folder.path().file_name().and_then(OsStr::to_str);
        // cargo names the program that started a test binary which failed.
        let is_named = output
            .lines()
            .filter(|line| !line.contains("process didn't exit successfully"))
            .any(|line| folder.is_some_and(|name| line.contains(name)));
        (is_named && *exit != Exit::Code(0)) || RUNNERS.iter().any(|runner| blames(runner, output))
    }

    /// The reports that were left, by runner.
    pub(super) fn reports(&self) -> BTreeMap<&'static Runner, Vec<Reading>> {
        let mut readings: BTreeMap<&'static Runner, Vec<Reading>> = BTreeMap::new();
        for path in files_below(&self.out()) {
            let name = path.strip_prefix(self.out()).unwrap_or(&path);
            if let Some((runner, format)) = format_of(name) {
                // Named after the test script where the reports have a folder of their own.
                let script: PathBuf = name.iter().skip(1).collect();
                if let Some(reading) = read_file(format, &path, &script) {
                    readings.entry(runner).or_default().push(reading);
                }
            }
        }
        readings
    }
}

/// Whether an output speaks of what we added to the runs of a runner.
pub(super) fn blames(runner: &Runner, output: &str) -> bool {
    runner.ours.iter().any(|word| output.contains(word))
}

/// The way of asking `found` for a report; `None` where its output, or what it writes anyway, must do.
/// `home` holds our files, `out` takes the reports.
fn way(
    found: &Found,
    home: &Path,
    out: &Path,
    variable: &dyn Fn(&str) -> String,
    aim: Option<&Aim<'_>>,
    again: bool,
) -> Option<Way> {
    let asking = Asking {
        found,
        home: home.to_str()?,
        out: out.to_str()?,
        variable,
        aim,
    };
    let ask = match again {
        true => found.runner.ask_again,
        false => found.runner.ask,
    };
    ask(&asking).filter(|_| found.reachable)
}

/// Whose report a file in our folder is.
fn format_of(name: &Path) -> Option<(&'static Runner, &'static Format)> {
    let first = name.iter().next()?.to_str()?;
    RUNNERS.iter().find_map(|runner| {
        let mut reports = runner.reports.iter();
        let (_, format) = reports.find(|(start, _)| first.starts_with(start))?;
        Some((*runner, *format))
    })
}

/// How a program is told to run the tasks of all packages to their end, and to let them see our variables. A
/// result that it only prints again has no names of tests.
fn to_run_all(program: PackageRunner) -> Vec<Setting> {
    let set = |name, value: &str| Setting {
        name,
        join: Join::Yield,
        value: value.to_owned(),
    };
    match program {
        PackageRunner::Turbo => vec![set("TURBO_FORCE", "true"), set("TURBO_ENV_MODE", "loose")],
        PackageRunner::Nx | PackageRunner::Lerna => vec![set("NX_SKIP_NX_CACHE", "true")],
        PackageRunner::Pnpm => vec![set("npm_config_bail", "false")],
        PackageRunner::Bun => Vec::new(),
    }
}

/// Reads one report; an empty file is none.
pub(super) fn read_file(format: &'static Format, path: &Path, script: &Path) -> Option<Reading> {
    let file = File::open(path).ok()?;
    if file.metadata().ok()?.len() == 0 {
        return None;
    }
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let name = script.to_string_lossy();
    Some((format, (format.read)(&name, &mut reader)))
}

/// All files in a folder and the folders in it, in a stable order.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// Paths go into variables that are split at blanks, quotes or colons.
fn is_plain(path: &Path) -> bool {
    path.to_str().is_some_and(|path| {
        path.chars().all(|char| {
            char.is_ascii_alphanumeric() || matches!(char, '/' | '-' | '_' | '.' | '+' | '@')
        })
    })
}

fn value_of<'a>(variables: &'a [Variable], name: &str) -> Option<&'a OsString> {
    variables
        .iter()
        .find(|(found, _)| found == name)
        .map(|(_, value)| value)
}

fn apply(variables: &mut Vec<Variable>, setting: &Setting) {
    let present = value_of(variables, setting.name).filter(|value| !value.is_empty());
    let parts: [&OsStr; 3] = match (setting.join, present) {
        (Join::Yield, Some(_)) => return,
        (Join::Replace, Some(_)) => ["".as_ref(), "".as_ref(), setting.value.as_ref()],
        (Join::After(between) | Join::AlwaysAfter(between), Some(present)) => {
            [present, between.as_ref(), setting.value.as_ref()]
        }
        (Join::Before(between), Some(present)) => {
            [setting.value.as_ref(), between.as_ref(), present]
        }
        (Join::AlwaysAfter(between), None) => {
            ["".as_ref(), between.as_ref(), setting.value.as_ref()]
        }
        (Join::After(_) | Join::Before(_) | Join::Yield | Join::Replace, None) => {
            ["".as_ref(), "".as_ref(), setting.value.as_ref()]
        }
    };
    let mut joined = OsString::new();
    // Two runners may need the same addition.
    let has_it =
        present.is_some_and(|present| present.to_string_lossy().contains(setting.value.as_str()));
    if has_it {
        return;
    }
    parts.into_iter().for_each(|part| joined.push(part));
    variables.retain(|(name, _)| name != setting.name);
    variables.push((setting.name.into(), joined));
}

#[cfg(test)]
mod tests;
