//! The command line: the table of commands. Help, manual pages and completions all come from it.

mod help;

use std::ffi::OsString;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    allow, audit, check, completions, demo, doctor, gate, git_hook, hook_loop, hook_session,
    ingest, install, lab_stage, log, man, mcp, output, phase, print, recover, report, run, share,
    smells, spec, spike, squash, stats, status, statusline, step, switch, uninstall, verify, watch,
};
use crate::error::{ExitStatus, Result};

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
    pub(crate) command: Command,
}

impl Cli {
    /// Reads a command line.
    pub fn read(args: &[OsString]) -> std::result::Result<Cli, clap::Error> {
        match Cli::read_frequent(args) {
            Some(command) => Ok(Cli { command }),
            None => Cli::from_arg_matches(
                &help::by_occasion(Cli::command()).try_get_matches_from(args)?,
            ),
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
pub(crate) enum Command {
    /// Set TCR up in this repository and make it active on this branch.
    ///
    /// Finds the test command (or takes the one in `.tcr.toml`), seals the config, runs the tests
    /// once to learn which already fail, and records uncommitted work as a baseline commit on the
    /// WIP branch, so that nothing takes it back. Run it again to accept a changed `.tcr.toml`.
    Install(install::InstallArgs),
    /// Take out what `install` put in; states and work taken back stay.
    Uninstall(uninstall::UninstallArgs),
    /// Check git, config, test command and all hooks; say how to fix each finding.
    ///
    /// A forbidden write goes through the installed hooks and has to come back as a denial.
    Doctor(doctor::DoctorArgs),
    /// Run the tests and act: the work is committed, kept or taken back.
    ///
    /// Exit status: 0 green or committed, 1 kept or taken back, 2 could not decide (nothing touched).
    Run(run::RunArgs),
    /// Run the tests whenever files change, and act as `run` does.
    ///
    /// Shows where the work stands.
    Watch(watch::WatchArgs),
    /// Check one gate without changing anything.
    ///
    /// Do the tests fail validly, pass, stay the same?
    ///
    /// Exit status: 0 it holds, 1 it does not, 2 it can't be told.
    Check(check::CheckArgs),
    /// Take the results that a reporter wrote: JUnit XML, TAP, or JSON.
    ///
    /// They count as a run on the present tree. From an agent they are recorded, and move nothing.
    Ingest(ingest::IngestArgs),
    /// Show where the work stands and what may be written now.
    Status(print::OutputArgs),
    /// Print one line for a client's status line or a shell's prompt.
    ///
    /// It is empty where TCR is not at work.
    Statusline,
    /// Declare the phase: `refactor` once the tests pass, `red` to write the next test.
    Phase(phase::PhaseArgs),
    /// Open a longer step, for several edits; `git tcr run` ends it.
    Step(step::StepArgs),
    /// Start a spec cycle: plan, certified tests, then code that may not touch them.
    ///
    /// The spec is Markdown with at least one `#### Scenario: TITLE`; if it has a `status` in its
    /// front matter, that has to be `active`.
    Start(spec::StartArgs),
    /// Accept the plan of a spec cycle: tests may be written.
    Plan(spec::PlanArgs),
    /// Certify the tests of a spec cycle and freeze them.
    ///
    /// They stay frozen, with the spec, until the code passes.
    ///
    /// Refused unless the tests fail validly, each scenario is named by one of them, and whoever
    /// certifies wrote neither the plan nor the tests.
    Freeze(spec::FreezeArgs),
    /// Put a new spec in the place of the present one (people only).
    Supersede(spec::SupersedeArgs),
    /// Report a frozen test as wrong; source waits until a person accepts or rejects it.
    TestBug(spec::TestBugArgs),
    /// Print the evidence of the last spec cycle, or check a document.
    Evidence(spec::EvidenceArgs),
    /// Allow one change of a path that the phase forbids (people only, logged).
    Allow(allow::AllowArgs),
    /// Take a time-out from the rules, to find something out (people only).
    Spike(spike::SpikeArgs),
    /// Switch TCR on for this branch (people only).
    On(print::OutputArgs),
    /// Switch TCR off for this branch at once; ends a running test (people only).
    Off(print::OutputArgs),
    /// Set how much is enforced on this branch (people only).
    Mode(switch::ModeArgs),
    /// List what was taken back, look at it, and bring it back.
    Recover(recover::RecoverArgs),
    /// Turn the WIP branch into one clean commit on your branch.
    ///
    /// Its history is kept as evidence.
    ///
    /// Your commit hooks and your signature apply. If your branch moved on, the work is carried over
    /// to its tip and tested there first. Prints a body for the pull request. Agents may only
    /// preview it (`--dry-run`).
    Squash(squash::SquashArgs),
    /// Check that squashed histories are what they say.
    ///
    /// With `--replay` their tests are run again.
    ///
    /// Exit status: 0 they are, 1 something is wrong, 2 there is nothing to check.
    Verify(verify::VerifyArgs),
    /// Prove any history, whoever made it: asked for by tests, none weakened, all tested?
    ///
    /// Needs no install. The tests run in a lab, and nothing in the repository changes. Exit status: 0
    /// all is proven, 1 something is unproven, untested, weakened or removed, 2 it could not be told.
    Audit(audit::AuditArgs),
    /// Push states, squashed histories, evidence and notes for others to verify.
    Push(share::PushArgs),
    /// Fetch what others have pushed; nothing of it is acted upon.
    Fetch(share::FetchArgs),
    /// Show everything that a test run printed.
    Output(output::PrintedArgs),
    /// Show what happened on this branch, newest first.
    Log(log::LogArgs),
    /// Show numbers about this branch: steps, time, tests, sizes, denials.
    Stats(print::OutputArgs),
    /// Look for anti-patterns in tests and changes.
    ///
    /// Exit status: 0 nothing that blocks, 1 a finding that blocks a commit, 2 could not look.
    Smells(smells::SmellsArgs),
    /// Write a page about this branch: the timeline as a picture, and numbers.
    ///
    /// Tests, sizes, what was taken back, evidence. One file of HTML without scripts, and nothing in it comes from outside.
    Report(report::ReportArgs),
    /// Play the whole story in a throw-away repository.
    Demo(demo::DemoArgs),
    /// Judge a tool call before it runs; agents' hooks call this, with JSON on standard input.
    #[command(hide = true)]
    Gate(gate::HookArgs),
    /// Judge the worktree after a tool call; agents' hooks call this.
    #[command(hide = true)]
    Loop(gate::HookArgs),
    /// Greet an agent's session; agents' hooks call this.
    #[command(hide = true)]
    Session(gate::HookArgs),
    /// Check what git is about to do; git's hooks call this.
    #[command(hide = true)]
    GitHook(git_hook::GitHookArgs),
    /// Set a lab up and run a command in it; the lab calls this.
    #[command(hide = true)]
    LabStage(lab_stage::LabStageArgs),
    /// Serve agents over MCP: what they may do, and nothing else.
    ///
    /// Reads standard input and writes standard output.
    Mcp,
    /// Print completions for a shell.
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or put all where `man` finds them.
    Man(man::ManArgs),
}

/// Carries a parsed command out.
pub(crate) fn dispatch(cli: Cli) -> Result<ExitStatus> {
    match cli.command {
        Command::Install(args) => install::install(&args, Cli::command),
        Command::Uninstall(args) => uninstall::uninstall(args),
        Command::Doctor(args) => doctor::doctor(args),
        Command::Run(args) => run::run(&args),
        Command::Watch(args) => watch::watch(&args),
        Command::Check(args) => check::check(&args),
        Command::Ingest(args) => ingest::ingest(&args),
        Command::Status(args) => status::status(args),
        Command::Statusline => statusline::statusline(),
        Command::Phase(args) => phase::phase(&args),
        Command::Step(args) => step::step(&args),
        Command::Start(args) => spec::start(&args),
        Command::Plan(args) => spec::plan(&args),
        Command::Freeze(args) => spec::freeze(&args),
        Command::Supersede(args) => spec::supersede(&args),
        Command::TestBug(args) => spec::test_bug(&args),
        Command::Evidence(args) => spec::evidence(&args),
        Command::Allow(args) => allow::allow(&args),
        Command::Spike(args) => spike::spike(&args),
        Command::On(args) => switch::on(args),
        Command::Off(args) => switch::off(args),
        Command::Mode(args) => switch::mode(&args),
        Command::Recover(args) => recover::recover(&args),
        Command::Squash(args) => squash::squash(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Audit(args) => audit::audit(&args),
        Command::Push(args) => share::push(&args),
        Command::Fetch(args) => share::fetch(&args),
        Command::Output(args) => output::output(&args),
        Command::Log(args) => log::log(&args),
        Command::Stats(args) => stats::stats(args),
        Command::Smells(args) => smells::smells(&args),
        Command::Report(args) => report::report(&args),
        Command::Demo(args) => demo::demo(&args),
        Command::Gate(args) => gate::gate(&args),
        Command::Loop(args) => hook_loop::hook_loop(&args),
        Command::Session(args) => hook_session::hook_session(&args),
        Command::GitHook(args) => git_hook::git_hook(&args),
        Command::LabStage(args) => lab_stage::lab_stage(&args),
        Command::Mcp => mcp::mcp(),
        Command::Completions(args) => completions::completions(&args, Cli::command()),
        Command::Man(args) => man::man(&args, Cli::command()),
    }
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
