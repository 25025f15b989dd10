//! Robot Framework: the lines of our listener.

use super::Runner;
use super::ask::{Join, Way};
use super::formats::lines::LINES;
use super::project::Strength;
use super::project::python::{prefix, python};

pub(super) static RUNNER: Runner = Runner {
    programs: &["robot", "pabot", "robot.run"],
    scripts: &[("python", "robot")],
    lists_only: &["--dryrun"],
    ask: |asking| {
        let listener = format!("--listener {}/robot/tcr_robot.py", asking.home);
        let hook = include_str!("reporters/tcr_robot.py");
        let way = Way::default().set("ROBOT_OPTIONS", Join::After(" "), listener);
        Some(way.file("robot/tcr_robot.py", hook))
    },
    reports: &[("robot-", &LINES)],
    detect: |place, out| {
        const DIRS: [&str; 5] = ["tests", "test", "robot", "atest", ""];
        let is_robot = |name: &String| name.ends_with(".robot");
        let found = DIRS.iter().find_map(|dir| {
            let file = place.list(dir).into_iter().find(is_robot)?;
            Some(match *dir {
                "" => (".", file),
                dir => (dir, format!("{dir}/{file}")),
            })
        });
        if let Some((dir, file)) = found {
            let command = format!("{}robot {dir}", prefix(place));
            out.push(python(
                Strength::Default,
                command,
                format!("`{file}`"),
                &file,
            ));
        }
    },
    asked: "a listener of ours, by `ROBOT_OPTIONS`",
    tried: Some("7"),
    ..Runner::named("Robot Framework")
};
