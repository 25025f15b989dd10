//! One experiment: a tree, the tests that are asked about it, and where they run.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};

use crate::branch::session::Session;
use crate::branch::state::TestResults;
use crate::error::{Error, Result};
use crate::git::filters::Filters;
use crate::git::repo::Repo;
use crate::git::trees::{self, Leaf};
use crate::lab::{self, Lab, NoLab};
use crate::rules::NoAnswer;
use crate::test_run::jobs::{self, Job};
use crate::test_run::progress::Progress;
use crate::test_run::results::{self, Place, RunRules};
use crate::test_run::{Selection, Wanted};

/// Hollow bodies can make a suite wait for its own timeouts: an experiment gets this many times
/// what the whole took.
const MOST_TIMES_WHOLE: u32 = 4;
/// And at least this much, for what starts slowly.
const AT_LEAST: Duration = Duration::from_secs(20);

/// What an experiment says, or why it says nothing.
#[derive(Debug)]
pub(crate) enum Ran {
    Results {
        results: Box<TestResults>,
        /// What the tests wrote, where that is known.
        wrote: Vec<PathBuf>,
    },
    Nothing(NoAnswer, String),
}

/// Where experiments on other trees than the worktree's run. Opened when the first one is asked.
#[derive(Default)]
pub(crate) struct LabOnDemand {
    /// Another checkout than the repository's own.
    root: Option<PathBuf>,
    lab: Option<std::result::Result<Lab, NoLab>>,
}

impl LabOnDemand {
    /// A lab over another checkout of the repository.
    pub(crate) fn at(root: PathBuf) -> LabOnDemand {
        LabOnDemand {
            root: Some(root),
            lab: None,
        }
    }

    fn open(&mut self, repo: &Repo, setup: Option<&str>) -> &std::result::Result<Lab, NoLab> {
        let root = self.root.as_deref().unwrap_or(repo.root());
        self.lab.get_or_insert_with(|| {
            let options = lab::Options {
                setup: setup.map(str::to_owned),
                ..options()
            };
            Lab::open(root, &options)
        })
    }
}

impl LabOnDemand {
    /// Whether it shows another tree at the worktree's own path.
    pub(crate) fn is_overlay(&self) -> bool {
        let lab = self.lab.as_ref().and_then(|lab| lab.as_ref().ok());
        lab.is_some_and(|lab| lab.form() == lab::Form::Overlay)
    }

    /// Which form it has, once it was opened.
    pub(crate) fn form(&self) -> Option<String> {
        let lab = self.lab.as_ref()?.as_ref().ok()?;
        Some(match lab.form() {
            lab::Form::Overlay => "overlay".to_owned(),
            lab::Form::Checkout => "checkout".to_owned(),
        })
    }
}

/// The options of every lab of this program.
pub(crate) fn options() -> lab::Options {
    let program = crate::this_process::program().unwrap_or_else(|_| PathBuf::from("git-tcr"));
    lab::Options::new(program, crate::env_vars::cache_folder())
}

/// What is asked in a lab.
pub(crate) struct InLab<'a> {
    pub(crate) repo: &'a Repo,
    /// The worktree's own tree.
    pub(crate) worktree: ObjectId,
    pub(crate) tree: ObjectId,
    pub(crate) jobs: &'a [Job],
    pub(crate) only: Option<&'a Selection>,
    pub(crate) rules: &'a RunRules<'a>,
    /// How long the whole took, if that is known.
    pub(crate) whole_ms: Option<u64>,
    pub(crate) setup: Option<&'a str>,
}

/// What a step asks in the lab.
pub(crate) struct AskLab<'a> {
    pub(crate) worktree: ObjectId,
    pub(crate) tree: ObjectId,
    pub(crate) jobs: &'a [Job],
    pub(crate) only: Option<&'a Selection>,
}

impl Session<'_> {
    /// Runs the tests on a tree in the lab, while the worktree holds another one.
    pub(crate) fn in_lab(
        &self,
        ask: &AskLab<'_>,
        lab: &mut LabOnDemand,
        progress: &mut dyn Progress,
    ) -> Result<Ran> {
        let tried = self.state.lab.as_ref();
        if let Some(why) = tried.and_then(|tried| tried.no_lab.clone()) {
            return Ok(Ran::Nothing(NoAnswer::NoLab, why));
        }
        let rules = RunRules {
            red_needs: self.config.red_needs(self.state.cycle_kind()),
            known_failures: &self.state.known_failures,
        };
        let accepted = self.state.accepted_results();
        let setup = self.config.setup.as_ref().map(ToString::to_string);
        let ask = InLab {
            repo: self.repo,
            worktree: ask.worktree,
            tree: ask.tree,
            jobs: ask.jobs,
            only: ask.only,
            rules: &rules,
            whole_ms: accepted.and_then(TestResults::suite_ms),
            setup: setup.as_deref(),
        };
        in_lab(&ask, lab, progress)
    }
}

/// Runs the tests on another tree than the worktree's.
pub(crate) fn in_lab(
    ask: &InLab<'_>,
    lab: &mut LabOnDemand,
    progress: &mut dyn Progress,
) -> Result<Ran> {
    let wanted = wanted(ask.repo, ask.worktree, ask.tree)?;
    in_room(ask, &wanted, lab, progress)
}

/// Runs the tests in the lab, with these files in the place of the worktree's.
pub(crate) fn in_room(
    ask: &InLab<'_>,
    wanted: &lab::Wanted,
    lab: &mut LabOnDemand,
    progress: &mut dyn Progress,
) -> Result<Ran> {
    let lab = match lab.open(ask.repo, ask.setup) {
        Ok(lab) => lab,
        Err(no_lab) => return Ok(Ran::Nothing(NoAnswer::NoLab, no_lab.to_string())),
    };
    let room = match lab.enter(wanted) {
        Ok(room) => room,
        Err(no_lab) => return Ok(Ran::Nothing(NoAnswer::NoLab, no_lab.to_string())),
    };
    let environment = room.environment(crate::env_vars::all());
    let mut parts = Vec::new();
    for job in aimed_jobs(ask.jobs, ask.only) {
        let place = Place {
            dir: moved(&job.job.dir, ask.repo.root(), room.dir()),
            prefix: room.prefix(),
            environment: &environment,
        };
        let bounded = Job {
            timeout: bound(job.job.timeout, ask.whole_ms),
            ..job.job.clone()
        };
        progress.tests_start(&results::display(&bounded.command));
        let ran = results::run_job_at(
            &bounded,
            &place,
            ask.tree,
            job.only.as_ref(),
            ask.rules,
            &mut |line| progress.tests_line(line),
        );
        progress.tests_end();
        parts.push((bounded, ran?));
    }
    let seen = room.finish();
    if let Some(no_lab) = seen.failed {
        return Ok(Ran::Nothing(NoAnswer::NoLab, no_lab.to_string()));
    }
    if !seen.opened.is_empty() {
        let named: Vec<String> = seen
            .opened
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return Ok(Ran::Nothing(NoAnswer::Void, named.join(", ")));
    }
    let all = jobs::merged(parts, None).ok_or(Error::NoTestCommand)?;
    Ok(Ran::Results {
        results: Box::new(all),
        wrote: seen.wrote,
    })
}

fn bound(timeout: Duration, whole_ms: Option<u64>) -> Duration {
    let Some(whole) = whole_ms else {
        return timeout;
    };
    let times = Duration::from_millis(whole).saturating_mul(MOST_TIMES_WHOLE);
    timeout.min(times.max(AT_LEAST))
}

fn moved(dir: &Path, root: &Path, room: &Path) -> PathBuf {
    match dir.strip_prefix(root) {
        Ok(inside) => room.join(inside),
        Err(_) => room.to_owned(),
    }
}

/// The files in which a tree differs from the worktree's.
pub(crate) fn wanted(repo: &Repo, worktree: ObjectId, tree: ObjectId) -> Result<lab::Wanted> {
    let mut wanted = lab::Wanted {
        write: Vec::new(),
        remove: Vec::new(),
    };
    let changes = trees::diff(repo, worktree, tree)?;
    let index = repo.index()?;
    let mut filters = Filters::new(repo, &index)?;
    for change in changes.iter().filter(|change| !change.is_submodule()) {
        let path = path_of(change.path.as_bstr());
        match change.after {
            None => wanted.remove.push(path),
            Some(leaf) => wanted.write.push(lab::WantedFile {
                path,
                content: filters.checked_out(change.path.as_bstr(), leaf)?,
                kind: kind_of(leaf),
            }),
        }
    }
    Ok(wanted)
}

/// A path of git's as the system has it.
pub(crate) fn path_of(path: &BStr) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(path))
}

fn kind_of(leaf: Leaf) -> lab::Kind {
    use gix::objs::tree::EntryKind;
    match leaf.kind {
        EntryKind::Link => lab::Kind::Link,
        EntryKind::BlobExecutable => lab::Kind::Executable,
        EntryKind::Blob | EntryKind::Tree | EntryKind::Commit => lab::Kind::File,
    }
}

/// A job, and which of its tests are asked.
pub(crate) struct AimedJob<'a> {
    pub(crate) job: &'a Job,
    pub(crate) only: Option<Selection>,
}

/// The jobs that have a part in what is asked, each with its own tests.
pub(crate) fn aimed_jobs<'a>(jobs: &'a [Job], only: Option<&Selection>) -> Vec<AimedJob<'a>> {
    let Some(selection) = only else {
        let all = jobs.iter().map(|job| AimedJob { job, only: None });
        return all.collect();
    };
    let aimed = jobs.iter().map(|job| AimedJob {
        job,
        only: Some(Selection {
            tests: own_tests(job, &selection.tests),
        }),
    });
    let has_some = |aimed: &AimedJob<'_>| {
        aimed
            .only
            .as_ref()
            .is_some_and(|only| !only.tests.is_empty())
    };
    aimed.filter(has_some).collect()
}

fn own_tests(job: &Job, tests: &[Wanted]) -> Vec<Wanted> {
    tests
        .iter()
        .filter_map(|test| own_test(job, test))
        .collect()
}

/// A test as the job itself knows it; none if it is another project's.
fn own_test(job: &Job, test: &Wanted) -> Option<Wanted> {
    let id = match test.id.as_str() {
        "" => String::new(),
        id => job.own_id(id)?.to_owned(),
    };
    let file = match &test.file {
        None => None,
        Some(file) => Some(job.own_file(file)?.to_owned()),
    };
    Some(Wanted {
        id,
        file,
        ..test.clone()
    })
}

/// The tests with these ids, as a selection.
pub(crate) fn selection_of(ids: &BTreeSet<String>, known: Option<&TestResults>) -> Selection {
    let wanted = ids.iter().map(|id| Wanted {
        id: id.clone(),
        file: known.and_then(|known| known.files.get(id)).cloned(),
        name: String::new(),
        path: Vec::new(),
    });
    Selection {
        tests: wanted.collect(),
    }
}
