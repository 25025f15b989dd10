//! Whose hand: a table of chains.

use super::*;
use crate::person::trace::Survivor;

fn process(pid: u32, parent: u32, began: u64, program: &str) -> Process {
    Process {
        pid,
        parent,
        began,
        program: program.into(),
        words: vec![program.to_owned()],
        ..Process::default()
    }
}

/// A chain from the inside out: pid 100 first, the last one's parent is given.
fn chain(programs: &[(&str, u64)], top: u32) -> Vec<Process> {
    let count = programs.len();
    let numbered = programs.iter().enumerate();
    numbered
        .map(|(at, (program, began))| {
            let pid = 100 - u32::try_from(at).expect("few");
            let parent = if at + 1 == count { top } else { pid - 1 };
            process(pid, parent, *began, program)
        })
        .collect()
}

fn judged(chain: &[Process], trace: &Trace) -> Hand {
    let world = World {
        marks: &|_| None,
        is_test_run_here: &|_| true,
        others: &Vec::new,
    };
    hand(chain, trace, &world)
}

fn open(clock: u64) -> Trace {
    let origin = Origin {
        clock,
        space: Some(space("host", 1)),
        ..Origin::default()
    };
    Trace {
        open: vec![origin],
        survivors: Vec::new(),
    }
}

fn space(processes: &str, root: u64) -> processes::Space {
    processes::Space {
        processes: processes.into(),
        clock: "host".into(),
        root: (1, root),
    }
}

#[test]
fn who_hides_what_is_above_is_no_person_and_who_comes_in_a_container_is() {
    let inside = |began, space| {
        let mut chain = chain(&[SELF, ("sh", began)], 0);
        chain.last_mut().expect("one").space = Some(space);
        chain
    };
    for (how, began, space, hand) in [
        ("since a call", 600, space("own", 1), Hand::LeftBehind),
        ("before it", 400, space("own", 1), Hand::Person),
        ("a container", 600, space("own", 2), Hand::Person),
        (
            "into the client's container",
            600,
            space("host", 1),
            Hand::Person,
        ),
        (
            "with another clock",
            400,
            processes::Space {
                clock: "own".into(),
                ..space("own", 1)
            },
            Hand::LeftBehind,
        ),
    ] {
        assert_eq!(judged(&inside(began, space), &open(500)), hand, "{how}");
    }
}

const SELF: (&str, u64) = ("git-tcr", 900);
const GIT: (&str, u64) = ("/usr/bin/git", 900);

#[test]
fn people_pass_also_while_an_agent_is_at_work() {
    let trace = open(500);
    for (name, programs, top) in [
        (
            "a terminal",
            vec![SELF, GIT, ("bash", 100), ("gnome-terminal-server", 90)],
            1,
        ),
        (
            "ssh",
            vec![SELF, GIT, ("bash", 800), ("sshd", 790), ("sshd", 10)],
            1,
        ),
        (
            "tmux of before",
            vec![SELF, GIT, ("zsh", 800), ("tmux", 100)],
            1,
        ),
        (
            "a script",
            vec![SELF, ("sh", 800), ("make", 800), ("bash", 100)],
            7,
        ),
        (
            "cron",
            vec![SELF, ("sh", 800), ("cron", 800), ("cron", 10)],
            1,
        ),
        ("a container", vec![SELF, ("sh", 800)], 0),
        (
            "a runner of CI",
            vec![
                SELF,
                ("bash", 800),
                ("Runner.Worker", 800),
                ("Runner.Listener", 10),
            ],
            1,
        ),
        (
            "an editor",
            vec![SELF, GIT, ("bash", 800), ("code", 100)],
            1,
        ),
        (
            "the editor named like a client",
            vec![SELF, ("bash", 800), ("cursor", 100)],
            1,
        ),
        ("the first process", vec![SELF, ("bash", 10)], 0),
    ] {
        assert_eq!(
            judged(&chain(&programs, top), &trace),
            Hand::Person,
            "{name}"
        );
    }
    let nothing = Trace::default();
    for programs in [
        vec![SELF, ("sh", 800)],
        vec![SELF, ("bash", 800), ("tmux", 800)],
        vec![SELF, ("nohup", 800)],
    ] {
        assert_eq!(judged(&chain(&programs, 1), &nothing), Hand::Person);
    }
}

#[test]
fn a_client_above_is_an_agents_hand_whatever_lies_between() {
    for program in [
        "claude",
        "/opt/x/claude",
        "codex",
        "gemini",
        "copilot",
        "opencode",
        "cursor-agent",
    ] {
        let programs = [
            SELF,
            GIT,
            ("env", 700),
            ("sh", 700),
            (program, 100),
            ("bash", 90),
        ];
        let found = judged(&chain(&programs, 1), &Trace::default());
        assert!(matches!(found, Hand::Client(_)), "{program}: {found:?}");
    }
    let mut by_package = chain(&[SELF, ("node", 100)], 1);
    for (script, is_client) in [
        (
            "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
            true,
        ),
        (
            "/usr/lib/node_modules/@google/gemini-cli/dist/index.js",
            true,
        ),
        ("/usr/local/bin/codex", true),
        ("/home/ada/claude-code-notes/serve.js", false),
        ("server.js", false),
    ] {
        by_package.last_mut().expect("two").words = vec!["node".into(), script.into()];
        let found = judged(&by_package, &Trace::default());
        assert_eq!(matches!(found, Hand::Client(_)), is_client, "{script}");
    }
}

#[test]
fn what_a_run_of_ours_started_is_no_person() {
    let run = chain(
        &[
            SELF,
            GIT,
            ("sh", 900),
            ("python3", 900),
            ("git-tcr", 800),
            ("bash", 9),
        ],
        1,
    );
    assert_eq!(judged(&run, &Trace::default()), Hand::TestRun);
    let mut demo = chain(&[SELF, ("git-tcr", 800), ("bash", 9)], 1);
    demo.get_mut(1).expect("three").words = vec!["git-tcr".into(), "demo".into()];
    assert_eq!(judged(&demo, &Trace::default()), Hand::Person);
    let world = World {
        marks: &|_| None,
        is_test_run_here: &|_| false,
        others: &Vec::new,
    };
    assert_eq!(hand(&run, &Trace::default(), &world), Hand::Person);
}

#[test]
fn orphans_of_an_open_call_are_the_agents() {
    let trace = open(500);
    for (name, programs, top) in [
        ("setsid", vec![SELF, GIT, ("sh", 600)], 1),
        (
            "a reaper with a name",
            vec![SELF, ("sh", 600), ("systemd", 10)],
            1,
        ),
        (
            "a server of its own",
            vec![SELF, ("bash", 600), ("tmux", 600)],
            1,
        ),
        ("the program itself", vec![SELF], 1),
    ] {
        assert_eq!(
            judged(&chain(&programs, top), &trace),
            Hand::LeftBehind,
            "{name}"
        );
    }
    let script = chain(&[SELF, ("bash", 600), ("make", 400)], 40);
    assert_eq!(
        judged(&script, &trace),
        Hand::Person,
        "whoever runs the client"
    );
    let mut container = chain(&[SELF, ("make", 600), ("bash", 5)], 0);
    container.last_mut().expect("three").pid = 1;
    container.get_mut(1).expect("three").parent = 1;
    assert_eq!(
        judged(&container, &trace),
        Hand::Person,
        "typed in a container"
    );
    container.last_mut().expect("three").program = "sleep".into();
    container.last_mut().expect("three").words = vec!["sleep".into()];
    assert_eq!(
        judged(&container, &trace),
        Hand::LeftBehind,
        "nobody types there"
    );
    let mut elsewhere = chain(&[SELF, ("alacritty", 600)], 1);
    elsewhere.last_mut().expect("two").scope = "/user.slice/app.scope".into();
    assert_eq!(
        judged(&elsewhere, &trace),
        Hand::Person,
        "accounted elsewhere"
    );
}

#[test]
fn what_outlived_a_call_stays_the_agents_and_so_do_its_orphans() {
    let survivor = |pid, began| Survivor {
        pid,
        began,
        ..Survivor::default()
    };
    let trace = Trace {
        open: Vec::new(),
        survivors: vec![survivor(99, 600)],
    };
    let itself = chain(&[SELF, ("sh", 600), ("anything", 5)], 7);
    assert_eq!(judged(&itself, &trace), Hand::LeftBehind);
    let another = chain(&[SELF, ("sh", 601), ("anything", 5)], 7);
    assert_eq!(
        judged(&another, &trace),
        Hand::Person,
        "the number was used again"
    );
    let orphan = chain(&[SELF, ("x", 650), ("sh", 650), ("sh", 650)], 1);
    assert_eq!(judged(&orphan, &trace), Hand::LeftBehind);
    let before = chain(&[SELF, ("x", 650), ("sh", 650), ("sh", 550)], 1);
    assert_eq!(judged(&before, &trace), Hand::Person);
}

#[test]
fn marks_of_an_ancestor_tell_where_the_environment_was_emptied() {
    let world = World {
        marks: &|process| (process.pid == 98).then_some("codex"),
        is_test_run_here: &|_| true,
        others: &Vec::new,
    };
    let emptied = chain(&[SELF, ("env", 9), ("zsh", 8)], 1);
    assert_eq!(
        hand(&emptied, &Trace::default(), &world),
        Hand::Client("codex")
    );
}
