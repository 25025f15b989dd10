//! The lint stage: what passes its tests has to be clean before it is committed.

use crate::config::Config;
use crate::git::repo::Repo;
use std::path::PathBuf;

use super::request::LoopRequest;
use crate::branch::session::Session;
use crate::branch::state::LintResult;
use crate::config::CommandLine;
use crate::error::{Error, Result};
use crate::outcome::step::Kept;
use crate::rules::lint::LintVerdict;
use crate::step::effects::Carry;
use crate::step::judge::Judged;
use crate::test_run::jobs::test_command;
use crate::test_run::progress::Progress;
use crate::{fault, test_run::lint_run};

/// How much of the linter's output is kept in the state.
const KEPT_OUTPUT: usize = 4_000;

/// One lint command and where it runs.
struct LintJob<'a> {
    command: &'a CommandLine,
    dir: PathBuf,
}

impl Session<'_> {
    /// Lets the lint command have its say, where it has one.
    pub(crate) fn lint(
        &mut self,
        carry: &mut Carry,
        request: &LoopRequest,
        progress: &mut dyn Progress,
    ) -> Result<()> {
        let jobs = lint_jobs(self.repo, self.config, &carry.judged);
        if jobs.is_empty() || !carry.commits_code() {
            return Ok(());
        }
        let command = shown(&jobs);
        let tree = carry.judged.snapshot.tree.to_string();
        let is_same = |last: &LintResult| last.tree == tree && last.command == command;
        let known = self.state.lint.clone();
        let known = known.filter(|last| !request.force && is_same(last));
        let result = match known {
            Some(known) => known,
            None => {
                let result = run_lint(self.config, &jobs, tree.clone(), command.clone(), progress)?;
                self.after_lint(result, &mut carry.judged)?
            }
        };
        if let Some(reason) = reason_to_hold(&result) {
            carry.hold_back(reason);
        }
        // A linter that did not run is asked again.
        if result.failed.is_none() {
            self.state.lint = Some(result.clone());
        }
        carry.lint = Some(result);
        Ok(())
    }

    /// What all lint commands of the repository say about the worktree, which holds `tree`; none
    /// where there are none.
    pub(crate) fn lint_all(
        &self,
        tree: gix::ObjectId,
        progress: &mut dyn Progress,
    ) -> Result<Option<LintResult>> {
        let root = self.repo.root();
        let top = self.config.lint.iter().map(|command| LintJob {
            command,
            dir: root.to_owned(),
        });
        let projects = self.config.projects.iter().filter_map(|project| {
            Some(LintJob {
                command: project.lint.as_ref()?,
                dir: root.join(&project.path),
            })
        });
        let jobs: Vec<LintJob<'_>> = top.chain(projects).collect();
        if jobs.is_empty() {
            return Ok(None);
        }
        let command = shown(&jobs);
        run_lint(self.config, &jobs, tree.to_string(), command, progress).map(Some)
    }

    /// A linter may fix what it finds. What it wrote was not tested, so it is judged anew.
    fn after_lint(&mut self, mut result: LintResult, judged: &mut Judged) -> Result<LintResult> {
        let drift = self.drift(&judged.snapshot)?;
        let again = drift
            .new
            .iter()
            .filter(|path| self.is_written_by_tests(path));
        let again: Vec<_> = again.cloned().collect();
        self.remember_leftovers(again.iter())?;
        result.wrote = crate::git::trees::names(drift.changed.iter());
        judged.snapshot.staged_only = drift.staged_only;
        Ok(result)
    }
}

/// Runs the lint commands up to the first that is not clean.
fn run_lint(
    config: &Config,
    jobs: &[LintJob<'_>],
    tree: String,
    command: String,
    progress: &mut dyn Progress,
) -> Result<LintResult> {
    let mut result = LintResult {
        tree,
        command,
        ..LintResult::default()
    };
    for job in jobs {
        progress.tests_start(&job.command.to_string());
        let run = lint_run::run(
            &test_command(job.command),
            &job.dir,
            config.timeout(),
            &mut |line| progress.tests_line(line),
        );
        progress.tests_end();
        if run.interrupted {
            return Err(Error::Interrupted);
        }
        result.clean = run.verdict == LintVerdict::Clean;
        if let LintVerdict::Failed(why) = run.verdict {
            result.failed = Some(format!("`{}`: {why}", job.command));
        }
        if !result.clean {
            result.output = head(run.output.trim(), KEPT_OUTPUT).to_owned();
            break;
        }
    }
    fault::point("linted");
    Ok(result)
}

/// The lint commands of what changed: those of its projects, else the repository's.
fn lint_jobs<'c>(repo: &Repo, config: &'c Config, judged: &Judged) -> Vec<LintJob<'c>> {
    let mut jobs: Vec<LintJob<'_>> = Vec::new();
    for change in &judged.snapshot.changes {
        let project = config.project_for(&change.path);
        let own = project.and_then(|project| Some((project, project.lint.as_ref()?)));
        let (dir, command) = match (own, &config.lint) {
            (Some((project, lint)), _) => (repo.root().join(&project.path), lint),
            (None, Some(lint)) => (repo.root().to_owned(), lint),
            (None, None) => continue,
        };
        if jobs.iter().all(|job| job.dir != dir) {
            jobs.push(LintJob { command, dir });
        }
    }
    jobs
}

fn shown(jobs: &[LintJob<'_>]) -> String {
    let commands: Vec<String> = jobs
        .iter()
        .map(|job| format!("`{}`", job.command))
        .collect();
    commands.join(", ")
}

fn reason_to_hold(result: &LintResult) -> Option<Kept> {
    if result.failed.is_some() {
        Some(Kept::LintFailed)
    } else if !result.wrote.is_empty() {
        Some(Kept::LintWrote)
    } else if !result.clean {
        Some(Kept::LintFindings)
    } else {
        None
    }
}

/// The beginning of a text, cut at a character.
fn head(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}
