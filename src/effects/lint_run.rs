//! The lint command: clean, or what it has to say.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::test_run::{ProgramRun, run_program, test_command};
use crate::config::{CommandLine, Config};
use crate::error::{Error, Result};
use crate::policy::judge::Exit;

/// A lint command and where it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LintJob {
    command: CommandLine,
    dir: PathBuf,
    timeout: Duration,
}

/// What a lint command said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LintRun {
    pub(crate) command: String,
    /// It ended by itself with status 0.
    pub(crate) clean: bool,
    /// How it ended, in words.
    pub(crate) ended: String,
    /// What it printed.
    #[serde(default)]
    pub(crate) output: String,
    #[serde(default)]
    pub(crate) duration_ms: u64,
}

/// The lint commands of a repository: the one at the top, and those of its projects.
pub(crate) fn jobs(config: &Config, root: &Path) -> Vec<LintJob> {
    let top = config.lint.iter().map(|command| LintJob {
        command: command.clone(),
        dir: root.to_owned(),
        timeout: config.timeout(),
    });
    let projects = config.projects.iter().filter_map(|project| {
        let seconds = project.timeout_s.unwrap_or(config.timeout_s);
        Some(LintJob {
            command: project.lint.clone()?,
            dir: root.join(&project.path),
            timeout: Duration::from_secs(seconds.into()),
        })
    });
    top.chain(projects).collect()
}

/// Runs the lint commands; stops at the first that is not clean.
pub(crate) fn run(jobs: &[LintJob]) -> Result<Vec<LintRun>> {
    let mut runs = Vec::new();
    for job in jobs {
        let run = run_one(job)?;
        let clean = run.clean;
        runs.push(run);
        if !clean {
            break;
        }
    }
    Ok(runs)
}

fn run_one(job: &LintJob) -> Result<LintRun> {
    let command = test_command(&job.command);
    let ProgramRun {
        exit,
        interrupted,
        output,
        duration,
    } = run_program(&command, &job.dir, job.timeout, None);
    if interrupted {
        return Err(Error::Interrupted);
    }
    Ok(LintRun {
        command: job.command.to_string(),
        clean: exit == Exit::Code(0),
        ended: ended(&exit, job.timeout),
        output,
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
    })
}

/// How a program ended, in words.
pub(crate) fn ended(exit: &Exit, timeout: Duration) -> String {
    match exit {
        Exit::Code(code) => format!("exit status {code}"),
        Exit::Signal(signal) => format!("killed by signal {signal}"),
        Exit::Timeout => format!("it took longer than {} s", timeout.as_secs()),
        Exit::NotStarted(why) => format!("it could not be started: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lint(line: &str) -> LintRun {
        let job = LintJob {
            command: CommandLine::Shell(line.into()),
            dir: "/".into(),
            timeout: Duration::from_secs(20),
        };
        let mut runs = run(&[job]).unwrap();
        runs.pop().unwrap()
    }

    #[test]
    fn clean_is_exit_status_0_and_nothing_else() {
        let clean = lint("echo fine; pwd");
        assert!(clean.clean);
        assert_eq!(clean.output, "fine\n/\n");
        let findings = lint("echo unused import >&2; exit 3");
        assert!(!findings.clean);
        assert_eq!(findings.ended, "exit status 3");
        assert_eq!(findings.output, "unused import\n");
        assert!(!lint("kill -9 $$").clean);
        assert!(!lint("no-such-linter-anywhere").clean);
    }

    #[test]
    fn one_that_hangs_is_ended_and_not_clean() {
        let job = LintJob {
            command: CommandLine::Shell("sleep 600".into()),
            dir: "/".into(),
            timeout: Duration::from_millis(50),
        };
        let runs = run(&[job.clone(), job]).unwrap();
        assert_eq!(runs.len(), 1, "the first that is not clean is the last");
        assert!(!runs[0].clean);
    }

    #[test]
    fn projects_lint_in_their_own_folder() {
        let text = "lint = 'top'\n[[project]]\npath = 'a'\nlint = 'own'\n[[project]]\npath = 'b'\n";
        let layer = crate::config::Layer {
            path: ".tcr.toml".into(),
            bytes: text.into(),
        };
        let config = Config::from_layers(None, Some(layer)).unwrap();
        let jobs = jobs(&config, Path::new("/r"));
        let places: Vec<_> = jobs
            .iter()
            .map(|job| (job.command.to_string(), job.dir.clone()))
            .collect();
        let expected = [
            ("top".to_owned(), PathBuf::from("/r")),
            ("own".to_owned(), PathBuf::from("/r/a")),
        ];
        assert_eq!(places, expected);
    }
}
