//! Which test commands a step needs: one for the repository, or one per project of a monorepo.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::branch::state::TestResults;
use crate::config::{CommandLine, Config, Project};
use crate::error::{Error, Result};
use crate::git::trees::Change;
use crate::rules::Verdict;
use crate::test_run::{self, TestCommand};

/// One test command, where it runs, and whose tests it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) command: TestCommand,
    pub(crate) dir: PathBuf,
    pub(crate) timeout: Duration,
    pub(crate) red_confirm: Option<String>,
    /// A file of results that the command itself writes, from its folder.
    pub(crate) report: Option<String>,
    /// The project's path; none for the repository as a whole.
    pub(crate) project: Option<String>,
    /// For the repository as a whole: the projects whose tests are run by jobs of their own.
    pub(crate) others: Vec<String>,
}

impl Job {
    /// The name of one of its tests among those of all projects.
    pub(crate) fn test_id(&self, id: &str) -> String {
        match &self.project {
            Some(project) => format!("{project} > {id}"),
            None => id.to_owned(),
        }
    }

    /// Whether a run of it can be limited to some tests.
    pub(crate) fn can_be_aimed(&self) -> bool {
        self.report.is_none() && test_run::can_aim(&self.command, &self.dir)
    }

    /// A file that a report names from the project's folder, from the root.
    pub(crate) fn file(&self, file: &str) -> String {
        match self.project.as_deref() {
            Some(project) if project != "." => format!("{project}/{file}"),
            _ => file.to_owned(),
        }
    }

    /// A file from the root as the job itself names it; none if it is another project's.
    pub(crate) fn own_file<'f>(&self, file: &'f str) -> Option<&'f str> {
        match self.project.as_deref() {
            Some(project) if project != "." => file.strip_prefix(project)?.strip_prefix('/'),
            Some(_) => Some(file),
            None => {
                let inside = |project: &String| {
                    file.strip_prefix(project.as_str())
                        .is_some_and(|rest| rest.starts_with('/'))
                };
                (!self.others.iter().any(inside)).then_some(file)
            }
        }
    }

    /// The name of one of its tests as the job itself knows it; none if it is another's.
    pub(crate) fn own_id<'i>(&self, id: &'i str) -> Option<&'i str> {
        match &self.project {
            Some(project) => id.strip_prefix(project.as_str())?.strip_prefix(" > "),
            None => (!self.others.iter().any(|project| is_of(id, project))).then_some(id),
        }
    }
}

/// The test commands that say something about these changes; all of them without changes.
pub(crate) fn about(config: &Config, root: &Path, changes: &[Change]) -> Result<Vec<Job>> {
    let with_tests: Vec<&Project> = config
        .projects
        .iter()
        .filter(|project| project.test.is_some())
        .collect();
    let whole = config
        .test
        .as_ref()
        .map(|command| root_job(config, root, command));
    if with_tests.is_empty() {
        return Ok(vec![whole.ok_or(Error::NoTestCommand)?]);
    }
    let affected = affected(config, changes);
    let mut jobs: Vec<Job> = with_tests
        .into_iter()
        .filter(|project| affected.contains(&project.path))
        .filter_map(|project| project_job(config, root, project))
        .collect();
    let outside_projects = changes.is_empty()
        || changes.iter().any(|change| {
            config
                .project_for(&change.path)
                .is_none_or(|project| project.test.is_none())
        });
    jobs.extend(whole.filter(|_| outside_projects));
    if jobs.is_empty() {
        return Err(Error::NoTestCommand);
    }
    Ok(jobs)
}

/// A command in the place of the configured ones.
pub(crate) fn instead(config: &Config, root: &Path, command: &TestCommand) -> Job {
    Job {
        command: command.clone(),
        dir: root.to_owned(),
        timeout: config.timeout(),
        red_confirm: config.red_confirm.clone(),
        report: None,
        project: None,
        others: Vec::new(),
    }
}

/// The projects that changed, and those that build on them; all of them without changes.
fn affected(config: &Config, changes: &[Change]) -> BTreeSet<String> {
    let projects = &config.projects;
    if changes.is_empty() {
        return projects
            .iter()
            .map(|project| project.path.clone())
            .collect();
    }
    let mut affected: BTreeSet<String> = changes
        .iter()
        .filter_map(|change| config.project_for(&change.path))
        .map(|project| project.path.clone())
        .collect();
    loop {
        let builds_on =
            |project: &&Project| project.needs.iter().any(|need| affected.contains(need));
        let more: Vec<String> = projects
            .iter()
            .filter(|project| !affected.contains(&project.path))
            .filter(builds_on)
            .map(|project| project.path.clone())
            .collect();
        if more.is_empty() {
            return affected;
        }
        affected.extend(more);
    }
}

/// All test commands of a config, for a checkout in this folder.
pub(crate) fn all(config: &Config, root: &Path) -> Result<Vec<Job>> {
    let mut jobs: Vec<Job> = config
        .projects
        .iter()
        .filter_map(|project| project_job(config, root, project))
        .collect();
    jobs.extend(
        config
            .test
            .as_ref()
            .map(|command| root_job(config, root, command)),
    );
    if jobs.is_empty() {
        return Err(Error::NoTestCommand);
    }
    Ok(jobs)
}

fn root_job(config: &Config, root: &Path, command: &CommandLine) -> Job {
    Job {
        command: test_command(command),
        dir: root.to_owned(),
        timeout: config.timeout(),
        red_confirm: config.red_confirm.clone(),
        report: config.report.clone(),
        project: None,
        others: config
            .projects
            .iter()
            .map(|project| project.path.clone())
            .collect(),
    }
}

fn project_job(config: &Config, root: &Path, project: &Project) -> Option<Job> {
    let seconds = project
        .timeout_s
        .map(|seconds| Duration::from_secs(seconds.into()));
    Some(Job {
        command: test_command(project.test.as_ref()?),
        dir: root.join(&project.path),
        timeout: seconds.unwrap_or_else(|| config.timeout()),
        red_confirm: project
            .red_confirm
            .clone()
            .or_else(|| config.red_confirm.clone()),
        report: project.report.clone(),
        project: Some(project.path.clone()),
        others: Vec::new(),
    })
}

/// Whether the failing tests ask for source of this path's project: they are its own, or those of a
/// project that it builds on.
pub(crate) fn is_unlocked(config: &Config, targets: &BTreeSet<String>, path: &[u8]) -> bool {
    let Some(project) = config.project_for(path) else {
        return true;
    };
    let asking: BTreeSet<&str> = config
        .projects
        .iter()
        .map(|project| project.path.as_str())
        .filter(|name| targets.iter().any(|test| is_of(test, name)))
        .collect();
    let is_asked_by_project = |test: &String| asking.iter().any(|name| is_of(test, name));
    if asking.is_empty() || !targets.iter().all(is_asked_by_project) {
        return true;
    }
    let mut reached: BTreeSet<&str> = BTreeSet::from([project.path.as_str()]);
    loop {
        if !reached.is_disjoint(&asking) {
            return true;
        }
        let needed = config
            .projects
            .iter()
            .filter(|project| reached.contains(project.path.as_str()))
            .flat_map(|project| project.needs.iter().map(String::as_str));
        let before = reached.len();
        reached = reached.iter().copied().chain(needed).collect();
        if reached.len() == before {
            return false;
        }
    }
}

fn is_of(test: &str, project: &str) -> bool {
    test.strip_prefix(project)
        .is_some_and(|rest| rest.starts_with(" > "))
}

/// The results of several jobs as one, with those of the jobs that were not run as they were.
pub(crate) fn merged(
    parts: Vec<(Job, TestResults)>,
    before: Option<&TestResults>,
) -> Option<TestResults> {
    let mut parts = parts.into_iter();
    let (first_job, mut all) = parts.next()?;
    let mut jobs = vec![first_job];
    for (job, mut part) in parts {
        let verdict = worse(all.verdict, part.verdict);
        all.confirmed = match (all.verdict == verdict, part.verdict == verdict) {
            (true, true) => all.confirmed && part.confirmed,
            (true, false) => all.confirmed,
            (false, _) => part.confirmed,
        };
        if all.verdict != verdict {
            all.reason = std::mem::take(&mut part.reason);
        }
        all.verdict = verdict;
        all.passed.append(&mut part.passed);
        all.failed.append(&mut part.failed);
        all.skipped.append(&mut part.skipped);
        all.causes.append(&mut part.causes);
        all.files.append(&mut part.files);
        all.duration_ms += part.duration_ms;
        all.output.push_str(&part.output);
        all.printed.push_str(&part.printed);
        all.fingerprint = match (all.fingerprint, part.fingerprint.take()) {
            (Some(one), Some(other)) => Some(format!("{one}+{other}")),
            (one, other) => one.or(other),
        };
        all.add_details(part);
        jobs.push(job);
    }
    if let Some(before) = before {
        let not_run = |id: &&String| jobs.iter().all(|job| job.own_id(id).is_none());
        all.passed
            .extend(before.passed.iter().filter(not_run).cloned());
        all.failed
            .extend(before.failed.iter().filter(not_run).cloned());
        all.skipped
            .extend(before.skipped.iter().filter(not_run).cloned());
        for (project, command) in &before.commands {
            let command = || command.clone();
            all.commands.entry(project.clone()).or_insert_with(command);
        }
    }
    all.total = all.passed.len() + all.failed.len() + all.skipped.len();
    Some(all)
}

fn worse(one: Option<Verdict>, other: Option<Verdict>) -> Option<Verdict> {
    let rank = |verdict: Option<Verdict>| match verdict {
        Some(Verdict::Green) => 0,
        Some(Verdict::Red) => 1,
        Some(Verdict::Broken) | None => 2,
    };
    if rank(other) > rank(one) { other } else { one }
}

/// A configured command as the runner takes it.
pub(crate) fn test_command(command: &CommandLine) -> TestCommand {
    match command {
        CommandLine::Shell(line) => TestCommand::Shell(line.clone()),
        CommandLine::Args(args) => TestCommand::Args(args.iter().map(Into::into).collect()),
    }
}
