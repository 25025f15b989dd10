//! `git tcr start`, `plan`, `freeze`, `supersede`, `test-bug`, `evidence`: the spec cycle.

use crate::rules::declared::ValidatorVerdict;
use clap::Args;
use clap::Subcommand;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::live::Live;
use super::open::{self, Opened};
use super::print;
use crate::branch::caller;
use crate::branch::classes::Classes;
use crate::branch::place;
use crate::branch::session::Session;
use crate::branch::stand_aside;
use crate::error::{Error, ExitStatus, Result};
use crate::message;
use crate::message::refusals;
use crate::outcome::spec::Decided;
use crate::spec_cycle::evidence;
use crate::spec_cycle::freeze::Certifier;
use crate::spec_cycle::start::Begin;
use crate::step::activate;

/// `start`
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// The spec: Markdown with at least one `#### Scenario: TITLE`.
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: PathBuf,
    /// What the spec is called; by default its `id`, or the file's name.
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The document that the spec belongs to; it has to be active too.
    #[arg(long, value_name = "FILE")]
    pub(crate) prd: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plan`
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The plan; files under `must_haves` in its front matter have to be there at the end.
    pub(crate) file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `freeze`
#[derive(Debug, Args)]
pub(crate) struct FreezeArgs {
    /// What the validator says about the tests.
    #[arg(long, value_enum, required_unless_present = "auto")]
    pub(crate) verdict: Option<VerdictName>,
    /// Who says so: not one of those who wrote the plan or the tests.
    #[arg(long, value_name = "ID", required_unless_present = "auto")]
    pub(crate) by: Option<String>,
    /// A file with what there is to say about the tests.
    #[arg(long, value_name = "FILE")]
    pub(crate) note: Option<PathBuf>,
    /// Ask the program of `[validator] command`.
    #[arg(long, conflicts_with_all = ["verdict", "by", "note"])]
    pub(crate) auto: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The verdicts as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictName {
    /// The tests say what the spec says.
    Pass,
    /// They should be looked at again.
    Concerns,
    /// They must not be frozen.
    Blocker,
}

impl From<VerdictName> for ValidatorVerdict {
    fn from(name: VerdictName) -> ValidatorVerdict {
        match name {
            VerdictName::Pass => ValidatorVerdict::Pass,
            VerdictName::Concerns => ValidatorVerdict::Concerns,
            VerdictName::Blocker => ValidatorVerdict::Blocker,
        }
    }
}

/// `supersede`
#[derive(Debug, Args)]
pub(crate) struct SupersedeArgs {
    /// The new spec.
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// What it changes: `## ADDED`, `## MODIFIED` (with BEFORE and AFTER), `## REMOVED Requirements`.
    #[arg(long, value_name = "FILE")]
    pub(crate) delta: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `test-bug`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct TestBugArgs {
    /// A person's decision.
    #[command(subcommand)]
    pub(crate) decision: Option<BugDecision>,
    /// Where the frozen test is wrong.
    #[arg(value_name = "FILE:LINE", required = true)]
    pub(crate) place: Option<String>,
    /// What is wrong with it.
    #[arg(required = true)]
    pub(crate) text: Option<String>,
    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What a person decides about a test.
#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum BugDecision {
    /// The test is wrong: back to `red`, to mend it (people only).
    Accept {
        /// The number of the report.
        number: u64,
    },
    /// The test is right: on in `green` (people only).
    Reject {
        /// The number of the report.
        number: u64,
    },
}

/// `evidence`
#[derive(Debug, Args)]
pub(crate) struct EvidenceArgs {
    /// Hold a document against this repository instead of printing one.
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,
    /// Print JSON: an in-toto statement with the test-result predicate.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn start(args: &StartArgs) -> Result<ExitStatus> {
    let mut live = Live::new(args.json);
    let mut opened = Opened::new(&mut live)?;
    stand_aside::check(&opened.repo, &opened.place)?;
    if opened.place.loaded.is_none() {
        let by = crate::person::calling_agent().map(str::to_owned);
        let config = &opened.sealed.config;
        activate::activate(&opened.repo, config, &opened.place, by, false, &mut live)?;
        opened.place = place::locate(&opened.repo)?;
    }
    let mut session = called(&opened, "start")?;
    let spec_path = inside(&opened, &args.spec, "git tcr start --spec FILE")?;
    let prd = args.prd.as_ref();
    let prd = prd.map(|prd| inside(&opened, prd, "git tcr start --spec FILE --prd FILE"));
    let prd = prd.transpose()?;
    let spec = session.start_spec(&Begin {
        spec: &spec_path,
        id: args.id.as_deref(),
        prd: prd.as_deref(),
    })?;
    let state = &session.state;
    if args.json {
        print::json(&json!({
            "action": "start", "phase": state.phase, "cycle": state.cycle, "spec": state.spec,
            "scenarios": spec.scenarios, "next_step": message::spec::next_in(state, false),
        }))?;
    } else {
        print::message(&message::spec::start(state, &spec))?;
    }
    Ok(ExitStatus::Done)
}

pub(crate) fn plan(args: &PlanArgs) -> Result<ExitStatus> {
    let opened = ready(args.json)?;
    let mut session = called(&opened, "plan")?;
    let path = inside(&opened, &args.file, "git tcr plan FILE")?;
    let planned = session.accept_plan(&path)?;
    let state = &session.state;
    if args.json {
        print::json(&json!({
            "action": "plan", "phase": state.phase, "plan": planned.plan, "commit": planned.commit,
            "next_step": message::spec::next_in(state, false),
        }))?;
    } else {
        print::message(&message::spec::planned(state, planned.commit.as_deref()))?;
    }
    Ok(ExitStatus::Done)
}

pub(crate) fn freeze(args: &FreezeArgs) -> Result<ExitStatus> {
    let mut live = Live::new(args.json);
    let opened = Opened::new(&mut live)?;
    stand_aside::check(&opened.repo, &opened.place)?;
    let mut session = opened.session()?;
    let seen = caller::take(&opened.repo, "freeze")?;
    let certifier = match (args.verdict, &args.by) {
        (Some(verdict), Some(by)) => Certifier::Given {
            verdict: verdict.into(),
            by: by.clone(),
            notes: args
                .note
                .as_deref()
                .map(read_note)
                .transpose()?
                .unwrap_or_default(),
            // A person is believed; an agent is who the gate saw.
            vouched: session.by.is_none() || seen.as_deref() == Some(by.as_str()),
        },
        _ => Certifier::Program,
    };
    session.identity = seen.filter(|_| session.by.is_some());
    let outcome = session.freeze(certifier, &mut live)?;
    let state = &session.state;
    if args.json {
        print::json(&json!({
            "action": "freeze",
            "frozen": outcome.oracle.is_some(),
            "refusal": outcome.refusal.map(|refusal| {
                message::spec::refusal(refusal, "freeze", state.phase).0
            }),
            "phase": state.phase,
            "oracle": outcome.oracle,
            "certificate": outcome.certificate,
            "coverage": outcome.coverage,
            "unfit": outcome.unfit,
            "test_results": outcome.results,
        }))?;
    } else {
        print::message(&message::spec::certify::freeze(&outcome, state))?;
    }
    let asked_for = !args.auto && outcome.refusal.is_none();
    Ok(match outcome.oracle.is_some() || asked_for {
        true => ExitStatus::Done,
        false => ExitStatus::No,
    })
}

fn read_note(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| Error::io("read", path, error))
}

pub(crate) fn supersede(args: &SupersedeArgs) -> Result<ExitStatus> {
    open::people_only("supersede")?;
    let opened = ready(args.json)?;
    let mut session = opened.session()?;
    let usage = "git tcr supersede NEW --delta FILE";
    let new = inside(&opened, &args.new, usage)?;
    let delta = inside(&opened, &args.delta, usage)?;
    let done = session.supersede(&new, &delta)?;
    let state = &session.state;
    if args.json {
        print::json(&json!({
            "action": "supersede", "phase": state.phase, "cycle": state.cycle, "spec": state.spec,
            "predecessor": done.predecessor, "delta": done.delta, "related": done.related,
        }))?;
    } else {
        print::message(&message::spec::superseded(&done, state))?;
    }
    Ok(ExitStatus::Done)
}

pub(crate) fn test_bug(args: &TestBugArgs) -> Result<ExitStatus> {
    let opened;
    let mut session;
    let done: Decided = match (args.decision, &args.place, &args.text) {
        (Some(decision), _, _) => {
            open::people_only("test-bug accept|reject")?;
            opened = ready(args.json)?;
            session = opened.session()?;
            match decision {
                BugDecision::Accept { number } => session.accept_test_bug(number)?,
                BugDecision::Reject { number } => session.reject_test_bug(number)?,
            }
        }
        (None, Some(place), Some(text)) => {
            opened = ready(args.json)?;
            session = called(&opened, "test-bug")?;
            let (file, line) = place_of(place)?;
            let path = inside(&opened, Path::new(file), "git tcr test-bug FILE:LINE TEXT")?;
            session.report_test_bug(&path, line, text)?
        }
        (None, _, _) => return Err(refusals::no_place_of_bug()),
    };
    let state = &session.state;
    if args.json {
        print::json(&json!({
            "action": "test_bug", "phase": state.phase, "test_bug": done.bug,
            "recover": done.parked.as_ref().map(|(number, _)| number),
        }))?;
    } else {
        print::message(&message::spec::bugs::decided(&done, state))?;
    }
    Ok(ExitStatus::Done)
}

fn place_of(place: &str) -> Result<(&str, usize)> {
    let parsed = place
        .rsplit_once(':')
        .and_then(|(file, line)| Some((file, line.parse().ok()?)));
    parsed.ok_or_else(|| refusals::not_file_and_line(place))
}

pub(crate) fn evidence(args: &EvidenceArgs) -> Result<ExitStatus> {
    let repo = open::repository()?;
    let sealed = crate::branch::sealed::require(&repo)?;
    let place = place::locate(&repo)?;
    let state = &place.require()?.state;
    let base = place.kept_under();
    if let Some(file) = &args.check {
        let text = std::fs::read(file).map_err(|error| Error::io("read", file, error))?;
        let classes = Classes::new(&repo, &sealed.config, None)?;
        let findings = evidence::check(&repo, &classes, base, state, &text)?;
        let holds = findings.iter().all(|finding| finding.holds);
        if args.json {
            print::json(
                &json!({"action": "check_evidence", "holds": holds, "findings": findings}),
            )?;
        } else {
            print::message(&message::spec::done::checked(&findings))?;
        }
        return Ok(if holds {
            ExitStatus::Done
        } else {
            ExitStatus::No
        });
    }
    let Some(found) = evidence::newest(&repo, base, state)? else {
        let (what, hint) = message::spec::done::no_evidence(&place.base.to_string());
        return Err(Error::Refused { what, hint });
    };
    if args.json {
        print::json(&found.statement)?;
    } else {
        print::text(&found.markdown)?;
    }
    Ok(ExitStatus::Done)
}

/// What most of these commands begin with.
fn ready(json: bool) -> Result<Opened> {
    let opened = Opened::new(&mut Live::new(json))?;
    stand_aside::check(&opened.repo, &opened.place)?;
    Ok(opened)
}

/// The branch at work, with the agent that the gate saw make this call.
fn called<'o>(opened: &'o Opened, command: &str) -> Result<Session<'o>> {
    let mut session = opened.session()?;
    if session.by.is_some() {
        session.identity = caller::take(&opened.repo, command)?;
    }
    Ok(session)
}

fn inside(opened: &Opened, path: &Path, usage: &str) -> Result<PathBuf> {
    open::from_root(opened.repo.root(), path, usage)
}
