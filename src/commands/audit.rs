//! `git tcr audit`

use std::path::Path;
use std::time::Instant;

use super::live::{self, Live};
use super::{open, print};
use crate::audit::{self, Audit, Request, Shards};
use crate::cli::audit::AuditArgs;
use crate::error::{Error, ExitStatus, Result};
use crate::message;
use crate::outcome::audit::{Audited, Verdict};
use crate::test_run::progress::Progress;

/// The way out costs at most this many runs of the suite.
const MOST_SUITES: u64 = crate::rules::way_out::MOST_SUITES as u64;

pub(super) fn audit(args: &AuditArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let request = Request {
        range: args.range.as_deref(),
        each: args.each,
        setup: args.setup.as_deref(),
        test: args.test.as_deref(),
        deadline: args.budget.map(|budget| Instant::now() + budget),
    };
    let audit = Audit::new(&repo, &request)?;
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
    let mut known = Shards::read(&audit, &args.merge)?;
    let audited = audit.ask(&mut known, &mut shown)?;
    say(&audited, args)?;
    Ok(match audited.verdict {
        Verdict::Nothing | Verdict::Proven => ExitStatus::Done,
        Verdict::Wanting => ExitStatus::No,
        Verdict::Unknown => ExitStatus::Undecided,
    })
}

fn say(audited: &Audited, args: &AuditArgs) -> Result<()> {
    if args.sarif {
        print::json(&audit::sarif(audited))
    } else if args.markdown {
        print::text(&message::audit::markdown(audited))
    } else if args.json {
        print::json(audited)
    } else {
        print::message(&message::audit::audited(audited))
    }
}

fn write(shard: &audit::Shard, out: Option<&Path>) -> Result<()> {
    let Some(out) = out else {
        return print::json(shard);
    };
    let text = serde_json::to_vec(shard).map_err(|_| Error::internal("a result is not JSON"))?;
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
