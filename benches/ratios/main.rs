//! Speed as ratios to plain git, whole processes measured in turn in one run.
//!
//! `cargo bench` prints the table. Options after `--`: `--rounds N` (medians of N, at least 1),
//! `--quick` (a smoke run on small repositories), `--brief` (the same, without what takes long),
//! `--only WORD` (operations whose name holds it).
//! The repositories are made in memory, or where `TMPDIR` says.
//! The exit status is 0 whatever the ratios: speed depends on the machine and is no test.

mod calls;
mod experiments;
mod gate;
mod history;
mod hooks;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
mod measure;
mod out;
mod peers;
mod place;
mod smells;
#[path = "../../tests/support/mod.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    clippy::panic,
    reason = "it is written for the tests, which use more of it"
)]
mod support;
mod verdicts;
mod watch;
mod world;

use measure::{Ratio, Sides, medians};
use world::World;

/// Medians of this many rounds.
const ROUNDS: usize = 25;
const QUICK_ROUNDS: usize = 3;

struct Options {
    rounds: usize,
    sizes: Vec<usize>,
    refs: usize,
    events: usize,
    /// A smoke run.
    quick: bool,
    /// Only what is done for every call.
    brief: bool,
    results: usize,
    only: Option<String>,
}

impl Options {
    fn from_args() -> Options {
        let args: Vec<String> = std::env::args().skip(1).collect();
        let value = |name: &str| {
            let at = args.iter().position(|arg| arg == name)?;
            args.get(at + 1).cloned()
        };
        let brief = args.iter().any(|arg| arg == "--brief");
        let quick = brief || args.iter().any(|arg| arg == "--quick");
        let rounds = value("--rounds").and_then(|rounds| rounds.parse().ok());
        Options {
            rounds: rounds
                .unwrap_or(if quick { QUICK_ROUNDS } else { ROUNDS })
                .max(1),
            sizes: if quick {
                vec![200, 1_000]
            } else {
                vec![1_000, 10_000, 50_000]
            },
            refs: if quick { 500 } else { 20_000 },
            quick,
            brief,
            events: if quick { 30 } else { 5_000 },
            results: if quick { 2_000 } else { 100_000 },
            only: value("--only"),
        }
    }

    fn wants(&self, operation: &str) -> bool {
        self.only
            .as_deref()
            .is_none_or(|word| operation.contains(word))
    }
}

fn main() {
    let options = Options::from_args();
    read_back(std::path::Path::new(support::PROGRAM));
    println!(
        "medians of {}, in ms, in {}; each line is measured in turn with its yardstick",
        options.rounds,
        place::choose().display()
    );
    println!("{}", Ratio::HEADER);
    let mut over = 0;
    let mut show = |ratio: Ratio| {
        over += usize::from(ratio.is_over());
        println!("{ratio}");
    };
    gate::show(&options, &mut show);
    calls::show(&options, &mut show);
    history::show(&options, &mut show);
    by_size(&options, &mut show);
    if !options.brief {
        at_length(&options, &mut show);
    }
    match over {
        0 => println!("all within their goals"),
        over => println!("{over} over their goals"),
    }
}

/// A file that was just written is in memory in larger pieces than one that was read from the disk, and
/// starts quicker than it does for users.
fn read_back(program: &std::path::Path) {
    let file = std::fs::File::open(program).expect("the program");
    file.sync_all().expect("a disk");
    // Where it can't be dropped, in memory say, it is measured as it is.
    let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed);
}

/// What a person does now and then.
fn at_length(options: &Options, show: &mut dyn FnMut(Ratio)) {
    by_events(options, show);
    out::out(options, show);
    if options.wants("verdict") {
        let files = options.sizes.iter().copied().min().unwrap_or_default();
        verdicts::show(options.results, files, options.rounds, show);
    }
    if options.wants("smells") {
        smells::by_language(options.rounds, show);
    }
    #[cfg(feature = "mcp")]
    if options.wants("MCP") {
        let files = options.sizes.iter().copied().min().unwrap_or_default();
        mcp::status(files, options.rounds, show);
    }
    if options.wants("watch") {
        let files = options.sizes.iter().copied().max().unwrap_or_default();
        watch::show(files, options.rounds, show);
    }
    log::newest(options, show);
    hooks::show(options, show);
    experiments::show(options, show);
    peers::show(options, show);
}

/// Every operation next to plain git, on repositories of growing size.
fn by_size(options: &Options, show: &mut dyn FnMut(Ratio)) {
    let smallest = options.sizes.iter().copied().min().unwrap_or_default();
    let largest = options.sizes.iter().copied().max().unwrap_or_default();
    let mut small = None;
    for &files in &options.sizes {
        let refs = if files == largest { options.refs } else { 0 };
        let world = World::generate(files, refs);
        let size = if refs > 0 {
            format!("{files} files, {refs} refs")
        } else {
            format!("{files} files")
        };
        if options.wants("status") {
            show(status(&world, &size, options.rounds));
        }
        if files == largest
            && options.wants("flat")
            && let Some(small) = &small
        {
            show(status_is_flat(&world, small, &size, options.rounds));
        }
        if options.wants("green") {
            // Where git has to look at many files anyway, keeping what was tested must cost nothing.
            let allowed = if files <= 1_000 { 1.3 } else { 1.0 };
            show(green_loop(&world, &size, allowed, options.rounds));
        }
        if options.wants("red") {
            show(red_loop(&world, &size, options.rounds));
        }
        if files == smallest {
            small = Some(world);
        }
    }
}

fn status(world: &World, size: &str, rounds: usize) -> Ratio {
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |_| world.ours.timed_tcr(&["status", "--json"], 0),
            yardstick: &mut |_| world.ours.timed_git(&["rev-parse", "HEAD"]),
        },
    );
    Ratio::new(
        "status --json / git rev-parse HEAD",
        size,
        ours,
        yardstick,
        2.0,
    )
}

fn status_is_flat(large: &World, small: &World, size: &str, rounds: usize) -> Ratio {
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |_| large.ours.timed_tcr(&["status", "--json"], 0),
            yardstick: &mut |_| small.ours.timed_tcr(&["status", "--json"], 0),
        },
    );
    Ratio::new(
        "status --json, flat / the smallest",
        size,
        ours,
        yardstick,
        1.2,
    )
}

fn green_loop(world: &World, size: &str, allowed: f64, rounds: usize) -> Ratio {
    world.ours.seal_test_command("true");
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| {
                world.ours.change(round);
                world.ours.timed_tcr(&["run"], 0)
            },
            yardstick: &mut |round| {
                world.plain.change(round);
                world
                    .plain
                    .timed_script("git add -A && git commit -qm WIP --no-verify")
            },
        },
    );
    world.ours.expect_clean();
    world.plain.expect_clean();
    Ratio::new(
        "green loop / add -A && commit",
        size,
        ours,
        yardstick,
        allowed,
    )
}

fn red_loop(world: &World, size: &str, rounds: usize) -> Ratio {
    // The last accepted run is a green one, so that a failing run is tried a second time.
    world.ours.seal_test_command("true");
    world.ours.change(usize::MAX);
    world.ours.timed_tcr(&["run"], 0);
    world.ours.seal_test_command("false");
    let (ours, yardstick) = medians(
        rounds,
        &mut Sides {
            ours: &mut |round| {
                world.ours.change(round);
                world.ours.timed_tcr(&["run"], 1)
            },
            yardstick: &mut |round| {
                world.plain.change(round);
                world
                    .plain
                    .timed_script("git reset -q --hard && git clean -fdq")
            },
        },
    );
    world.ours.expect_clean();
    world.plain.expect_clean();
    Ratio::new(
        "red loop / reset --hard && clean",
        size,
        ours,
        yardstick,
        1.3,
    )
}

/// What a long history of loops costs: the same operations after few events and after many.
fn by_events(options: &Options, show: &mut dyn FnMut(Ratio)) {
    const FEW: usize = 10;
    if !options.wants("event") {
        return;
    }
    let files = options.sizes.iter().copied().min().unwrap_or_default();
    let (young, old) = (World::generate_ours(files), World::generate_ours(files));
    young.play_loops(FEW);
    old.play_loops(options.events);
    let size = format!("{files} files, {} events", options.events);
    for (name, test, status) in [("green", "true", 0), ("red", "false", 1)] {
        young.seal_test_command(test);
        old.seal_test_command(test);
        let one = |repo: &world::Checkout, round: usize| {
            repo.change(round);
            repo.timed_tcr(&["run"], status)
        };
        let (late, early) = medians(
            options.rounds,
            &mut Sides {
                ours: &mut |round| one(&old, round),
                yardstick: &mut |round| one(&young, round),
            },
        );
        show(Ratio::new(
            &format!("{name} loop, late event / event {FEW}"),
            &size,
            late,
            early,
            1.3,
        ));
    }
    let (late, early) = medians(
        options.rounds,
        &mut Sides {
            ours: &mut |_| old.timed_tcr(&["status", "--json"], 0),
            yardstick: &mut |_| young.timed_tcr(&["status", "--json"], 0),
        },
    );
    show(Ratio::new(
        &format!("status, late event / event {FEW}"),
        &size,
        late,
        early,
        1.3,
    ));
}
