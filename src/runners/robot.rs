//! Robot Framework: the lines of our listener.

use super::Runner;
use super::ask::{Join, Way};
use super::formats::lines::LINES;

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
    asked: "a listener of ours, by `ROBOT_OPTIONS`",
    tried: Some("7"),
    ..Runner::named("Robot Framework")
};
