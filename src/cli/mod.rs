//! The command line: types only. Help, manual pages and completions all come from here.

pub mod audit;
mod client;
mod git_hook;
mod lab_stage;
pub mod out;
pub mod report;
mod setup;
mod smells;
pub mod spec;
pub mod spike;
mod watch;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::rules::Mode;
pub use client::HookArgs;
pub use git_hook::GitHookArgs;
pub use lab_stage::LabStageArgs;
pub use setup::{CompletionsArgs, DoctorArgs, InstallArgs, ManArgs, UninstallArgs};
pub use smells::SmellsArgs;
pub use watch::WatchArgs;
pub use work::{
    CheckArgs, GateName, IngestArgs, PhaseArgs, PhaseName, PrintedArgs, RunArgs, StepArgs,
};

/// Keeps coding agents and people honest about test-driven development, inside git.
///
/// After each change the tests decide: committed, kept or taken back, on a branch of its own
/// (`tcr/<your branch>`). Nothing is ever lost: `git tcr recover` brings back what was taken back.
#[derive(Debug, Parser)]
#[command(
    name = "git-tcr",
    bin_name = "git tcr",
    version = crate::VERSION,
    propagate_version = true
)]
#[command(after_help = "Start with `git tcr install`; see the whole story with `git tcr demo`.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads a command line.
    pub fn read(args: &[OsString]) -> Result<Cli, clap::Error> {
        match Cli::read_frequent(args) {
            Some(command) => Ok(Cli { command }),
            None => Cli::try_parse_from(args),
        }
    }

    /// What hooks and agents call all the time is read by its own grammar alone: to set up that of all
    /// commands takes longer than to read the state. What it does not accept is for the whole one.
    fn read_frequent(args: &[OsString]) -> Option<Command> {
        let (name, rest) = args.split_first()?.1.split_first()?;
        match name.to_str()? {
            "run" => read_alone(rest).map(Command::Run),
            "status" => read_alone(rest).map(Command::Status),
            "gate" => read_alone(rest).map(Command::Gate),
            "loop" => read_alone(rest).map(Command::Loop),
            "session" => read_alone(rest).map(Command::Session),
            "git-hook" => read_alone(rest).map(Command::GitHook),
            "lab-stage" => read_alone(rest).map(Command::LabStage),
            _ => None,
        }
    }
}

fn read_alone<A: Args>(args: &[OsString]) -> Option<A> {
    let grammar = A::augment_args(clap::Command::new("git-tcr").no_binary_name(true));
    let matches = grammar.try_get_matches_from(args).ok()?;
    A::from_arg_matches(&matches).ok()
}

/// Every command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Set TCR up in this repository and make it active on this branch.
    ///
    /// Finds the test command (or takes the one in `.tcr.toml`), seals the config, runs the tests
    /// once to learn which already fail, and records uncommitted work as a baseline commit on the
    /// WIP branch, so that nothing takes it back. Run it again to accept a changed `.tcr.toml`.
    Install(InstallArgs),
    /// Take out of this repository what `install` put in; states and work taken back stay.
    Uninstall(UninstallArgs),
    /// Check git, config, test command, git's hooks and the clients'; say how to mend each finding.
    ///
    /// A forbidden write goes through the installed hooks and has to come back as a denial.
    Doctor(DoctorArgs),
    /// Run the tests and act: the work is committed, kept or taken back.
    ///
    /// Exit status: 0 green or committed, 1 kept or taken back, 2 could not decide (nothing touched).
    Run(RunArgs),
    /// Run the tests whenever files change, and act as `run` does; shows where the work stands.
    Watch(WatchArgs),
    /// Check one gate without changing anything: do the tests fail validly, pass, stay the same?
    ///
    /// Exit status: 0 it holds, 1 it does not, 2 it can't be told.
    Check(CheckArgs),
    /// Take the results that a reporter wrote: JUnit XML, TAP, or JSON.
    ///
    /// They count as a run on the present tree. From an agent they are recorded, and move nothing.
    Ingest(IngestArgs),
    /// Show where the work stands and what may be written now.
    Status(OutputArgs),
    /// Print one line for a client's status line or a shell's prompt; nothing where TCR is not at work.
    Statusline,
    /// Declare the phase you are in: `refactor` once the tests pass, `red` to write the next test.
    Phase(PhaseArgs),
    /// Open a longer step, for a change that needs several edits; `git tcr run` ends it.
    Step(StepArgs),
    /// Start a spec cycle: plan, certified tests, then code that may not touch them.
    ///
    /// The spec is Markdown with at least one `#### Scenario: TITLE`; if it has a `status` in its
    /// front matter, that has to be `active`.
    Start(spec::StartArgs),
    /// Accept the plan of a spec cycle: tests may be written.
    Plan(spec::PlanArgs),
    /// Certify the tests of a spec cycle and freeze them, with the spec, until the code passes.
    ///
    /// Refused unless the tests fail validly, each scenario is named by one of them, and whoever
    /// certifies wrote neither the plan nor the tests.
    Freeze(spec::FreezeArgs),
    /// Put a new spec in the place of the present one (people only).
    Supersede(spec::SupersedeArgs),
    /// Report a frozen test as wrong; source waits until a person accepts or rejects it.
    TestBug(spec::TestBugArgs),
    /// Print the evidence of the last spec cycle, or check a document against this repository.
    Evidence(spec::EvidenceArgs),
    /// Allow one change of a path that the phase forbids (people only, logged).
    Allow(AllowArgs),
    /// Take a time-out from the rules, to find something out (people only).
    Spike(spike::SpikeArgs),
    /// Switch TCR on for this branch (people only).
    On(OutputArgs),
    /// Switch TCR off for this branch at once; ends a running test (people only).
    Off(OutputArgs),
    /// Set how much is enforced on this branch (people only).
    Mode(ModeArgs),
    /// List what was taken back, look at it, and bring it back.
    Recover(RecoverArgs),
    /// Turn the WIP branch into one clean commit on your branch, and keep its history as evidence.
    ///
    /// Your commit hooks and your signature apply. If your branch moved on, the work is carried over
    /// to its tip and tested there first. Prints a body for the pull request. Agents may only
    /// preview it (`--dry-run`).
    Squash(out::SquashArgs),
    /// Check that squashed histories are what they say; with `--replay` by running them again.
    ///
    /// Exit status: 0 they are, 1 something is wrong, 2 there is nothing to check.
    Verify(out::VerifyArgs),
    /// Prove any history, whoever made it: did tests ask for it, were tests weakened, is all of it tested?
    ///
    /// Needs no install. The tests run in a lab, and nothing in the repository changes. Exit status: 0
    /// all is proven, 1 something is unproven, untested, weakened or removed, 2 it could not be told.
    Audit(audit::AuditArgs),
    /// Push states, squashed histories, evidence and notes to a remote, for others to verify.
    Push(out::PushArgs),
    /// Fetch what others have pushed; nothing of it is acted upon.
    Fetch(out::FetchArgs),
    /// Show everything that a test run printed.
    Output(PrintedArgs),
    /// Show what happened on this branch, newest first.
    Log(LogArgs),
    /// Show numbers about this branch: steps, time in each phase, tests, sizes, what was taken back, denials.
    Stats(OutputArgs),
    /// Look for anti-patterns in tests and changes.
    ///
    /// Exit status: 0 nothing that blocks, 1 a finding that blocks a commit, 2 could not look.
    Smells(SmellsArgs),
    /// Write a page about this branch: the timeline as a picture, tests, sizes, what was taken back, evidence.
    ///
    /// One file of HTML without scripts, and nothing in it comes from outside.
    Report(report::ReportArgs),
    /// Play the whole story in a throw-away repository.
    Demo(DemoArgs),
    /// Judge a tool call before it runs; agents' hooks call this, with JSON on standard input.
    #[command(hide = true)]
    Gate(HookArgs),
    /// Judge the worktree after a tool call; agents' hooks call this.
    #[command(hide = true)]
    Loop(HookArgs),
    /// Greet an agent's session; agents' hooks call this.
    #[command(hide = true)]
    Session(HookArgs),
    /// Check what git is about to do; git's hooks call this.
    #[command(hide = true)]
    GitHook(GitHookArgs),
    /// Set a lab up and run a command in it; the lab calls this.
    #[command(hide = true)]
    LabStage(LabStageArgs),
    /// Serve agents over MCP, on standard input and output: what they may do, and nothing else.
    Mcp,
    /// Print completions for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or put all of them where `man` finds them.
    Man(ManArgs),
}

/// How facts are printed.
#[derive(Debug, Clone, Copy, Args)]
pub struct OutputArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `allow`
#[derive(Debug, Args)]
pub struct AllowArgs {
    /// The paths, from where you are.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// For the next change only.
    #[arg(long, required = true)]
    pub once: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `mode`
#[derive(Debug, Args)]
pub struct ModeArgs {
    /// The mode.
    #[arg(value_enum)]
    pub mode: ModeName,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// The modes as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    /// Gate and loop: what a test asks for is committed, unfinished work kept, the rest taken back.
    Both,
    /// The gate alone; results move the phases, nothing is committed or taken back.
    Tdd,
    /// The loop alone: green is committed, red is taken back at once.
    Tcr,
    /// The gate, and a loop that takes back only what is frozen.
    Relaxed,
    /// Touch nothing, record what would have been done.
    Observe,
    /// Nothing but protected paths is guarded.
    Off,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Mode {
        match name {
            ModeName::Both => Mode::Both,
            ModeName::Tdd => Mode::Tdd,
            ModeName::Tcr => Mode::Tcr,
            ModeName::Relaxed => Mode::Relaxed,
            ModeName::Observe => Mode::Observe,
            ModeName::Off => Mode::Off,
        }
    }
}

/// `recover`
#[derive(Debug, Args)]
pub struct RecoverArgs {
    /// What to do; without it the list is shown.
    #[command(subcommand)]
    pub action: Option<RecoverAction>,
    /// Print JSON.
    #[arg(long, global = true)]
    pub json: bool,
}

/// How many entries a list shows where nobody asks for more.
pub const LISTED: usize = 50;

/// What `recover` can do.
#[derive(Debug, Clone, Subcommand)]
pub enum RecoverAction {
    /// List what was taken back, newest first.
    List {
        /// How many entries.
        #[arg(short = 'n', long, default_value_t = LISTED, value_name = "COUNT")]
        count: usize,
    },
    /// Show what an entry holds, as a diff.
    Show {
        /// The entry's number.
        number: u64,
    },
    /// Bring an entry back into the worktree; what is there now is saved first.
    Restore {
        /// The entry's number.
        number: u64,
    },
    /// Go back to the last green; the present work is saved first.
    Green,
}

/// `log`
#[derive(Debug, Args)]
pub struct LogArgs {
    /// How many entries.
    #[arg(short = 'n', long, default_value_t = LISTED, value_name = "COUNT")]
    pub count: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `demo`
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where to make the repository; by default a new temporary folder.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the whole grammar and the short way make of a line.
    fn both(line: &str) -> (Option<String>, Option<String>) {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let short = Cli::read_frequent(&args).map(|command| format!("{command:?}"));
        let whole = Cli::try_parse_from(&args).ok();
        (short, whole.map(|cli| format!("{:?}", cli.command)))
    }

    #[test]
    fn the_short_way_reads_what_the_whole_grammar_reads() {
        for line in [
            "git-tcr run",
            "git-tcr run --json --force",
            "git-tcr run -- sh -c false",
            "git-tcr status --json",
            "git-tcr gate --client claude-code",
            "git-tcr loop --client=codex",
            "git-tcr session --client gemini",
            "git-tcr git-hook pre-commit --flag value",
            "git-tcr lab-stage mount /room -- cargo test -- --exact",
        ] {
            let (short, whole) = both(line);
            assert!(
                short.is_some() && short == whole,
                "{line}: {short:?} {whole:?}"
            );
        }
    }

    #[test]
    fn what_the_short_way_does_not_read_is_left_to_the_whole_grammar() {
        for line in [
            "git-tcr",
            "git-tcr run --help",
            "git-tcr status --version",
            "git-tcr run --no-such-option",
            "git-tcr gate",
            "git-tcr gate --client nobody",
            "git-tcr git-hook",
            "git-tcr --help run",
        ] {
            let (short, whole) = both(line);
            assert!(
                short.is_none() && whole.is_none(),
                "{line}: {short:?} {whole:?}"
            );
        }
        assert!(both("git-tcr log").0.is_none() && both("git-tcr log").1.is_some());
    }
}
