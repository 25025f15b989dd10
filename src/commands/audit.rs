//! `git tcr audit`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::live::{self, Live};
use super::{open, print};
use crate::audit::{self, Audit, Request, Shards};
use crate::error::{Error, ExitStatus, Result};
use crate::message;
use crate::outcome::audit::{Audited, Verdict};
use crate::test_run::progress::Progress;

/// The way out costs at most this many runs of the suite.
const MOST_SUITES: u64 = crate::rules::way_out::MOST_SUITES as u64;

/// `audit`
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The commits, e.g. `main..HEAD`; by default those since your branch left its upstream or `main`.
    pub(crate) range: Option<String>,
    /// Ask about each commit by itself instead of all as one change.
    #[arg(long)]
    pub(crate) each: bool,
    /// What makes a fresh checkout ready for its tests, e.g. `npm ci`; without it they run with what your worktree has.
    #[arg(long, value_name = "CMD")]
    pub(crate) setup: Option<String>,
    /// How the tests are run; by default as `.tcr.toml` at the base of the range says, or as is found out there.
    #[arg(long, value_name = "CMD")]
    pub(crate) test: Option<String>,
    /// The most telling experiments first, and no more than fit: `90s`, `10m`, `1h`.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) budget: Option<Duration>,
    /// List the experiments that can be done at once, on several machines.
    #[arg(long, conflicts_with_all = ["run", "merge", "sarif", "markdown"])]
    pub(crate) plan: bool,
    /// Do one experiment of the plan and write what it says, as JSON.
    #[arg(long, value_name = "ID", conflicts_with_all = ["merge", "sarif", "markdown"])]
    pub(crate) run: Option<String>,
    /// Where `--run` writes; by default to standard output.
    #[arg(long, value_name = "FILE", requires = "run")]
    pub(crate) out: Option<PathBuf>,
    /// Take what `--run` wrote elsewhere, and give the verdict; what is missing is asked here.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) merge: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print SARIF, for code scanning; with `=FILE` write it there and print the rest.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) sarif: Option<Option<PathBuf>>,
    /// Print Markdown, for a job summary or a comment; with `=FILE` write it there and print the rest.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) markdown: Option<Option<PathBuf>>,
}

/// `90`, `90s`, `10m`, `1h`.
fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic()) {
        number if number.len() == text.len() => (text, 1),
        number => match &text[number.len()..] {
            "s" => (number, 1),
            "m" | "min" => (number, 60),
            "h" => (number, 3_600),
            _ => return Err("a time is a number with `s`, `m` or `h`, e.g. `10m`".into()),
        },
    };
    let number: u64 = number.parse().map_err(|_| "a time begins with a number")?;
    Ok(Duration::from_secs(number.saturating_mul(unit)))
}

pub(crate) fn audit(args: &AuditArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let request = Request {
        range: args.range.as_deref(),
        each: args.each,
        setup: args.setup.as_deref(),
        test: args.test.as_deref(),
        deadline: args.budget.map(|budget| Instant::now() + budget),
    };
    let mut audit = Audit::new(&repo, &request)?;
    if args.plan {
        let plan = audit.plan()?;
        match args.json {
            true => print::json(&plan)?,
            false => print::message(&message::audit::plan(&plan))?,
        }
        return Ok(ExitStatus::Done);
    }
    let mut shown = Shown::new();
    if let Some(id) = &args.run {
        let shard = audit.run(id, &mut shown)?;
        write(&shard, args.out.as_deref())?;
        return Ok(ExitStatus::Done);
    }
    live::say(&format!("tcr: {}", audit.estimate()?));
    let audited = loop {
        let mut known = Shards::read(&audit, &args.merge)?;
        let audited = audit.ask(&mut known, &mut shown)?;
        if !audit.take_next_command(&audited)? {
            break audited;
        }
    };
    say(&audited, args)?;
    Ok(match audited.verdict {
        Verdict::Nothing | Verdict::Proven => ExitStatus::Done,
        Verdict::Wanting => ExitStatus::No,
        Verdict::Unknown => ExitStatus::Undecided,
    })
}

fn say(audited: &Audited, args: &AuditArgs) -> Result<()> {
    if let Some(Some(file)) = &args.sarif {
        write(&audit::sarif(audited), Some(file))?;
    }
    if let Some(Some(file)) = &args.markdown {
        let text = message::audit::markdown(audited);
        std::fs::write(file, text).map_err(|error| Error::io("write", file, error))?;
    }
    if args.sarif == Some(None) {
        print::json(&audit::sarif(audited))
    } else if args.markdown == Some(None) {
        print::text(&message::audit::markdown(audited))
    } else if args.json {
        print::json(audited)
    } else {
        print::message(&message::audit::audited(audited))
    }
}

fn write(value: &impl serde::Serialize, out: Option<&Path>) -> Result<()> {
    let Some(out) = out else {
        return print::json(value);
    };
    let text = serde_json::to_vec(value).map_err(|_| Error::internal("a result is not JSON"))?;
    std::fs::write(out, text).map_err(|error| Error::io("write", out, error))
}

/// Says on standard error what runs and how long the rest may take; on a terminal also what the tests
/// print.
struct Shown {
    live: Live,
    number: usize,
    began: Option<Instant>,
    /// How long the suite took: the first run is of all of it.
    suite_ms: Option<u64>,
    spent_ms: u64,
}

impl Shown {
    fn new() -> Shown {
        Shown {
            live: Live::new(false),
            number: 0,
            began: None,
            suite_ms: None,
            spent_ms: 0,
        }
    }

    fn left_ms(&self) -> Option<u64> {
        let all = self.suite_ms?.saturating_mul(MOST_SUITES);
        all.checked_sub(self.spent_ms)
    }
}

impl Progress for Shown {
    fn waiting(&mut self, owner: &str) {
        self.live.waiting(owner);
    }

    fn tests_start(&mut self, command: &str) {
        self.number += 1;
        let line = message::audit::running(self.number, command, self.left_ms());
        live::say(&format!("tcr: {line}"));
        self.began = Some(Instant::now());
        self.live.tests_start(command);
    }

    fn tests_line(&mut self, line: &str) {
        self.live.tests_line(line);
    }

    fn tests_end(&mut self) {
        self.live.tests_end();
        let took = self.began.take().map(|began| began.elapsed().as_millis());
        let took = took.and_then(|took| u64::try_from(took).ok()).unwrap_or(0);
        self.suite_ms.get_or_insert(took);
        self.spent_ms = self.spent_ms.saturating_add(took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("2h", Some(7_200)),
            ("soon", None),
            ("10 days", None),
            ("", None),
        ] {
            assert_eq!(
                time(text).ok().map(|time| time.as_secs()),
                seconds,
                "{text}"
            );
        }
    }
}
