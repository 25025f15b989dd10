//! One file per command: load, decide, apply, render.

mod allow;
mod audit;
mod check;
mod completions;
mod demo;
mod doctor;
mod gate;
mod git_hook;
mod hook_loop;
mod hook_session;
mod ingest;
mod install;
mod lab_stage;
mod live;
mod log;
mod man;
mod mcp;
mod open;
mod output;
mod pager;
mod phase;
mod print;
mod recover;
mod report;
mod run;
mod share;
mod smells;
mod spec;
mod spike;
mod squash;
mod stats;
mod status;
mod statusline;
mod step;
mod switch;
mod uninstall;
mod verify;
mod watch;

use crate::cli::{Cli, Command};
use crate::error::{ExitStatus, Result};

/// Carries a parsed command out.
pub(crate) fn dispatch(cli: Cli) -> Result<ExitStatus> {
    match cli.command {
        Command::Install(args) => install::install(&args),
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
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => man::man(&args),
    }
}
