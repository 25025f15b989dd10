//! The shelf of test runners: one file each, with all that the program knows of it. The table here is
//! the only list of them.
//!
//! A runner's file says, in the order of [`Runner`]'s fields, how the runner is known in a command and in
//! a project, how it is asked for a report without a change to the project, how the report and what it
//! prints are read, and how a run is limited to some tests. Tongues that several runners speak are in
//! `formats/`, what we put into runners is in `reporters/`.

pub(crate) mod aim;
pub(crate) mod ask;
pub(crate) mod command;
pub mod formats;
pub(crate) mod project;
pub(crate) mod rust;
pub(crate) mod written;

mod alcotest;
mod ava;
mod bats;
mod behave;
mod bun;
mod busted;
mod cargo_test;
mod catch2;
mod ctest;
mod cucumber_js;
mod deno;
mod doctest;
mod doctest_cpp;
mod dotnet;
mod exunit;
mod go_test;
mod gradle;
mod gtest;
mod jasmine;
mod jest;
mod meson;
mod minitest;
mod mocha;
mod nextest;
mod node_tap;
mod node_test;
mod nose2;
mod phpunit;
mod playwright;
mod prove;
mod pytest;
mod qunit;
mod rebar3;
mod robot;
mod rspec;
mod shunit2;
mod surefire;
mod swift;
mod tap;
mod tape;
mod test_unit;
mod testthat;
mod trial;
mod unittest;
mod uvu;
mod vitest;

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::rules::verdict::Report;

use ask::{Asking, Way};
use command::{Found, Look, Sign};
use formats::junit::{self, Dialect};
use formats::{Format, Told};
pub(crate) use go_test::go_modules;
use project::{Offer, Place};

/// Every runner. Where two of them could be meant, the first is.
pub(crate) static RUNNERS: &[&Runner] = &[
    &pytest::RUNNER,
    &unittest::RUNNER,
    &vitest::RUNNER,
    &jest::RUNNER,
    &mocha::RUNNER,
    &node_test::RUNNER,
    &bun::RUNNER,
    &deno::RUNNER,
    &cargo_test::RUNNER,
    &nextest::RUNNER,
    &go_test::RUNNER,
    &phpunit::RUNNER,
    &minitest::RUNNER,
    &rspec::RUNNER,
    &surefire::RUNNER,
    &gradle::RUNNER,
    &exunit::RUNNER,
    &rebar3::RUNNER,
    &ctest::RUNNER,
    &gtest::RUNNER,
    &bats::RUNNER,
    &prove::RUNNER,
    &ava::RUNNER,
    &behave::RUNNER,
    &busted::RUNNER,
    &cucumber_js::RUNNER,
    &doctest::RUNNER,
    &jasmine::RUNNER,
    &node_tap::RUNNER,
    &nose2::RUNNER,
    &playwright::RUNNER,
    &qunit::RUNNER,
    &robot::RUNNER,
    &tape::RUNNER,
    &test_unit::RUNNER,
    &testthat::RUNNER,
    &trial::RUNNER,
    &uvu::RUNNER,
    &alcotest::RUNNER,
    &meson::RUNNER,
    &shunit2::RUNNER,
    &catch2::RUNNER,
    &doctest_cpp::RUNNER,
    &dotnet::RUNNER,
    &swift::RUNNER,
    &tap::RUNNER,
];

/// A test runner. A file of the shelf says what is special about its own, and takes the rest from
/// `Runner::named`.
pub struct Runner {
    /// What people call it.
    pub name: &'static str,

    // How it is known in a command.
    /// Programs that are it, also as scripts and modules that an interpreter runs: `pytest` for
    /// `python -m pytest`.
    pub(crate) programs: &'static [&'static str],
    /// Programs that run it if this is the first word for them: `bun test`.
    pub(crate) subcommands: &'static [(&'static str, &'static str)],
    /// Packages of npm that hold its program.
    pub(crate) packages: &'static [&'static str],
    /// Words that tell it in the text of a script, by what runs the script; see [`Look::host`].
    pub(crate) scripts: &'static [(&'static str, &'static str)],
    /// Any other sign of it in a call.
    pub(crate) sign: fn(&Look<'_>) -> Option<Sign>,
    /// Whether a compiled program of the project may be it.
    pub(crate) is_compiled: bool,
    /// Further words that it takes for arguments: those in a file or a variable.
    pub(crate) more_words: fn(&Look<'_>) -> Vec<String>,
    /// Options with which it names its tests and runs none of them.
    pub(crate) lists_only: &'static [&'static str],

    // How it is known in a project.
    /// Test commands that would start it, and what speaks for them.
    pub(crate) detect: fn(&Place<'_>, &mut Vec<Offer>),
    /// How it is called where a project has its package, or a config of it, and no script.
    pub(crate) call: &'static str,
    /// First words with which it waits for changes instead of ending.
    pub(crate) watches: &'static [&'static str],
    /// The folders that its config names as its projects.
    pub(crate) projects: fn(&Place<'_>) -> Vec<String>,
    /// Beginnings of the names of its config files.
    pub(crate) configs: &'static [&'static str],
    /// Words in the names of the plugins of Nx that start it.
    pub(crate) executors: &'static [&'static str],

    // How a report is asked for.
    /// What makes it write a report; `None` where what it prints, or writes anyway, must do.
    pub(crate) ask: fn(&Asking<'_>) -> Option<Way>,
    /// The same without code of ours, where that did not work; `None` if it can't be had.
    pub(crate) ask_again: fn(&Asking<'_>) -> Option<Way>,
    /// Our files for its processes of Node; see [`Way::node_hook`].
    pub(crate) node_files: &'static [(&'static str, &'static str)],
    /// It would write the reports of two runs into one file.
    pub(crate) writes_one_file: bool,
    /// What it prints or writes unasked is as good as a report: a run that leaves neither is broken.
    pub(crate) tells_unasked: bool,
    /// Words in what it prints that speak of what we added.
    pub(crate) ours: &'static [&'static str],

    // How it is read.
    /// Its reports in our folder, by the beginning of the name of the file, or of the folder it is in.
    pub(crate) reports: &'static [(&'static str, &'static Format)],
    /// What it writes if it is told to, which `ingest` takes.
    pub(crate) documents: &'static [&'static Format],
    /// What it means by JUnit XML.
    pub(crate) junit: &'static Dialect,
    /// Reports that it wrote by itself, in JUnit XML.
    pub(crate) written: fn(&Written<'_>) -> Vec<PathBuf>,
    /// What it prints, read for want of a report; `None` if it did not print this.
    pub(crate) read_text: fn(&str) -> Option<Told>,
    /// Lines that hardly anything else prints, as regular expressions.
    pub(crate) telling: &'static [&'static str],
    /// Runners whose telling lines it prints, too.
    pub(crate) hides: &'static [&'static str],
    /// What it prints, made readable, where asking for a report changed it.
    pub(crate) readable: Option<fn(&str) -> String>,
    /// What the output says of files, put right before it is read.
    pub(crate) rooted: fn(&Path, &[Found], &str) -> Option<String>,
    /// Looks into the source where the report can't tell causes or files.
    pub(crate) settle: fn(&mut Report, &Sources<'_>),

    // What its words mean.
    /// Types, by their beginnings, that it raises where an assertion does not hold.
    pub(crate) assertions: &'static [&'static str],
    /// Failures that say nothing about the code under test: time-outs, workers that died, tests that tried to
    /// leave, or that passed though marked as failing; as regular expressions.
    pub(crate) proves_nothing: &'static [&'static str],
    /// Lines that say it never got to work, as regular expressions.
    pub(crate) nothing_ran: &'static [&'static str],

    // What a lab needs to know.
    /// Folders that it fills and makes again.
    pub(crate) caches: &'static [&'static str],
    /// A variable, and the words in it that keep it from leaving work to a process which outlives it.
    pub(crate) no_daemon: Option<(&'static str, &'static str)>,

    // How a run of it is limited to some tests.
    /// Whether what we put into it reaches it and can leave out tests.
    pub(crate) takes_aim: fn(&Found) -> bool,
    /// Options of its own that ours would replace, or be added to.
    pub(crate) filters: &'static [&'static str],

    // For people.
    /// How it is known, for the documentation; what `programs` and the like don't say.
    pub known_by: &'static str,
    /// How it is asked, for the documentation.
    pub asked: &'static str,
    /// The version of the real program that the tests use; none if it was never tried.
    pub tried: Option<&'static str>,
}

/// Where reports are that a runner wrote by itself.
pub(crate) struct Written<'a> {
    /// The folder it was started in.
    pub(crate) root: &'a Path,
    /// When the run began.
    pub(crate) started: SystemTime,
    /// What it printed.
    pub(crate) output: &'a str,
}

/// The files of a project, by the paths that a report has.
pub(crate) struct Sources<'a> {
    /// The folder of the project.
    pub(crate) dir: &'a Path,
    /// The text of a file.
    pub(crate) text: &'a dyn Fn(&str) -> Option<String>,
}

impl Sources<'_> {
    /// A line of a file.
    pub(crate) fn line(&self, file: &str, line: u32) -> Option<String> {
        let text = (self.text)(file)?;
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        text.lines().nth(index).map(str::to_owned)
    }
}

impl Runner {
    /// One of which nothing but the name is known.
    pub(crate) const fn named(name: &'static str) -> Runner {
        Runner {
            name,
            programs: &[],
            subcommands: &[],
            packages: &[],
            scripts: &[],
            sign: |_| None,
            is_compiled: false,
            more_words: |_| Vec::new(),
            lists_only: &[],
            detect: |_, _| {},
            call: "",
            watches: &[],
            projects: |_| Vec::new(),
            configs: &[],
            executors: &[],
            ask: |_| None,
            ask_again: |_| None,
            node_files: &[],
            writes_one_file: false,
            tells_unasked: false,
            ours: &[],
            reports: &[],
            documents: &[],
            junit: &junit::OTHER,
            written: |_| Vec::new(),
            read_text: |_| None,
            telling: &[],
            hides: &[],
            readable: None,
            rooted: |_, _, _| None,
            settle: |_, _| {},
            assertions: &[],
            proves_nothing: &[],
            nothing_ran: &[],
            caches: &[],
            no_daemon: None,
            takes_aim: |_| false,
            filters: &[],
            known_by: "",
            asked: "",
            tried: None,
        }
    }

    /// The sign of it in a call, if there is one.
    pub(crate) fn sign_in(&self, look: &Look<'_>) -> Option<Sign> {
        const WITH_VALUE: [&str; 6] = ["--cwd", "-C", "-c", "--config", "-e", "-p"];
        let first = look.call.positional(&WITH_VALUE).map(|(first, _)| first);
        let is_package = || {
            let program = look.call.program.replace('\\', "/");
            let has = |package: &&str| program.contains(&format!("node_modules/{package}/"));
            look.host == Some("node") && self.packages.iter().any(has)
        };
        let is_named = self.programs.contains(&look.call.name)
            || (self.subcommands.iter())
                .any(|(program, sub)| *program == look.call.name && first == Some(sub))
            || is_package();
        Sign::sure_if(is_named).or_else(|| (self.sign)(look))
    }

    /// How it is known in a command, for the documentation.
    pub fn known(&self) -> String {
        let programs = self.programs.iter().map(|name| format!("`{name}`"));
        let subcommands = (self.subcommands.iter()).map(|(name, sub)| format!("`{name} {sub}`"));
        let more = (!self.known_by.is_empty()).then(|| self.known_by.to_owned());
        let all: Vec<String> = programs.chain(subcommands).chain(more).collect();
        all.join(", ")
    }

    /// Whether a run of it can be limited to some tests, at best.
    pub fn can_be_aimed(&'static self) -> bool {
        let names = self.programs.iter().copied();
        let names = names.chain(self.subcommands.iter().map(|(name, _)| *name));
        names.chain([self.name]).any(|name| {
            (self.takes_aim)(&Found {
                runner: self,
                dir: PathBuf::new(),
                reachable: true,
                sure: true,
                words: vec![name.to_owned()],
                package: None,
            })
        })
    }

    /// Whether the text of a script, run by this, tells of it.
    pub(crate) fn is_told_by(&self, host: &str, script: &str) -> bool {
        let mut words = self.scripts.iter();
        words.any(|(of, word)| *of == host && script.contains(word))
    }
}

/// The runner of a name.
pub fn named(name: &str) -> Option<&'static Runner> {
    RUNNERS.iter().copied().find(|runner| runner.name == name)
}

/// Every runner, for the documentation.
pub fn all() -> impl Iterator<Item = &'static Runner> {
    RUNNERS.iter().copied()
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A name is that of one runner.
impl PartialEq for Runner {
    fn eq(&self, other: &Runner) -> bool {
        self.name == other.name
    }
}

impl Eq for Runner {}

impl PartialOrd for Runner {
    fn partial_cmp(&self, other: &Runner) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Runner {
    fn cmp(&self, other: &Runner) -> Ordering {
        self.name.cmp(other.name)
    }
}

#[cfg(test)]
mod outside_tests;
